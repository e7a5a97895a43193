"""Intervals of statistics that are functions of sums over prompts, pairs or items ("units").

The default interval is the value ± Student's t times the jackknife standard error over units (Efron and
Tibshirani 1993, chapter 11). For a mean over prompts it is the usual t interval. Percentile intervals of the
bootstrap are too narrow below 50 prompts; `benchmarks/coverage.py` measures both.

A bootstrap resample is a row with the number of times each unit was drawn, so that one matrix product gives
all resamples. Rows are created in blocks to limit memory.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy import stats as scipy_stats
from scipy.sparse import csr_array

from semiosis.stats._arrays import Labels, group_codes
from semiosis.stats._estimate import (
    MIN_UNITS,
    Estimate,
    FloatArray,
    Interval,
    IntervalSide,
    defined,
    undefined,
)
from semiosis.values import Unscored, UsageError

BLOCK_DRAWS = 150_000
"""Draws held in memory at once. Larger blocks do not fit the processor's cache and are slower."""

MAX_CACHED_DRAWS = 25_000_000
"""The maximum number of draws that are kept for the next statistic of the same table (50 MB)."""

Statistic = Callable[[FloatArray], FloatArray]
"""A function from sums (…, k) to values (…), NaN where the statistic is undefined."""


IntervalMethod = Literal["t", "percentile", "bca"]
"""How an interval is computed."""

Limits = tuple[float, float]
"""The smallest and the largest value of a statistic. Intervals are cut off there."""

NO_WIDTH = "every prompt (or item) gives the same value, so an interval would have no width"


@dataclass(frozen=True)
class Resampling:
    """The settings of intervals. `resamples=0` means no interval, by any method."""

    resamples: int = 10_000
    level: float = 0.95
    method: str = "t"
    side: IntervalSide = "two"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.method not in get_args(IntervalMethod):
            raise UsageError(f"unknown interval method {self.method!r}", fix="use 't', 'percentile' or 'bca'")
        if self.resamples < 0:
            raise UsageError(
                f"the number of resamples is {self.resamples}", fix="use 0 for no interval, or at least 1,000"
            )
        if not 0 < self.level < 1:
            raise UsageError(f"level {self.level} is not between 0 and 1", fix="use level=0.95 for 95%")


def bootstrap(
    statistic: Callable[..., float],
    *arrays: Sequence[object] | npt.NDArray[np.generic],
    prompts: Labels | None = None,
    resamples: int = 10_000,
    level: float = 0.95,
    method: str = "percentile",
    side: IntervalSide = "two",
    seed: int = 0,
) -> Estimate:
    """Return the bootstrap interval of any statistic of arrays with one entry per item, such as a median.

    `statistic` takes the arrays and returns a number, or NaN if it is undefined. Whole prompts are resampled
    with their items; without `prompts`, single items are. `method` is `percentile`, `bca` or `t` (jackknife).

    >>> r = bootstrap(lambda x: float(np.median(x)), [1.0, 2.0, 4.0, 8.0], resamples=100)
    >>> float(r), r.unit
    (3.0, 'item')
    """
    columns = [np.asarray(array) for array in arrays]
    resampling = Resampling(resamples=resamples, level=level, method=method, side=side, seed=seed)
    index, units = group_codes(range(len(columns[0])) if prompts is None else prompts, len(columns[0]))
    members = [np.flatnonzero(index == unit) for unit in range(units)]
    rng = np.random.default_rng(seed)

    def evaluate(chosen: Sequence[int] | npt.NDArray[np.intp]) -> float:
        rows = np.concatenate([members[unit] for unit in chosen])
        return float(statistic(*(column[rows] for column in columns)))

    value = evaluate(range(units)) if units else np.nan
    found: Interval | Unscored | None = None
    if resamples and units >= MIN_UNITS:
        without = (
            [[u for u in range(units) if u != unit] for unit in range(units)]
            if method != "percentile"
            else []
        )
        left_out = np.array([evaluate(rest) for rest in without])
        if method == "t":
            found = t_interval(value, jackknife_error(left_out), units, resampling)
        else:
            drawn = np.array([evaluate(rng.integers(0, units, units)) for _ in range(resamples)])
            found = bootstrap_interval(drawn, resampling, units, value, left_out)
    elif resamples:
        found = too_few_units(units)
    return Estimate(
        name="statistic",
        value=defined(value, "the statistic is undefined on these data"),
        n=len(columns[0]),
        interval=found,
        unit="item" if prompts is None else "prompt",
        method="bootstrap",
        parameters={"resamples": resamples, "level": level, "side": side},
        seed=seed,
    )


def resampled_sums(
    columns: FloatArray | csr_array, resamples: int, seed: int, *, keep: bool = False
) -> FloatArray:
    """Return the sums of the columns (units × k) over units drawn with replacement, one row per resample.

    `keep` keeps the draws for the next call with the same numbers of units and resamples and the same seed.
    """
    units = columns.shape[0]
    draw = _cached_draws if keep and units * resamples <= MAX_CACHED_DRAWS else _draws
    blocks = [times.astype(np.float64) @ columns for times in draw(units, resamples, seed)]
    return np.concatenate(blocks)


@lru_cache(maxsize=1)
def _cached_draws(units: int, resamples: int, seed: int) -> tuple[npt.NDArray[np.uint16], ...]:
    """Return the same draws as `_draws`, cached because a table uses them for every statistic."""
    return tuple(_draws(units, resamples, seed))


def _draws(units: int, resamples: int, seed: int) -> Iterator[npt.NDArray[np.uint16]]:
    """Yield, in blocks, how often each unit was drawn in each resample (resamples × units)."""
    rng = np.random.Generator(np.random.SFC64(seed))
    rows = max(1, BLOCK_DRAWS // units)
    ones = np.ones(rows * units, dtype=np.uint16)
    for start in range(0, resamples, rows):
        count = min(rows, resamples - start)
        drawn, ends = _random_units(units, count * units, rng), np.arange(count + 1, dtype=np.int32) * units
        # Converting a sparse array to a dense one adds up equal indices, which is faster than counting them.
        yield csr_array((ones[: len(drawn)], drawn, ends), shape=(count, units)).toarray()


def _random_units(units: int, count: int, rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Return random numbers below `units`, four from each 64-bit word, by Lemire's method (Lemire 2019)."""
    if units > 2**15:
        return rng.integers(0, units, count, dtype=np.uint32).view(np.int32)
    words = rng.integers(0, 2**64 - 1, (count + 3) // 4, dtype=np.uint64, endpoint=True)
    parts = words.view(np.uint16)[:count]
    rejected = np.flatnonzero(parts * np.uint16(units) < 2**16 % units)
    drawn = np.multiply(parts, units, dtype=np.uint32).view(np.int32)
    drawn >>= 16
    drawn[rejected] = rng.integers(0, units, len(rejected))
    return drawn


def interval(
    columns: FloatArray, statistic: Statistic, resampling: Resampling, limits: Limits | None = None
) -> Interval | Unscored:
    """Return the interval of a statistic of column sums over the rows of `columns`, which are units.

    A row of zeros is left out. It is a unit without a value, such as a prompt on which the statistic is
    undefined.
    """
    columns = columns[columns.any(axis=1)]
    if len(columns) < MIN_UNITS:
        return too_few_units(len(columns))
    observed = float(statistic(columns.sum(axis=0)))
    left_out = statistic(columns.sum(axis=0) - columns) if resampling.method != "percentile" else None
    if resampling.method == "t" and left_out is not None:
        return t_interval(observed, jackknife_error(left_out), len(columns), resampling, limits)
    drawn = statistic(resampled_sums(columns, resampling.resamples, resampling.seed, keep=True))
    return bootstrap_interval(drawn, resampling, len(columns), observed, left_out)


def jackknife_error(left_out: FloatArray) -> float:
    """Return the jackknife standard error from leave-one-out values (Efron and Tibshirani 1993, eq. 11.5).

    >>> round(jackknife_error(np.array([2.5, 2.0, 1.5])), 6)  # the mean of 1, 2, 3: 1/√3
    0.57735
    """
    units = len(left_out)
    return float(np.sqrt((units - 1) / units * ((left_out - left_out.mean()) ** 2).sum()))


def t_interval(
    observed: float,
    error: float,
    units: int,
    resampling: Resampling,
    limits: Limits | None = None,
    freedom: float | None = None,
) -> Interval | Unscored:
    """Return the value ± Student's t times its standard error; units − 1 degrees of freedom by default."""
    if not np.isfinite(observed) or not np.isfinite(error):
        return undefined("the statistic is undefined when one unit is left out")
    if error <= 1e-12 * (1 + abs(observed)):
        return undefined(NO_WIDTH)
    tail = (1 - resampling.level) / 2 if resampling.side == "two" else 1 - resampling.level
    half_width = float(scipy_stats.t.ppf(1 - tail, units - 1 if freedom is None else freedom)) * error
    lowest, highest = limits or (-np.inf, np.inf)
    low = -np.inf if resampling.side == "upper" else max(lowest, observed - half_width)
    high = np.inf if resampling.side == "lower" else min(highest, observed + half_width)
    return Interval(low, high, resampling.level, "t", resampling.side, units=units)


def too_few_units(units: int) -> Unscored:
    """Return the reason why there is no interval for so few units."""
    there_are = "there is" if units == 1 else "there are"
    return undefined(f"an interval needs at least {MIN_UNITS} prompts (or items); {there_are} only {units}")


def bootstrap_interval(
    drawn: FloatArray,
    resampling: Resampling,
    units: int,
    observed: FloatArray | float = np.nan,
    left_out: FloatArray | None = None,
) -> Interval | Unscored:
    """Return the percentile or BCa interval of resampled values."""
    if units < MIN_UNITS:
        return too_few_units(units)
    finite = drawn[np.isfinite(drawn)]
    dropped = len(drawn) - len(finite)
    if len(finite) * 2 < len(drawn) or not len(finite):
        return undefined(f"undefined in {dropped} of {len(drawn)} resamples")
    tail = (1 - resampling.level) / 2 if resampling.side == "two" else 1 - resampling.level
    ends, method = np.array([tail, 1 - tail]), "percentile"
    if resampling.method == "bca" and left_out is not None:
        adjusted = _bca_ends(ends, finite, float(observed), left_out)
        if adjusted is None:
            return undefined("BCa needs resamples on both sides of the value; use method='percentile'")
        ends, method = adjusted, "bca"
    low, high = np.quantile(finite, ends)
    if high - low <= 1e-12 * (1 + abs(low)):
        return undefined(NO_WIDTH)
    low, high = (
        (-np.inf if resampling.side == "upper" else low),
        (np.inf if resampling.side == "lower" else high),
    )
    return Interval(float(low), float(high), resampling.level, method, resampling.side, dropped, units)


def _bca_ends(
    ends: FloatArray, drawn: FloatArray, observed: float, jackknife: FloatArray
) -> FloatArray | None:
    """Return the quantiles corrected for bias and acceleration (Efron 1987).

    Values equal to the observed one count half in the bias.
    """
    below = ((drawn < observed).sum() + (drawn <= observed).sum()) / (2 * len(drawn))
    jackknife = jackknife[np.isfinite(jackknife)]
    centred = jackknife.mean() - jackknife if len(jackknife) else jackknife
    spread = (centred**2).sum()
    if not 0 < below < 1 or spread == 0:
        return None
    bias = special.ndtri(below)
    acceleration = (centred**3).sum() / (6 * spread**1.5)
    shifted = bias + special.ndtri(ends)
    adjusted: FloatArray = special.ndtr(bias + shifted / (1 - acceleration * shifted))
    return adjusted
