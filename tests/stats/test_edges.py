"""Input that would give a wrong number is refused or unscored with a reason; omissions are stated."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from semiosis import probe, stats
from semiosis.stats import Votes, compare, votes_of, votes_of_verdicts
from semiosis.tables import judge_table, look_out, to_text
from semiosis.values import Comparison, DataError, Evaluator, Unscored, UsageError, Verdict


def interrupted(reached: int) -> Votes:
    """100 comparisons; the judge answers all of them in repeat 0 and the first few again in repeat 1."""
    prompts = [f"p{number // 4}" for number in range(100)]
    a, b = ["x"] * 100, [f"y{number % 4}" for number in range(100)]
    who = ["human"] * 100 + ["judge"] * (100 + reached)
    return votes_of(
        [*prompts, *prompts, *prompts[:reached]],
        [*a, *a, *a[:reached]],
        [*b, *b, *b[:reached]],
        who,
        ["a"] * 100 + ["a", "a", "a", "b"] * 25 + ["a"] * reached,
        repeat=[0] * 200 + [1] * reached,
    )


def test_an_interrupted_repeat_is_not_unscored() -> None:
    table = compare(interrupted(5), reference="human")
    (row,) = table.rows
    assert (row.krcc.n, row.krcc.n_unscored, row.repeats) == (100, 0, 1)
    assert row.agreement is not None
    assert float(row.agreement) == 0.75
    assert "judge: repeat 1 covers only 5 of 100 comparisons and is left out." in table.notes


def test_a_nearly_complete_repeat_counts_on_what_it_reached() -> None:
    table = compare(interrupted(96), reference="human")
    (row,) = table.rows
    assert (row.krcc.n, row.krcc.n_unscored, row.repeats) == (100, 4, 2)
    assert row.score is not None
    assert row.score.n_unscored == 0  # every comparison was answered in a repeat


def test_comparisons_never_asked_about_are_counted() -> None:
    votes = votes_of(
        list("ppqq") + list("ppq"), list("xyxy") + list("xyx"), list("yzyz") + list("yzy"),
        ["human"] * 4 + ["judge"] * 3, [*"aaaa", "a", "", "a"],
    )  # fmt: skip
    table = compare(votes, reference="human")
    (row,) = table.rows
    assert (row.krcc.n, row.krcc.n_unscored) == (2, 2)
    assert row.coverage is not None
    assert (float(row.coverage), row.coverage.related["not_asked"]) == (0.5, 1)
    assert "judge did not answer 2 of 4, which count 0." in look_out(table)


# input


def test_labels_of_two_types_are_refused() -> None:
    with pytest.raises(DataError, match="number and as text"):
        stats.cohen_kappa([1, "1", 2], [1, 1, 2])
    with pytest.raises(DataError, match="number and as text"):
        stats.accuracy([1, 2], ["1", "2"])
    with pytest.raises(DataError, match="number and as text"):
        stats.krcc("ab", "ab", [1, "1"])


@pytest.mark.parametrize("prompts", [["p", None], ["p", ""], ["p", float("nan")]])
def test_a_comparison_without_a_prompt_is_refused(prompts: list[object]) -> None:
    with pytest.raises(DataError, match="item 1 has no prompt"):
        stats.krcc("ab", "ab", prompts)


def test_percentages_are_not_probabilities() -> None:
    for call in (
        lambda: probe.preference_accuracy([90, 20], [1, 0]),
        lambda: probe.preference_accuracy([0.9, 0.2], [80, 10]),
        lambda: probe.is_decisive([75]),
        lambda: probe.order_consistency([60], [40]),
    ):
        with pytest.raises(DataError, match="divide percentages by 100"):
            call()


def test_a_probability_of_one_half_chooses_no_image() -> None:
    found = probe.preference_accuracy([0.5, 0.9, 0.2, 0.8], [1, 0.5, 0, 1], resamples=0)
    assert (float(found), found.n, found.n_unscored) == (1.0, 2, 1)
    assert (found.related["human_ties"], found.related["predicted_ties"]) == (1, 1)


def test_infinite_numbers_are_refused() -> None:
    for call in (
        lambda: stats.spearman([1, 2, np.inf], [1, 2, 3]),
        lambda: stats.mae([1.0, -np.inf], [1.0, 2.0]),
        lambda: stats.icc21([[1, np.inf], [2, 3]]),
        lambda: stats.bradley_terry([[0, np.inf], [1, 0]]),
    ):
        with pytest.raises(DataError, match="infinite"):
            call()
    assert float(probe.open_score(-np.inf, 0.0)) == 0  # an answer that cannot be given


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[1, 2], [1, 2], [1, 2]], "same mean"),  # was an exception
        ([[1, 2], [2, 1], [1.5, 1.5]], "same mean"),  # was −3 [−3, −3]
        ([[1, 1], [1, 1]], "all ratings are equal"),
        ([[1, 2], [2, 1]], "same mean"),
    ],
)
def test_icc_of_items_that_do_not_differ_is_unscored(ratings: list[list[float]], reason: str) -> None:
    found = stats.icc21(ratings)
    assert isinstance(found.value, Unscored)
    assert reason in found.value.detail
    assert not isinstance(found.interval, stats.Interval)


@pytest.mark.slow
def test_spearman_of_few_pairs_is_exact() -> None:
    assert stats.spearman([1, 2, 3, 4], [1, 2, 3, 4]).p == pytest.approx(2 / 24)
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, 7), rng.integers(0, 4, 7)
    exact = scipy_stats.permutation_test(
        (y.astype(float),),
        lambda z: float(scipy_stats.spearmanr(x, z).statistic),
        permutation_type="pairings",
        n_resamples=10_000,
    )
    assert stats.spearman(x, y).p == pytest.approx(exact.pvalue, abs=1e-9)


@pytest.mark.slow
def test_wilcoxon_holds_its_level_when_items_share_prompts() -> None:
    """No difference, 12 prompts with 5 items each that share their prompt's difference."""
    rng = np.random.default_rng(1)
    prompts = np.repeat(range(12), 5)
    alarms = {"item": 0, "prompt": 0}
    for _ in range(400):
        difference = np.repeat(rng.normal(0, 1, 12), 5) + rng.normal(0, 0.7, 60)
        by_item, by_prompt = stats.wilcoxon(difference), stats.wilcoxon(difference, prompts=prompts)
        alarms["item"] += by_item.p is not None and by_item.p < 0.05
        alarms["prompt"] += by_prompt.p is not None and by_prompt.p < 0.05
    assert "(pair level)" in str(by_item)
    assert by_prompt.unit == "prompt"
    assert alarms["item"] > 400 * 0.15
    assert alarms["prompt"] <= 400 * 0.05 + 2.6 * np.sqrt(400 * 0.05 * 0.95)


def test_wilcoxon_averages_within_prompts() -> None:
    # differences 1, 3 | 2 | −4, −2 with one missing: means 2, 2, −3 → ranks 1.5, 1.5, 3: W⁻ = 3, W⁺ = 3
    found = stats.wilcoxon([1, 3, 2, -4, -2, None], prompts=list("ppqrrs"))
    assert (float(found), found.related["w_plus"], found.n, found.n_unscored) == (3.0, 3.0, 3, 1)


# notes below the table


def votes_with(*judges: tuple[str, str]) -> Votes:
    """Verdicts on four comparisons of two prompts, one letter each; a space means never asked."""
    prompt, a, b = list("ppqq"), list("xyxy"), list("yzyz")
    rows = [
        (prompt[i], a[i], b[i], name, "" if said == "-" else said)
        for name, answers in judges
        for i, said in enumerate(answers)
        if said != " "
    ]
    return votes_of(*zip(*rows, strict=True))


def notes(votes: Votes, **settings: object) -> str:
    return to_text(judge_table(compare(votes, **settings)))  # type: ignore[arg-type]  # as given


def test_an_annotator_listed_twice_counts_once() -> None:
    votes = votes_with(("ann", "aaab"), ("bob", "bbbb"), ("judge", "aaab"))
    table = compare(votes, reference=["ann", "ann", "bob"])
    assert table.reference == ("ann", "bob")
    assert "ann is listed 2 times in the reference and counts once." in table.notes


def test_a_judge_is_not_compared_with_itself() -> None:
    votes = votes_with(("ann", "aaab"), ("bob", "aabb"), ("cy", "abbb"))
    with pytest.raises(UsageError, match="'ann' is the reference"):
        compare(votes, reference="ann", judges=["ann", "bob"])
    shown = notes(votes, reference=["ann", "bob", "cy"], judges=["ann"])
    assert "ann is one of the 3 annotators of the reference and is compared with the others." in shown


def test_verdicts_without_a_reference_are_counted() -> None:
    assert "1 comparison has verdicts but no reference and is left out." in notes(
        votes_with(("ann", "aaa "), ("judge", "aaaa")), reference="ann"
    )


def test_the_crowd_filter_says_what_it_left_out() -> None:
    votes = votes_with(("ann", "aaaa"), ("c1", "aaaa"), ("c2", "aaab"), ("judge", "aaaa"))
    shown = notes(votes, reference="ann", crowd=["c1", "c2"])
    assert "leaves out 4 of 4 comparisons: 1 on which fewer than 60% agree, and 3 in prompts" in shown


def test_each_annotator_is_compared_with_the_others() -> None:
    # ann against bob: 3 of 4 agree, (3 − 1)/4; by prompt p 1, q 0
    table = compare(votes_with(("ann", "aaab"), ("bob", "aaaa"), ("judge", "aaaa")), reference=["ann", "bob"])
    assert [row.person for row in table.people] == ["ann", "bob"]
    assert [float(row.score) for row in table.people] == [0.5, 0.5]


def test_a_b_and_b_a_are_one_comparison_for_observations_too() -> None:
    prompt, x, y = "0" * 20, "1" * 20, "2" * 20
    there, back = Comparison(prompt=prompt, a=x, b=y), Comparison(prompt=prompt, a=y, b=x)
    judge = Evaluator(kind="model", name="judge")
    said = [
        Verdict(evaluator=judge, comparison=there.id, winner="a", p_a=0.8),
        Verdict(evaluator=judge, comparison=back.id, winner="b", p_a=0.3),
    ]
    votes = votes_of_verdicts(said, [there, back])
    assert len(votes.prompt) == 1
    assert (votes.winner.tolist(), votes.shown.tolist()) == ([1.0, 1.0], [0, 1])
    assert votes.p_a is not None
    assert votes.p_a.tolist() == pytest.approx([0.8, 0.7])


# categories


def test_every_published_category_is_placed_and_others_are_named() -> None:
    one = probe.semvar(
        aa=[0.9] * 3, vv=[0.8] * 3, ii=[0.9] * 3, va=[0.3] * 3, av=[0.4] * 3, ia=[0.9] * 3, ai=[0.9] * 3
    )
    found = probe.variation_table(one, ["spatio_temporal", ("Action", "action"), "weather"], resamples=0)
    assert found.unplaced == ("weather",)
    assert "in no aspect: weather" in str(found)
    assert set(found.categories) == {"spatio_temporal", "Action", "weather"}
    assert isinstance(found.aspects["relation"]["kappa"], float)
    assert len(found.absent) == 18
