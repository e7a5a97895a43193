"""Statistics averaged over the repeats of one judge, with intervals over prompts."""

from collections.abc import Sequence
from typing import TypedDict

import numpy as np

from semiosis.stats._arrays import safe_divide
from semiosis.stats._concordance import JudgedComparisons, ratio
from semiosis.stats._estimate import Estimate, FloatArray, undefined
from semiosis.stats._resample import Limits, Resampling, interval

Bounds = tuple[float, float] | None


class SampleSizes(TypedDict):
    """The numbers of comparisons judged in at least one repeat, and left unscored in at least one."""

    n: int
    n_unscored: int


def mean_over_repeats(
    name: str, columns: Sequence[FloatArray], resampling: Resampling, reason: str, limits: Limits
) -> Estimate:
    """Return the mean over repeats of a ratio of column sums."""
    each = np.array([float(ratio(part.sum(axis=0))) for part in columns])
    defined = each[~np.isnan(each)]
    stacked = np.concatenate(columns, axis=1)
    related: dict[str, float] = {"repeats": len(columns)}
    if len(defined) > 1:
        related["spread_over_repeats"] = float(defined.std(ddof=1))
    return Estimate(
        name=name,
        value=float(defined.mean()) if len(defined) else undefined(reason),
        n=0,
        interval=interval(stacked, mean_of_ratios, resampling, limits)
        if resampling.resamples and len(defined)
        else None,
        unit="prompt",
        parameters={"resamples": resampling.resamples, "level": resampling.level},
        seed=resampling.seed,
        related=related,
    )


def mean_of_ratios(sums: FloatArray) -> FloatArray:
    """Return the mean over repeats of the first column over the second, from sums (…, 2·repeats)."""
    each = safe_divide(sums[..., 0::2], sums[..., 1::2])
    present = ~np.isnan(each)
    return safe_divide(np.where(present, each, 0.0).sum(axis=-1), present.sum(axis=-1))


def sample_sizes(comparisons: Sequence[JudgedComparisons]) -> SampleSizes:
    """Return the numbers of comparisons that some repeat judged, and that some repeat left unscored."""
    judged = np.any([~np.isnan(repeat.outcome) & ~np.isnan(repeat.truth) for repeat in comparisons], axis=0)
    unscored_mask = np.any([repeat.unscored_mask for repeat in comparisons], axis=0)
    return {"n": int(judged.sum()), "n_unscored": int(unscored_mask.sum())}


def mean_bounds(ends: Sequence[tuple[float, float]]) -> Bounds:
    """Return the mean of the bounds of all repeats, or None if there are none."""
    if not ends:
        return None
    return float(np.mean([low for low, _ in ends])), float(np.mean([high for _, high in ends]))
