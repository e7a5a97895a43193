"""The correlation of scores of pictures with the ratings of people, over all pictures and within prompts.

This is what TIFA (Hu et al. 2023), DSG (Cho et al. 2024), VQAScore (Lin et al. 2024) and VIEScore (Ku et al.
2024) report. Pictures of one prompt are not independent, so intervals are over prompts.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import stats as scipy_stats

from semiosis.stats._arrays import Labels, Numbers, complete_pairs, floats, group_codes
from semiosis.stats._correlation import CONSTANT, pearson_rows, ranks
from semiosis.stats._estimate import MIN_UNITS, Estimate, FloatArray, Interval, defined
from semiosis.stats._frames import Result
from semiosis.stats._resample import Resampling, jackknife_error, t_interval, too_few_units
from semiosis.values import Unscored

Correlation = Callable[[FloatArray, FloatArray], float]


@dataclass(frozen=True)
class PictureCorrelations(Result):
    """How well one scorer, judge or person agrees with the ratings of pictures."""

    name: str
    """The scorer, judge or person."""
    spearman: Estimate
    """Spearman's ρ over all pictures."""
    kendall: Estimate
    """Kendall's τ-b over all pictures."""
    pearson: Estimate
    """Pearson's r over all pictures."""
    spearman_within: Estimate
    """The mean over prompts of Spearman's ρ of the pictures of a prompt."""
    kendall_within: Estimate
    """The mean over prompts of Kendall's τ-b of the pictures of a prompt."""
    pearson_within: Estimate
    """The mean over prompts of Pearson's r of the pictures of a prompt."""


def picture_correlations(
    values: Numbers,
    ratings: Numbers,
    prompts: Labels,
    *,
    name: str = "",
    level: float = 0.95,
    intervals: bool = True,
) -> PictureCorrelations:
    """Return the correlations of one value for each picture with its rating.

    Intervals over all pictures leave out one prompt at a time (jackknife) on the scale of Fisher's z; those
    within prompts are Student's t. A picture without a value is left out and counted. Within a prompt that
    people rated with different values, a scorer that gives all pictures the same value has a correlation of
    0; a prompt whose pictures people rated alike says nothing and is left out.

    >>> found = picture_correlations([1, 2, 3, 4], [1, 3, 2, 4], ["p", "p", "q", "q"])
    >>> round(float(found.spearman), 3), float(found.kendall_within)
    (0.8, 1.0)
    """
    first, second, left_out = complete_pairs(values, ratings)
    complete = ~(np.isnan(floats(values)) | np.isnan(floats(ratings)))
    codes = group_codes(prompts, len(complete))[0][complete]
    resampling = Resampling(level=level) if intervals else None
    measures: dict[str, tuple[str, Correlation]] = {
        "spearman": ("Spearman ρ", _spearman),
        "kendall": ("Kendall τ-b", _kendall),
        "pearson": ("Pearson r", _pearson),
    }
    overall = {
        key: _overall(label, measure, first, second, codes, resampling)
        for key, (label, measure) in measures.items()
    }
    within = {
        f"{key}_within": _within(label, measure, first, second, codes, resampling)
        for key, (label, measure) in measures.items()
    }
    counted = {key: replace(found, n_unscored=left_out) for key, found in (overall | within).items()}
    return PictureCorrelations(name, **counted)


def _overall(
    label: str,
    measure: Correlation,
    first: FloatArray,
    second: FloatArray,
    codes: np.ndarray[tuple[int], np.dtype[np.intp]],
    resampling: Resampling | None,
) -> Estimate:
    value = measure(first, second)
    prompts = np.unique(codes)
    found: Interval | Unscored | None = None
    if resampling is not None and math.isfinite(value):
        left_out = [measure(first[codes != prompt], second[codes != prompt]) for prompt in prompts]
        found = _fisher_interval(value, np.array(left_out), resampling)
    return Estimate(
        name=label,
        value=defined(value, CONSTANT),
        n=len(first),
        interval=found,
        unit="prompt",
        method=f"{label} over pictures; jackknife over prompts on Fisher's z",
        related={"prompts": len(prompts)},
    )


def _fisher_interval(value: float, left_out: FloatArray, resampling: Resampling) -> Interval | Unscored:
    """Return the interval of a correlation from those without one prompt each."""
    if len(left_out) < MIN_UNITS:
        return too_few_units(len(left_out))
    with np.errstate(divide="ignore"):
        z, without = float(np.arctanh(value)), np.arctanh(left_out)
    error = jackknife_error(without) if np.isfinite(without).all() else math.nan
    ends = t_interval(z, error, len(left_out), resampling)
    if isinstance(ends, Unscored):
        return ends
    return replace(ends, low=math.tanh(ends.low), high=math.tanh(ends.high))


def _within(
    label: str,
    measure: Correlation,
    first: FloatArray,
    second: FloatArray,
    codes: np.ndarray[tuple[int], np.dtype[np.intp]],
    resampling: Resampling | None,
) -> Estimate:
    """Return the mean over prompts of the correlation of the pictures of a prompt."""
    per_prompt, pictures = [], 0
    prompts = np.unique(codes)
    for prompt in prompts:
        rows = codes == prompt
        if np.ptp(second[rows]) > 0:
            value = measure(first[rows], second[rows])
            per_prompt.append(value if math.isfinite(value) else 0.0)
            pictures += int(rows.sum())
    values = np.array(per_prompt)
    found: Interval | Unscored | None = None
    if resampling is not None and len(values):
        error = float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan
        few = len(values) < MIN_UNITS
        found = (
            too_few_units(len(values))
            if few
            else t_interval(float(values.mean()), error, len(values), resampling, (-1.0, 1.0))
        )
    return Estimate(
        name=f"{label} within prompt",
        value=defined(float(values.mean()) if len(values) else math.nan, "no prompt has different ratings"),
        n=pictures,
        interval=found,
        unit="prompt",
        method=f"mean over prompts of {label} of the pictures of a prompt; Student's t over prompts",
        related={"prompts": len(values), "prompts_unscored": len(prompts) - len(values)},
    )


def _pearson(first: FloatArray, second: FloatArray) -> float:
    return float(pearson_rows(first, second)) if len(first) > 1 else math.nan


def _spearman(first: FloatArray, second: FloatArray) -> float:
    return _pearson(ranks(first), ranks(second))


def _kendall(first: FloatArray, second: FloatArray) -> float:
    if len(first) < 2 or not np.ptp(first) or not np.ptp(second):
        return math.nan
    return float(scipy_stats.kendalltau(first, second).statistic)
