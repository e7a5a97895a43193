"""Scoring a study: every picture once, with what is recorded, for judges too."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from semiosis.judge import ScoreJudge
from semiosis.score import AlignmentScorer, LocalScorer
from semiosis.study import (
    ReadingRule,
    Study,
    StudyJudge,
    plan_judging,
    plan_scores,
    read_study,
    run,
    run_plan,
)
from semiosis.values import ArtifactCase, Evaluator, Score, Unscored
from tests.small import make_study


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


class Counting(LocalScorer):
    """Scores by the length of the artifact's id, and counts what it is asked."""

    family = "reward"

    def __init__(self) -> None:
        self.chunks: list[int] = []

    @property
    def evaluator(self) -> Evaluator:
        return Evaluator(kind="program", name="counting")

    def score_many(self, cases: Sequence[ArtifactCase]) -> list[Score]:
        self.chunks.append(len(cases))
        return [self.recorded(case, float(int(case.artifact.id[:4], 16)), details={"n": 1}) for case in cases]


def test_a_judge_scores_all_pictures_at_once_and_uses_recorded_scores(small: Study) -> None:
    scorer = Counting()
    outcomes = run(small, [ScoreJudge(scorer)])
    assert len(outcomes) == 3
    assert scorer.chunks == [3]  # the three pictures of three comparisons, in one chunk
    study = read_study(small.folder)
    scores = {
        value.artifact: value.value
        for value in study.observations.values()
        if isinstance(value, Score) and value.evaluator.name == "counting"
    }
    for outcome in outcomes:
        comparison = study.comparisons[outcome.comparison]
        a, b = scores[comparison.a], scores[comparison.b]
        assert outcome.winner == ("tie" if a == b else "a" if a > b else "b")  # type: ignore[operator]  # numbers
    again = Counting()
    assert len(plan_scores(study, again)) == 0
    assert len(plan_judging(study, [StudyJudge(ScoreJudge(again))])) == 0
    assert again.chunks == []


def test_details_and_usage_are_not_part_of_a_scores_id(small: Study) -> None:
    plain, detailed = (
        Score(evaluator=Counting().evaluator, artifact="0" * 20, value=0.5, details=details)
        for details in ({}, {"tokens": 90, "truncated": True})
    )
    assert plain.id == detailed.id
    assert "details" not in plain.model_dump(mode="json")


def test_the_alignment_scorer_uses_the_readings_of_the_rule(small: Study) -> None:
    plan = plan_scores(small, AlignmentScorer(), rule=ReadingRule("Ada"))
    scores = list(run_plan(small, plan, run="align"))
    assert len(scores) == 3
    for score in scores:
        assert isinstance(score.value, float)
        readers = {hsg.reading.interpreter.name for hsg in map(small.hsg, score.used) if hsg}
        assert readers == {"Ada"}
    nobody = list(run_plan(small, plan_scores(small, AlignmentScorer(), rule=ReadingRule("Eve")), run="no"))
    assert {score.value.reason for score in nobody if isinstance(score.value, Unscored)} == {"missing"}
