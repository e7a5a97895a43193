"""A table explains its columns, states what was left out, and does not reward unscored comparisons."""

from collections.abc import Mapping, Sequence

import pytest

from semiosis.stats import JudgeTable, Votes, compare, votes_of
from semiosis.tables import judge_table, pairs_table, to_text
from semiosis.values import UsageError
from tests.stats.simulated import simulated_votes


def same_everywhere(said: Mapping[str, Sequence[str]], prompts: int = 6) -> Votes:
    """Three comparisons per prompt; each evaluator's winners in order, for all prompts alike."""
    rows = [
        (f"p{prompt}", f"x{place}", f"y{place}", name, winner)
        for name, winners in said.items()
        for prompt in range(prompts)
        for place, winner in enumerate(winners)
    ]
    return votes_of(*zip(*rows, strict=True))


def shown(table: JudgeTable, width: int | None = None) -> str:
    return to_text(judge_table(table), width)


def test_every_column_is_explained() -> None:
    votes = simulated_votes(12, repeats=2, missing=0.05)
    table = judge_table(
        compare(votes, reference="human", baseline="weak", margin=0.1, prior=0.5, resamples=100)
    )
    said = "\n".join(table.notes)
    unexplained = [name for name in table.columns if f"{name}:" not in said]
    assert unexplained == ["judge", "prompts", "repeats"]  # KRCC's note explains prompts
    assert table.notes[1].startswith("half credit: ")


def test_a_reason_that_holds_for_a_whole_column_names_no_rows() -> None:
    votes = simulated_votes(25)
    text = shown(compare(votes, reference="human", prior=0.5, resamples=100))
    (withheld,) = [line for line in text.splitlines() if line.startswith("no interval: noise")]
    assert withheld.endswith("(CCC)")


def test_few_annotators_are_not_called_few_prompts() -> None:
    said = {name: ["a", "b", "a" if name < "c" else "b"] for name in "abcde"} | {"judge": ["a", "a", "b"]}
    votes = same_everywhere(said, prompts=12)
    table = compare(votes, reference=list("abcde"), unit="prompt and annotator", resamples=200)
    text = shown(table)
    assert "few prompts or annotators (5)" in text
    assert "Student's t over prompts and annotators; those of differences and of people, over prompts" in text


def test_unscored_comparisons_do_not_raise_the_rank_when_each_judge_has_its_own() -> None:
    # honest: right, right, wrong in each prompt; silent: the same without the last answer
    votes = same_everywhere({"human": "aaa", "honest": "aab", "silent": ["a", "a", ""], "lost": "bbb"})
    table = compare(votes, reference="human", common=False, resamples=0)
    assert [row.judge for row in table.rows] == ["silent", "honest", "lost"]
    over_all = [row.half_credit.related["over_all"] for row in table.rows if row.half_credit]
    assert over_all == pytest.approx([2 / 3, 1 / 3, -1])
    guessing = same_everywhere({"human": "aaa", "guess": "aaa", "silent": ["a", "", ""]})
    assert [r.judge for r in compare(guessing, reference="human", common=False, resamples=0).rows] == [
        "guess",
        "silent",
    ]
    assert "leaving hard comparisons unscored raises half credit" in shown(table)


def test_coverage_is_shown_when_a_judge_left_something_unscored() -> None:
    votes = same_everywhere({"human": "aaa", "one": "aab", "two": ["a", "a", ""]})
    table = judge_table(compare(votes, reference="human", resamples=0))
    place = table.columns.index("coverage")
    assert [row[place] and float(row[place]) for row in table.rows] == pytest.approx([1, 2 / 3])  # type: ignore[arg-type]  # estimates
    whole = same_everywhere({"human": "aaa", "one": "aab"})
    assert "coverage" not in judge_table(compare(whole, reference="human", resamples=0)).columns


def test_comparisons_that_lack_a_repeat_are_counted() -> None:
    prompts = [f"p{number // 5}" for number in range(100)]
    a, b = ["x"] * 100, [f"y{number % 5}" for number in range(100)]
    votes = votes_of(
        [*prompts, *prompts, *prompts[:96]], [*a, *a, *a[:96]], [*b, *b, *b[:96]],
        ["human"] * 100 + ["judge"] * 196, "a" * 296, repeat=[0] * 200 + [1] * 96,
    )  # fmt: skip
    table = compare(votes, reference="human", resamples=0)
    assert "judge: 4 comparisons are left out, because they were not judged in every repeat." in table.notes
    own = compare(votes, reference="human", common=False, resamples=0)
    assert (own.rows[0].krcc.n, own.rows[0].krcc.n_unscored) == (100, 0)


def test_identical_judges_have_no_p_of_equivalence_and_the_reason_is_stated() -> None:
    votes = same_everywhere({"human": "aab", "one": "aaa", "two": "aaa"})
    table = compare(votes, reference="human", all_pairs=True, margin=0.1, resamples=100)
    text = to_text(pairs_table(table))
    assert "every prompt (or item) gives the same value" in text
    assert "–" in text


def test_a_crowd_that_shares_annotators_with_the_reference_is_stated() -> None:
    votes = same_everywhere({"ann": "aaaa", "bob": "aaaa", "cat": "aaab", "judge": "aaab"})
    table = compare(votes, reference=["ann", "cat"], crowd=["ann", "bob"], resamples=0)
    (note,) = [note for note in table.notes if "in the crowd and in the reference" in note]
    assert note.startswith("ann is")


def test_a_table_that_exports_no_arrow_is_refused() -> None:
    with pytest.raises(UsageError, match="collect a lazy table first"):
        compare(object(), reference="human")  # type: ignore[arg-type]  # wrong on purpose
