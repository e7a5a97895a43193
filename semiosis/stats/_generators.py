"""SRCC and CCC: rate the generators from the reference's winners and from the evaluator's, and correlate.

Source: SemJudge, section 6.1. Both sides are rated by the same method from the pairs both have judged.
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array, hstack

from semiosis.stats._arrays import Labels, Winners, coded, groups, same_length, winner_codes
from semiosis.stats._correlation import ccc_rows, pearson_rows, ranks
from semiosis.stats._estimate import Estimate, FloatArray, IntArray, Setting, Unit, undefined
from semiosis.stats._ratings import (
    ELO_CENTRE,
    ELO_PER_LOGIT,
    Played,
    RatingMethod,
    Ratings,
    rate_bradley_terry,
    rate_elo,
    rate_thurstone,
)
from semiosis.stats._resample import Resampling, from_draws, resampled_sums
from semiosis.stats._solvers import EloRule, connected, play_elo, solve_bradley_terry, solve_thurstone
from semiosis.values import Unscored, UsageError

MOST_GENERATORS = 500
"""Beyond this the names are artifacts rather than generators, and the table of wins would fill the memory."""


TABLES_AT_ONCE = 100
"""Tables of wins solved together; more fall out of the processor's cache and are slower."""


@dataclass(frozen=True)
class GeneratorAgreement:
    """How two rankings of the same generators agree."""

    srcc: Estimate
    """Spearman's ρ of the ratings."""
    ccc: Estimate
    """Lin's concordance of the ratings."""
    reference: Ratings
    """Ratings from the reference's winners."""
    evaluator: Ratings
    """Ratings from the evaluator's winners."""

    def __str__(self) -> str:
        return f"{self.srcc}; {self.ccc}"


@dataclass(frozen=True)
class Rating:
    """How generators are rated."""

    method: RatingMethod = "bradley-terry"
    prior: float = 0.0
    shuffles: int = 100
    seed: int = 0

    @property
    def used_prior(self) -> float:
        """The prior that is in force: Thurstone's is 1 unless another is given."""
        return self.prior or (1.0 if self.method == "thurstone" else 0.0)

    def rate(self, played: Played) -> Ratings:
        """Rate the generators of these games."""
        if self.method == "bradley-terry":
            return rate_bradley_terry(played, self.prior)
        if self.method == "elo":
            return rate_elo(played, EloRule(), self.shuffles, self.seed)
        if self.method == "thurstone":
            return rate_thurstone(played, self.used_prior)
        raise UsageError(f"unknown rating {self.method!r}", fix="use bradley-terry, elo or thurstone")


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs that both sides judged, as numbers: the generators, the two winners, the unit of resampling."""

    names: tuple[Hashable, ...]
    a: IntArray
    b: IntArray
    truth: FloatArray
    said: FloatArray
    unit: IntArray
    units: int

    @property
    def size(self) -> int:
        """How many generators there are."""
        return len(self.names)

    def wins(self, codes: FloatArray) -> csr_array:
        """Wins in each unit, (units × K·K); few generators meet in one prompt, hence sparse."""
        points = (codes + 1) / 2
        cells = np.concatenate([self.a * self.size + self.b, self.b * self.size + self.a])
        where = (np.concatenate([self.unit, self.unit]), cells)
        return csr_array((np.concatenate([points, 1 - points]), where), shape=(self.units, self.size**2))


def generator_agreement(
    a: Labels,
    b: Labels,
    reference: Winners,
    evaluator: Winners,
    prompts: Labels | None = None,
    *,
    rating: RatingMethod = "bradley-terry",
    prior: float = 0.0,
    shuffles: int = 100,
    unit: Unit = "prompt",
    resamples: int = 1_000,
    level: float = 0.95,
    seed: int = 0,
) -> GeneratorAgreement:
    """SRCC and CCC of two sets of winners over the generators `a` and `b` (SemJudge, section 6.1).

    `rating` is `bradley-terry` (the default), `elo` (the paper's) or `thurstone`. Resamples in which a rating
    has no finite maximum are left out of the interval and counted in its `dropped`.

    >>> games = [("x", "y"), ("y", "z"), ("z", "x"), ("x", "y"), ("y", "x"), ("y", "z")]
    >>> a, b = zip(*games)
    >>> both = generator_agreement(a, b, list("aaaaaa"), list("aaaaaa"), resamples=0)
    >>> round(float(both.srcc), 9), round(float(both.ccc), 9)
    (1.0, 1.0)
    """
    truth, said = same_length(reference=winner_codes(reference), evaluator=winner_codes(evaluator))
    how, sample = (
        Rating(rating, prior, shuffles, seed),
        Resampling(resamples=resamples, level=level, seed=seed),
    )
    found = generator_draws(
        judged_pairs(a, b, truth, said, prompts if unit == "prompt" else None), how, sample
    )
    ends = [from_draws(drawn, sample) for drawn in found.draws] if found.draws else [None, None]
    settings: dict[str, Setting] = {
        "rating": rating,
        "prior": how.used_prior,
        "resamples": resamples,
        "level": level,
    }
    solved = [side.converged for side in (found.reference, found.evaluator) if side.converged is not None]
    srcc, lin = (
        Estimate(
            name=name,
            value=value,
            n=found.reference.n,
            n_unscored=int((~np.isnan(truth) & np.isnan(said)).sum()),
            interval=end,
            unit="prompt" if prompts is not None and unit == "prompt" else "pair",
            method=f"{long} of {found.reference.method} ratings",
            parameters=settings,
            seed=seed,
            converged=all(solved) if solved else None,
            beside={"generators": len(found.reference.names)},
        )
        for name, long, value, end in zip(
            ("SRCC", "CCC"), ("Spearman's ρ", "Lin's ρc"), found.values, ends, strict=True
        )
    )
    return GeneratorAgreement(srcc, lin, found.reference, found.evaluator)


@dataclass(frozen=True, eq=False)
class GeneratorDraws:
    """SRCC and CCC with their resampled values."""

    reference: Ratings
    evaluator: Ratings
    values: tuple[float | Unscored, float | Unscored]
    draws: tuple[FloatArray, FloatArray] | None
    """Resampled SRCC and CCC; None where there is no value or nothing to resample."""


def generator_draws(pairs: JudgedPairs, how: Rating, sample: Resampling) -> GeneratorDraws:
    """Rate both sides, correlate, and do the same in every resample."""
    rated = [_rated(pairs, codes, how) for codes in (pairs.truth, pairs.said)]
    values = _values(rated)
    idle = sample.resamples == 0 or pairs.units < 2 or isinstance(values[0], Unscored)
    draws = None
    if not idle:
        x, y = resampled_ratings(pairs, how, sample)
        draws = _correlations(x, y)
    return GeneratorDraws(rated[0], rated[1], values, draws)


def judged_pairs(
    a: Labels, b: Labels, truth: FloatArray, said: FloatArray, prompts: Labels | None
) -> JudgedPairs:
    """The pairs both sides judged, with generators and units numbered."""
    first, second = (list(side.tolist()) if isinstance(side, np.ndarray) else list(side) for side in (a, b))
    index, names = coded(first + second)
    left, right = index[: len(first)], index[len(first) :]
    unit = np.arange(len(truth)) if prompts is None else groups(prompts, len(truth))[0]
    return numbered_pairs((left, right, unit), tuple(names), truth, said)


def numbered_pairs(
    numbers: tuple[IntArray, IntArray, IntArray],
    names: tuple[Hashable, ...],
    truth: FloatArray,
    said: FloatArray,
) -> JudgedPairs:
    """The same from numbers of a, b and unit; generators and units without a judged pair are left out."""
    kept = ~(np.isnan(truth) | np.isnan(said))
    a, b, unit = (array[kept] for array in numbers)
    there, index = np.unique(np.concatenate([a, b]), return_inverse=True)
    units, unit = np.unique(unit, return_inverse=True)
    left, right = index[: len(a)], index[len(a) :]
    some = tuple(names[number] for number in there.tolist())
    return JudgedPairs(some, left, right, truth[kept], said[kept], unit, len(units))


def _rated(pairs: JudgedPairs, codes: FloatArray, how: Rating) -> Ratings:
    names = pairs.names
    if len(names) > MOST_GENERATORS:
        reason = f"{len(names):,} different names in a and b: they seem to name artifacts, not generators"
        return Ratings(names, undefined(reason), len(codes), method=how.method)
    return how.rate(Played(names, pairs.a, pairs.b, (codes + 1) / 2, 0))


def _values(rated: list[Ratings]) -> tuple[float | Unscored, float | Unscored]:
    scores = []
    for side in rated:
        if isinstance(side.scores, Unscored):
            return side.scores, side.scores
        scores.append(np.array(side.scores))
    x, y = scores
    if len(x) < 2:
        return (undefined("fewer than 2 generators"),) * 2
    found = [float(value) for value in _correlations(x, y)]
    flat = undefined("all generators are rated alike")
    return (
        flat if np.isnan(found[0]) else found[0],
        flat if np.isnan(found[1]) else found[1],
    )


def _correlations(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Spearman's ρ and Lin's ρc along the last axis; NaN where they are undefined."""
    rough_x, rough_y = tidy(x), tidy(y)
    alike = np.isnan(ccc_rows(rough_x, rough_y))  # the solver leaves equal ratings a tiny spread
    return pearson_rows(ranks(rough_x), ranks(rough_y)), np.where(alike, np.nan, ccc_rows(x, y))


def tidy(scores: FloatArray) -> FloatArray:
    """Scores rounded so that generators rated equal up to the solver's tolerance share a rank."""
    return np.round(scores, 6)


def resampled_ratings(pairs: JudgedPairs, how: Rating, sample: Resampling) -> tuple[FloatArray, FloatArray]:
    """Ratings of both sides in each resample, (resamples × K); NaN rows where there is no finite maximum."""
    if how.method == "elo":
        return _resampled_elo(pairs, sample)
    sides = csr_array(hstack([pairs.wins(pairs.truth), pairs.wins(pairs.said)]))
    tables = resampled_sums(sides, sample.resamples, sample.seed, keep=True).reshape(
        -1, 2, pairs.size, pairs.size
    )
    if how.method == "thurstone":
        solved = [[solve_thurstone(table, how.used_prior)[0] for table in side] for side in tables]
        both = np.array(solved)
        return both[:, 0], both[:, 1]
    tables = tables + how.prior * (1 - np.eye(pairs.size))
    return _resampled_bradley_terry(tables[:, 0]), _resampled_bradley_terry(tables[:, 1])


def _resampled_bradley_terry(tables: FloatArray) -> FloatArray:
    theta = np.full(tables.shape[:2], np.nan)
    finite = np.flatnonzero(connected(tables))
    for start in range(0, len(finite), TABLES_AT_ONCE):
        some = finite[start : start + TABLES_AT_ONCE]
        theta[some] = solve_bradley_terry(tables[some])[0]
    return np.asarray(ELO_CENTRE + ELO_PER_LOGIT * theta)


def _resampled_elo(pairs: JudgedPairs, sample: Resampling) -> tuple[FloatArray, FloatArray]:
    """Elo of resampled units, each resample in its own random order; both sides play in the same order."""
    scores = (np.stack([pairs.truth, pairs.said]) + 1) / 2
    both = play_elo(pairs.a, pairs.b, scores, _resampled_games(pairs, sample), EloRule())
    return both[0], both[1]


def _resampled_games(pairs: JudgedPairs, sample: Resampling) -> IntArray:
    """Games of each resample in random order (resamples × games), −1 where there is none."""
    rng = np.random.default_rng(sample.seed)
    order = np.argsort(pairs.unit, kind="stable")
    sizes = np.bincount(pairs.unit, minlength=pairs.units)
    if (sizes == 1).all():
        return np.asarray(order[rng.integers(0, pairs.units, (sample.resamples, pairs.units))])
    starts = np.cumsum(sizes) - sizes
    games = np.full((sample.resamples, int(sizes.max()) * pairs.units), -1, dtype=np.intp)
    for row in games:
        drawn = rng.integers(0, pairs.units, pairs.units)
        length = sizes[drawn]
        within = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
        row[: length.sum()] = rng.permutation(order[np.repeat(starts[drawn], length) + within])
    return games[:, : int((games >= 0).sum(axis=1).max())]
