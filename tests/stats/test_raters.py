"""κ, α and ICC: by hand, published, and against scikit-learn, statsmodels, krippendorff and pingouin."""

from importlib import import_module
from typing import Literal

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.stats import (
    Interval,
    cohen_kappa,
    fleiss_kappa,
    icc21,
    krippendorff_alpha,
    majority_vote,
    mean_pairwise_kappa,
    quality_control,
    rating_counts,
    weighted_kappa,
)
from semiosis.values import DataError, Unscored, UsageError

two_raters = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=30)
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
"""Shrout and Fleiss 1979, table 2: ICC(2,1) = .29."""


def test_cohen_kappa_by_hand() -> None:
    # 20 items: 10 both yes, 5 both no, 2 yes/no, 3 no/yes. p_o = .75;
    # p_e = (12·13 + 8·7)/400 = .53; κ = .22/.47
    x = ["yes"] * 12 + ["no"] * 8
    y = ["yes"] * 10 + ["no"] * 2 + ["yes"] * 3 + ["no"] * 5
    assert float(cohen_kappa(x, y)) == pytest.approx(0.22 / 0.47, abs=1e-12)


@pytest.mark.slow
@given(two_raters)
def test_cohen_and_weighted_kappa_equal_scikit_learn(rows: list[tuple[int, int]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    x, y = (list(column) for column in zip(*rows, strict=True))
    plain = cohen_kappa(x, y).value
    if len({*x, *y}) > 1:
        assert plain == pytest.approx(cohen_kappa_score(x, y), abs=1e-9)
        for weights in ("linear", "quadratic"):
            # scikit-learn weights by position in its label list, so it needs the whole scale
            expected = cohen_kappa_score(x, y, weights=weights, labels=[1, 2, 3, 4, 5])
            assert weighted_kappa(x, y, weights=weights).value == pytest.approx(expected, abs=1e-9)
    else:
        assert isinstance(plain, Unscored)
        assert isinstance(weighted_kappa(x, y).value, Unscored)


@given(two_raters)
def test_kappa_is_symmetric(rows: list[tuple[int, int]]) -> None:
    x, y = (list(column) for column in zip(*rows, strict=True))
    one, other = weighted_kappa(x, y).value, weighted_kappa(y, x).value
    assert one == other or one == pytest.approx(other)


def test_ordered_words_need_their_order() -> None:
    scale = ["poor", "fair", "good"]
    words = weighted_kappa(["poor", "good", "fair"], ["fair", "good", "fair"], categories=scale)
    assert words.value == weighted_kappa([0, 2, 1], [1, 2, 1]).value
    with pytest.raises(UsageError, match="not numbers"):
        weighted_kappa(["poor"], ["good"])
    with pytest.raises(DataError, match="not among"):
        weighted_kappa(["poor"], ["awful"], categories=scale)
    with pytest.raises(UsageError, match="unknown weights"):
        weighted_kappa([1], [1], weights="cubic")  # type: ignore[arg-type]  # a typo, caught at run time


@pytest.mark.slow
def test_fleiss_published_example() -> None:
    from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

    # Fleiss 1971 as given on many pages: ten items, fourteen raters, five labels: κ = 0.210
    table = [
        [0, 0, 0, 0, 14],
        [0, 2, 6, 4, 2],
        [0, 0, 3, 5, 6],
        [0, 3, 9, 2, 0],
        [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0],
        [3, 2, 6, 3, 0],
        [2, 5, 3, 2, 2],
        [6, 5, 2, 1, 0],
        [0, 2, 2, 3, 7],
    ]
    assert round(float(fleiss_kappa(table)), 3) == 0.210
    assert fleiss_kappa(table).value == pytest.approx(statsmodels_fleiss(np.array(table)), abs=1e-9)


def test_fleiss_takes_items_with_different_numbers_of_raters() -> None:
    # item agreement 1, 1, 1/3 (one of three pairs of raters); labels 5 of 8 and 3 of 8
    result = fleiss_kappa([[3, 0], [0, 2], [2, 1], [1, 0]])
    observed, chance = (1 + 1 + 1 / 3) / 3, (5 / 8) ** 2 + (3 / 8) ** 2
    assert float(result) == pytest.approx((observed - chance) / (1 - chance))
    assert result.n_unscored == 1
    assert isinstance(fleiss_kappa([[1, 0]]).value, Unscored)
    assert isinstance(fleiss_kappa([[2, 0], [3, 0]]).value, Unscored)


@pytest.mark.slow
def test_mean_pairwise_kappa_equals_the_mean_of_scikit_learn() -> None:
    from sklearn.metrics import cohen_kappa_score
    from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

    rng = np.random.default_rng(0)
    table = rng.integers(0, 3, (25, 4))
    pairs = [(i, j) for i in range(4) for j in range(i)]
    expected = np.mean([cohen_kappa_score(table[:, i], table[:, j]) for i, j in pairs])
    result = mean_pairwise_kappa(table)
    assert float(result) == pytest.approx(expected, abs=1e-9)
    assert result.related["fleiss_kappa"] == pytest.approx(statsmodels_fleiss(rating_counts(table)), abs=1e-9)
    assert isinstance(mean_pairwise_kappa([["a"], ["b"]]).value, Unscored)
    with pytest.raises(DataError, match="one entry per rater"):
        mean_pairwise_kappa([["a"], ["a", "b"]])


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_alpha_equals_the_krippendorff_package(level: Literal["nominal", "ordinal", "interval"]) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        table = rng.integers(1, 5, (12, 3)).astype(float)
        table[rng.random(table.shape) < 0.2] = np.nan
        expected = krippendorff.alpha(reliability_data=table.T, level_of_measurement=level)
        found = krippendorff_alpha(table, level)
        assert float(found) == pytest.approx(expected, abs=1e-9)


def test_alpha_of_krippendorffs_own_example() -> None:
    # Krippendorff 2011, "Computing Krippendorff's alpha-reliability", section C: nominal .743, ordinal .815,
    # interval .849
    raters = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    table = [list(row) for row in zip(*raters, strict=True)]
    assert round(float(krippendorff_alpha(table)), 3) == 0.743
    assert round(float(krippendorff_alpha(table, "ordinal")), 3) == 0.815
    assert round(float(krippendorff_alpha(table, "interval")), 3) == 0.849
    assert krippendorff_alpha(table).n_unscored == 1


def test_alpha_undefined_and_misused() -> None:
    assert isinstance(krippendorff_alpha([[1, 1], [1, 1]]).value, Unscored)
    assert isinstance(krippendorff_alpha([[1, None]], "interval").value, Unscored)
    with pytest.raises(DataError, match="numbers"):
        krippendorff_alpha([["a", "b"]], "interval")
    with pytest.raises(UsageError, match="unknown level"):
        krippendorff_alpha([[1, 2]], "ratio")  # type: ignore[arg-type]  # not offered


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The inplace keyword")  # pingouin's own use of pandas
def test_icc_published_and_against_pingouin() -> None:
    import pingouin

    result = icc21(SHROUT_FLEISS)
    assert round(float(result), 2) == 0.29
    rng = np.random.default_rng(1)
    for _ in range(10):
        table = rng.normal(size=(15, 1)) * rng.uniform(0, 2) + rng.normal(size=(15, 4))
        long = import_module("pandas").DataFrame(
            [{"item": i, "rater": r, "score": table[i, r]} for i in range(15) for r in range(4)]
        )
        theirs = pingouin.intraclass_corr(long, targets="item", raters="rater", ratings="score")
        row = theirs[theirs["Type"] == "ICC(A,1)"].iloc[0]
        ours = icc21(table)
        assert float(ours) == pytest.approx(row["ICC"], abs=1e-9)
        assert ours.p == pytest.approx(row["pval"], abs=1e-9)
        assert isinstance(ours.interval, Interval)
        low, high = row[next(name for name in theirs.columns if name.startswith("CI95"))]
        assert (round(ours.interval.low, 2), round(ours.interval.high, 2)) == (low, high)


def test_icc_undefined() -> None:
    assert isinstance(icc21([[1], [2]]).value, Unscored)
    assert isinstance(icc21([[1, 2]]).value, Unscored)
    assert isinstance(icc21([[2, 2], [2, 2]]).value, Unscored)
    shifted = icc21([[1, 2], [2, 3], [3, 4]])
    # rows 2, columns 1.5, error 0: 2/(2 + 2·1.5/3) = 2/3
    assert float(shifted) == pytest.approx(2 / 3)
    assert isinstance(shifted.interval, Interval)
    assert shifted.interval.low < 2 / 3 < shifted.interval.high
    perfect = icc21([[1, 1], [2, 2], [3, 3]])
    assert (float(perfect), type(perfect.interval)) == (1.0, Unscored)
    # McGraw and Wong: with MSE = 0, v = k − 1 = 1 and low = 3·2/(F(.975; 2, 1)·2·1.5 + 3·2), F = 799.5
    assert shifted.interval.low == pytest.approx(6 / (799.5 * 3 + 6))
    assert icc21([[1, 2], [None, 3], [3, 5], [4, 4]]).n_unscored == 1


def test_icc_can_be_negative() -> None:
    # two raters in nearly opposite order: hardly any variance between items
    assert float(icc21([[1, 3], [2, 2], [3, 1.2]])) < -0.4


def test_majority_and_quality_control() -> None:
    votes = [["a"] * 6 + ["b"] * 4, ["a"] * 5 + ["b"] * 5, ["tie"] * 10, ["b"] * 7 + [""] * 3]
    found = majority_vote(votes)
    assert found.winners == ("a", "tie", "tie", "b")
    assert found.shares == (0.6, 0.5, 1.0, 1.0)
    assert found.votes == (10, 10, 10, 7)


def test_quality_control_drops_tasks_and_then_prompts() -> None:
    # p keeps the tasks with exactly 60%: 4 of 5 stay. q has 4 tasks, one of them below, so q is dropped.
    good, bad = ["a"] * 6 + ["b"] * 4, ["a"] * 5 + ["b"] * 5
    votes = [good, good, good, good, bad, good, good, good, bad]
    found = quality_control(votes, list("pppppqqqq"))
    assert found.kept == (True, True, True, True, False, False, False, False, False)
    assert (found.n_unreliable, found.n_sparse, found.prompts_dropped, found.n_thin) == (2, 3, 1, 9)
    assert "4 of 9 comparisons kept" in str(found)
    with pytest.raises(DataError, match="one entry per annotator"):
        quality_control([["a"], ["a", "b"]], ["p", "p"])


def test_labels_of_unequal_number_are_refused() -> None:
    with pytest.raises(DataError):
        cohen_kappa(["a"], ["a", "b"])
    with pytest.raises(DataError):
        weighted_kappa([1], [1, 2])
    assert isinstance(cohen_kappa(["a"], [None]).value, Unscored)
