"""Chance: bootstrap intervals of statistics that are functions of sums over units.

Nearly every statistic here is a function of sums over prompts (or pairs). A resample is then a row of how
often each unit was drawn, and all resamples together are one matrix product, which is quick and shared by
every judge in a table. Rows are made in blocks so that memory stays bounded.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from semiosis.stats._estimate import FloatArray, Interval, Side, undefined
from semiosis.values import Unscored, UsageError

BLOCK_DRAWS = 2_000_000
"""Draws held in memory at once."""

Statistic = Callable[[FloatArray], FloatArray]
"""From sums (…, k) to values (…); NaN where the statistic is undefined."""


@dataclass(frozen=True)
class Resampling:
    """How intervals are made."""

    resamples: int = 10_000
    level: float = 0.95
    method: str = "percentile"
    side: Side = "two"
    seed: int = 0

    def __post_init__(self) -> None:
        if self.method not in ("percentile", "bca"):
            raise UsageError(f"unknown interval method {self.method!r}", fix="use 'percentile' or 'bca'")
        if not 0 < self.level < 1:
            raise UsageError(f"level {self.level} is not between 0 and 1", fix="95 % is level=0.95")


def resampled_sums(columns: FloatArray, resamples: int, seed: int) -> FloatArray:
    """Sums of the columns (units × k) over units drawn with replacement, one row per resample."""
    units = len(columns)
    rng = np.random.default_rng(seed)
    rows = max(1, BLOCK_DRAWS // units)
    blocks = [
        _block(columns, min(rows, resamples - start), units, rng) for start in range(0, resamples, rows)
    ]
    return np.concatenate(blocks)


def _block(columns: FloatArray, rows: int, units: int, rng: np.random.Generator) -> FloatArray:
    drawn = rng.integers(0, units, size=(rows, units), dtype=np.uint16 if units <= 65_536 else np.uint32)
    cells = drawn + (np.arange(rows, dtype=np.intp) * units)[:, None]
    times = np.bincount(cells.ravel(), minlength=rows * units).reshape(rows, units)
    product: FloatArray = times.astype(np.float64) @ columns
    return product


def interval(columns: FloatArray, statistic: Statistic, how: Resampling) -> Interval | Unscored:
    """Bootstrap interval of a statistic of column sums, resampling the rows of `columns`.

    A row of zeros is a unit that says nothing, such as a prompt without a defined value, and is not drawn.
    """
    columns = columns[columns.any(axis=1)]
    if len(columns) < 2:
        return undefined(f"{len(columns)} unit to resample, an interval needs at least 2")
    drawn = statistic(resampled_sums(columns, how.resamples, how.seed))
    jackknife = statistic(columns.sum(axis=0) - columns) if how.method == "bca" else None
    return from_draws(drawn, how, statistic(columns.sum(axis=0)), jackknife)


def from_draws(
    drawn: FloatArray,
    how: Resampling,
    observed: FloatArray | float = np.nan,
    jackknife: FloatArray | None = None,
) -> Interval | Unscored:
    """The interval that resampled values describe."""
    finite = drawn[np.isfinite(drawn)]
    dropped = len(drawn) - len(finite)
    if len(finite) * 2 < len(drawn) or not len(finite):
        return undefined(f"undefined in {dropped} of {len(drawn)} resamples")
    tail = (1 - how.level) / 2 if how.side == "two" else 1 - how.level
    ends = np.array([tail, 1 - tail])
    if how.method == "bca" and jackknife is not None:
        moved = _bca_ends(ends, finite, float(observed), jackknife)
        if moved is None:
            return undefined("BCa needs resamples on both sides of the value; use method='percentile'")
        ends = moved
    low, high = np.quantile(finite, ends)
    low, high = (-np.inf if how.side == "upper" else low), (np.inf if how.side == "lower" else high)
    return Interval(float(low), float(high), how.level, how.method, how.side, dropped)


def _bca_ends(
    ends: FloatArray, drawn: FloatArray, observed: float, jackknife: FloatArray
) -> FloatArray | None:
    """Quantiles corrected for bias and acceleration (Efron 1987); ties with the observed value count half."""
    below = ((drawn < observed).sum() + (drawn <= observed).sum()) / (2 * len(drawn))
    jackknife = jackknife[np.isfinite(jackknife)]
    centred = jackknife.mean() - jackknife if len(jackknife) else jackknife
    spread = (centred**2).sum()
    if not 0 < below < 1 or spread == 0:
        return None
    bias = special.ndtri(below)
    acceleration = (centred**3).sum() / (6 * spread**1.5)
    shifted = bias + special.ndtri(ends)
    moved: FloatArray = special.ndtr(bias + shifted / (1 - acceleration * shifted))
    return moved
