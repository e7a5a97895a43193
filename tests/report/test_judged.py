"""The comparison with which a report begins, and what it says in words."""

from semiosis.report._judged import (
    JudgedComparison,
    dissent_sentence,
    fates_sentence,
    people_sentence,
    striking_comparison,
)
from semiosis.values import Comparison, Evaluator, Outcome, Unscored, Verdict, Winner, outcomes
from tests.report.example import Example

COMPARISON = Comparison(prompt="0" * 20, a="1" * 20, b="2" * 20)
MODEL = Evaluator(kind="model", name="SemJudge")


def votes(people: str, model: Winner | None = None) -> JudgedComparison:
    """Return a comparison with one letter for the vote of each person: a, b, t or - for no answer."""
    words: dict[str, Winner] = {"a": "a", "b": "b", "t": "tie"}
    verdicts = [
        Verdict(
            evaluator=Evaluator(kind="person", name=f"person {number}"),
            comparison=COMPARISON.id,
            winner=words.get(letter, Unscored(reason="missing")),
        )
        for number, letter in enumerate(people)
    ]
    if model:
        verdicts.append(Verdict(evaluator=MODEL, comparison=COMPARISON.id, winner=model))
    return JudgedComparison(COMPARISON, None, list(outcomes(verdicts)))


def test_what_people_chose_in_words() -> None:
    assert people_sentence(votes("aaa")) == "All 3 people chose A."
    assert people_sentence(votes("bbat")) == "2 of 4 people chose B."
    assert people_sentence(votes("abt")) == "People are divided: A 1, B 1, tie 1."
    assert people_sentence(votes("b-")) == "One person chose B."  # the other gave no answer
    assert people_sentence(votes("--")) == ""


def test_a_model_that_chooses_the_other_artifact_is_named() -> None:
    labels = {MODEL.id: "SemJudge"}
    assert dissent_sentence(votes("aaa", "b"), labels) == "SemJudge chose B."
    assert dissent_sentence(votes("aaa", "a"), labels) == ""
    assert dissent_sentence(votes("ab", "a"), labels) == ""  # people chose neither


def test_the_comparison_that_people_agree_on_is_shown_first() -> None:
    divided, agreed, alone = votes("aab"), votes("bbb"), votes("a")
    assert striking_comparison([divided, alone, agreed]) is agreed
    assert striking_comparison([]) is None


def test_artifacts_that_differ_are_shown_before_those_that_are_alike(made: Example) -> None:
    said: list[Outcome] = list(votes("aa").outcomes)
    alike = JudgedComparison(COMPARISON, (made.diff_a, made.diff_a), said)
    different = JudgedComparison(COMPARISON, (made.diff_a, made.diff_b), said)
    # Both are agreed on by all people; the distances are 0.19 and 0.89.
    assert alike.strikes == (1.0, 0.0)
    assert different.strikes[1] == made.diff_b.distance - made.diff_a.distance
    assert striking_comparison([alike, different]) is different
    assert fates_sentence("B", made.diff_b) == "B: 1 matched, 3 lost of the prompt's 4 meanings, 2 added."
