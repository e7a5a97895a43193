"""Iconicity, the degree to which a sign works by resemblance, and the bias towards iconic signs.

Sources: SemJudge, section 6.4 and appendix B.2 (net iconicity, Δ); principle 5 (iconicity share).
"""

import numpy as np

from semiosis.stats._agreement import sum_by_group
from semiosis.stats._arrays import Labels, Matrix, Numbers, floats, group_codes, safe_divide, same_length
from semiosis.stats._estimate import (
    MIN_UNITS,
    BoolArray,
    Estimate,
    FloatArray,
    IntArray,
    Interval,
    IntervalSide,
    ResamplingUnit,
    defined,
)
from semiosis.stats._permute import pair_permutation_p, prompt_permutation_p
from semiosis.stats._resample import Resampling, bootstrap_interval, interval, resampled_sums, too_few_units
from semiosis.values import DataError, Unscored, UsageError

ScaleRatings = Numbers | Matrix | float


def net_iconicity(iconic: ScaleRatings, indexical: ScaleRatings, symbolic: ScaleRatings) -> FloatArray:
    """Return NI = Icn − (Idx + Sym)/2 from ratings on 1–7, the mean over raters (SemJudge, appendix B.2).

    The last axis is raters. A list of ratings is one sign rated by several people and gives one number; a
    table (signs × raters) gives one number per sign. A rater with a NaN is left out for that sign.

    >>> float(net_iconicity([7, 6], [1, 2], [2, 3]))
    4.5
    """
    icn, idx, sym = (np.atleast_1d(floats(ratings)) for ratings in (iconic, indexical, symbolic))
    each = icn - (idx + sym) / 2
    present = ~np.isnan(each)
    return safe_divide(np.where(present, each, 0.0).sum(axis=-1), present.sum(axis=-1))


def instance_iconicity(prompt: Numbers | float, a: Numbers | float, b: Numbers | float) -> FloatArray:
    """Return ÑI = NI(prompt) + (NI(a) + NI(b))/2 of a comparison (SemJudge, appendix B.2).

    >>> float(instance_iconicity(1.0, 2.0, 4.0))
    4.0
    """
    return np.asarray(floats(prompt) + (floats(a) + floats(b)) / 2)


def iconicity_share(
    iconic: Numbers | float, indexical: Numbers | float, symbolic: Numbers | float
) -> FloatArray:
    """Return α, the iconic share of all strength; NaN where every strength is 0 (SemJudge, principle 5).

    >>> float(iconicity_share(0.5, 0.25, 0.25))
    0.5
    """
    icn, idx, sym = floats(iconic), floats(indexical), floats(symbolic)
    return safe_divide(icn, icn + idx + sym)


def iconicity_mismatch(creator: Numbers | float, interpreter: Numbers | float) -> FloatArray:
    """Return |α(s, creator) − α(s, interpreter)| of one sign under two interpreters (SemJudge, principle 5).

    For the nodes of a prompt and an artifact instead of two readings of one sign, the result is a proxy and
    must be labelled as one.

    >>> round(float(iconicity_mismatch(0.7, 0.4)), 9)
    0.3
    """
    return np.asarray(np.abs(floats(creator) - floats(interpreter)))


def cohen_d(x: Numbers, y: Numbers) -> Estimate:
    """Return Cohen's d, the difference of means over the pooled standard deviation (n − 1 in each).

    >>> round(float(cohen_d([2, 4, 6], [1, 3, 5])), 6)
    0.5
    """
    first, second = floats(x), floats(y)
    left_out = int(np.isnan(first).sum() + np.isnan(second).sum())
    first, second = first[~np.isnan(first)], second[~np.isnan(second)]
    value = _cohen_d(first, second)
    reason = "a group is empty, or neither has any spread"
    return Estimate(
        name="Cohen's d",
        value=defined(value, reason),
        n=len(first) + len(second),
        n_unscored=left_out,
        unit="item",
        method="pooled standard deviation",
        related={"n_first": len(first), "n_second": len(second)},
    )


def iconicity_gap(
    iconicity: Numbers,
    agrees: Numbers,
    prompts: Labels | None = None,
    *,
    unit: ResamplingUnit = "prompt",
    permutations: int = 10_000,
    resamples: int = 10_000,
    level: float = 0.95,
    method: str = "t",
    side: IntervalSide = "lower",
    seed: int = 0,
) -> Estimate:
    """Return Δ = E[ÑI | Λ=1] − E[ÑI | Λ=0] and a one-sided test of Δ > 0 (SemJudge, 6.4 and appendix B.2).

    `iconicity` is ÑI of each comparison. `agrees` is Λ: 1 if the evaluator's winner is the reference's, 0 if
    it is not, and NaN if the evaluator gave none. p = (1 + #{Δ* ≥ Δ})/(1 + N) from permuting Λ. Whole prompts
    are permuted and resampled; `unit="pair"` permutes pairs as the paper does. `related` has Cohen's d and
    its interval.

    >>> r = iconicity_gap([1, 2, 5, 6], [0, 0, 1, 1], ["p", "q", "r", "s"], seed=1)
    >>> float(r), round(r.related["cohen_d"], 6)
    (4.0, 5.656854)
    """
    if unit == "prompt" and prompts is None:
        raise UsageError(
            "the prompt of each comparison is needed", fix="pass prompts=…, or unit='pair' as published"
        )
    values, agreed = same_length(iconicity=floats(iconicity), agrees=floats(agrees))
    kept = ~(np.isnan(values) | np.isnan(agreed))
    if not np.isin(agreed[kept], (0, 1)).all():
        raise DataError(
            "a value of `agrees` is neither 0 nor 1",
            fix="use 1 if the winner is the reference's, 0 if it is not, and NaN if there is no winner",
        )
    index, _ = group_codes(prompts if prompts is not None else range(len(values)), len(values))
    values, label, index = values[kept], agreed[kept] > 0, index[kept]
    resampling = Resampling(resamples=resamples, level=level, method=method, side=side, seed=seed)
    centred = values - (values.mean() if len(values) else 0)
    columns = sum_by_group(moment_columns(centred, label), index if unit == "prompt" else None)
    totals = columns.sum(axis=0)
    value = defined(float(mean_difference(totals)), "the evaluator agrees on all comparisons, or on none")
    scored = not isinstance(value, Unscored)
    ends = gap_intervals(columns, resampling) if resamples and scored else (None, None)
    p = _permutation_p(values, label, None if unit == "pair" else index, permutations, seed)
    return Estimate(
        name="Δ",
        value=value,
        n=int(kept.sum()),
        n_unscored=int((~kept).sum()),
        interval=ends[0],
        p=p if scored and permutations else None,
        unit=unit,
        method="difference of means, one-sided permutation of Λ",
        parameters={"permutations": permutations, "resamples": resamples, "level": level, "side": side},
        seed=seed,
        related={
            "cohen_d": cohen_d(values[label], values[~label]).value,
            "cohen_d_interval": ends[1],
            "n_agree": int(label.sum()),
            "n_disagree": int((~label).sum()),
        },
    )


def _permutation_p(
    values: FloatArray, label: BoolArray, prompt: IntArray | None, permutations: int, seed: int
) -> float:
    if permutations == 0 or label.all() or not label.any():
        return 1.0
    if prompt is None:
        return pair_permutation_p(values, label, permutations, seed)
    return prompt_permutation_p(values, label, prompt, permutations, seed)


def moment_columns(values: FloatArray, first: BoolArray) -> FloatArray:
    """Return the columns n, Σx, Σx² of the first group and of the second, one row per item."""
    member = first.astype(np.float64)
    one = np.stack([np.ones(len(values)), values, values**2], axis=1)
    return np.concatenate([one * member[:, None], one * (1 - member)[:, None]], axis=1)


def gap_intervals(
    columns: FloatArray, resampling: Resampling
) -> tuple[Interval | Unscored | None, Interval | Unscored | None]:
    """Return the intervals of the mean difference and of Cohen's d, from the same resamples."""
    if len(columns) < MIN_UNITS:
        return (too_few_units(len(columns)),) * 2
    if resampling.method == "t":
        return interval(columns, mean_difference, resampling), interval(
            columns, cohen_d_from_sums, resampling
        )
    sums = resampled_sums(columns, resampling.resamples, resampling.seed)
    total = columns.sum(axis=0)
    left = total - columns
    return (
        bootstrap_interval(
            mean_difference(sums), resampling, len(columns), mean_difference(total), mean_difference(left)
        ),
        bootstrap_interval(
            cohen_d_from_sums(sums),
            resampling,
            len(columns),
            cohen_d_from_sums(total),
            cohen_d_from_sums(left),
        ),
    )


def mean_difference(sums: FloatArray) -> FloatArray:
    """Return the difference of the two groups' means from sums (…, 6)."""
    return np.asarray(safe_divide(sums[..., 1], sums[..., 0]) - safe_divide(sums[..., 4], sums[..., 3]))


def cohen_d_from_sums(sums: FloatArray) -> FloatArray:
    """Return Cohen's d from sums (…, 6)."""
    n1, s1, q1, n0, s0, q0 = (sums[..., column] for column in range(6))
    within = (q1 - safe_divide(s1**2, n1)) + (q0 - safe_divide(s0**2, n0))
    # rounding can give a constant group a tiny positive or negative spread
    within = np.where(within > 1e-12 * (q1 + q0), within, 0.0)
    return safe_divide(mean_difference(sums), np.sqrt(safe_divide(within, np.maximum(n1 + n0 - 2, 0))))


def _cohen_d(first: FloatArray, second: FloatArray) -> float:
    """Return Cohen's d of two groups, each centred on its own mean; NaN where it is undefined."""
    sides = [group for group in (first, second) if len(group)]
    if len(sides) < 2 or all((group == group[0]).all() for group in sides):
        return np.nan
    within = sum(float(((group - group.mean()) ** 2).sum()) for group in sides)
    return float((first.mean() - second.mean()) / np.sqrt(within / (len(first) + len(second) - 2)))
