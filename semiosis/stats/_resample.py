"""Chance: bootstrap intervals of statistics that are functions of sums over units.

Nearly every statistic here is a function of sums over prompts (or pairs). A resample is then a row of how
often each unit was drawn, and all resamples together are one matrix product, which is quick and shared by
every judge in a table. Rows are made in blocks so that memory stays bounded.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy.sparse import csr_array

from semiosis.stats._arrays import Labels, groups
from semiosis.stats._estimate import Estimate, FloatArray, Interval, Side, defined, undefined
from semiosis.values import Unscored, UsageError

BLOCK_DRAWS = 150_000
"""Draws held in memory at once; larger blocks fall out of the processor's cache and are slower."""

MOST_KEPT = 25_000_000
"""Draws kept for the next statistic of the same table (50 MB); larger ones are drawn again."""

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


def bootstrap(
    statistic: Callable[..., float],
    *arrays: Sequence[object] | npt.NDArray[np.generic],
    prompts: Labels | None = None,
    resamples: int = 10_000,
    level: float = 0.95,
    method: str = "percentile",
    side: Side = "two",
    seed: int = 0,
) -> Estimate:
    """Bootstrap interval of any statistic of arrays that belong together, such as a median.

    `statistic` takes the arrays and returns a number, NaN where it is undefined. Whole prompts are resampled
    with their items; without `prompts` single items are. `method` is `percentile` or `bca`.

    >>> r = bootstrap(lambda x: float(np.median(x)), [1.0, 2.0, 4.0, 8.0], resamples=100)
    >>> float(r), r.unit
    (3.0, 'item')
    """
    columns = [np.asarray(array) for array in arrays]
    how = Resampling(resamples=resamples, level=level, method=method, side=side, seed=seed)
    index, units = groups(range(len(columns[0])) if prompts is None else prompts, len(columns[0]))
    members = [np.flatnonzero(index == unit) for unit in range(units)]
    rng = np.random.default_rng(seed)

    def of(chosen: Sequence[int] | npt.NDArray[np.intp]) -> float:
        rows = np.concatenate([members[unit] for unit in chosen])
        return float(statistic(*(column[rows] for column in columns)))

    value = of(range(units)) if units else np.nan
    found: Interval | Unscored | None = None
    if resamples and units > 1:
        drawn = np.array([of(rng.integers(0, units, units)) for _ in range(resamples)])
        left_out = (
            [[u for u in range(units) if u != unit] for unit in range(units)] if method == "bca" else []
        )
        jackknife = np.array([of(rest) for rest in left_out]) if left_out else None
        found = from_draws(drawn, how, value, jackknife)
    return Estimate(
        name="statistic",
        value=defined(value, "the statistic is undefined on these data"),
        n=len(columns[0]),
        interval=found if units > 1 else too_few(units),
        unit="item" if prompts is None else "prompt",
        method="bootstrap",
        parameters={"resamples": resamples, "level": level, "side": side},
        seed=seed,
    )


def resampled_sums(
    columns: FloatArray | csr_array, resamples: int, seed: int, *, keep: bool = False
) -> FloatArray:
    """Sums of the columns (units × k) over units drawn with replacement, one row per resample.

    `keep` keeps the draws for the next call with as many units, resamples and the same seed.
    """
    units = columns.shape[0]
    draw = _kept_draws if keep and units * resamples <= MOST_KEPT else _draws
    blocks = [times.astype(np.float64) @ columns for times in draw(units, resamples, seed)]
    return np.concatenate(blocks)


@lru_cache(maxsize=1)
def _kept_draws(units: int, resamples: int, seed: int) -> tuple[npt.NDArray[np.uint16], ...]:
    """The draws of the last call, kept because a table draws the same prompts for every statistic."""
    return tuple(_draws(units, resamples, seed))


def _draws(units: int, resamples: int, seed: int) -> Iterator[npt.NDArray[np.uint16]]:
    """How often each unit was drawn in each resample (resamples × units), in blocks of rows."""
    rng = np.random.Generator(np.random.SFC64(seed))
    rows = max(1, BLOCK_DRAWS // units)
    once = np.ones(rows * units, dtype=np.uint16)
    for start in range(0, resamples, rows):
        now = min(rows, resamples - start)
        places, ends = _places(units, now * units, rng), np.arange(now + 1, dtype=np.int32) * units
        # a sparse array adds up equal places when it is written out, faster than they can be counted
        yield csr_array((once[: len(places)], places, ends), shape=(now, units)).toarray()


def _places(units: int, count: int, rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Numbers below `units`, all equally likely: four from each 64-bit word, by Lemire's method."""
    if units > 2**15:
        return rng.integers(0, units, count, dtype=np.uint32).view(np.int32)
    words = rng.integers(0, 2**64 - 1, (count + 3) // 4, dtype=np.uint64, endpoint=True)
    parts = words.view(np.uint16)[:count]
    unfair = np.flatnonzero(parts * np.uint16(units) < 2**16 % units)
    places = np.multiply(parts, units, dtype=np.uint32).view(np.int32)
    places >>= 16
    places[unfair] = rng.integers(0, units, len(unfair))
    return places


def interval(columns: FloatArray, statistic: Statistic, how: Resampling) -> Interval | Unscored:
    """Bootstrap interval of a statistic of column sums, resampling the rows of `columns`.

    A row of zeros is a unit that says nothing, such as a prompt without a defined value, and is not drawn.
    """
    columns = columns[columns.any(axis=1)]
    if len(columns) < 2:
        return too_few(len(columns))
    drawn = statistic(resampled_sums(columns, how.resamples, how.seed, keep=True))
    jackknife = statistic(columns.sum(axis=0) - columns) if how.method == "bca" else None
    return from_draws(drawn, how, statistic(columns.sum(axis=0)), jackknife)


def too_few(units: int) -> Unscored:
    """Why fewer than 2 units have no interval."""
    return undefined(f"{units} {'unit' if units == 1 else 'units'} to resample, an interval needs at least 2")


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
