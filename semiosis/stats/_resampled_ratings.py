"""Generators rated from both sides' winners, and rated again in every resample."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack

from semiosis.stats._correlation import ccc_rows, pearson_rows, ranks
from semiosis.stats._davidson import rate_davidson
from semiosis.stats._elo_orders import elo_orders
from semiosis.stats._estimate import FloatArray, Interval, undefined
from semiosis.stats._games import Played
from semiosis.stats._judged_pairs import JudgedPairs
from semiosis.stats._ratings import (
    ELO_CENTRE,
    ELO_PER_LOGIT,
    RatingMethod,
    Ratings,
    elo_ratings,
    rate_bradley_terry,
    rate_thurstone,
)
from semiosis.stats._resample import Resampling, from_draws, resampled_sums
from semiosis.stats._solvers import EloRule, connected, solve_bradley_terry, solve_thurstone
from semiosis.values import Unscored, UsageError


class Rated(NamedTuple):
    """Ratings of the reference and of the evaluator."""

    sides: tuple[Ratings, Ratings]
    resampled: tuple[FloatArray, FloatArray] | None = None
    """Ratings in each resample (resamples × K), if there are any."""
    orders: tuple[FloatArray, FloatArray] | None = None
    """Elo ratings in each order of the games (orders × K)."""


MOST_GENERATORS = 500
"""Beyond this the names are artifacts rather than generators, and the table of wins would fill the memory."""

TABLES_AT_ONCE = 100
"""Tables of wins solved together; more fall out of the processor's cache and are slower."""

FEWEST_FOR_SRCC = 20
"""Below this number of prompts a 95 % percentile interval of SRCC covers as little as .70 to .80."""

CCC_WITHHELD = "noise in the ratings biases resampled CCC, and no bootstrap interval covers it reliably"


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
        """Bradley–Terry, Davidson or Thurstone ratings of these games; Elo is in `_elo`."""
        if self.method == "bradley-terry":
            return rate_bradley_terry(played.counted, self.prior)
        if self.method == "davidson":
            return rate_davidson(played)
        if self.method == "thurstone":
            return rate_thurstone(played.counted, self.used_prior)
        raise UsageError(
            f"unknown rating {self.method!r}", fix="use bradley-terry, davidson, elo or thurstone"
        )


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
    orders: tuple[FloatArray, FloatArray] | None
    """SRCC and CCC in each order of the games, for Elo."""


def generator_draws(pairs: JudgedPairs, how: RatingRule, sample: Resampling) -> GeneratorDraws:
    """Rate both sides, correlate, and do the same in every resample."""
    sample = sample if pairs.units > 1 else replace(sample, resamples=0)
    rate = _unrated if pairs.size > MOST_GENERATORS else _elo if how.method == "elo" else _fitted
    rated = rate(pairs, how, sample)
    values = _values(rated.sides)
    scored = not isinstance(values[0], Unscored)
    draws = _correlations(*rated.resampled) if rated.resampled and scored else None
    orders = _correlations(*rated.orders) if rated.orders and scored else None
    return GeneratorDraws(*rated.sides, values, draws, pairs.units, orders)


def generator_interval(place: int, drawn: FloatArray, how: Resampling, units: int) -> Interval | Unscored:
    """The interval of SRCC (place 0) or the reason why CCC (place 1) has none."""
    if place == 1:
        return undefined(CCC_WITHHELD)
    if units < FEWEST_FOR_SRCC:
        return undefined(f"{units} prompts; an interval of SRCC needs at least {FEWEST_FOR_SRCC}")
    return from_draws(drawn, replace(how, method="percentile"), units)


def _unrated(pairs: JudgedPairs, how: RatingRule, _: Resampling) -> Rated:
    reason = f"{pairs.size:,} different names in a and b: they seem to name artifacts, not generators"
    ratings = Ratings(pairs.names, undefined(reason), len(pairs.a), method=how.method)
    return Rated((ratings, ratings))


def _fitted(pairs: JudgedPairs, how: RatingRule, sample: Resampling) -> Rated:
    """Bradley–Terry or Thurstone ratings, and again in each resample where both sides have them."""
    rated = how.rate(pairs.played(pairs.truth)), how.rate(pairs.played(pairs.said))
    idle = (
        sample.resamples == 0
        or how.method == "davidson"
        or any(isinstance(side.scores, Unscored) for side in rated)
    )
    return Rated(rated, None if idle else resampled_ratings(pairs, how, sample))


def _elo(pairs: JudgedPairs, how: RatingRule, sample: Resampling) -> Rated:
    """Elo ratings, averaged over shuffled orders."""
    played, rule = pairs.played(pairs.truth), EloRule()
    ends, again = elo_orders(pairs, how.shuffles, how.seed, sample)
    one, other = (elo_ratings(played, end, rule, how.shuffles, how.seed) for end in ends)
    resampled = (again[0], again[1]) if sample.resamples else None
    return Rated((one, other), resampled, (ends[0], ends[1]))


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
