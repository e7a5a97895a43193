"""Generators rated from both sides' winners, and rated again in every resample."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array, hstack

from semiosis.stats._arrays import Labels, coded, groups
from semiosis.stats._correlation import ccc_rows, pearson_rows, ranks
from semiosis.stats._estimate import FloatArray, IntArray, Interval, undefined
from semiosis.stats._games import Played
from semiosis.stats._ratings import (
    ELO_CENTRE,
    ELO_PER_LOGIT,
    RatingMethod,
    Ratings,
    elo_ratings,
    rate_bradley_terry,
    rate_thurstone,
    shuffled_orders,
)
from semiosis.stats._resample import Resampling, from_draws, resampled_sums
from semiosis.stats._solvers import EloRule, connected, play_elo, solve_bradley_terry, solve_thurstone
from semiosis.values import Unscored, UsageError

Rated = tuple[tuple[Ratings, Ratings], tuple[FloatArray, FloatArray] | None]
"""Ratings of both sides, and those of their resamples (resamples × K) if there are any."""

MOST_GENERATORS = 500
"""Beyond this the names are artifacts rather than generators, and the table of wins would fill the memory."""

TABLES_AT_ONCE = 100
"""Tables of wins solved together; more fall out of the processor's cache and are slower."""

GAMES_AT_ONCE = 20_000_000
"""Games of Elo held in memory at once (80 MB)."""

FEWEST_FOR_SRCC = 20
"""Below this number of prompts a 95 % percentile interval of SRCC covers as little as .70 to .80."""

CCC_WITHHELD = "noise in the ratings biases resampled CCC, and no bootstrap interval covers it reliably"

Orders = npt.NDArray[np.int32]
"""Numbers of games, in half the memory."""


@dataclass(frozen=True)
class RatingRule:
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
        """Bradley–Terry or Thurstone ratings of these games; Elo is played, see `_elo`."""
        if self.method == "bradley-terry":
            return rate_bradley_terry(played.counted, self.prior)
        if self.method == "thurstone":
            return rate_thurstone(played.counted, self.used_prior)
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

    def played(self, codes: FloatArray) -> Played:
        """The games of one side."""
        return Played(self.names, self.a, self.b, (codes + 1) / 2, 0)

    def wins(self, codes: FloatArray) -> csr_array:
        """Wins in each unit, (units × K·K); few generators meet in one prompt, hence sparse."""
        points = (codes + 1) / 2
        cells = np.concatenate([self.a * self.size + self.b, self.b * self.size + self.a])
        where = (np.concatenate([self.unit, self.unit]), cells)
        return csr_array((np.concatenate([points, 1 - points]), where), shape=(self.units, self.size**2))


@dataclass(frozen=True, eq=False)
class GeneratorDraws:
    """SRCC and CCC with their resampled values."""

    reference: Ratings
    evaluator: Ratings
    values: tuple[float | Unscored, float | Unscored]
    draws: tuple[FloatArray, FloatArray] | None
    """Resampled SRCC and CCC; None where there is no value or nothing to resample."""
    units: int
    """Prompts or pairs that were resampled."""


def generator_draws(pairs: JudgedPairs, how: RatingRule, sample: Resampling) -> GeneratorDraws:
    """Rate both sides, correlate, and do the same in every resample."""
    sample = sample if pairs.units > 1 else replace(sample, resamples=0)
    rate = _unrated if pairs.size > MOST_GENERATORS else _elo if how.method == "elo" else _fitted
    rated, again = rate(pairs, how, sample)
    values = _values(rated)
    draws = None if again is None or isinstance(values[0], Unscored) else _correlations(again[0], again[1])
    return GeneratorDraws(rated[0], rated[1], values, draws, pairs.units)


def generator_interval(place: int, drawn: FloatArray, how: Resampling, units: int) -> Interval | Unscored:
    """The interval of SRCC (place 0) or the reason why CCC (place 1) has none."""
    if place == 1:
        return undefined(CCC_WITHHELD)
    if units < FEWEST_FOR_SRCC:
        return undefined(f"{units} prompts; an interval of SRCC needs at least {FEWEST_FOR_SRCC}")
    return from_draws(drawn, replace(how, method="percentile"), units)


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


def _unrated(pairs: JudgedPairs, how: RatingRule, _: Resampling) -> Rated:
    reason = f"{pairs.size:,} different names in a and b: they seem to name artifacts, not generators"
    ratings = Ratings(pairs.names, undefined(reason), len(pairs.a), method=how.method)
    return (ratings, ratings), None


def _fitted(pairs: JudgedPairs, how: RatingRule, sample: Resampling) -> Rated:
    """Bradley–Terry or Thurstone ratings, and again in each resample where both sides have them."""
    rated = how.rate(pairs.played(pairs.truth)), how.rate(pairs.played(pairs.said))
    idle = sample.resamples == 0 or any(isinstance(side.scores, Unscored) for side in rated)
    return rated, None if idle else resampled_ratings(pairs, how, sample)


def _elo(pairs: JudgedPairs, how: RatingRule, sample: Resampling) -> Rated:
    """Elo ratings from shuffled orders, and again in resamples, each in its own random order.

    Shuffled orders and resamples are played together, and both sides in the same orders: it is the number of
    rounds that takes the time.
    """
    played, rule, rng = pairs.played(pairs.truth), EloRule(), np.random.default_rng(sample.seed)
    games, scores = len(pairs.a), (np.stack([pairs.truth, pairs.said]) + 1) / 2
    rows = max(1, GAMES_AT_ONCE // max(1, games))
    drawn = (_resampled_games(pairs, min(rows, left), rng) for left in range(sample.resamples, 0, -rows))
    shuffled = shuffled_orders(games, how.shuffles, how.seed)
    blocks = chain([_rounds(shuffled, *islice(drawn, 1))], map(_rounds, drawn))
    final = np.concatenate([play_elo(pairs.a, pairs.b, scores, rounds, rule) for rounds in blocks], axis=1)
    ends, again = final[:, : len(shuffled)], final[:, len(shuffled) :]
    one, other = (elo_ratings(played, end, rule, how.shuffles, how.seed) for end in ends)
    return (one, other), (again[0], again[1]) if sample.resamples else None


def _values(rated: Sequence[Ratings]) -> tuple[float | Unscored, float | Unscored]:
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


def resampled_ratings(
    pairs: JudgedPairs, how: RatingRule, sample: Resampling
) -> tuple[FloatArray, FloatArray]:
    """Ratings of both sides in each resample, (resamples × K); NaN rows where there is no finite maximum."""
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


def _resampled_games(pairs: JudgedPairs, resamples: int, rng: np.random.Generator) -> Orders:
    """Games of each resample in random order (resamples × games), −1 where there is none."""
    order = np.argsort(pairs.unit, kind="stable").astype(np.int32)
    sizes = np.bincount(pairs.unit, minlength=pairs.units)
    if (sizes == 1).all():
        return np.asarray(order[rng.integers(0, pairs.units, (resamples, pairs.units))])
    starts = np.cumsum(sizes) - sizes
    rows = []
    for _ in range(resamples):
        drawn = rng.integers(0, pairs.units, pairs.units)
        length = sizes[drawn]
        within = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
        rows.append(rng.permutation(order[np.repeat(starts[drawn], length) + within]))
    games = np.full((resamples, max(len(row) for row in rows)), -1, dtype=np.int32)
    for place, row in enumerate(rows):
        games[place, : len(row)] = row
    return games


def _rounds(*orders: IntArray | Orders) -> Orders:
    """The games of each round (games × orders), −1 where an order has ended."""
    rounds = np.full((max(part.shape[1] for part in orders), sum(map(len, orders))), -1, dtype=np.int32)
    for part, end in zip(orders, np.cumsum([len(part) for part in orders]), strict=True):
        rounds[: part.shape[1], end - len(part) : end] = part.T
    return rounds
