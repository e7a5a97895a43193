"""The table of judges that a person reads: at most 25 lines, one score, and what to look out for."""

from collections.abc import Mapping, Sequence

import pytest

from semiosis.stats import JudgeTable, Votes, compare, votes_of
from semiosis.tables import (
    JUDGE_COLUMNS,
    explain_column,
    in_plain_words,
    judge_table,
    look_out,
    pairs_table,
    replacement_table,
    score_latex,
    score_text,
    to_text,
)
from semiosis.values import UsageError
from tests.stats.simulated import strategy_votes

PEOPLE = ["person 0", "person 1", "person 2"]


def same_everywhere(said: Mapping[str, Sequence[str]], prompts: int = 6) -> Votes:
    """Three comparisons per prompt; each evaluator's winners in order, for all prompts alike."""
    rows = [
        (f"p{prompt}", f"x{place}", f"y{place}", name, winner)
        for name, winners in said.items()
        for prompt in range(prompts)
        for place, winner in enumerate(winners)
    ]
    return votes_of(*zip(*rows, strict=True))


def many_judges(judges: int, prompts: int = 30) -> JudgeTable:
    """Three people and judges with long names, each of which leaves something out."""
    said = {f"person {n}": "aab" if n else "aba" for n in range(3)}
    for number in range(judges):
        name = f"semjudge provider/a-model-with-a-long-name-{number:02}"
        said[name] = ["a", "" if number % 2 else "b", "ab"[number % 2]]  # type: ignore[assignment]  # letters
    return compare(same_everywhere(said, prompts), reference=[f"person {n}" for n in range(3)])


@pytest.mark.parametrize("judges", [1, 2, 6, 12])
def test_the_table_has_at_most_25_lines_of_80_columns(judges: int) -> None:
    lines = score_text(many_judges(judges), "a study", 80).splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80


def test_further_judges_take_one_line_each() -> None:
    lengths = [len(score_text(many_judges(judges), "a study", 80).splitlines()) for judges in (14, 20)]
    assert lengths[1] - lengths[0] == 6


def test_judges_of_a_long_common_name_stay_distinct() -> None:
    lines = score_text(many_judges(3), "", 80).splitlines()
    names = {line[:22] for line in lines if line.startswith("semjudge")}
    assert len(names) == 3


def test_judges_people_and_marks_stand_in_order_of_score() -> None:
    table = compare(strategy_votes(40, seed=1), reference=PEOPLE)
    text = score_text(table, "simulated", 100)
    assert text.index("honest") < text.index("silent") < text.index("guessing: 0")
    assert "not ranked: it repeats person 0" in text
    assert "score: right +1, wrong −1, tie or none 0" in text
    low, mean, high = table.people_range or (0, 0, 0)
    assert f"{mean:.2f}" in text
    assert f"{low:.2f} to {high:.2f}" in text


def test_two_decimals_below_100_prompts_and_three_from_there_on() -> None:
    said = {"human": "aaa", "judge": "aab"}
    assert " 0.33 " in score_text(compare(same_everywhere(said, 99), reference="human"))
    assert " 0.333 " in score_text(compare(same_everywhere(said, 100), reference="human"))


def test_what_to_look_out_for_is_ordered_by_consequence() -> None:
    table = compare(strategy_votes(40, seed=1), reference=PEOPLE)
    sentences = look_out(table)
    assert len(sentences) <= 5
    assert sentences[0] == "copy repeats person 0, who is part of the reference, so it is not ranked."
    assert sentences[1].startswith("silent did not answer ")
    assert any(sentence.startswith("first changed its mind in 240 of 240 pairs") for sentence in sentences)
    silent = look_out(compare(strategy_votes(40, seed=1), reference=PEOPLE, judges=["honest", "silent"]))
    assert silent[0].endswith("which count 0. On what it answered it would be first, not second.")


def test_a_reference_of_one_person_is_stated() -> None:
    sentences = look_out(compare(same_everywhere({"human": "aab", "judge": "aaa"}), reference="human"))
    assert "The reference is human alone, so nothing shows how far people agree." in sentences


def test_three_sentences_say_it_in_plain_words() -> None:
    first, second, third = in_plain_words(compare(strategy_votes(40, seed=1), reference=PEOPLE))
    assert first.startswith("The judge closest to people is ")
    assert "Measured like a person against the others it scores 0." in second
    assert third.startswith("With 40 prompts, its score may lie anywhere between 0.")


def test_every_column_can_be_explained_and_shown() -> None:
    table = compare(strategy_votes(20, seed=1), reference=PEOPLE, baseline="honest")
    shown = judge_table(table, ["all"])
    for name in JUDGE_COLUMNS:
        assert explain_column(name).startswith(f"{name}: ")
    notes = "\n".join(shown.notes)
    for name in set(shown.columns) - {"judge", "right", "tied", "wrong", "none", "verdict"}:
        assert f"{name}:" in notes
    with pytest.raises(UsageError, match="there is no column 'kappa'"):
        explain_column("kappa")
    with pytest.raises(UsageError, match="did you mean krcc"):
        judge_table(table, ["krc"])


def test_a_number_shows_its_n_when_it_rests_on_less_than_all() -> None:
    votes = same_everywhere({"human": "aab", "judge": ["a", "a", ""]})
    table = compare(votes, reference="human")
    assert "1.000 (n 12)" in to_text(judge_table(table, ["agreement"]))
    whole = compare(same_everywhere({"human": "aab", "judge": "aaa"}), reference="human")
    assert "(n " not in to_text(judge_table(whole, ["agreement"]))


def test_correlations_of_few_generators_state_their_number() -> None:
    table = judge_table(compare(strategy_votes(20, seed=1), reference=PEOPLE), ["srcc", "alike"])
    cells = dict(zip(table.columns, table.rows[0], strict=True))
    assert isinstance(cells["srcc"], float)  # six generators
    assert str(cells["alike"]).endswith(" of 15")
    rows = [
        (f"p{p}", a, b, who, "a")
        for p in range(6)
        for a, b in ("xy", "yz", "zx")
        for who in ("human", "judge")
    ]
    few = judge_table(
        compare(votes_of(*zip(*rows, strict=True)), reference="human", prior=0.5), ["srcc", "ccc"]
    )
    assert "of 3" in to_text(few) or "same rating" in to_text(few)


def test_tests_have_a_verdict_in_words() -> None:
    table = compare(strategy_votes(60, seed=3), reference=PEOPLE, baseline="honest", all_pairs=True)
    text = score_text(table, "", 100)
    assert "against honest" in text
    assert "worse" in text
    assert "95% for all 5" in text
    assert {row[3] for row in pairs_table(table).rows} <= {"better", "worse", "not shown to differ"}


def test_the_latex_table_fits_one_column() -> None:
    table = compare(strategy_votes(40, seed=1), reference=PEOPLE)
    latex = score_latex(table)
    assert latex.count(r"\begin{tabular}") == 1
    (caption,) = [line for line in latex.splitlines() if line.startswith(r"\caption")]
    assert len(caption) < 170
    widest = max(len(line.split("&", 1)[1]) for line in latex.splitlines() if line.startswith("honest"))
    assert widest < 60  # characters beside the name, which has 36 % of the column
    assert "people (3)" in latex


def test_the_test_of_standing_in_is_a_table_with_an_answer() -> None:
    table = compare(strategy_votes(40, seed=1), reference=PEOPLE, epsilon=0.2)
    shown = replacement_table(table)
    assert len(shown.rows) == len(table.rows) * 3
    assert any(note.startswith("honest may stand in for a person here") for note in shown.notes)
    assert any("first is not shown to be good enough" in note for note in shown.notes)
    assert any("copy repeats the verdicts of person 0" in note for note in shown.notes)


def test_an_interrupted_repeat_is_left_out_and_stated() -> None:
    prompts = [f"p{number // 5}" for number in range(100)]
    a, b = ["x"] * 100, [f"y{number % 5}" for number in range(100)]
    votes = votes_of(
        [*prompts, *prompts, *prompts[:50]], [*a, *a, *a[:50]], [*b, *b, *b[:50]],
        ["human"] * 100 + ["judge"] * 150, "a" * 250, repeat=[0] * 200 + [1] * 50,
    )  # fmt: skip
    table = compare(votes, reference="human")
    assert "judge: repeat 1 covers only 50 of 100 comparisons and is left out." in table.notes


def test_judges_that_answer_alike_are_said_to() -> None:
    votes = same_everywhere({"human": "aab", "one": "aaa", "two": "aaa"}, prompts=40)
    table = compare(votes, reference="human", all_pairs=True, margin=0.1)
    assert [pair.verdict for pair in table.pairs] == ["same score in every prompt"]


def test_a_crowd_that_shares_annotators_with_the_reference_is_stated() -> None:
    votes = same_everywhere({"ann": "aaaa", "bob": "aaaa", "cat": "aaab", "judge": "aaab"})
    table = compare(votes, reference=["ann", "cat"], crowd=["ann", "bob"])
    (note,) = [note for note in table.notes if "in the crowd and in the reference" in note]
    assert note.startswith("ann is")


def test_a_table_that_exports_no_arrow_is_refused() -> None:
    with pytest.raises(UsageError, match="collect a lazy table first"):
        compare(object(), reference="human")  # type: ignore[arg-type]  # wrong on purpose
