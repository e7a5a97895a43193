"""Agreement against chance: values by hand, properties, and a second implementation of the coefficient."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis import align, stats
from semiosis.align import AgreementSample, ccc_above_chance, mean_above_chance, rating_sums
from semiosis.stats import Interval
from semiosis.values import Unscored

strengths = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 1)).map(lambda pair: tuple(round(x, 3) for x in pair)),
    min_size=2,
    max_size=20,
)


def test_means_and_correction_by_hand() -> None:
    # observed (0.9 + 0.6 + 0.6)/3 = 0.7; chance (0.4 + 0.5 + 0.3)/3 = 0.4; (0.7 − 0.4)/0.6 = 0.5
    found = mean_above_chance(
        "nodes", [0.9, 0.6, 0.6], [0.4, 0.5, 0.3], AgreementSample(items=30, items_unscored=4)
    )
    assert [float(found.observed), float(found.chance), float(found.corrected)] == pytest.approx(
        [0.7, 0.4, 0.5]
    )
    assert (found.observed.n, found.items, found.items_unscored) == (3, 30, 4)


def test_a_sign_without_chance_counts_for_the_observed_value_only() -> None:
    found = mean_above_chance("nodes", [0.9, 0.5, None], [0.5, None, 0.3])
    # observed 0.7 on two signs; corrected on the one sign that has both: (0.9 − 0.5)/0.5
    assert (float(found.observed), found.observed.n, found.observed.n_unscored) == (0.7, 2, 1)
    assert (float(found.corrected), found.corrected.n, found.corrected.n_unscored) == (0.8, 1, 2)


def test_perfect_agreement_is_one_and_chance_is_zero() -> None:
    chance = [0.2, 0.4, 0.1, 0.3, 0.2]
    assert float(mean_above_chance("nodes", [1.0] * 5, chance).corrected) == 1
    assert float(mean_above_chance("nodes", chance, chance).corrected) == 0


def test_complete_agreement_by_chance_leaves_nothing_to_correct() -> None:
    found = mean_above_chance("wholes", [1.0, 1.0], [1.0, 1.0])
    assert isinstance(found.corrected.value, Unscored)
    assert "agreement by chance is complete" in found.corrected.value.detail


def test_nothing_to_compare_is_unscored_with_a_reason() -> None:
    found = mean_above_chance("boxes", [None, None], [0.1, 0.1])
    assert isinstance(found.observed.value, Unscored)
    assert found.observed.value.detail == "nothing could be compared"
    assert found.observed.n_unscored == 2


def test_the_interval_of_a_mean_is_students_t_over_signs() -> None:
    # mean 0.5, standard deviation of 0.1 … 0.9 is 0.316228, standard error /√5 = 0.141421, t(4) = 2.776445
    found = mean_above_chance("nodes", [0.1, 0.3, 0.5, 0.7, 0.9], [0.0] * 5, AgreementSample(unit="sign"))
    ends = found.observed.interval
    assert isinstance(ends, Interval)
    assert (ends.low, ends.high) == pytest.approx((0.107351, 0.892649), abs=1e-6)
    assert ends.has_few_units
    assert "few signs (5)" in str(found.observed)


def test_signs_of_one_prompt_move_together() -> None:
    values = [0.1, 0.1, 0.3, 0.3, 0.5, 0.5, 0.7, 0.7, 0.9, 0.9]
    units = list("aabbccddee")
    apart = mean_above_chance("nodes", values, [0.0] * 10, AgreementSample(unit="sign")).observed.interval
    together = mean_above_chance(
        "nodes", values, [0.0] * 10, AgreementSample(units=units, unit="prompt")
    ).observed
    assert isinstance(apart, Interval)
    assert isinstance(together.interval, Interval)
    assert (apart.units, together.interval.units) == (10, 5)
    assert together.interval.high - together.interval.low > apart.high - apart.low


def test_below_five_units_there_is_no_interval() -> None:
    found = mean_above_chance("nodes", [0.1, 0.2, 0.3, 0.4], [0.0] * 4)
    assert isinstance(found.observed.interval, Unscored)


@given(strengths)
def test_the_coefficient_of_sums_equals_lins(pairs: list[tuple[float, float]]) -> None:
    x, y = (list(side) for side in zip(*pairs, strict=True))
    plain = stats.ccc(x, y)
    found = float(align.ccc_of_sums(rating_sums(x, y)))
    if plain.scored and np.ptp([*x, *y]) > 1e-4:
        assert found == pytest.approx(float(plain), abs=1e-6)


def test_in_both_orders_the_coefficient_is_fishers_intraclass_correlation() -> None:
    # Fisher: r = Σ(x−m)(y−m) / (n·s²), with m and s² over all 2n ratings.
    x, y = np.array([0.1, 0.4, 0.8, 0.9]), np.array([0.2, 0.5, 0.6, 1.0])
    every = np.concatenate([x, y])
    fisher = ((x - every.mean()) * (y - every.mean())).sum() / (len(x) * every.var())
    assert float(align.ccc_of_sums(align.symmetrized_sums(rating_sums(x, y)))) == pytest.approx(fisher)


def test_ratings_of_all_signs_count_together_and_chance_is_subtracted() -> None:
    signs = [([0.1, 0.5], [0.2, 0.5]), ([0.9, 0.3], [0.8, 0.3])]
    rows = np.array([rating_sums(x, y) for x, y in signs])
    crossed = np.array([rating_sums([0.1, 0.5], [0.8, 0.3]), rating_sums([0.9, 0.3], [0.2, 0.5])])
    found = ccc_above_chance("iconic", rows, crossed)
    plain = float(stats.ccc([0.1, 0.5, 0.9, 0.3], [0.2, 0.5, 0.8, 0.3]))
    chance = float(stats.ccc([0.1, 0.5, 0.9, 0.3], [0.8, 0.3, 0.2, 0.5]))
    assert float(found.observed) == pytest.approx(plain)
    assert float(found.corrected) == pytest.approx((plain - chance) / (1 - chance))


def test_ratings_that_do_not_vary_are_unscored() -> None:
    same = np.array([rating_sums([0.5, 0.5], [0.5, 0.5])])
    found = ccc_above_chance("iconic", same, same)
    assert isinstance(found.observed.value, Unscored)
    assert found.observed.value.detail == "the ratings do not vary"
