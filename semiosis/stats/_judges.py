"""Tests of two judges on the same prompts: paired difference, equivalence, McNemar's test, Holm's adjustment.

Judges are compared on all comparisons that have a reference, so that leaving comparisons unscored gains
nothing. Tests and intervals are over whole prompts, because the comparisons of one prompt depend on one
another. McNemar's test ignores that and is labelled pair-level.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from scipy import stats as scipy_stats

from semiosis.stats._arrays import Labels, Numbers, Winners, floats, probabilities, same_length, winner_codes
from semiosis.stats._estimate import MIN_UNITS, Estimate, FloatArray, Interval, undefined
from semiosis.stats._resample import Resampling, t_interval, too_few_units
from semiosis.stats._score import single_ruler
from semiosis.values import Unscored, UsageError

JudgeStatistic = Literal["score", "agreement"]
"""The statistics by which two judges can be compared. Both rest on all comparisons with a reference."""

MIN_EQUIVALENCE = 30
"""The minimum number of prompts of a test of equivalence. With fewer, a judge that fails on some prompts by
chance passes it too often: 35 to 51 % of simulated studies at the margin, instead of 5 %."""


def compare_judges(
    reference: Winners,
    first: Winners,
    second: Winners,
    prompts: Labels,
    *,
    statistic: JudgeStatistic = "score",
    tests: int = 1,
    level: float = 0.95,
) -> Estimate:
    """Return the difference of two judges in score or in agreement, over all comparisons with a reference.

    No answer counts 0 in the score and is wrong in agreement. The interval is Student's t over prompts, and p
    is that of the paired t test. `tests` is the number of tests made together: p and interval are adjusted
    for it (Bonferroni), so that p is below 1 − level exactly if the interval excludes 0.
    `related["mcnemar_p_pair_level"]` is McNemar's p, which treats comparisons as independent.

    >>> r = compare_judges("a" * 10, "a" * 10, "ab" * 5, "ppqqrrsstt", statistic="agreement")
    >>> float(r), r.n
    (0.5, 10)
    """
    values = [_values(reference, side, prompts, statistic) for side in (first, second)]
    truth, one, two = same_length(
        reference=winner_codes(reference), first=winner_codes(first), second=winner_codes(second)
    )
    wanted = ~np.isnan(truth)
    pair_level = mcnemar((one == truth)[wanted], (two == truth)[wanted])
    return paired_difference(
        *values,
        name=f"difference in {statistic}",
        n=int(wanted.sum()),
        n_unscored=int((wanted & (np.isnan(one) | np.isnan(two))).sum()),
        tests=tests,
        level=level,
        related={"mcnemar_p_pair_level": pair_level.p},
    )


def paired_difference(
    first: FloatArray,
    second: FloatArray,
    *,
    name: str,
    n: int,
    n_unscored: int = 0,
    tests: int = 1,
    level: float = 0.95,
    related: dict[str, float | None] | None = None,
) -> Estimate:
    """Return the mean difference of two judges' values in the same prompts, with interval and p."""
    difference = first - second
    units = len(difference)
    if not units:
        return Estimate(name=name, value=undefined("no comparison has a reference"), n=n)
    value = float(difference.mean())
    simultaneous = 1 - (1 - level) / tests
    ends = _mean_interval(difference, simultaneous)
    p = None
    if isinstance(ends, Interval):
        error = float(difference.std(ddof=1)) / np.sqrt(units)
        p = min(1.0, tests * 2 * float(scipy_stats.t.sf(abs(value) / error, units - 1)))
    return Estimate(
        name=name,
        value=value,
        n=n,
        n_unscored=n_unscored,
        interval=ends,
        p=p,
        unit="prompt",
        method="paired t over prompts" + (f", Bonferroni for {tests} tests" if tests > 1 else ""),
        parameters={"level": level, "tests": tests},
        related={"prompts": units, **(related or {})},
    )


def equivalence(
    reference: Winners,
    first: Winners,
    second: Winners,
    prompts: Labels,
    *,
    margin: float,
    statistic: JudgeStatistic = "score",
    alpha: float = 0.05,
) -> Estimate:
    """Test whether two judges differ by less than `margin`, over all comparisons with a reference.

    p is the larger p of two one-sided t tests over prompts, of a difference ≤ −margin and of one ≥ margin
    (Schuirmann 1987). If it is below `alpha`, the judges are equivalent within the margin. The interval has
    level 1 − 2·alpha and lies within ±margin exactly when p < alpha. Below 30 prompts the test is refused.

    >>> prompts = list(range(40)) * 2
    >>> r = equivalence("ab" * 40, "ab" * 39 + "aa", "ab" * 39 + "bb", prompts, margin=0.2)
    >>> float(r), r.p < 0.05
    (0.0, True)
    """
    values = [_values(reference, side, prompts, statistic) for side in (first, second)]
    return two_one_sided(
        *values,
        margin=margin,
        alpha=alpha,
        name=f"equivalence in {statistic}",
        n=int((~np.isnan(winner_codes(reference))).sum()),
    )


def two_one_sided(
    first: FloatArray,
    second: FloatArray,
    *,
    margin: float,
    name: str,
    n: int,
    alpha: float = 0.05,
    tests: int = 1,
) -> Estimate:
    """Return the two one-sided tests of two judges' values in the same prompts."""
    difference = first - second
    require_equivalence(margin, len(difference))
    units, value = len(difference), float(difference.mean())
    ends = _mean_interval(difference, 1 - 2 * alpha / tests)
    p = 0.0 if abs(value) < margin else 1.0  # all prompts differ alike
    if isinstance(ends, Interval):
        error = float(difference.std(ddof=1)) / np.sqrt(units)
        t_values = [(value + margin) / error, (margin - value) / error]
        p = min(1.0, tests * max(float(scipy_stats.t.sf(t, units - 1)) for t in t_values))
    return Estimate(
        name=name,
        value=value,
        n=n,
        interval=ends,
        p=p,
        unit="prompt",
        method="two one-sided t tests over prompts",
        parameters={"margin": margin, "alpha": alpha, "tests": tests},
        related={"margin": margin, "prompts": units},
    )


def require_equivalence(margin: float, prompts: int) -> None:
    """Raise UsageError for a margin that is not above 0, and below 30 prompts."""
    if not 0 < margin < np.inf:
        raise UsageError(
            f"the margin {margin} is not above 0", fix="give the largest difference that is harmless"
        )
    if prompts < MIN_EQUIVALENCE:
        raise UsageError(
            f"a test of equivalence needs at least {MIN_EQUIVALENCE} prompts; there are {prompts}",
            fix="collect more prompts; stats.prompts_for_equivalence(margin, spread) plans their number",
        )


def _values(reference: Winners, side: Winners, prompts: Labels, statistic: str) -> FloatArray:
    truth, answers = same_length(reference=winner_codes(reference), evaluator=winner_codes(side))
    ruler = single_ruler(truth, prompts)
    if statistic == "score":
        return ruler.by_prompt(np.nan_to_num(answers) * ruler.weight)
    if statistic == "agreement":
        return ruler.by_prompt((answers == truth).astype(np.float64))
    raise UsageError(f"unknown statistic {statistic!r}", fix="use 'score' or 'agreement'")


def _mean_interval(values: FloatArray, level: float) -> Interval | Unscored:
    if len(values) < MIN_UNITS:
        return too_few_units(len(values))
    error = float(values.std(ddof=1)) / np.sqrt(len(values))
    return t_interval(float(values.mean()), error, len(values), Resampling(level=level))


def mcnemar(first_right: Sequence[bool] | Numbers, second_right: Sequence[bool] | Numbers) -> Estimate:
    """Return McNemar's exact, pair-level test of two judges' answers to the same items (McNemar 1947).

    The value is the difference of the shares right; p is the two-sided binomial p of the items on which only
    one of the two is right.

    >>> r = mcnemar([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1])
    >>> float(r), r.p
    (0.5, 0.375)
    """
    one, two = same_length(first_right=floats(first_right), second_right=floats(second_right))
    kept = ~(np.isnan(one) | np.isnan(two))
    only_first = int((one[kept] > two[kept]).sum())
    only_second = int((one[kept] < two[kept]).sum())
    n = int(kept.sum())
    differing = only_first + only_second
    p = min(1.0, 2 * float(scipy_stats.binom.cdf(min(only_first, only_second), differing, 0.5)))
    return Estimate(
        name="difference in share right",
        value=(only_first - only_second) / n if n else undefined("no item that both judged"),
        n=n,
        n_unscored=int((~kept).sum()),
        p=p if n else None,
        unit="pair",
        method="McNemar, exact, pair-level",
        related={"only_first_right": only_first, "only_second_right": only_second},
    )


def holm(p_values: Numbers) -> list[float | None]:
    """Return p values adjusted by Holm's step-down method, in the same order (Holm 1979). None stays None.

    >>> [round(p, 6) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = probabilities(p_values, "p")
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    steps = np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1))
    adjusted: list[float | None] = [None] * len(p)
    for position, step in zip(order, steps, strict=True):
        adjusted[int(position)] = min(1.0, float(step))
    return adjusted
