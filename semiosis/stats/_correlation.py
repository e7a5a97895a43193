"""Correlations and paired tests: Spearman, Lin, Pearson, Kendall, Wilcoxon, mean absolute error."""

import math
from dataclasses import replace
from itertools import permutations
from typing import Literal

import numpy as np
from scipy import stats as scipy_stats

from semiosis.stats._arrays import (
    Labels,
    Numbers,
    complete_pairs,
    floats,
    group_codes,
    safe_divide,
    same_length,
)
from semiosis.stats._estimate import BoolArray, Estimate, FloatArray, defined, undefined
from semiosis.values import Unscored

MAX_EXACT_PAIRS = 8
"""The largest number of pairs for which p is exact: 8 pairs have 40,320 orders."""

CONSTANT = "fewer than 2 pairs, or one side is constant"


def spearman(x: Numbers, y: Numbers) -> Estimate:
    """Return Spearman's ρ, which is Pearson's r of mid-ranks (SemJudge, section 6.1, SRCC; DIVA, 4.5).

    `p` is two-sided: exact, over all orders of one side, for up to 8 pairs, and from Student's t with n − 2
    degrees of freedom for more, but never below 2/n!, the smallest p that n! orders can give.

    >>> r = spearman([1, 2, 3, 4], [1, 2, 3, 4])
    >>> round(float(r), 9), round(r.p, 4)  # 2 of 24 orders
    (1.0, 0.0833)
    """
    first, second, left_out = complete_pairs(x, y)
    one, two = ranks(first), ranks(second)
    value = float(pearson_rows(one, two))
    found = _correlation("Spearman ρ", value, len(first), left_out)
    if isinstance(found.value, Unscored):
        return found
    if len(first) > MAX_EXACT_PAIRS:
        return replace(found, p=max(found.p or 0.0, 2 / math.factorial(len(first))))
    return replace(found, p=_exact_p(one, two), method="Spearman ρ, exact p")


def _exact_p(x: FloatArray, y: FloatArray) -> float:
    """Return the share of all orders of y with a correlation at least as far from 0."""
    orders = np.array(list(permutations(range(len(y)))))
    centred = x - x.mean()
    drawn = np.abs(y[orders] @ centred)
    return float((drawn >= abs(y @ centred) - 1e-9 * (1 + np.abs(y).max())).mean())


def pearson(x: Numbers, y: Numbers) -> Estimate:
    """Return Pearson's r, with a two-sided p from Student's t.

    >>> round(float(pearson([1, 2, 3], [2, 4, 7])), 6)
    0.993399
    """
    first, second, left_out = complete_pairs(x, y)
    return _correlation("Pearson r", float(pearson_rows(first, second)), len(first), left_out)


def ccc(x: Numbers, y: Numbers) -> Estimate:
    """Return Lin's concordance ρc = 2·s_xy/(s_x² + s_y² + (x̄−ȳ)²) (Lin 1989; SemJudge, section 6.1).

    Moments are population moments. Two constant vectors with the same value agree perfectly but have no
    variance: the result is unscored. If only one side varies, or two constants differ, ρc is 0.

    >>> round(float(ccc([1, 2, 3], [2, 3, 4])), 6)
    0.571429
    """
    first, second, left_out = complete_pairs(x, y)
    value = float(ccc_rows(first, second)) if len(first) > 1 else np.nan
    return Estimate(
        name="CCC",
        value=defined(value, "fewer than 2 pairs, or both sides are the same constant"),
        n=len(first),
        n_unscored=left_out,
        unit="item",
        method="Lin's concordance, 1/n moments",
    )


def kendall(x: Numbers, y: Numbers) -> Estimate:
    """Return Kendall's τ-b of two vectors of numbers. For winners of pairs use `krcc` or `tau_b`.

    >>> round(float(kendall([1, 2, 3, 4], [1, 3, 2, 4])), 6)
    0.666667
    """
    first, second, left_out = complete_pairs(x, y)
    if len(first) < 2 or _constant(first) or _constant(second):
        return _correlation("Kendall τ-b", np.nan, len(first), left_out)
    found = scipy_stats.kendalltau(first, second)
    return Estimate(
        name="Kendall τ-b",
        value=float(found.statistic),
        p=float(found.pvalue),
        n=len(first),
        n_unscored=left_out,
        unit="item",
        method="τ-b, two-sided p of scipy.stats.kendalltau",
    )


def wilcoxon(
    x: Numbers,
    y: Numbers | None = None,
    *,
    prompts: Labels | None = None,
    alternative: Literal["two-sided", "less", "greater"] = "two-sided",
    zero_method: Literal["wilcox", "pratt", "zsplit"] = "wilcox",
) -> Estimate:
    """Return Wilcoxon's signed-rank test of paired values, such as Δ under two conditions (DIVA, table 1).

    The test treats its items as independent. Give `prompts` if several items share a prompt: differences are
    then averaged within prompts, and prompts are the items of the test. Without `prompts`, the test is
    labelled pair-level.

    The value is min(W⁺, W⁻) for a two-sided test and W⁺ for a one-sided one, as in scipy. `zero_method` is
    the treatment of zero differences: `wilcox` leaves them out, `pratt` ranks and then drops them, `zsplit`
    gives half to each side. p depends on it. `related` has W⁺ and the number of zero differences.

    >>> r = wilcoxon([3, 5, 8, 9], [1, 2, 3, 2])
    >>> float(r), r.p
    (0.0, 0.125)
    """
    first, second = same_length(x=floats(x), y=np.zeros(len(x)) if y is None else floats(y))
    difference = first - second
    left_out = int(np.isnan(difference).sum())
    difference = _prompt_means(difference, prompts)
    zeros = int((difference == 0).sum())
    value: float | Unscored = undefined("no pair differs" if zeros else "no pair")
    p, plus = None, value
    if zeros < len(difference):
        found = scipy_stats.wilcoxon(difference, alternative=alternative, zero_method=zero_method)
        value, p = float(found.statistic), float(found.pvalue)
        one_sided = scipy_stats.wilcoxon(difference, alternative="greater", zero_method=zero_method)
        plus = float(one_sided.statistic)
    return Estimate(
        name="Wilcoxon W",
        value=value,
        p=p,
        n=len(difference),
        n_unscored=left_out,
        unit="pair" if prompts is None else "prompt",
        method="signed-rank test, pair-level"
        if prompts is None
        else "signed-rank test of means over prompts",
        parameters={"alternative": alternative, "zero_method": zero_method},
        related={"w_plus": plus, "zero_differences": zeros},
    )


def _prompt_means(values: FloatArray, prompts: Labels | None) -> FloatArray:
    """Return the mean of each prompt's values, or the values without prompts. Missing values are left out."""
    present = ~np.isnan(values)
    if prompts is None:
        return values[present]
    index, count = group_codes(prompts, len(values))
    counts = np.bincount(index[present], minlength=count)
    means = safe_divide(np.bincount(index[present], weights=values[present], minlength=count), counts)
    return means[counts > 0]


def mae(x: Numbers, y: Numbers) -> Estimate:
    """Return the mean absolute error (VULCA, table 5).

    >>> float(mae([1, 2, 4], [1, 3, 2]))
    1.0
    """
    first, second, left_out = complete_pairs(x, y)
    value = float(np.abs(first - second).mean()) if len(first) else undefined("no pair of numbers")
    return Estimate(
        name="MAE", value=value, n=len(first), n_unscored=left_out, unit="item", method="mean |x − y|"
    )


def ranks(values: FloatArray) -> FloatArray:
    """Return the mid-ranks along the last axis."""
    return np.asarray(scipy_stats.rankdata(values, axis=-1), dtype=np.float64)


def pearson_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return Pearson's r along the last axis; NaN where a side is constant."""
    if x.shape[-1] < 2:
        return np.full(x.shape[:-1], np.nan)
    constant = _constant(x) | _constant(y)  # rounding can leave a constant row a tiny spread
    x, y = x - x.mean(axis=-1, keepdims=True), y - y.mean(axis=-1, keepdims=True)
    denominator = np.sqrt((x**2).sum(axis=-1)) * np.sqrt((y**2).sum(axis=-1))
    return np.where(constant, np.nan, np.clip(safe_divide((x * y).sum(axis=-1), denominator), -1, 1))


def ccc_rows(x: FloatArray, y: FloatArray) -> FloatArray:
    """Return Lin's concordance along the last axis; NaN where both sides are the same constant."""
    constant = _constant(x) & (x == y).all(axis=-1)
    mean_x, mean_y = x.mean(axis=-1), y.mean(axis=-1)
    covariance = ((x - mean_x[..., None]) * (y - mean_y[..., None])).mean(axis=-1)
    denominator = x.var(axis=-1) + y.var(axis=-1) + (mean_x - mean_y) ** 2
    return np.where(constant, np.nan, safe_divide(2 * covariance, denominator))


def _constant(values: FloatArray) -> BoolArray:
    return np.asarray((values == values[..., :1]).all(axis=-1))


def _correlation(name: str, value: float, n: int, left_out: int) -> Estimate:
    p = None
    if n > 2 and np.isfinite(value):
        t = np.inf if abs(value) == 1 else abs(value) * np.sqrt((n - 2) / (1 - value**2))
        p = float(2 * scipy_stats.t.sf(t, n - 2))
    return Estimate(
        name=name, value=defined(value, CONSTANT), p=p, n=n, n_unscored=left_out, unit="item", method=name
    )
