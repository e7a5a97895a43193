"""Agreement above chance: (observed − chance) / (1 − chance), as in Cohen's κ and Krippendorff's α.

Chance is not computed from marginal frequencies. The caller measures it on items that can agree only by
chance, such as readings of different signs.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from semiosis.stats.tools import (
    Estimate,
    FloatArray,
    Interval,
    Labels,
    Limits,
    Numbers,
    Resampling,
    ResamplingUnit,
    Result,
    defined,
    floats,
    group_codes,
    interval,
    undefined,
)
from semiosis.values import Unscored

_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class AgreementSample:
    """The items that were measured, and the settings of the intervals."""

    units: Labels | None = None
    """The unit of each group, such as the prompt of each sign; None if every group is its own unit."""
    unit: ResamplingUnit = "item"
    """The kind of unit."""
    items: int = 0
    """The number of items compared within the groups, such as nodes."""
    items_unscored: int = 0
    """The number of items that could not be compared."""
    level: float = 0.95
    """The level of the intervals."""


@dataclass(frozen=True, kw_only=True)
class AboveChance(Result):
    """A measure of agreement, the agreement by chance, and the agreement above chance."""

    name: str
    """The name of the measure."""
    observed: Estimate
    """Agreement of items that belong together."""
    chance: Estimate
    """Agreement of items that do not belong together."""
    corrected: Estimate
    """(observed − chance) / (1 − chance) over the groups for which both are known: 1 for perfect agreement, 0
    for chance agreement, negative for less."""
    items: int
    """The number of items compared within the groups, such as nodes."""
    items_unscored: int
    """The number of items that could not be compared."""

    def __str__(self) -> str:
        return f"{self.name}: {self.observed}; chance {self.chance}; corrected {self.corrected}"


def mean_above_chance(
    name: str, observed: Numbers, chance: Numbers, sample: AgreementSample | None = None
) -> AboveChance:
    """Return the mean of a share per group, such as a sign, against the mean share by chance.

    A missing share is unscored. Intervals are Student's t over the units.

    >>> found = mean_above_chance("shared", [0.9, 0.7], [0.6, 0.6])
    >>> round(float(found.observed), 9), round(float(found.corrected), 9)  # (0.8 − 0.6) / 0.4
    (0.8, 0.5)
    """
    sides = _with_count(floats(observed)), _with_count(floats(chance))
    return _above_chance(name, *sides, _MEAN, sample or AgreementSample())


def ccc_above_chance(
    name: str, observed: FloatArray, chance: FloatArray, sample: AgreementSample | None = None
) -> AboveChance:
    """Return Lin's concordance coefficient (Lin 1989) of pairs of ratings, against that of chance pairs.

    Each row of `observed` and `chance` is the `rating_sums` of one group, such as a sign; a row of zeros is
    unscored. The coefficient is that of all ratings together. It is lower if the ratings correlate less or if
    their means or spreads differ, as agreement on a scale with fixed ends requires.

    >>> same = np.array([rating_sums([0.1, 0.9], [0.1, 0.9])])
    >>> other = np.array([rating_sums([0.1, 0.9, 0.1, 0.9], [0.1, 0.1, 0.9, 0.9])])
    >>> found = ccc_above_chance("iconic", same, other)
    >>> float(found.chance), float(found.corrected)
    (0.0, 1.0)
    """
    return _above_chance(name, observed, chance, _CCC, sample or AgreementSample())


def rating_sums(x: Numbers, y: Numbers) -> FloatArray:
    """Return the sums that a concordance coefficient needs: number of pairs, x, y, x², y², xy."""
    one, other = floats(x), floats(y)
    return np.array([len(one), one.sum(), other.sum(), one @ one, other @ other, one @ other])


def symmetrized_sums(sums: FloatArray) -> FloatArray:
    """Return `rating_sums` that count every pair in both orders, for interchangeable raters.

    The concordance coefficient of such sums is Fisher's intraclass correlation.
    """
    return np.asarray((sums + sums[..., [0, 2, 1, 4, 3, 5]]) / 2)


def ccc_of_sums(sums: FloatArray) -> FloatArray:
    """Return Lin's concordance coefficient from `rating_sums` (…, 6); NaN if the ratings do not vary."""
    with np.errstate(invalid="ignore", divide="ignore"):
        x, y, xx, yy, xy = np.moveaxis(sums[..., 1:] / sums[..., :1], -1, 0)
        spread = (xx - x**2) + (yy - y**2) + (x - y) ** 2
        return np.where(spread > _ROUNDING, 2 * (xy - x * y) / spread, np.nan)


def corrected_for_chance(observed: float, chance: float) -> float | Unscored:
    """Return (observed − chance) / (1 − chance) of two numbers.

    >>> round(corrected_for_chance(0.8, 0.6), 9)
    0.5
    """
    if not np.isfinite([observed, chance]).all():
        return undefined("agreement or chance is unknown")
    return defined(float(_corrected(np.float64(observed), np.float64(chance))), _CHANCE_IS_COMPLETE)


def _corrected(observed: FloatArray | np.float64, chance: FloatArray | np.float64) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(1 - chance > _ROUNDING, (observed - chance) / (1 - chance), np.nan)


def _with_count(values: FloatArray) -> FloatArray:
    """Return two columns: the value and 1, or zeros if the value is missing."""
    known = ~np.isnan(values)
    return np.stack([np.where(known, values, 0.0), known.astype(np.float64)], axis=1)


def _mean(sums: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(sums[..., 0] / sums[..., 1])


@dataclass(frozen=True)
class _Measure:
    """A statistic of sums over groups."""

    statistic: Callable[[FloatArray], FloatArray]
    limits: Limits
    method: str
    undefined_reason: str
    """Why there is no value, if there is none."""

    def above_chance(self, columns: int) -> "_Measure":
        """Return the corrected measure. Its sums have the observed columns first, then those of chance."""

        def corrected(sums: FloatArray) -> FloatArray:
            return _corrected(self.statistic(sums[..., :columns]), self.statistic(sums[..., columns:]))

        method = f"(observed − chance) / (1 − chance), {self.method}"
        return replace(
            self,
            statistic=corrected,
            limits=(-np.inf, 1.0),
            method=method,
            undefined_reason=_CHANCE_IS_COMPLETE,
        )


_CHANCE_IS_COMPLETE = "agreement by chance is complete, so nothing can be above it"
_MEAN = _Measure(_mean, (0.0, 1.0), "mean over groups", "nothing could be compared")
_CCC = _Measure(ccc_of_sums, (-1.0, 1.0), "Lin's concordance, 1/n moments", "the ratings do not vary")


def _above_chance(
    name: str, observed: FloatArray, chance: FloatArray, measure: _Measure, sample: AgreementSample
) -> AboveChance:
    both = np.logical_and(observed.any(axis=1), chance.any(axis=1)).reshape(-1, 1)
    joint = np.where(both, np.hstack([observed, chance]), 0.0)
    return AboveChance(
        name=name,
        observed=_estimate(name, observed, measure, sample),
        chance=_estimate(f"{name} by chance", chance, measure, sample),
        corrected=_estimate(f"{name} above chance", joint, measure.above_chance(observed.shape[1]), sample),
        items=sample.items,
        items_unscored=sample.items_unscored,
    )


def _estimate(name: str, rows: FloatArray, measure: _Measure, sample: AgreementSample) -> Estimate:
    """Return the estimate of a measure from the sums of all rows. Rows of zeros are unscored."""
    known = rows.any(axis=1)
    index, count = group_codes(range(len(rows)) if sample.units is None else sample.units, len(rows))
    sums = np.zeros((count, rows.shape[1]))
    np.add.at(sums, index, rows)
    value = float(measure.statistic(sums.sum(axis=0))) if known.any() else np.nan
    ends: Interval | Unscored | None = None
    if np.isfinite(value):
        ends = interval(sums, measure.statistic, Resampling(level=sample.level), measure.limits)
    missing = measure.undefined_reason if known.any() else "nothing could be compared"
    return Estimate(
        name=name,
        value=defined(value, missing),
        n=int(known.sum()),
        n_unscored=int((~known).sum()),
        interval=ends,
        unit=sample.unit,
        method=f"{measure.method}; Student's t over {sample.unit}s",
        parameters={"level": sample.level},
    )
