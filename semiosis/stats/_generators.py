"""How far two sides rank the same generators alike: pairs ordered alike, SRCC and CCC of their ratings.

Source: SemJudge, section 6.1. Both sides are rated by the same method from the comparisons that both judged.
With a handful of generators a correlation of ranks says little, and no known interval covers it, so the pairs
that both sides order alike are reported with it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from semiosis.stats._arrays import Labels, Winners, as_list, encode_labels, same_length, winner_codes
from semiosis.stats._correlation import ccc_rows, pearson_rows, ranks
from semiosis.stats._estimate import Estimate, FloatArray, undefined
from semiosis.stats._frames import Result
from semiosis.stats._games import GameArrays
from semiosis.stats._ratings import (
    GeneratorRatings,
    RatingMethod,
    rate_bradley_terry,
    rate_elo,
    rate_thurstone,
)
from semiosis.stats._solvers import EloRule
from semiosis.values import Unscored, UsageError

MAX_GENERATORS = 200
"""More names than this are names of artifacts, not of generators."""
FEW_GENERATORS = 6
"""Below this number of generators a correlation is stated with their number."""


@dataclass(frozen=True)
class RatingRule:
    """How generators are rated."""

    method: RatingMethod = "bradley-terry"
    prior: float = 0.0
    shuffles: int = 100
    seed: int = 0

    def rate(self, games: GameArrays) -> GeneratorRatings:
        """Return the ratings of generators from games."""
        if len(games.names) > MAX_GENERATORS:
            names = f"a and b have {len(games.names):,} different names"
            reason = undefined(f"{names}, which seem to be artifacts, not generators")
            return GeneratorRatings(games.names, reason, len(games.a), method=self.method)
        if self.method == "bradley-terry":
            return rate_bradley_terry(games.win_table, self.prior)
        if self.method == "thurstone":
            return rate_thurstone(games.win_table, self.prior or 1.0)
        if self.method == "elo":
            return rate_elo(games, EloRule(), self.shuffles, self.seed)
        raise UsageError(f"unknown rating {self.method!r}", fix="use bradley-terry, elo or thurstone")


@dataclass(frozen=True)
class GeneratorAgreement(Result):
    """The agreement of two sets of ratings of the same generators."""

    alike: Estimate
    """The share of pairs of generators that both sides order alike; `related` has the two numbers."""
    srcc: Estimate
    """Spearman's ρ of the ratings."""
    ccc: Estimate
    """Lin's concordance of the ratings."""
    reference: GeneratorRatings
    """Ratings from the reference's winners."""
    evaluator: GeneratorRatings
    """Ratings from the evaluator's winners."""

    def __str__(self) -> str:
        return f"{self.alike}; {self.srcc}; {self.ccc}"


def generator_agreement(
    a: Labels,
    b: Labels,
    reference: Winners,
    evaluator: Winners,
    *,
    rating: RatingMethod = "bradley-terry",
    prior: float = 0.0,
    shuffles: int = 100,
    seed: int = 0,
) -> GeneratorAgreement:
    """Return how far two sets of winners rank the generators `a` and `b` alike (SemJudge, section 6.1).

    `rating` is `bradley-terry` (the default), `elo` (as in the paper) or `thurstone`. SRCC and CCC have no
    interval: intervals of resampled ranks cover the truth in 4 to 99 % of simulated studies, depending on how
    far the generators lie apart.

    >>> games = [("x", "y"), ("y", "z"), ("z", "x"), ("x", "y"), ("y", "x"), ("y", "z")]
    >>> a, b = zip(*games)
    >>> both = generator_agreement(a, b, list("aaaaaa"), list("aaaaaa"))
    >>> round(float(both.srcc), 9), round(float(both.ccc), 9), float(both.alike)
    (1.0, 1.0, 1.0)
    """
    truth, outcome = same_length(reference=winner_codes(reference), evaluator=winner_codes(evaluator))
    return agreement_of_codes(
        as_list(a), as_list(b), truth, outcome, RatingRule(rating, prior, shuffles, seed)
    )


def agreement_of_codes(
    a: Sequence[Hashable],
    b: Sequence[Hashable],
    truth: FloatArray,
    outcome: FloatArray,
    rule: RatingRule,
) -> GeneratorAgreement:
    """Return the agreement of two sides whose winners are codes. Comparisons without a name do not count."""
    named = np.array([bool(x) and bool(y) for x, y in zip(a, b, strict=True)], dtype=np.bool_)
    both = named & ~np.isnan(truth) & ~np.isnan(outcome)
    index, names = encode_labels([side for pair in zip(a, b, strict=True) for side in pair])
    left, right = index[0::2][both], index[1::2][both]
    present, numbers = np.unique(np.concatenate([left, right]), return_inverse=True)
    generators = tuple(names[number] for number in present.tolist())
    x, y = numbers[: len(left)], numbers[len(left) :]
    sides = [rule.rate(GameArrays(generators, x, y, (codes[both] + 1) / 2, 0)) for codes in (truth, outcome)]
    unscored = int((named & ~np.isnan(truth) & np.isnan(outcome)).sum())
    parameters = {"rating": rule.method, "prior": rule.prior}
    values = _values(sides) if named.any() else (undefined("the generators are unknown"),) * 3
    alike, srcc, ccc = (
        Estimate(
            name=name,
            value=value,
            n=int(both.sum()),
            n_unscored=unscored,
            method=f"{name} of {sides[0].method} ratings",
            parameters=parameters,
            seed=rule.seed if rule.method == "elo" else None,
            related={"generators": len(generators)},
        )
        for name, value in zip(("ordered alike", "SRCC", "CCC"), values, strict=True)
    )
    return GeneratorAgreement(_with_counts(alike, len(generators)), srcc, ccc, sides[0], sides[1])


def _with_counts(alike: Estimate, generators: int) -> Estimate:
    pairs = generators * (generators - 1) // 2
    ordered = round(float(alike) * pairs) if alike.scored else 0
    return Estimate(
        name=alike.name,
        value=alike.value,
        n=alike.n,
        n_unscored=alike.n_unscored,
        method="pairs of generators whose ratings have the same order on both sides / all pairs",
        parameters=alike.parameters,
        related={"generators": generators, "alike": ordered, "pairs": pairs},
    )


def _values(sides: Sequence[GeneratorRatings]) -> tuple[float | Unscored, ...]:
    """Return the share of pairs ordered alike, SRCC and CCC of two sets of ratings."""
    scores = []
    for side in sides:
        if isinstance(side.scores, Unscored):
            return (side.scores,) * 3
        scores.append(np.array(side.scores))
    x, y = scores
    if len(x) < 2:
        return (undefined("fewer than 2 generators"),) * 3
    # The solver leaves equal ratings a tiny spread, so they are rounded before they are compared.
    rounded = [np.round(side, 6) for side in (x, y)]
    alike = [
        np.sign(rounded[0][i] - rounded[0][j]) == np.sign(rounded[1][i] - rounded[1][j])
        for i, j in combinations(range(len(x)), 2)
    ]
    rho, lin = (
        float(pearson_rows(ranks(rounded[0]), ranks(rounded[1]))),
        float(ccc_rows(rounded[0], rounded[1])),
    )
    equal = undefined("all generators have the same rating")
    return (
        float(np.mean(alike)),
        equal if np.isnan(rho) else rho,
        equal if np.isnan(lin) else float(ccc_rows(x, y)),
    )
