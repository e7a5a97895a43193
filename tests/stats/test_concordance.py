"""τ-b on pairs, half credit, KRCC."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from semiosis.stats import Interval, agreement, concordance, half_credit, krcc, tau_b
from semiosis.values import DataError, Unscored

winner = st.sampled_from(["a", "b", "tie"])
maybe = st.sampled_from(["a", "b", "tie", "flip", ""])
pairs = st.lists(st.tuples(winner, maybe, st.integers(0, 3)), min_size=1, max_size=40)
SWAPPED = {"a": "b", "b": "a", "tie": "tie", "flip": "flip", "": ""}


def test_tau_b_by_hand() -> None:
    # C = 2, D = 1, tied only by the reference 1, tied only by the evaluator 2, tied by both 1:
    # (2 − 1)/√((2 + 1 + 1)(2 + 1 + 2)) = 1/√20
    reference = ["a", "b", "a", "tie", "a", "b", "tie"]
    evaluator = ["a", "b", "b", "a", "tie", "tie", "tie"]
    counts = concordance(reference, evaluator)
    assert (counts.concordant, counts.discordant) == (2, 1)
    assert (counts.reference_ties, counts.evaluator_ties, counts.both_tied) == (1, 2, 1)
    assert float(tau_b(reference, evaluator)) == pytest.approx(1 / math.sqrt(20), abs=1e-12)
    assert float(half_credit(reference, evaluator, resamples=0)) == pytest.approx(1 / 7, abs=1e-12)


def test_a_flip_is_half_right_and_half_wrong() -> None:
    # C = 2, D = 1, one flip where the reference decides, one where it ties: decided pairs 2 + 1 + 1 = 4, of
    # which the reference ties none; against its tie the evaluator did not say tie: (2 − 1)/√((4 + 1)·4)
    reference, evaluator = ["a", "b", "a", "a", "tie"], ["a", "b", "b", "flip", "flip"]
    assert concordance(reference, evaluator).flips == 2
    assert float(tau_b(reference, evaluator)) == pytest.approx(1 / math.sqrt(20), abs=1e-12)
    assert float(half_credit(reference, evaluator, resamples=0)) == pytest.approx(1 / 5)
    # nothing but flips: 0, where nothing but ties leaves no value
    assert float(tau_b("aab", ["flip"] * 3)) == 0
    assert isinstance(tau_b("aab", ["tie"] * 3).value, Unscored)


def test_krcc_states_on_how_many_prompts_it_is_defined() -> None:
    honest = krcc("aaaaaa", "aaaaab", "pppqqq", resamples=0)
    silenced = krcc("aaaaaa", [*"aaa", "tie", "tie", "tie"], "pppqqq", resamples=0)
    assert float(honest) == pytest.approx(2 / 3)
    assert float(silenced) == 1  # the second prompt has no τ-b …
    assert "defined on 1 of 2 prompts" in str(silenced)  # … and the result says so
    assert silenced.related["half_credit"] == 0.5  # half credit counts it as 0


def test_krcc_is_the_mean_over_prompts_and_counts_prompts_without_a_value() -> None:
    # p: C = 2 → 1. q: C = 1, D = 1 → 0. r: the evaluator ties everything → denominator 0, unscored.
    reference = ["a", "a", "a", "b", "a", "b"]
    evaluator = ["a", "a", "a", "a", "tie", "tie"]
    result = krcc(reference, evaluator, list("ppqqrr"), resamples=0)
    assert float(result) == 0.5
    assert result.related["prompts"] == 2
    assert result.related["prompts_unscored"] == 1
    # half credit: (1 + 0 + 0)/3
    assert result.related["half_credit"] == pytest.approx(1 / 3)
    assert result.related["pairs_per_prompt_min"] == 2


def test_pair_weighted_mean() -> None:
    # p has three pairs with τ = 1, q has one with τ = −1: plain mean 0, pair-weighted (3 − 1)/4
    result = krcc(["a", "a", "a", "a"], ["a", "a", "a", "b"], list("pppq"), resamples=0)
    assert float(result) == 0
    assert result.related["pair_weighted"] == 0.5


def test_bounds_take_unscored_as_wrong_and_as_right() -> None:
    # judged: 1 of 1 right; two unscored. All wrong: C = 1, D = 2 → −1/3. All right: 1.
    result = krcc(["a", "b", "a"], ["a", "", None], list("ppp"), resamples=0)
    assert (float(result), result.n, result.n_unscored) == (1.0, 1, 2)
    assert result.bounds == pytest.approx((-1 / 3, 1.0))


def test_without_ties_every_form_agrees_with_kendall_on_ranked_artifacts() -> None:
    # τ-b on the pairs of a ranking is Kendall's τ of the two rankings, as scipy computes it.
    rng = np.random.default_rng(0)
    for _ in range(20):
        x, y = rng.permutation(6), rng.permutation(6)
        i, j = np.triu_indices(6, 1)
        first, second = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
        expected = scipy_stats.kendalltau(x, y).statistic
        assert float(tau_b(first, second)) == pytest.approx(expected, abs=1e-12)


def test_with_ties_it_equals_scipys_tau_b_on_ranked_artifacts() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        x, y = rng.integers(0, 4, 7), rng.integers(0, 4, 7)
        i, j = np.triu_indices(7, 1)
        expected = scipy_stats.kendalltau(x, y).statistic
        found = tau_b(np.sign(x[i] - x[j]), np.sign(y[i] - y[j])).value
        if math.isnan(expected):
            assert isinstance(found, Unscored)
        else:
            assert found == pytest.approx(expected, abs=1e-12)


@given(pairs)
def test_exchanging_the_names_of_the_artifacts_changes_nothing(rows: list[tuple[str, str, int]]) -> None:
    reference, evaluator, prompts = (list(column) for column in zip(*rows, strict=True))
    # the a and b of every other pair exchange their names
    names = [SWAPPED if place % 2 else {key: key for key in SWAPPED} for place in range(len(rows))]
    turned = [[name[said] for name, said in zip(names, side, strict=True)] for side in (reference, evaluator)]
    before = krcc(reference, evaluator, prompts, resamples=0)
    after = krcc(turned[0], turned[1], prompts, resamples=0)
    assert before.value == after.value
    assert before.bounds == after.bounds


@given(pairs, st.integers(1, 5))
def test_unscored_pairs_are_counted_and_do_not_move_the_value(
    rows: list[tuple[str, str, int]], more: int
) -> None:
    reference, evaluator, prompts = (list(column) for column in zip(*rows, strict=True))
    before = krcc(reference, evaluator, prompts, resamples=0)
    after = krcc(
        [*reference, *["a"] * more], [*evaluator, *[""] * more], [*prompts, *[0] * more], resamples=0
    )
    assert before.value == after.value
    assert after.n_unscored == before.n_unscored + more
    assert after.n == before.n


@given(pairs)
def test_half_credit_is_agreement_with_ties_worth_half(rows: list[tuple[str, str, int]]) -> None:
    reference, evaluator, _ = (list(column) for column in zip(*rows, strict=True))
    result = half_credit(reference, evaluator, resamples=0)
    counts = concordance(reference, evaluator)
    if isinstance(result.value, Unscored):
        assert counts.n == 0
    else:
        ties = counts.reference_ties + counts.evaluator_ties + counts.both_tied + counts.flips
        assert (1 + result.value) / 2 == pytest.approx((counts.concordant + ties / 2) / counts.n)


def test_without_pairs_the_result_is_unscored() -> None:
    result = krcc([], [], [])
    assert isinstance(result.value, Unscored)
    assert isinstance(result.interval, Unscored)
    assert isinstance(agreement([], [], resamples=0).value, Unscored)


def test_prompt_intervals_are_wider_than_pair_intervals_when_pairs_are_dependent() -> None:
    rng = np.random.default_rng(0)
    prompts = np.repeat(np.arange(40), 10)
    right = np.repeat(rng.random(40) < 0.7, 10) ^ (rng.random(400) < 0.02)
    evaluator = np.where(right, 1, -1)
    by_prompt = krcc(np.ones(400), evaluator, prompts, method="percentile")
    by_pair = krcc(np.ones(400), evaluator, prompts, unit="pair", resamples=500)
    assert isinstance(by_prompt.interval, Interval)
    assert isinstance(by_pair.interval, Interval)
    assert by_prompt.interval.high - by_prompt.interval.low > 4 * (
        by_pair.interval.high - by_pair.interval.low
    )
    assert "as in the papers" in str(by_pair)


def test_an_unknown_winner_is_named_with_its_position() -> None:
    with pytest.raises(DataError, match=r"'left' at position 1"):
        tau_b(["a", "left"], ["a", "b"])
    with pytest.raises(DataError, match="same length"):
        tau_b(["a"], ["a", "b"])
    with pytest.raises(DataError, match="prompts for"):
        krcc(["a"], ["a"], ["p", "q"])
    with pytest.raises(DataError, match="winner 2"):
        tau_b(np.array([2]), np.array([1]))
