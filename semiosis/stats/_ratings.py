"""Ratings of generators from games: Bradley–Terry, sequential Elo averaged over orders, Thurstone Case V.

A game is (a, b, winner) with winner "a", "b" or "tie"; a tie is half a win for each. Bradley–Terry is the
default because it does not depend on the order of games. Sources: SemJudge, section 6.1 (Elo of 16
generators); AIGI-VC, equation 1 (Thurstone); Bradley and Terry 1952; Elo 1978.
"""

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy.sparse import csgraph

from semiosis.stats._arrays import coded, floats, winner_codes
from semiosis.stats._estimate import FloatArray, IntArray, Setting, number, undefined
from semiosis.stats._solvers import EloRule, play_elo, solve_bradley_terry, solve_thurstone
from semiosis.values import DataError, Unscored, UsageError

Games = Sequence[tuple[Hashable, Hashable, object]] | Sequence[Sequence[object]] | npt.NDArray[np.generic]
"""Games as (a, b, winner); the winner as in `krcc`."""

Counts = npt.NDArray[np.generic] | Sequence[Sequence[float]]
"""Counts[i][j]: how often i was preferred over j; half a count for a tie."""

RatingMethod = Literal["bradley-terry", "elo", "thurstone"]

ELO_CENTRE = 1000.0
ELO_PER_LOGIT = 400 / np.log(10)


@dataclass(frozen=True)
class Ratings:
    """What each generator is worth, by one method."""

    names: tuple[Hashable, ...]
    """The generators, in order of first appearance."""
    scores: tuple[float, ...] | Unscored
    """Their ratings in the same order, or why there are none."""
    n: int
    """Games used."""
    n_unscored: int = 0
    """Games without a winner or a tie."""
    spread: tuple[float, ...] | None = None
    """Elo: standard deviation of each rating over orders of the games."""
    method: str = ""
    parameters: dict[str, Setting] = field(default_factory=dict)
    seed: int | None = None
    converged: bool | None = None
    iterations: int | None = None

    def __getitem__(self, name: Hashable) -> float:
        if isinstance(self.scores, Unscored):
            raise DataError(f"no ratings: {self.scores.detail}")
        if name not in self.names:
            raise DataError(f"{name!r} has no rating", fix=f"rated are {', '.join(map(str, self.names))}")
        return self.scores[self.names.index(name)]

    def __str__(self) -> str:
        if isinstance(self.scores, Unscored):
            return f"{self.method}: unscored ({self.scores.detail}), n = {self.n:,}"
        ranked = sorted(zip(self.scores, self.names, strict=True), key=lambda item: -item[0])
        shown = ", ".join(f"{name} {number(score, 2)}" for score, name in ranked)
        return f"{self.method}: {shown}, n = {self.n:,}" + (
            f", {self.n_unscored:,} unscored" if self.n_unscored else ""
        )


@dataclass(frozen=True)
class Played:
    """Games as arrays: the numbers of a and b, and 1, ½ or 0 for a."""

    names: tuple[Hashable, ...]
    a: IntArray
    b: IntArray
    score: FloatArray
    n_unscored: int


@dataclass(frozen=True)
class Counted:
    """Games as a table of wins (K × K)."""

    names: tuple[Hashable, ...]
    wins: FloatArray
    n: int
    n_unscored: int


def win_counts(games: Games) -> tuple[tuple[Hashable, ...], FloatArray]:
    """The generators and how often each was preferred over each other, a tie being half a win for both.

    >>> names, counts = win_counts([("x", "y", "a"), ("y", "x", "tie")])
    >>> names, counts.tolist()
    (('x', 'y'), [[0.0, 1.5], [0.5, 0.0]])
    """
    played = _played(games)
    return played.names, wins_of(played)


def bradley_terry(
    games: Games | Counts, *, prior: float = 0.0, names: Sequence[Hashable] | None = None
) -> Ratings:
    """Bradley–Terry maximum likelihood on the Elo scale: 1000 + 400/ln 10 · θ with Σθ = 0.

    P(i beats j) = 1/(1 + e^(θj − θi)). When some generators never lost to, or never met, the rest, there is
    no finite maximum and the scores are unscored; `prior` then adds that many wins in each direction between
    every two generators, which is said in the parameters.

    >>> r = bradley_terry([("x", "y", "a"), ("x", "y", "a"), ("x", "y", "a"), ("x", "y", "b")])
    >>> round(r["x"] - r["y"], 4)  # 400 · log10(3)
    190.8485
    """
    return _bradley_terry(_counted(games, names), prior)


def elo(
    games: Games,
    *,
    k: float = 32,
    initial: float = 1000,
    scale: float = 400,
    shuffles: int = 100,
    seed: int = 0,
) -> Ratings:
    """Sequential Elo, averaged over seeded shuffles of the games, with the spread over orders.

    `shuffles=0` plays the games once in the order given. The result of one order depends on that order: use
    it to stand beside the paper, and Bradley–Terry otherwise.

    >>> r = elo([("x", "y", "a")], shuffles=0)
    >>> r["x"], r["y"]
    (1016.0, 984.0)
    """
    return rate_elo(_played(games), EloRule(k, initial, scale), shuffles, seed)


def thurstone(
    games: Games | Counts, *, prior: float = 1.0, names: Sequence[Hashable] | None = None
) -> Ratings:
    """Thurstone Case V, maximum a posteriori (AIGI-VC, equation 1, with the prior restored).

    argmax_q Σ C_ij log Φ(q_i − q_j) − prior · Σ q_i²/2 subject to Σ q = 0; `preference(scores)` gives
    Φ(q_i − q_j).

    >>> r = thurstone([[0, 4], [1, 0]])
    >>> round(r[0] + r[1], 12), r.converged
    (0.0, True)
    """
    return _thurstone(_counted(games, names), prior)


def preference(scores: Sequence[float] | FloatArray) -> FloatArray:
    """Φ(q_i − q_j): the probability that i is preferred over j, the standard normal without √2 (AIGI-VC).

    >>> preference([0.0, 0.0]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    q = np.asarray(scores, dtype=np.float64)
    return np.asarray(special.ndtr(q[:, None] - q[None, :]))


def rate_bradley_terry(played: Played, prior: float) -> Ratings:
    """Bradley–Terry ratings of games given as arrays."""
    return _bradley_terry(Counted(played.names, wins_of(played), len(played.a), played.n_unscored), prior)


def rate_thurstone(played: Played, prior: float) -> Ratings:
    """Thurstone ratings of games given as arrays."""
    return _thurstone(Counted(played.names, wins_of(played), len(played.a), played.n_unscored), prior)


def rate_elo(played: Played, rule: EloRule, shuffles: int, seed: int) -> Ratings:
    """Elo ratings of games given as arrays."""
    settings: dict[str, Setting] = {**asdict(rule), "shuffles": shuffles}
    if not len(played.a):
        return Ratings(
            played.names, undefined("no game"), 0, played.n_unscored, method="Elo", parameters=settings
        )
    orders = _orders(len(played.a), shuffles, seed)
    final = play_elo(played.a, played.b, played.score[None], orders, rule)[0]
    return Ratings(
        played.names,
        tuple(final.mean(axis=0).tolist()),
        len(played.a),
        played.n_unscored,
        spread=tuple(final.std(axis=0, ddof=1).tolist()) if shuffles > 1 else None,
        method="Elo",
        parameters=settings,
        seed=seed if shuffles else None,
    )


def _bradley_terry(counted: Counted, prior: float) -> Ratings:
    wins = counted.wins + prior * (1 - np.eye(len(counted.names)))
    settings: dict[str, Setting] = {"prior": prior, "centre": ELO_CENTRE, "scale": 400}
    scores: tuple[float, ...] | Unscored | None = _no_maximum(counted.names, wins)
    converged, iterations = None, None
    if scores is None:
        theta, solved, iterations = solve_bradley_terry(wins[None])
        converged = bool(solved[0])
        rated = ELO_CENTRE + ELO_PER_LOGIT * theta[0]
        scores = tuple(rated.tolist()) if converged else undefined("the solver did not converge")
    return Ratings(
        counted.names,
        scores,
        counted.n,
        counted.n_unscored,
        method="Bradley–Terry",
        parameters=settings,
        converged=converged,
        iterations=iterations,
    )


def _thurstone(counted: Counted, prior: float) -> Ratings:
    if prior <= 0:
        raise UsageError(f"a Thurstone prior of {prior} is not above 0", fix="prior=1 is the paper's")
    scores, converged, iterations = solve_thurstone(counted.wins, prior)
    return Ratings(
        counted.names,
        tuple(scores.tolist()) if len(counted.names) > 1 else undefined("fewer than 2 generators"),
        counted.n,
        counted.n_unscored,
        method="Thurstone Case V, MAP",
        parameters={"prior": prior},
        converged=converged,
        iterations=iterations,
    )


def wins_of(played: Played) -> FloatArray:
    """Counts of wins (K × K)."""
    size = len(played.names)
    wins = np.zeros((size, size))
    np.add.at(wins, (played.a, played.b), played.score)
    np.add.at(wins, (played.b, played.a), 1 - played.score)
    return wins


def _no_maximum(names: Sequence[Hashable], wins: FloatArray) -> Unscored | None:
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
        why = f"{_listed(rest)} never won against the others"
    else:
        why = f"{_listed(best)} never lost to the others"
    return undefined(f"no finite maximum: {why}; a prior of 0.5 would regularise")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _orders(games: int, shuffles: int, seed: int) -> IntArray:
    if shuffles == 0:
        return np.arange(games, dtype=np.intp)[None]
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(games, dtype=np.intp), (shuffles, 1)), axis=1)


def _played(games: Games) -> Played:
    """Games as arrays; a generator without a scored game is left out."""
    rows = [_game(row, place) for place, row in enumerate(games)]
    codes = winner_codes([winner for _, _, winner in rows])
    scored = [row for row, code in zip(rows, codes, strict=True) if not np.isnan(code)]
    index, names = coded([name for a, b, _ in scored for name in (a, b)])
    a, b = index[0::2], index[1::2]
    if (a == b).any():
        raise DataError(
            f"{names[int(a[a == b][0])]!r} plays against itself", fix="a game needs two generators"
        )
    points = (codes[~np.isnan(codes)] + 1) / 2
    return Played(tuple(names), a, b, points, len(rows) - len(scored))


def _game(row: Any, place: int) -> tuple[Hashable, Hashable, object]:
    cells = tuple(row.tolist() if isinstance(row, np.ndarray) else row)
    if len(cells) != 3:
        raise DataError(f"game {place} has {len(cells)} entries", fix="a game is (a, b, winner)")
    return cells


def _counted(games: Games | Counts, names: Sequence[Hashable] | None) -> Counted:
    games = games if isinstance(games, np.ndarray) else list(games)
    if not _are_counts(games):
        played = _played(games)
        return Counted(played.names, wins_of(played), len(played.a), played.n_unscored)
    wins = np.array(floats(games))  # type: ignore[arg-type]  # told apart from games above
    if wins.ndim != 2 or wins.shape[0] != wins.shape[1]:
        raise DataError(f"counts must be square, not {' × '.join(map(str, wins.shape))}")
    np.fill_diagonal(wins, 0)
    if np.isnan(wins).any() or (wins < 0).any():
        raise DataError("a count is missing or below 0", fix="use 0 where two generators never met")
    return Counted(tuple(names or range(len(wins))), wins, round(wins.sum()), 0)


def _are_counts(games: Games | Counts) -> bool:
    """Whether these are counts: a table of numbers whose rows are as many as its columns.

    Three games between numbered generators look the same; there tuples are games and lists are counts.
    """
    if isinstance(games, np.ndarray):
        return games.dtype.kind in "fiu"
    square = bool(games) and all(len(row) == len(games) for row in games)
    if not square or (len(games) == 3 and all(isinstance(row, tuple) for row in games)):
        return False
    return all(cell is None or isinstance(cell, int | float | np.number) for row in games for cell in row)
