"""Ratings of generators from the winners of both sides, in the data and in every resample."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, hstack

from semiosis.stats._correlation import ccc_rows, pearson_rows, ranks
from semiosis.stats._davidson import rate_davidson
from semiosis.stats._elo_orders import elo_orders
from semiosis.stats._estimate import FloatArray, Interval, undefined
from semiosis.stats._games import GameArrays
from semiosis.stats._judged_pairs import JudgedPairs
from semiosis.stats._ratings import (
    ELO_CENTRE,
    ELO_PER_LOGIT,
    GeneratorRatings,
    RatingMethod,
    elo_ratings,
    rate_bradley_terry,
    rate_thurstone,
)
from semiosis.stats._resample import Resampling, bootstrap_interval, resampled_sums
from semiosis.stats._solvers import EloRule, solve_bradley_terry, solve_thurstone, strongly_connected
from semiosis.values import Unscored, UsageError


class PairedRatings(NamedTuple):
    """Ratings of the reference and of the evaluator."""

    sides: tuple[GeneratorRatings, GeneratorRatings]
    resampled: tuple[FloatArray, FloatArray] | None = None
    """Ratings in each resample (resamples × K), if there are any."""
    orders: tuple[FloatArray, FloatArray] | None = None
    """Elo ratings in each order of the games (orders × K)."""


MAX_GENERATORS = 500
"""The maximum number of generators. More names are probably artifacts, whose tables would fill the memory."""

TABLES_AT_ONCE = 100
"""The number of tables of wins that are solved together. More do not fit the processor's cache."""

MIN_PROMPTS_FOR_SRCC = 20
"""Below this number of prompts, a 95% percentile interval of SRCC covers as little as .70 to .80."""

CCC_WITHHELD = "noise in the ratings biases resampled CCC, and no bootstrap interval covers it reliably"


@dataclass(frozen=True)
class RatingRule:
    """The method and settings of ratings."""

    method: RatingMethod = "bradley-terry"
    prior: float = 0.0
    shuffles: int = 100
    seed: int = 0

    @property
    def used_prior(self) -> float:
        """The prior that is used: Thurstone's is 1 unless another is given."""
        return self.prior or (1.0 if self.method == "thurstone" else 0.0)

    def rate(self, games: GameArrays) -> GeneratorRatings:
        """Return the Bradley–Terry, Davidson or Thurstone ratings of these games. For Elo, see `_elo`."""
        if self.method == "bradley-terry":
            return rate_bradley_terry(games.win_table, self.prior)
        if self.method == "davidson":
            return rate_davidson(games)
        if self.method == "thurstone":
            return rate_thurstone(games.win_table, self.used_prior)
        raise UsageError(
            f"unknown rating {self.method!r}", fix="use bradley-terry, davidson, elo or thurstone"
        )


@dataclass(frozen=True, eq=False)
class GeneratorCorrelations:
    """SRCC and CCC with their resampled values."""

    reference: GeneratorRatings
    evaluator: GeneratorRatings
    values: tuple[float | Unscored, float | Unscored]
    draws: tuple[FloatArray, FloatArray] | None
    """Resampled SRCC and CCC; None if there is no value or nothing to resample."""
    units: int
    """The number of prompts or pairs that were resampled."""
    orders: tuple[FloatArray, FloatArray] | None
    """SRCC and CCC in each order of the games, for Elo."""


def correlate_generators(
    pairs: JudgedPairs, rule: RatingRule, resampling: Resampling
) -> GeneratorCorrelations:
    """Return the correlations of the two sides' ratings, in the data and in every resample."""
    resampling = resampling if pairs.units > 1 else replace(resampling, resamples=0)
    rate = _unrated if pairs.size > MAX_GENERATORS else _elo if rule.method == "elo" else _fitted
    rated = rate(pairs, rule, resampling)
    values = _values(rated.sides)
    scored = not isinstance(values[0], Unscored)
    draws = _correlations(*rated.resampled) if rated.resampled and scored else None
    orders = _correlations(*rated.orders) if rated.orders and scored else None
    return GeneratorCorrelations(*rated.sides, values, draws, pairs.units, orders)


def correlation_interval(
    column: int, drawn: FloatArray, resampling: Resampling, units: int
) -> Interval | Unscored:
    """Return the interval of SRCC (column 0) or the reason why CCC (column 1) has none."""
    if column == 1:
        return undefined(CCC_WITHHELD)
    if units < MIN_PROMPTS_FOR_SRCC:
        return undefined(f"{units} prompts; an interval of SRCC needs at least {MIN_PROMPTS_FOR_SRCC}")
    return bootstrap_interval(drawn, replace(resampling, method="percentile"), units)


def _unrated(pairs: JudgedPairs, rule: RatingRule, _: Resampling) -> PairedRatings:
    reason = f"a and b have {pairs.size:,} different names, which seem to be artifacts, not generators"
    ratings = GeneratorRatings(pairs.names, undefined(reason), len(pairs.a), method=rule.method)
    return PairedRatings((ratings, ratings))


def _fitted(pairs: JudgedPairs, rule: RatingRule, resampling: Resampling) -> PairedRatings:
    """Return Bradley–Terry, Davidson or Thurstone ratings, and those of resamples if both sides are rated."""
    rated = rule.rate(pairs.games(pairs.truth)), rule.rate(pairs.games(pairs.outcome))
    no_resampling = (
        resampling.resamples == 0
        or rule.method == "davidson"
        or any(isinstance(side.scores, Unscored) for side in rated)
    )
    return PairedRatings(rated, None if no_resampling else resampled_ratings(pairs, rule, resampling))


def _elo(pairs: JudgedPairs, rule: RatingRule, resampling: Resampling) -> PairedRatings:
    """Return Elo ratings, averaged over shuffled orders."""
    games, elo_rule = pairs.games(pairs.truth), EloRule()
    ends, resampled_ends = elo_orders(pairs, rule.shuffles, rule.seed, resampling)
    one, other = (elo_ratings(games, end, elo_rule, rule.shuffles, rule.seed) for end in ends)
    resampled = (resampled_ends[0], resampled_ends[1]) if resampling.resamples else None
    return PairedRatings((one, other), resampled, (ends[0], ends[1]))


def _values(rated: Sequence[GeneratorRatings]) -> tuple[float | Unscored, float | Unscored]:
    scores = []
    for side in rated:
        if isinstance(side.scores, Unscored):
            return side.scores, side.scores
        scores.append(np.array(side.scores))
    x, y = scores
    if len(x) < 2:
        return (undefined("fewer than 2 generators"),) * 2
    found = [float(value) for value in _correlations(x, y)]
    equal = undefined("all generators have the same rating")
    return (
        equal if np.isnan(found[0]) else found[0],
        equal if np.isnan(found[1]) else found[1],
    )


def _correlations(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return Spearman's ρ and Lin's ρc along the last axis; NaN where they are undefined."""
    rounded_x, rounded_y = round_scores(x), round_scores(y)
    constant = np.isnan(ccc_rows(rounded_x, rounded_y))  # the solver leaves equal ratings a tiny spread
    return pearson_rows(ranks(rounded_x), ranks(rounded_y)), np.where(constant, np.nan, ccc_rows(x, y))


def round_scores(scores: FloatArray) -> FloatArray:
    """Return the scores rounded, so that generators equal up to the solver's tolerance share a rank."""
    return np.round(scores, 6)


def resampled_ratings(
    pairs: JudgedPairs, rule: RatingRule, resampling: Resampling
) -> tuple[FloatArray, FloatArray]:
    """Return the ratings of both sides in each resample (resamples × K), NaN without a finite maximum."""
    sides = csr_array(hstack([pairs.wins(pairs.truth), pairs.wins(pairs.outcome)]))
    tables = resampled_sums(sides, resampling.resamples, resampling.seed, keep=True).reshape(
        -1, 2, pairs.size, pairs.size
    )
    if rule.method == "thurstone":
        solved = [[solve_thurstone(table, rule.used_prior)[0] for table in side] for side in tables]
        both = np.array(solved)
        return both[:, 0], both[:, 1]
    tables = tables + rule.prior * (1 - np.eye(pairs.size))
    return _resampled_bradley_terry(tables[:, 0]), _resampled_bradley_terry(tables[:, 1])


def _resampled_bradley_terry(tables: FloatArray) -> FloatArray:
    theta = np.full(tables.shape[:2], np.nan)
    finite = np.flatnonzero(strongly_connected(tables))
    for start in range(0, len(finite), TABLES_AT_ONCE):
        block = finite[start : start + TABLES_AT_ONCE]
        theta[block] = solve_bradley_terry(tables[block])[0]
    return np.asarray(ELO_CENTRE + ELO_PER_LOGIT * theta)
