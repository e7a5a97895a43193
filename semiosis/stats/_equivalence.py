"""Tests of the equivalence of two judges within a margin, by two one-sided tests (Schuirmann 1987)."""

import numpy as np
from scipy import stats as scipy_stats

from semiosis.stats._arrays import Labels, Winners
from semiosis.stats._estimate import MIN_UNITS, Estimate, FloatArray, Interval, defined
from semiosis.stats._judges import COLUMNS, AgreementName, common_pairs, ratio_difference, shared_columns
from semiosis.stats._resample import Resampling, jackknife_error, t_interval, too_few_units
from semiosis.values import Unscored, UsageError


def equivalence(
    reference: Winners,
    first: Winners,
    second: Winners,
    prompts: Labels,
    *,
    margin: float,
    statistic: AgreementName = "half credit",
    alpha: float = 0.05,
) -> Estimate:
    """Test whether two judges differ by less than `margin`, on the comparisons both judged.

    p is the larger p of two one-sided t tests over prompts, of a difference ≤ −margin and of one ≥ margin.
    If it is below `alpha`, the judges are equivalent within the margin. A test that finds no difference
    is no evidence of equivalence; this test is. The interval has level 1 − 2·alpha and lies within ±margin
    exactly when p < alpha.

    >>> r = equivalence("ab" * 10, "ab" * 9 + "aa", "ab" * 9 + "bb", list(range(10)) * 2, margin=0.5)
    >>> float(r), r.p < 0.05
    (0.0, True)
    """
    one, two, n, unscored = common_pairs(reference, first, second, prompts)
    found = two_one_sided(COLUMNS[statistic](one), COLUMNS[statistic](two), margin, alpha)
    return Estimate(
        name=f"difference in {statistic}",
        value=found.value,
        n=n,
        n_unscored=unscored,
        interval=found.interval,
        p=found.p,
        unit="prompt",
        method=found.method,
        parameters={"statistic": statistic, "margin": margin, "alpha": alpha},
        related=found.related,
    )


def two_one_sided(first: FloatArray, second: FloatArray, margin: float, alpha: float = 0.05) -> Estimate:
    """Return the two one-sided tests from columns per prompt whose sums' ratio is the statistic."""
    if not 0 < margin < np.inf:
        raise UsageError(
            f"the margin {margin} is not above 0", fix="give the largest difference that is harmless"
        )
    columns = shared_columns(first, second)
    units, total = len(columns), columns.sum(axis=0)
    value = float(ratio_difference(total))
    resampling = Resampling(level=1 - 2 * alpha)
    p: float | None = None
    ends: Interval | Unscored = too_few_units(units)
    if units >= MIN_UNITS and np.isfinite(value):
        error = jackknife_error(ratio_difference(total - columns))
        ends = t_interval(value, error, units, resampling)
        if error > 0:
            t_values = [(value + margin) / error, (margin - value) / error]
            p = float(max(scipy_stats.t.sf(t, units - 1) for t in t_values))
    return Estimate(
        name="difference",
        value=defined(value, "one of the two judges has no value on the common comparisons"),
        n=units,
        interval=ends,
        p=p,
        unit="prompt",
        method="two one-sided t tests over prompts",
        parameters={"margin": margin, "alpha": alpha},
        related={"margin": margin},
    )
