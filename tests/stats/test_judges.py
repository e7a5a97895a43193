"""Two judges on the same comparisons; Holm; McNemar; the number of prompts needed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.stats import Interval, compare_judges, holm, mcnemar, prompts_needed, prompts_to_separate, score
from semiosis.values import Unscored, UsageError


@pytest.mark.slow
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_equals_statsmodels(p: list[float]) -> None:
    from statsmodels.stats.multitest import multipletests

    expected = multipletests(p, method="holm")[1]
    assert holm(p) == pytest.approx(list(expected), abs=1e-9)


def test_holm_leaves_out_missing_p_values() -> None:
    assert holm([0.01, None, 0.02]) == [0.02, None, 0.02]
    assert holm([]) == []


@pytest.mark.slow
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_mcnemar_equals_statsmodels(rows: list[tuple[bool, bool]]) -> None:
    from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

    first, second = (np.array(column) for column in zip(*rows, strict=True))
    table = [
        [(first & second).sum(), (first & ~second).sum()],
        [(~first & second).sum(), (~first & ~second).sum()],
    ]
    found = mcnemar(first, second)
    assert found.p == pytest.approx(statsmodels_mcnemar(np.array(table), exact=True).pvalue, abs=1e-9)
    assert float(found) == pytest.approx(first.mean() - second.mean())
    assert found.unit == "pair"
    assert "pair-level" in found.method


def test_mcnemar_without_items() -> None:
    assert isinstance(mcnemar([], []).value, Unscored)
    assert mcnemar([1, None, 0], [1, 1, 0]).n_unscored == 1


def judged(seed: int = 0, prompts: int = 60) -> tuple[list[int], np.ndarray, np.ndarray, np.ndarray]:
    """A reference, a judge right nine times out of ten, one right six times out of ten."""
    rng = np.random.default_rng(seed)
    truth = np.ones(prompts * 5)
    sides = [np.where(rng.random(len(truth)) < share, 1.0, -1.0) for share in (0.9, 0.6)]
    return np.repeat(range(prompts), 5).tolist(), truth, sides[0], sides[1]


@pytest.mark.parametrize("statistic", ["score", "agreement"])
def test_a_better_judge_is_distinguished(statistic: str) -> None:
    prompts, truth, good, weak = judged()
    found = compare_judges(truth, good, weak, prompts, statistic=statistic)  # type: ignore[arg-type]  # parametrised
    assert isinstance(found.interval, Interval)
    assert found.interval.low > 0
    assert found.p is not None
    assert found.p < 0.01
    assert found.related["mcnemar_p_pair_level"] == mcnemar(good > 0, weak > 0).p


def test_the_difference_is_the_difference_of_the_two_scores() -> None:
    prompts, truth, good, weak = judged(1, 20)
    good[:7], weak[90:] = np.nan, np.nan
    found = compare_judges(truth, good, weak, prompts)
    sides = [score(truth, side, prompts) for side in (good, weak)]
    assert float(found) == pytest.approx(float(sides[0]) - float(sides[1]))
    assert (found.n, found.n_unscored) == (100, 17)


def test_a_judge_does_not_differ_from_itself() -> None:
    prompts, truth, good, _ = judged()
    found = compare_judges(truth, good, good, prompts)
    assert (float(found), found.p) == (0.0, None)
    assert isinstance(found.interval, Unscored)  # all prompts have the same difference


@pytest.mark.slow
def test_the_paired_test_over_prompts_holds_its_level() -> None:
    # two equally good judges, each with good and bad prompts of its own
    rng = np.random.default_rng(0)
    prompts = np.repeat(np.arange(30), 8)
    alarms = 0
    for _ in range(200):
        sides = [np.where(rng.random(240) < rng.beta(3, 1, 30)[prompts], 1.0, -1.0) for _ in range(2)]
        found = compare_judges(np.ones(240), sides[0], sides[1], prompts)
        alarms += found.p is not None and found.p <= 0.05
    assert alarms / 200 < 0.10


def test_judges_are_compared_on_what_only_one_of_them_answered() -> None:
    found = compare_judges(["a", "b"], ["a", ""], ["", "b"], ["p", "q"])
    assert float(found) == 0
    with pytest.raises(UsageError, match="unknown statistic"):
        compare_judges(["a"], ["a"], ["a"], ["p"], statistic="tau")  # type: ignore[arg-type]  # a typo


def test_prompts_needed_by_hand() -> None:
    # the normal approximation gives (1.959964 + 0.841621)² · (0.5/0.1)² = 196.2; t needs two more
    assert float(prompts_needed(0.1, 0.5)) == 199
    assert isinstance(prompts_needed(0.0, 0.5).value, Unscored)


def test_a_pilot_estimates_how_many_prompts_are_needed() -> None:
    prompts, truth, good, weak = judged()
    found = prompts_to_separate(truth, good, weak, prompts)
    spread = found.related["pilot_spread"]
    assert isinstance(spread, float)
    difference = found.related["pilot_difference"]
    assert isinstance(difference, float)
    assert found.value == prompts_needed(difference, spread).value
    smaller = prompts_to_separate(truth, good, weak, prompts, effect=0.05)
    assert float(smaller) > float(found)
    assert isinstance(prompts_to_separate(["a"], ["a"], ["b"], ["p"]).value, Unscored)


@pytest.mark.slow
def test_the_stated_number_of_prompts_reaches_the_power() -> None:
    # differences per prompt with mean 0.2 and SD 0.5 should be noticed about 80% of the time
    needed = int(float(prompts_needed(0.2, 0.5)))
    rng = np.random.default_rng(0)
    sample = rng.normal(0.2, 0.5, (2_000, needed))
    z = sample.mean(axis=1) / (sample.std(axis=1, ddof=1) / np.sqrt(needed))
    assert (np.abs(z) > 1.96).mean() == pytest.approx(0.8, abs=0.04)
