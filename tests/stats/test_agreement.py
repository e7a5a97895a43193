"""Accuracy, coverage, flips and position bias."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.stats import Interval, accuracy, agreement, coverage, flip_rate, position_bias
from semiosis.values import DataError, Unscored


def test_accuracy_has_two_denominators_and_bounds() -> None:
    # 2 of 3 judged are right, 2 of 5 of all; with the two unscored right it would be 4 of 5
    result = accuracy([0, 1, 2, 1, 0], [0, 1, 0, None, float("nan")], resamples=0)
    assert float(result) == pytest.approx(2 / 3)
    assert result.related["over_all"] == pytest.approx(2 / 5)
    assert result.bounds == pytest.approx((2 / 5, 4 / 5))
    assert (result.n, result.n_unscored) == (3, 2)


def test_accuracy_is_over_whole_groups_when_asked() -> None:
    right = [1, 1, 1, 0, 0, 0] * 4
    alone = accuracy([1] * 24, right)
    grouped = accuracy([1] * 24, right, [group for group in range(8) for _ in range(3)])
    assert isinstance(alone.interval, Interval)
    assert isinstance(grouped.interval, Interval)
    # 8 group means of 0 and 1: s = √(8/4/7) = 0.5345, ± t(.975, 7) · s/√8 = 2.365 · 0.189
    assert grouped.interval.low == pytest.approx(0.5 - 2.364624 * np.sqrt(2 / 7) / np.sqrt(8), abs=1e-6)
    assert alone.interval.low > grouped.interval.low
    assert (alone.unit, grouped.unit) == ("item", "prompt")
    assert "few prompts (8)" in str(grouped)


def test_a_flip_is_never_right_because_people_tied() -> None:
    result = agreement(["tie", "a", "b", "tie"], ["flip", "a", "flip", "tie"], resamples=0)
    assert float(result) == 2 / 4


def test_items_without_a_reference_are_not_items() -> None:
    result = agreement(["a", "", "b"], ["a", "a", ""], resamples=0)
    assert (result.n, result.n_unscored) == (1, 1)
    assert result.related["over_all"] == 0.5


def test_coverage() -> None:
    assert float(coverage(["a", "", "tie", None])) == 0.5
    assert float(coverage(["a"], expected=4)) == 0.25
    assert isinstance(coverage([]).value, Unscored)


def test_flip_rate_is_over_comparisons_judged_in_both_orders() -> None:
    result = flip_rate(["a", "a", "", "tie"], ["b", "a", "a", "b"])
    assert float(result) == pytest.approx(1 / 3)
    assert result.related["inconsistent"] == pytest.approx(2 / 3)
    assert result.n_unscored == 1
    assert isinstance(flip_rate(["a"], [""]).value, Unscored)


def test_a_judge_that_always_takes_the_first_has_position_bias_one() -> None:
    result = position_bias(["ab", "ba", "ab", "ba"], ["a", "b", "a", "b"], list("ppqq"))
    assert float(result) == 1
    assert result.related["first"] == 1
    with pytest.raises(DataError, match="neither 'ab' nor 'ba'"):
        position_bias(["xy"], ["a"])
    assert isinstance(position_bias(["ab"], ["tie"], resamples=0).value, Unscored)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["a", "b", ""])), min_size=1))
def test_agreement_is_accuracy_of_winners(rows: list[tuple[str, str]]) -> None:
    truth, said = (list(column) for column in zip(*rows, strict=True))
    one, other = agreement(truth, said, resamples=0), accuracy(truth, said, resamples=0)
    assert (one.value, one.bounds, one.n) == (other.value, other.bounds, other.n)


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(DataError, match="2 correct answers for 1"):
        accuracy([0, 1], [0])
