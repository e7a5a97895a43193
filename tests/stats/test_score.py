"""The score on one ruler, its interval, tests, planning, and the alternative-annotator test, by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from semiosis.stats import (
    Interval,
    Votes,
    compare,
    compare_judges,
    equivalence,
    outcomes_of,
    prompts_for_equivalence,
    prompts_needed,
    prompts_to_separate,
    score,
    votes_of,
)
from semiosis.stats._power import power_of_difference, power_of_equivalence
from semiosis.stats._replace import benjamini_yekutieli
from semiosis.stats._score import bounded_interval
from semiosis.values import Unscored, UsageError


def people_votes(said: dict[str, str], prompts: int = 1) -> Votes:
    """Votes on comparisons x–y0, x–y1, … of each prompt, one letter each: a, b, t for a tie, - for none."""
    words = {"a": "a", "b": "b", "t": "tie", "-": ""}
    rows = [
        (f"p{prompt}", "x", f"y{place}", name, words[letter])
        for prompt in range(prompts)
        for name, letters in said.items()
        for place, letter in enumerate(letters)
    ]
    return votes_of(*zip(*rows, strict=True))


def test_judges_and_people_are_measured_against_the_same_majorities() -> None:
    """Three people say aab on the first comparison and aaa on the second.

    First comparison: leaving out ann or bob leaves a and b, a tie, worth 0; leaving out cy leaves aa: 1.
    A judge that says a earns (0 + 0 + 1)/3. Second: it earns 1. The score is (1/3 + 1)/2 = 2/3, which is also
    the best possible. Ann earns 0 and 1, so ½, as Bob does; Cy says b against aa, −1, then 1: 0.
    """
    table = compare(
        people_votes({"ann": "aa", "bob": "aa", "cy": "ba", "judge": "aa"}), reference=["ann", "bob", "cy"]
    )
    (judge,) = table.rows
    assert float(judge.score or 0) == pytest.approx(2 / 3)
    assert table.best == pytest.approx(2 / 3)
    assert {row.person: float(row.score) for row in table.people} == {"ann": 0.5, "bob": 0.5, "cy": 0.0}
    assert judge.counts is not None
    assert (judge.counts.right, judge.counts.wrong) == (2, 0)  # against the majority of all three
    assert table.people_range == pytest.approx((0, 1 / 3, 0.5))


def test_a_comparison_with_one_vote_counts_for_judges_and_not_for_people() -> None:
    table = compare(people_votes({"ann": "aa", "bob": "a-", "judge": "ab"}), reference=["ann", "bob"])
    assert float(table.rows[0].score or 0) == 0  # +1 and −1
    assert [row.score.n for row in table.people] == [1, 1]


def test_ties_flips_and_silence_earn_nothing() -> None:
    table = compare(people_votes({"human": "aaat", "judge": "at-a"}), reference="human")
    (row,) = table.rows
    assert float(row.score or 0) == pytest.approx(0.25)
    counts = row.counts
    assert counts is not None
    assert (counts.right, counts.tied, counts.wrong, counts.unanswered) == (1, 1, 0, 1)  # people tie the last
    assert table.best == 0.75


def test_repeats_are_averaged_and_a_repeat_that_was_not_asked_does_not_count() -> None:
    rows = [("p", "x", f"y{n}", "human", "a", 0) for n in range(10)]
    rows += [("p", "x", f"y{n}", "judge", "a", 0) for n in range(10)]
    rows += [("p", "x", f"y{n}", "judge", "b", 1) for n in range(9)]  # asked about 9 of 10
    prompt, a, b, who, winner, repeat = zip(*rows, strict=True)
    table = compare(votes_of(prompt, a, b, who, winner, repeat=repeat), reference="human")
    assert float(table.rows[0].score or 0) == pytest.approx((9 * 0 + 1) / 10)


def test_the_interval_is_wilsons_for_single_answers() -> None:
    """With values ±1, s² is n/(n−1)·4p(1−p). The formula is Wilson's with t²·n/(n−1) for z²."""
    values = np.array([1.0] * 9 + [-1.0])
    ends = bounded_interval(values)
    assert isinstance(ends, Interval)
    n, p = 10, 0.9
    z2 = scipy_stats.t.ppf(0.975, 9) ** 2 * n / (n - 1)
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    assert (ends.low, ends.high) == pytest.approx((2 * (middle - half) - 1, 2 * (middle + half) - 1))


def test_sixty_of_sixty_right_has_a_bound() -> None:
    """Clopper–Pearson: a share of perfect prompts below .025^(1/60) = .9404 would rarely give 60 of 60."""
    ends = bounded_interval(np.ones(60))
    assert isinstance(ends, Interval)
    assert (ends.low, ends.high) == pytest.approx((2 * 0.025 ** (1 / 60) - 1, 1.0))
    exact = scipy_stats.binomtest(60, 60).proportion_ci(method="exact")
    assert ends.low == pytest.approx(2 * exact.low - 1)
    assert isinstance(bounded_interval(np.zeros(60)), Unscored)
    assert isinstance(bounded_interval(np.ones(4)), Unscored)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 1 / 3, 1.0]), min_size=5, max_size=40))
def test_the_interval_contains_the_value_and_stays_in_range(values: list[float]) -> None:
    ends = bounded_interval(np.array(values))
    if isinstance(ends, Interval):
        assert -1 <= ends.low <= np.mean(values) + 1e-9
        assert np.mean(values) - 1e-9 <= ends.high <= 1


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [0.01, 0.05])
@pytest.mark.parametrize("prompts", [12, 20, 60])
def test_intervals_near_the_ceiling_cover_the_truth(wrong: float, prompts: int) -> None:
    """Student's t covers .52 to .94 here. sd of a coverage of .95 over 600 studies: .009."""
    rng = np.random.default_rng(prompts)
    answers = np.where(rng.random((600, prompts, 6)) < wrong, -1.0, 1.0).mean(axis=2)
    covered = [
        isinstance(ends := bounded_interval(study), Interval) and ends.low <= 1 - 2 * wrong <= ends.high
        for study in answers
    ]
    assert np.mean(covered) >= 0.92


def test_the_paired_difference_is_scipys_paired_t_test() -> None:
    rng = np.random.default_rng(3)
    truth = ["a"] * 120
    first, second = (list(np.where(rng.random(120) < share, "a", "b")) for share in (0.8, 0.6))
    prompts = [number // 4 for number in range(120)]
    found = compare_judges(truth, first, second, prompts)
    values = [
        (np.array(side) == "a").reshape(30, 4).mean(axis=1)
        - (np.array(side) == "b").reshape(30, 4).mean(axis=1)
        for side in (first, second)
    ]
    test = scipy_stats.ttest_rel(*values)
    assert found.p == pytest.approx(test.pvalue)
    ends = test.confidence_interval()
    assert isinstance(found.interval, Interval)
    assert (found.interval.low, found.interval.high) == pytest.approx((ends.low, ends.high))


def test_silence_gains_nothing_in_a_test() -> None:
    """Right on 20 of 40 and silent on the rest equals right on 30 and wrong on 10."""
    prompts = list(range(40))
    found = compare_judges("a" * 40, ["a"] * 20 + [""] * 20, "a" * 30 + "b" * 10, prompts)
    assert float(found) == 0
    agreement = compare_judges(
        "a" * 40, ["a"] * 20 + [""] * 20, "a" * 30 + "b" * 10, prompts, statistic="agreement"
    )
    assert float(agreement) == pytest.approx(-0.25)


def test_interval_p_and_verdict_never_disagree() -> None:
    rng = np.random.default_rng(0)
    for seed in range(30):
        rows = [
            (f"p{prompt}", "x", f"y{place}", name, "a" if rng.random() < right else "b")
            for prompt in range(30)
            for place in range(3)
            for name, right in (("human", 1.1), ("base", 0.7), ("one", 0.55 + seed / 90), ("two", 0.7))
        ]
        table = compare(votes_of(*zip(*rows, strict=True)), reference="human", baseline="base", margin=0.2)
        for row in table.ranked:
            if row.difference is None:
                continue
            ends = row.difference.interval
            assert isinstance(ends, Interval)
            excludes = ends.low > 0 or ends.high < 0
            assert excludes == (row.difference.p is not None and row.difference.p < 0.05)
            assert excludes == (row.verdict in ("better", "worse"))


def test_equivalence_is_statsmodels_ttost_over_prompts() -> None:
    from statsmodels.stats.weightstats import ttost_paired

    from tests.stats.simulated import simulated_votes

    votes = simulated_votes(30, judges=("good", "weak"))
    truth, good, weak = (outcomes_of(votes, name).winner[0] for name in ("human", "good", "weak"))
    found = equivalence(truth, good, weak, votes.prompt, margin=0.6)
    values = [
        np.array([float(score(truth[p], side[p])) for p in np.split(np.arange(180), 30)])
        for side in (good, weak)
    ]
    p, _, _ = ttost_paired(*values, -0.6, 0.6)
    assert found.p == pytest.approx(float(p), abs=1e-9)
    assert isinstance(found.interval, Interval)
    assert (found.interval.low > -0.6 and found.interval.high < 0.6) == (
        found.p is not None and found.p < 0.05
    )


def test_equivalence_is_refused_below_thirty_prompts() -> None:
    prompts = list(range(29))
    with pytest.raises(UsageError, match="at least 30 prompts; there are 29") as caught:
        equivalence("a" * 29, "a" * 29, "a" * 29, prompts, margin=0.2)
    assert "prompts_for_equivalence" in str(caught.value)
    with pytest.raises(UsageError, match="at least 30 prompts"):
        compare(
            people_votes({"human": "ab", "one": "ab", "two": "aa"}, prompts=6),
            reference="human",
            baseline="one",
            margin=0.2,
        )
    with pytest.raises(UsageError, match="margin 0 is not above 0"):
        equivalence("a" * 40, "a" * 40, "a" * 40, list(range(40)), margin=0)


@pytest.mark.parametrize(("effect", "spread"), [(0.5, 0.4), (0.5, 0.5), (0.3, 0.5), (0.2, 0.5), (0.1, 0.5)])
def test_the_planned_number_reaches_the_power_and_one_less_does_not(effect: float, spread: float) -> None:
    n = int(float(prompts_needed(effect, spread)))
    assert power_of_difference(n, effect, spread) >= 0.8
    assert power_of_difference(n - 1, effect, spread) < 0.8


def test_the_power_is_that_of_statsmodels() -> None:
    from statsmodels.stats.power import TTestPower

    for n, effect in ((6, 1.25), (24, 0.6), (52, 0.4)):
        ours = power_of_difference(n, effect, 1.0)
        assert ours == pytest.approx(TTestPower().power(effect, n, 0.05), abs=1e-6)


@pytest.mark.slow
def test_the_planned_power_is_delivered() -> None:
    """The normal approximation named 6 prompts here, with which the power is .50."""
    rng = np.random.default_rng(0)
    n = int(float(prompts_needed(0.5, 0.4)))
    samples = rng.normal(0.5, 0.4, (4000, n))
    found = np.asarray(scipy_stats.ttest_1samp(samples, 0, axis=1).pvalue) < 0.05
    assert found.mean() >= 0.78  # sd .006


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0.1, 0.2])
def test_planned_equivalence_is_delivered(margin: float) -> None:
    n = int(float(prompts_for_equivalence(margin, 0.5)))
    assert power_of_equivalence(n, margin, 0.5) >= 0.8 > power_of_equivalence(n - 1, margin, 0.5)
    rng = np.random.default_rng(1)
    samples = rng.normal(0, 0.5, (3000, n))
    error = samples.std(axis=1, ddof=1) / math.sqrt(n)
    reach = margin - scipy_stats.t.ppf(0.95, n - 1) * error
    assert (np.abs(samples.mean(axis=1)) < reach).mean() == pytest.approx(0.8, abs=0.03)


def test_a_plan_from_a_pilot_has_an_interval() -> None:
    truth = "a" * 40
    found = prompts_to_separate(truth, "aaab" * 10, "aabb" * 10, [n // 4 for n in range(40)], effect=0.2)
    assert isinstance(found.value, Unscored) or found.interval is None  # every prompt differs alike
    rng = np.random.default_rng(1)
    first, second = (list(np.where(rng.random(40) < share, "a", "b")) for share in (0.9, 0.6))
    plan = prompts_to_separate(truth, first, second, [n // 4 for n in range(40)], effect=0.2)
    assert isinstance(plan.interval, Interval)
    assert plan.interval.low < float(plan) < plan.interval.high


def test_no_number_shows_judges_equivalent_that_differ_by_the_margin() -> None:
    assert isinstance(prompts_for_equivalence(0.1, 0.5, effect=0.1).value, Unscored)
    assert isinstance(prompts_needed(0.0, 0.5).value, Unscored)


def test_benjamini_yekutieli_is_that_of_statsmodels() -> None:
    from statsmodels.stats.multitest import multipletests

    p = [0.001, 0.2, 0.03, 0.04, 0.9]
    assert [q for q in benjamini_yekutieli(p) if q is not None] == pytest.approx(
        list(multipletests(p, method="fdr_by")[1])
    )
    assert benjamini_yekutieli([None, 0.01]) == [None, pytest.approx(0.01)]


def test_the_advantage_of_a_judge_over_a_person_by_hand() -> None:
    """Beside ann, who says a, b, a, the others say (a, a), (a, b) and (b, b).

    The judge, who says a, a, a, agrees with 2, 1 and 0 of them, and ann with 2, 1 and 0: always at least as
    many. Beside cy, who says a, b, b, the others say (a, a), (b, a) and (a, b): judge 2, 1, 1 and cy 2, 1, 1.
    Beside bob, who says a, a, b, the others say (a, a), (b, b) and (a, b): judge 2, 0, 1 and bob 2, 0, 1.
    """
    said = {"ann": "aba", "bob": "aab", "cy": "abb", "judge": "aaa"}
    table = compare(people_votes(said, prompts=6), reference=["ann", "bob", "cy"], epsilon=0.2)
    (test,) = table.replacements
    assert [float(row.advantage) for row in test.rows] == [1, 1, 1]
    assert test.winning_rate == 1
    assert test.sentence.startswith(
        "judge may stand in for a person here: it does at least as well as 3 of 3"
    )


def test_a_judge_that_knows_nothing_may_not_stand_in() -> None:
    rng = np.random.default_rng(5)
    rows = []
    for prompt in range(40):
        for place in range(4):
            truth = "ab"[rng.integers(2)]
            for name in ("ann", "bob", "cy", "coin"):
                right = 0.9 if name != "coin" else 0.5
                vote = truth if rng.random() < right else {"a": "b", "b": "a"}[truth]
                rows.append((f"p{prompt}", "x", f"y{place}", name, vote))
    table = compare(votes_of(*zip(*rows, strict=True)), reference=["ann", "bob", "cy"], epsilon=0.1)
    (test,) = table.replacements
    assert test.winning_rate == 0
    assert "is not shown to be good enough" in test.sentence
    with pytest.raises(UsageError, match="needs at least 3 people; the reference has 1"):
        compare(votes_of(*zip(*rows, strict=True)), reference="ann", epsilon=0.1)


def test_a_second_unit_widens_the_interval() -> None:
    from tests.stats.simulated import strategy_votes

    votes = strategy_votes(30, people=5, seed=2)
    people = [f"person {n}" for n in range(5)]
    widths = {}
    for unit in ("prompt", "prompt and generator", "prompt and annotator"):
        row = compare(votes, reference=people, judges=["honest"], unit=unit).rows[0]
        assert row.score is not None
        assert isinstance(row.score.interval, Interval)
        widths[unit] = row.score.interval.high - row.score.interval.low
    assert widths["prompt"] < widths["prompt and annotator"]
    assert widths["prompt"] < widths["prompt and generator"]
