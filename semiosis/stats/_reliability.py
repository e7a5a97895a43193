"""Reliability of ratings by Krippendorff's α and ICC(2,1). Rows are items, columns are raters.

Sources: Krippendorff 2011; Shrout and Fleiss 1979, McGraw and Wong 1996; used in VULCA, section 3 and
appendix A.
"""

from typing import Literal, cast

import numpy as np
from scipy import stats as scipy_stats

from semiosis.stats._arrays import Matrix, floats
from semiosis.stats._estimate import Estimate, FloatArray, Interval, defined, undefined
from semiosis.stats._kappa import LabelTable, rating_counts
from semiosis.values import DataError, Unscored, UsageError

Level = Literal["nominal", "ordinal", "interval"]

ROUNDING = 1e-30
"""Squared deviations below this share of squared ratings are rounding errors, as in 0.1, 0.1, 0.1."""


def krippendorff_alpha(ratings: LabelTable, level: Level = "nominal") -> Estimate:
    """Return Krippendorff's α = 1 − D_o/D_e (Krippendorff 2011).

    Rows are items, columns are raters, and missing ratings are None or NaN. Items with fewer than two ratings
    are unscored. Ordinal and interval ratings must be numbers.

    >>> table = [[1, 1, None], [2, 2, 3], [3, 3, 3], [3, 3, 3], [2, 2, 2], [1, 2, 3], [4, 4, 4], [1, 1, 2]]
    >>> round(float(krippendorff_alpha(table, "interval")), 6)
    0.777328
    """
    if level not in ("nominal", "ordinal", "interval"):
        raise UsageError(f"unknown level {level!r}", fix="use nominal, ordinal or interval")
    counts, values = _value_counts(ratings, level)
    items = len(counts)
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        return Estimate(
            name="Krippendorff α", value=undefined("no item has two ratings"), n=0, n_unscored=items
        )
    totals = counts.sum(axis=0)
    distance = _distance(values, totals, level)
    per_item = np.einsum("uc,ck,uk->u", counts, distance, counts) / (counts.sum(axis=1) - 1)
    n = totals.sum()
    observed, expected = per_item.sum() / n, totals @ distance @ totals / (n * (n - 1))
    value = float(1 - observed / expected) if expected else np.nan
    return Estimate(
        name="Krippendorff α",
        value=defined(value, "all ratings are equal, so no disagreement is expected"),
        n=len(counts),
        n_unscored=items - len(counts),
        unit="item",
        method=f"Krippendorff's α, {level}",
        related={"ratings": int(n)},
    )


def icc21(ratings: Matrix, *, level: float = 0.95) -> Estimate:
    """Return ICC(2,1): two-way random effects, absolute agreement, single rater (VULCA, section 3).

    Rows are items, columns are raters, and an item with a missing rating is unscored. The interval is that of
    McGraw and Wong (1996). p tests whether items differ at all. The value can be negative, even below −1. If
    the items do not differ, the result is unscored.

    >>> table = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    >>> round(float(icc21(table)), 4)  # Shrout and Fleiss 1979, table 4
    0.2898
    """
    table = np.atleast_2d(floats(ratings))[: len(ratings)]
    complete = ~np.isnan(table).any(axis=1)
    table = table[complete]
    items, raters = table.shape
    name, left_out = "ICC(2,1)", int((~complete).sum())
    if items < 2 or raters < 2:
        reason = "fewer than 2 raters" if raters < 2 else "fewer than 2 items rated by all"
        return Estimate(name=name, value=undefined(reason), n=items, n_unscored=left_out, unit="item")
    rows, columns, error = squares = _mean_squares(table)
    denominator = rows + (raters - 1) * error + raters * (columns - error) / items
    if not rows or denominator <= 0:
        reason = "all items have the same mean rating" if not rows else "the variances add up to 0"
        reason = reason if any(squares) else "all ratings are equal"
        return Estimate(name=name, value=undefined(reason), n=items, n_unscored=left_out, unit="item")
    value = (rows - error) / denominator
    test = rows / error if error else np.inf
    return Estimate(
        name=name,
        value=value,
        n=items,
        n_unscored=left_out,
        interval=_icc_interval(value, squares, items, raters, level=level),
        p=float(scipy_stats.f.sf(test, items - 1, (items - 1) * (raters - 1))),
        unit="item",
        method="two-way random, absolute agreement, single rater",
        parameters={"level": level, "raters": raters},
        related={"ms_items": rows, "ms_raters": columns, "ms_error": error},
    )


def _value_counts(ratings: LabelTable, level: Level) -> tuple[FloatArray, FloatArray]:
    """Return the counts (items × values) and the values, in ascending order if they are numbers."""
    nominal = rating_counts(ratings)  # refuses 1 with "1", and infinite labels
    if level == "nominal":
        return nominal, np.arange(nominal.shape[1], dtype=np.float64)
    try:
        table = floats(cast("Matrix", ratings))
    except DataError as error:
        raise DataError(
            f"{level} ratings must be numbers: {error.what}", fix="use level='nominal' for other labels"
        ) from None
    table = table.reshape(len(table), -1 if table.size else 0)
    values = np.unique(table[~np.isnan(table)])
    counts = (table[:, :, None] == values).sum(axis=1)
    return counts.astype(np.float64), values


def _distance(values: FloatArray, totals: FloatArray, level: Level) -> FloatArray:
    """Return the squared distance between values (Krippendorff 2011)."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    if level == "interval":
        return np.asarray((values[:, None] - values[None, :]) ** 2)
    middle = np.cumsum(totals) - totals / 2  # ranks between two values, each end counted half
    return np.asarray((middle[:, None] - middle[None, :]) ** 2)


def _mean_squares(table: FloatArray) -> tuple[float, float, float]:
    items, raters = table.shape
    grand = table.mean()
    rows, columns = table.mean(axis=1) - grand, table.mean(axis=0) - grand
    rest = table - grand - rows[:, None] - columns[None, :]
    sums = [raters * (rows**2).sum(), items * (columns**2).sum(), (rest**2).sum()]
    free = [items - 1, raters - 1, (items - 1) * (raters - 1)]
    noise = ROUNDING * table.size * np.abs(table).max() ** 2
    squares = [
        0.0 if total <= noise else float(total / count) for total, count in zip(sums, free, strict=True)
    ]
    return squares[0], squares[1], squares[2]


def _icc_interval(
    icc: float, squares: tuple[float, float, float], items: int, raters: int, *, level: float
) -> Interval | Unscored:
    """Return the interval of ICC(2,1) (McGraw and Wong 1996, table 7, case 2A)."""
    rows, columns, error = squares
    if not error and not columns:
        return undefined("raters agree perfectly, so the interval has no width to estimate")
    n, k = items, raters
    between, within = k * icc * columns, (n * (1 + (k - 1) * icc) - k * icc) * error
    spread = (n - 1) * between**2 + within**2
    if not spread:
        return undefined("the degrees of freedom are undefined")
    degrees = (k - 1) * (n - 1) * (between + within) ** 2 / spread
    upper = scipy_stats.f.ppf((1 + level) / 2, n - 1, degrees)
    lower = scipy_stats.f.ppf((1 + level) / 2, degrees, n - 1)
    rest = k * columns + (k * n - k - n) * error
    low = n * (rows - upper * error) / (upper * rest + n * rows)
    high = n * (lower * rows - error) / (rest + n * lower * rows)
    if not np.isfinite([low, high]).all() or high <= low:
        return undefined("the interval has no width")
    return Interval(float(low), float(high), level, "F")
