"""Alignment as a judge and as a scorer."""

import pytest

from semiosis.align import StatedFate, alignment_of_fates
from semiosis.judge import AlignmentJudge
from semiosis.score import AlignmentScorer
from semiosis.values import HSG, Alignment, ArtifactCase, Evaluator, Fate, TextSign, Unscored, UsageError
from tests.align.hsgs import DOVE, LILY, LUTE, SKULL, hsg

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
    far = [1 - _kept(artifact) for artifact in (FULL, POOR)]
    assert verdict.rationale == f"Δo {far[0]:.2f} for a, {far[1]:.2f} for b; by embedder wordllama"


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


def test_the_score_is_how_much_of_the_prompt_is_kept() -> None:
    score = AlignmentScorer().score_many([ArtifactCase.of(PROMPT, POOR)])[0]
    assert score.value == pytest.approx(_kept(POOR))
    assert score.used == (PROMPT.id, POOR.id)


def test_equal_wording_keeps_everything_and_unrelated_wording_the_least() -> None:
    lone = hsg(sign=TextSign(text="a prompt of one meaning"))
    other = hsg(LUTE, root=("a tavern", "idle pleasure", "one stays"), sign=TextSign(text="something else"))
    assert _kept(FULL) == pytest.approx(1)
    assert AlignmentJudge().aligner.mean_match_strength(lone, lone) == pytest.approx(1)
    assert 1 > _kept(POOR) > _kept(other) > 0
    assert _kept(lone) < _kept(POOR)


def test_two_scripts_are_unscored() -> None:
    rain = hsg(("雨打芭蕉", "旅人的愁", "夜不能寐"), root=("水墨画", "听雨", "静"), sign=TextSign(text="雨"))
    judge = AlignmentJudge()
    (score,) = AlignmentScorer().score_many([ArtifactCase.of(PROMPT, rain)])
    outcome = judge.compare(PROMPT, FULL, rain)
    assert isinstance(score.value, Unscored)
    assert isinstance(outcome.winner, Unscored)
    assert outcome.winner.reason == score.value.reason == "undefined"


def stated(artifact: HSG, **fates: Fate) -> Alignment:
    """Return an alignment by a person with these fates. Other nodes are kept; targets have the same names."""
    fates_of_nodes = [
        StatedFate(node, what, () if what == "lost" else (node,), f"{node} is {what}")
        for node in PROMPT.semioses
        for what in (fates.get(node, "kept"),)
    ]
    person = Evaluator(kind="person", name="Ada")
    return alignment_of_fates(PROMPT, artifact, fates_of_nodes, evaluator=person, method="by hand")


def test_the_judge_uses_stated_fates() -> None:
    known = [stated(FULL, n1="weakened"), stated(TWIN, n1="reversed", n2="lost")]
    judge = AlignmentJudge(alignments=known)
    (verdict,) = judge.compare(PROMPT, FULL, TWIN).verdicts
    assert (verdict.winner, verdict.p_a) == ("a", None)
    assert verdict.rationale == "Δo 0.12 for a, 0.50 for b; by person Ada"  # 1 - 3.5 / 4, 1 - 2 / 4
    assert {citation.node: citation.rationale for citation in verdict.citations} == {
        node: f"{PROMPT.semioses[node].label} ({PROMPT.semioses[node].object}): {reason}"
        for node, reason in (
            ("n1", "weakened in a (n1 is weakened), reversed in b (n1 is reversed)"),
            ("n2", "kept in a (n2 is kept), lost in b (n2 is lost)"),
        )
    }


def test_a_pair_that_was_not_aligned_is_unscored() -> None:
    judge = AlignmentJudge(alignments=[stated(FULL)])
    outcome = judge.compare(PROMPT, FULL, TWIN)
    assert isinstance(outcome.winner, Unscored)
    assert outcome.winner.reason == "missing"
    assert "semiosis align" in outcome.winner.detail


def test_a_judge_needs_alignments_by_one_procedure() -> None:
    with pytest.raises(UsageError, match="one procedure, not 2"):
        AlignmentJudge(alignments=[stated(FULL), AlignmentJudge().aligner.diff((PROMPT, TWIN))])


def _kept(artifact: HSG) -> float:
    return AlignmentJudge().aligner.mean_match_strength(PROMPT, artifact)
