"""Correlations against scipy, by hand, and where they are undefined."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from semiosis.stats import ccc, kendall, mae, pearson, spearman, wilcoxon
from semiosis.values import DataError, Unscored

numbers = st.lists(
    st.tuples(st.integers(-20, 20).map(float), st.integers(-20, 20).map(float)), min_size=3, max_size=30
)


def test_ccc_by_hand() -> None:
    # x = 1 2 3, y = 2 4 6: means 2 and 4, 1/n variances 2/3 and 8/3, covariance 4/3:
    # 2 · 4/3 / (2/3 + 8/3 + 4) = (8/3)/(22/3) = 4/11
    assert float(ccc([1, 2, 3], [2, 4, 6])) == pytest.approx(4 / 11, abs=1e-12)


@given(numbers)
def test_spearman_pearson_and_kendall_equal_scipy(rows: list[tuple[float, float]]) -> None:
    x, y = (np.array(column) for column in zip(*rows, strict=True))
    constant = len(set(x)) == 1 or len(set(y)) == 1
    for ours, theirs in (
        (spearman, scipy_stats.spearmanr),
        (pearson, scipy_stats.pearsonr),
        (kendall, scipy_stats.kendalltau),
    ):
        found = ours(x, y)
        if constant:
            assert isinstance(found.value, Unscored)
        else:
            expected = theirs(x, y)
            assert found.value == pytest.approx(expected.statistic, abs=1e-9)
            exact = ours is spearman and len(x) <= 8  # scipy's p is an approximation there
            if abs(float(found)) < 1 - 1e-12 and not exact:
                assert found.p == pytest.approx(expected.pvalue, abs=1e-9)


@given(numbers)
def test_ccc_is_symmetric_and_no_larger_than_pearson(rows: list[tuple[float, float]]) -> None:
    x, y = (list(column) for column in zip(*rows, strict=True))
    one, other = ccc(x, y), ccc(y, x)
    if isinstance(one.value, Unscored) or isinstance(other.value, Unscored):
        assert type(one.value) is type(other.value)
        return
    assert one.value == pytest.approx(other.value, abs=1e-12)
    r = pearson(x, y).value
    assert abs(one.value) <= (0 if isinstance(r, Unscored) else abs(r)) + 1e-9


def test_wilcoxon_equals_scipy_for_every_zero_method() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 8, 30).astype(float), rng.integers(0, 8, 30).astype(float)
    for zero_method in ("wilcox", "pratt", "zsplit"):
        for alternative in ("two-sided", "greater", "less"):
            expected = scipy_stats.wilcoxon(x - y, alternative=alternative, zero_method=zero_method)
            found = wilcoxon(x, y, alternative=alternative, zero_method=zero_method)
            assert found.value == pytest.approx(expected.statistic, abs=1e-9)
            assert found.p == pytest.approx(expected.pvalue, abs=1e-9)
    assert isinstance(wilcoxon([1, 2], [1, 2]).value, Unscored)
    assert isinstance(wilcoxon([], []).value, Unscored)


def test_missing_numbers_are_left_out_and_counted() -> None:
    result = spearman([1, 2, None, 4, 5], [2, 1, 3, float("nan"), 5])
    assert (result.n, result.n_unscored) == (3, 2)
    assert float(mae([1, None], [3, 3])) == 2
    assert isinstance(mae([None], [1]).value, Unscored)
    assert isinstance(ccc([1], [1]).value, Unscored)
    assert isinstance(ccc([2, 2], [2, 2]).value, Unscored)
    with pytest.raises(DataError, match="has no value"):
        float(pearson([1, 1], [1, 2]))
