"""Net iconicity, Δ, Cohen's d, and false alarms by the unit of permutation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from semiosis.stats import (
    Interval,
    cohen_d,
    iconicity_gap,
    iconicity_mismatch,
    iconicity_share,
    instance_iconicity,
    net_iconicity,
)
from semiosis.stats._permute import pair_permutation_p, prompt_permutation_p, random_subsets
from semiosis.values import Unscored, UsageError

samples = st.lists(st.integers(-9, 9).map(float), min_size=2, max_size=15)


def test_net_iconicity_by_hand() -> None:
    # two raters: 7 − (2 + 1)/2 = 5.5 and 4 − (4 + 6)/2 = −1; mean 2.25
    assert float(net_iconicity([7, 4], [2, 4], [1, 6])) == 2.25
    # a sign whose second rater skipped one scale keeps the first rater only
    table = net_iconicity([[7, 4], [1, 1]], np.array([[2, np.nan], [1, 1]]), [[1, 6], [1, 1]])
    assert table.tolist() == [5.5, 0.0]
    assert np.isnan(net_iconicity([np.nan], [1], [1]))
    assert float(instance_iconicity(2, 1, 4)) == 4.5


def test_shares_and_mismatch() -> None:
    assert iconicity_share([0.5, 0.0], [0.25, 0.0], [0.25, 0.0])[0] == 0.5
    assert np.isnan(iconicity_share(0.0, 0.0, 0.0))
    assert iconicity_mismatch([0.2], [0.5]) == pytest.approx([0.3])


def test_delta_and_d_by_hand() -> None:
    # agree: 1, 3 (mean 2, SS 2); disagree: 0, 2, 4 (mean 2, SS 8); Δ = 0, then shift the first by 3:
    # Δ = 3, pooled SD = √(10/3), d = 3/√(10/3)
    result = iconicity_gap([4, 6, 0, 2, 4], [1, 1, 0, 0, 0], list("pqrst"), resamples=0, permutations=0)
    assert float(result) == pytest.approx(3)
    assert result.related["cohen_d"] == pytest.approx(3 / np.sqrt(10 / 3))
    assert (result.related["n_agree"], result.related["n_disagree"], result.p) == (2, 3, None)


@pytest.mark.slow
@given(samples, samples)
def test_cohen_d_equals_pingouin(x: list[float], y: list[float]) -> None:
    import pingouin

    found = cohen_d(x, y)
    if np.var(x) == 0 and np.var(y) == 0:
        assert isinstance(found.value, Unscored)
    else:
        expected = pingouin.compute_effsize(x, y, eftype="cohen", paired=False)
        assert found.value == pytest.approx(expected, abs=1e-9)


def test_cohen_d_undefined() -> None:
    assert isinstance(cohen_d([], [1, 2]).value, Unscored)
    assert cohen_d([1, None, 3], [2, 4]).n_unscored == 1


def test_permutation_p_of_pairs_is_the_exact_one_in_the_limit() -> None:
    # 3 of 6 labels: 20 subsets. Sums of the top three 4+5+6 = 15; only one subset reaches it: p = 1/20.
    values = np.arange(1.0, 7.0)
    label = np.array([0, 0, 0, 1, 1, 1], dtype=bool)
    assert pair_permutation_p(values, label, 50_000, 0) == pytest.approx(1 / 20, abs=0.004)
    assert pair_permutation_p(values, ~label, 2_000, 0) == pytest.approx(1.0)


def test_permutation_p_of_pairs_equals_scipy() -> None:
    rng = np.random.default_rng(0)
    x, label = rng.normal(size=60), rng.random(60) < 0.5
    x = x + 0.4 * label
    expected = scipy_stats.permutation_test(
        (x[label], x[~label]),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        vectorized=True,
        n_resamples=20_000,
        alternative="greater",
        rng=np.random.default_rng(1),
    ).pvalue
    found = iconicity_gap(x, label, unit="pair", permutations=20_000, resamples=0)
    assert found.p == pytest.approx(expected, abs=0.01)
    assert "pair level" in str(found)


def test_prompts_of_one_pair_each_are_pairs() -> None:
    rng = np.random.default_rng(2)
    x, label = rng.normal(size=40), rng.random(40) < 0.5
    by_pair = pair_permutation_p(x, label, 20_000, 0)
    assert prompt_permutation_p(x, label, np.arange(40), 20_000, 1) == pytest.approx(by_pair, abs=0.015)


def test_random_subsets_have_their_size_and_are_fair() -> None:
    chosen = random_subsets(7, 3, 20_000, np.random.default_rng(0))
    assert (chosen.sum(axis=1) == 3).all()
    assert chosen.mean(axis=0) == pytest.approx(np.full(7, 3 / 7), abs=0.015)


def test_equal_values_count_as_reached() -> None:
    # all values equal: every permutation reaches Δ = 0, so p = 1, whatever the rounding
    x = np.full(30, 0.1) * 3
    label = np.arange(30) % 3 == 0
    assert pair_permutation_p(x, label, 500, 0) == 1.0
    assert prompt_permutation_p(x, label, np.arange(30) // 3, 500, 0) == 1.0


def test_an_evaluator_that_always_agrees_has_no_gap() -> None:
    result = iconicity_gap([1, 2, 3], [1, 1, 1], list("pqr"))
    assert isinstance(result.value, Unscored)
    assert (result.p, result.interval) == (None, None)
    with pytest.raises(UsageError, match="prompt of each comparison"):
        iconicity_gap([1, 2], [0, 1])


def test_unscored_verdicts_and_unrated_signs_are_counted() -> None:
    result = iconicity_gap([1, 2, None, 4, 5], [0, 1, 1, None, 1], list("pqrst"), resamples=0)
    assert (result.n, result.n_unscored) == (3, 2)


def test_the_interval_is_one_sided_by_default_and_two_sided_on_request() -> None:
    rng = np.random.default_rng(0)
    x, label = rng.normal(size=200), rng.random(200) < 0.5
    prompts = np.repeat(np.arange(20), 10)
    lower = iconicity_gap(x, label, prompts, permutations=0)
    two = iconicity_gap(x, label, prompts, permutations=0, side="two", method="bca")
    assert isinstance(lower.interval, Interval)
    assert isinstance(two.interval, Interval)
    assert lower.interval.high == float("inf")
    assert two.interval.low < float(two) < two.interval.high
    assert "∞" in str(lower)


def false_alarms(unit: str, sizes: np.ndarray, runs: int) -> float:
    """Return the share of p ≤ 0.05 if agreement and iconicity are independent.

    Each varies by prompt: some prompts are more iconic, some are easier.
    """
    rng = np.random.default_rng(0)
    prompt = np.repeat(np.arange(len(sizes)), sizes)
    alarms = 0
    for run in range(runs):
        iconicity = rng.normal(0, 1, len(sizes))[prompt] + rng.normal(0, 0.7, len(prompt))
        agrees = rng.random(len(prompt)) < rng.beta(2, 2, len(sizes))[prompt]
        if unit == "pair":
            alarms += pair_permutation_p(iconicity, agrees, 99, run) <= 0.05
        else:
            alarms += prompt_permutation_p(iconicity, agrees, prompt, 99, run) <= 0.05
    return alarms / runs


@pytest.mark.slow
def test_permuting_pairs_gives_false_alarms_and_permuting_prompts_does_not() -> None:
    # nominal 5%; with 400 runs the standard error is 1.1%
    equal = np.full(40, 10)
    assert false_alarms("pair", equal, 400) > 0.12
    assert false_alarms("prompt", equal, 400) < 0.08


@pytest.mark.slow
def test_permuting_prompts_of_unequal_size_gives_no_false_alarms() -> None:
    assert false_alarms("prompt", np.tile([4, 6, 8, 10], 10), 400) < 0.08
