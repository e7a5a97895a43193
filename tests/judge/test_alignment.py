"""Alignment as a judge and as a scorer."""

import pytest

from semiosis.judge import AlignmentJudge
from semiosis.values import HSG, ArtifactCase, TextSign, Unscored
from tests.align.made import DOVE, LILY, LUTE, SKULL, hsg

PROMPT = hsg(LILY, DOVE, SKULL)
FULL = hsg(LILY, DOVE, SKULL, sign=TextSign(text="a full artifact"))
TWIN = hsg(LILY, DOVE, SKULL, sign=TextSign(text="another full one"))
POOR = hsg(LILY, sign=TextSign(text="a poor artifact"))


def test_the_judge_prefers_what_keeps_more_and_cites_what_the_other_lost() -> None:
    outcome = AlignmentJudge().compare(PROMPT, FULL, POOR)
    (verdict,) = outcome.verdicts
    assert outcome.winner == "a"
    assert verdict.p_a is not None
    assert verdict.p_a > 0.5
    assert {(citation.node, citation.stance) for citation in verdict.citations} == {("n2", "a"), ("n3", "a")}
    assert all(citation.hsg == PROMPT.id for citation in verdict.citations)
    assert verdict.rationale == f"a keeps {_kept(FULL):.2f} of the prompt, b keeps {_kept(POOR):.2f}"


def test_changing_sides_changes_the_winner_and_nothing_else() -> None:
    (first,), (second,) = (
        AlignmentJudge().compare(PROMPT, *sides).verdicts for sides in ((FULL, POOR), (POOR, FULL))
    )
    assert (first.winner, second.winner) == ("a", "b")
    assert first.p_a is not None
    assert second.p_a == pytest.approx(1 - first.p_a)
    assert [citation.node for citation in first.citations] == [citation.node for citation in second.citations]


def test_two_artifacts_of_one_meaning_are_a_tie_without_citations() -> None:
    (verdict,) = AlignmentJudge().compare(PROMPT, FULL, TWIN).verdicts
    assert (verdict.winner, verdict.p_a, verdict.citations) == ("tie", 0.5, ())


def test_the_scorer_says_how_much_is_kept() -> None:
    score = AlignmentJudge().score(ArtifactCase.of(PROMPT, POOR))
    assert score.value == pytest.approx(_kept(POOR))
    assert score.used == (PROMPT.id, POOR.id)


def test_all_is_kept_by_the_same_words_and_least_by_other_ones() -> None:
    lone = hsg(sign=TextSign(text="a prompt of one meaning"))
    other = hsg(LUTE, root=("a tavern", "idle pleasure", "one stays"), sign=TextSign(text="something else"))
    assert _kept(FULL) == pytest.approx(1)
    assert AlignmentJudge().aligner.kept(lone, lone) == pytest.approx(1)
    assert 1 > _kept(POOR) > _kept(other) > 0
    assert _kept(lone) < _kept(POOR)


def test_two_scripts_are_unscored() -> None:
    rain = hsg(("雨打芭蕉", "旅人的愁", "夜不能寐"), root=("水墨画", "听雨", "静"), sign=TextSign(text="雨"))
    judge = AlignmentJudge()
    score, outcome = judge.score(ArtifactCase.of(PROMPT, rain)), judge.compare(PROMPT, FULL, rain)
    assert isinstance(score.value, Unscored)
    assert isinstance(outcome.winner, Unscored)
    assert outcome.winner.reason == score.value.reason == "undefined"


def _kept(artifact: HSG) -> float:
    return AlignmentJudge().aligner.kept(PROMPT, artifact)
