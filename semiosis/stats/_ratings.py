"""Ratings of generators from games: Bradley–Terry, sequential Elo averaged over orders, Thurstone Case V.

A game is (a, b, winner) with winner "a", "b" or "tie"; a tie is half a win for each. Bradley–Terry is the
default because it does not depend on the order of games. Sources: SemJudge, section 6.1 (Elo of 16
generators); AIGI-VC, equation 1 (Thurstone); Bradley and Terry 1952; Elo 1978.
"""

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Literal

import numpy as np
from scipy import special
from scipy.sparse import csgraph

from semiosis.stats._estimate import FloatArray, IntArray, ParameterValue, format_number, undefined
from semiosis.stats._frames import Record, Result
from semiosis.stats._games import GameArrays, GameRows, WinCounts, WinTable, game_arrays, win_table
from semiosis.stats._solvers import EloRule, play_elo, solve_bradley_terry, solve_thurstone
from semiosis.values import DataError, Unscored, UsageError

RatingMethod = Literal["bradley-terry", "elo", "thurstone"]

ELO_CENTRE = 1000.0
ELO_PER_LOGIT = 400 / np.log(10)


@dataclass(frozen=True)
class GeneratorRatings(Result):
    """The ratings of generators by one method."""

    names: tuple[Hashable, ...]
    """The generators, in order of first appearance."""
    scores: tuple[float, ...] | Unscored
    """Their ratings in the same order, or the reason why there are none."""
    n: int
    """The number of games used."""
    n_unscored: int = 0
    """The number of games without a winner or a tie."""
    spread: tuple[float, ...] | None = None
    """Elo: standard error of each rating, which is a mean over orders of the games."""
    method: str = ""
    parameters: dict[str, ParameterValue] = field(default_factory=dict)
    seed: int | None = None
    converged: bool | None = None
    iterations: int | None = None

    def records(self) -> list[Record]:
        """Return one row per generator."""
        none = [None] * len(self.names)
        scores = none if isinstance(self.scores, Unscored) else self.scores
        columns = zip(self.names, scores, self.spread or none, strict=True)
        return [{"generator": str(name), "rating": score, "spread": sd} for name, score, sd in columns]

    def __getitem__(self, name: Hashable) -> float:
        if isinstance(self.scores, Unscored):
            raise DataError(f"there are no ratings: {self.scores.detail}", fix="check `scores` first")
        if name not in self.names:
            raise DataError(f"{name!r} has no rating", fix=f"use one of {', '.join(map(str, self.names))}")
        return self.scores[self.names.index(name)]

    def __str__(self) -> str:
        if isinstance(self.scores, Unscored):
            return f"{self.method}: unscored ({self.scores.detail}), n = {self.n:,}"
        ranked = sorted(zip(self.scores, self.names, strict=True), key=lambda item: -item[0])
        shown = ", ".join(f"{name} {format_number(score, 2)}" for score, name in ranked)
        return f"{self.method}: {shown}, n = {self.n:,}" + (
            f", {self.n_unscored:,} unscored" if self.n_unscored else ""
        )


def bradley_terry(
    games: GameRows | WinCounts, *, prior: float = 0.0, names: Sequence[Hashable] | None = None
) -> GeneratorRatings:
    """Return Bradley–Terry maximum likelihood ratings on the Elo scale: 1000 + 400/ln 10 · θ with Σθ = 0.

    P(i beats j) = 1/(1 + e^(θj − θi)) (Bradley and Terry 1952). If some generators never lost to the others,
    or never met them, there is no finite maximum and the scores are unscored. `prior` adds this many wins in
    each direction between every two generators; it is listed in the parameters.

    >>> r = bradley_terry([("x", "y", "a"), ("x", "y", "a"), ("x", "y", "a"), ("x", "y", "b")])
    >>> round(r["x"] - r["y"], 4)  # 400 · log10(3)
    190.8485
    """
    return rate_bradley_terry(win_table(games, names), prior)


def elo(
    games: GameRows,
    *,
    k: float = 32,
    initial: float = 1000,
    scale: float = 400,
    shuffles: int = 100,
    seed: int = 0,
) -> GeneratorRatings:
    """Return sequential Elo ratings (Elo 1978), averaged over seeded shuffles of the games, and their spread.

    `shuffles=0` plays the games once in the order given. The result then depends on that order: use
    it for comparison with the paper, and Bradley–Terry otherwise.

    >>> r = elo([("x", "y", "a")], shuffles=0)
    >>> r["x"], r["y"]
    (1016.0, 984.0)
    """
    return rate_elo(game_arrays(games), EloRule(k, initial, scale), shuffles, seed)


def thurstone(
    games: GameRows | WinCounts, *, prior: float = 1.0, names: Sequence[Hashable] | None = None
) -> GeneratorRatings:
    """Return maximum a posteriori ratings of Thurstone Case V (AIGI-VC, equation 1, with the prior restored).

    argmax_q Σ C_ij log Φ(q_i − q_j) − prior · Σ q_i²/2 subject to Σ q = 0; `preference(scores)` gives
    Φ(q_i − q_j).

    >>> r = thurstone([[0, 4], [1, 0]])
    >>> round(r[0] + r[1], 12), r.converged
    (0.0, True)
    """
    return rate_thurstone(win_table(games, names), prior)


def preference(scores: Sequence[float] | FloatArray) -> FloatArray:
    """Return Φ(q_i − q_j), the probability that i is preferred over j, as in AIGI-VC without the factor √2.

    >>> preference([0.0, 0.0]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    q = np.asarray(scores, dtype=np.float64)
    return np.asarray(special.ndtr(q[:, None] - q[None, :]))


def rate_elo(games: GameArrays, rule: EloRule, shuffles: int, seed: int) -> GeneratorRatings:
    """Return Elo ratings of games given as arrays."""
    rounds = np.ascontiguousarray(shuffled_orders(len(games.a), shuffles, seed).T)
    final = play_elo(games.a, games.b, games.score[None], rounds, rule)[0]
    errors = final.std(axis=0, ddof=1) / np.sqrt(len(final)) if len(final) > 1 else None
    return GeneratorRatings(
        games.names,
        tuple(final.mean(axis=0).tolist()) if len(games.a) else undefined("no game"),
        len(games.a),
        games.n_unscored,
        spread=None if errors is None or not len(games.a) else tuple(errors.tolist()),
        method="Elo",
        parameters={**asdict(rule), "shuffles": shuffles},
        seed=seed if shuffles and len(games.a) else None,
    )


def shuffled_orders(games: int, shuffles: int, seed: int) -> IntArray:
    """Return the games in random orders (orders × games), or in the given order without shuffles."""
    if shuffles == 0:
        return np.arange(games, dtype=np.intp)[None]
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(games, dtype=np.intp), (shuffles, 1)), axis=1)


def rate_bradley_terry(table: WinTable, prior: float) -> GeneratorRatings:
    """Return Bradley–Terry ratings from a table of wins."""
    wins = table.wins + prior * (1 - np.eye(len(table.names)))
    settings: dict[str, ParameterValue] = {"prior": prior, "centre": ELO_CENTRE, "scale": 400}
    scores: tuple[float, ...] | Unscored | None = no_maximum(table.names, wins)
    converged, iterations = None, None
    if scores is None:
        theta, solved, iterations = solve_bradley_terry(wins[None])
        converged = bool(solved[0])
        rated = ELO_CENTRE + ELO_PER_LOGIT * theta[0]
        scores = tuple(rated.tolist()) if converged else undefined("the solver did not converge")
    return GeneratorRatings(
        table.names,
        scores,
        table.n,
        table.n_unscored,
        method="Bradley–Terry",
        parameters=settings,
        converged=converged,
        iterations=iterations,
    )


def rate_thurstone(table: WinTable, prior: float) -> GeneratorRatings:
    """Return Thurstone ratings from a table of wins."""
    if prior <= 0:
        raise UsageError(f"the Thurstone prior {prior} is not above 0", fix="use prior=1, as in the paper")
    scores, converged, iterations = solve_thurstone(table.wins, prior)
    return GeneratorRatings(
        table.names,
        tuple(scores.tolist()) if len(table.names) > 1 else undefined("fewer than 2 generators"),
        table.n,
        table.n_unscored,
        method="Thurstone Case V, MAP",
        parameters={"prior": prior},
        converged=converged,
        iterations=iterations,
    )


def no_maximum(names: Sequence[Hashable], wins: FloatArray) -> Unscored | None:
    """Return the reason why the likelihood has no finite maximum, or None if it has one."""
    if len(names) < 2:
        return undefined("fewer than 2 generators")
    count, part = csgraph.connected_components(
        (wins > 0).astype(np.float64), directed=True, connection="strong"
    )
    if count == 1:
        return None
    unbeaten = [not wins[part != group][:, part == group].any() for group in part]
    best, rest = (
        [str(name) for name, top in zip(names, unbeaten, strict=True) if top is wanted]
        for wanted in (True, False)
    )
    if rest and len(rest) < len(best):
        why = f"{_first_three(rest)} never won against the others"
    else:
        why = f"{_first_three(best)} never lost to the others"
    return undefined(f"the ratings have no finite maximum: {why}; a prior of 0.5 would regularise them")


def _first_three(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
