"""Scorers that ask a model: their arithmetic, what the model sees, and replies that cannot be read."""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Asker, Model, Runner, wait_for
from semiosis.score import LIKELIHOODS, RUBRICS, LikelihoodScorer, NodeScorer, RatedScorer, Scorer
from semiosis.study import (
    EvaluatorOptions,
    ReadingRule,
    Study,
    find_judge,
    find_scorer,
    plan_judging,
    plan_scores,
    read_study,
    require_inputs,
    run_judging,
    run_plan,
)
from semiosis.testing import Call, StandIn, Step, cut_off, refuses, says
from semiosis.values import ArtifactCase, Score, Unscored, UsageError
from tests.cli.conftest import Run
from tests.read.conftest import Garden
from tests.small import make_study

ANSWERS: dict[str, dict[str, Any]] = {
    "confidence": {"confidence": 80},
    "relevance": {"explanation": "the lily is there", "relevance": 40, "objects": 25},
    "consistency": {"consistency": 8, "reasoning": "most of it"},
    "naturalness": {"naturalness": 9, "artifacts": 2, "reasoning": "two hands are broken"},
}


def answer(call: Call) -> Step:
    return says(next(ANSWERS[name] for name in ANSWERS if name in call.schema["properties"]))


@pytest.fixture
def asker(tmp_path: Path) -> Iterator[Asker]:
    asker = Asker(tmp_path / "replies.sqlite", re_asks=1)
    yield asker
    wait_for(asker.close())


def model_of(provider: StandIn) -> Model:
    return Model("anthropic/stand-in", provider.url)


def scored(scorer: Scorer, garden: Garden, **case: Any) -> Score:
    task = scorer.task(ArtifactCase(garden.prompt, garden.a, **case))
    return next(iter(Runner(scorer.asker).results([task])))


@pytest.mark.parametrize(
    ("rubric", "value"),
    [
        ("confidence", 0.8),  # 80 / 100
        ("relevance", 0.65),  # (40 + 25) / 100
        ("viescore", math.sqrt(8 * 2) / 10),  # the smaller of 9 and 2 is the quality
    ],
)
def test_the_numbers_of_a_model_become_one_score(
    rubric: str, value: float, garden: Garden, asker: Asker
) -> None:
    with StandIn(answer) as provider:
        scorer = RatedScorer(rubric, model_of(provider), asker=asker)
        score = scored(scorer, garden)
    assert score.value == pytest.approx(value)
    assert len(provider.calls) == len(RUBRICS[rubric].parts)
    assert score.usage is not None
    assert score.usage.calls == len(provider.calls)
    assert all(call.images == (garden.a.sha256,) for call in provider.calls)
    assert scorer.evaluator.parameters["order"] == RUBRICS[rubric].order
    assert not isinstance(score.details.get("explanation"), str)


def test_viescore_rates_quality_without_the_prompt(garden: Garden, asker: Asker) -> None:
    with StandIn(answer) as provider:
        score = scored(RatedScorer("viescore", model_of(provider), asker=asker), garden)
    seen = {
        "naturalness" in call.schema["properties"]: garden.prompt.text in call.text for call in provider.calls
    }
    assert seen == {False: True, True: False}
    assert dict(score.details) == {"consistency": 8, "naturalness": 9, "artifacts": 2}


def test_a_part_of_zero_makes_viescore_zero() -> None:
    assert RUBRICS["viescore"].value({"consistency": 0, "naturalness": 10, "artifacts": 10}) == 0
    assert RUBRICS["viescore"].value({"consistency": 10, "naturalness": 10, "artifacts": 10}) == 1


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (refuses(), "refusal"),
        (cut_off(), "cut-off"),
        (says({"naturalness": 11, "artifacts": 3, "reasoning": ""}), "malformed"),
        (says({"quality": "good"}), "malformed"),
    ],
)
def test_an_answer_that_cannot_be_read_leaves_the_picture_unscored(
    step: Step, reason: str, garden: Garden, asker: Asker
) -> None:
    def answer_one_part(call: Call) -> Step:
        return step if "naturalness" in call.schema["properties"] else answer(call)

    with StandIn(answer_one_part) as provider:
        score = scored(RatedScorer("viescore", model_of(provider), asker=asker), garden)
    assert isinstance(score.value, Unscored)
    assert score.value.reason == reason
    assert score.usage is not None
    assert score.usage.calls >= 2  # failed calls cost too


def test_every_node_is_asked_alone_and_a_part_of_an_absent_whole_does_not_count(
    garden: Garden, asker: Asker
) -> None:
    prompt = garden.hsgs[0]
    absent = prompt.semioses[prompt.root].label

    def answer_nodes(call: Call) -> Step:
        return says({"reason": "seen", "present": "no" if f"{absent}: " in call.text else "yes"})

    with StandIn(answer_nodes) as provider:
        scorer = NodeScorer(model_of(provider), asker=asker)
        score = scored(scorer, garden, readings={garden.prompt.id: prompt})
        without = scored(scorer, garden, missing="read the prompt first")
    n = len(prompt.semioses)
    parts_of_root = sum(r.whole == prompt.root and r.hierarchy for r in prompt.relations)
    assert len(provider.calls) == n
    assert not any(garden.prompt.text in call.text for call in provider.calls)
    assert dict(score.details) == {"questions": n, "yes": n - 1, "counted": n - 1 - parts_of_root}
    assert score.value == pytest.approx((n - 1 - parts_of_root) / n, abs=1e-6)
    assert score.used == (prompt.id,)
    assert without.value == Unscored(reason="missing", detail="read the prompt first")


def test_a_hosted_model_is_refused_for_likelihoods() -> None:
    for name in LIKELIHOODS:
        with pytest.raises(UsageError, match="which anthropic does not state"):
            LikelihoodScorer(name, "anthropic/claude-sonnet-5")


@pytest.mark.parametrize("name", ["vqascore", "levels"])
def test_likelihoods_of_whole_answers_become_a_score(
    name: str, garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def log_likelihoods(_model: object, parts: Any, answers: list[str]) -> list[float]:
        asked.append(parts[-1].text)
        return [math.log(weight) - 7 for weight in ([0.3, 0.1] if name == "vqascore" else [1, 2, 3, 4, 10])][
            : len(answers)
        ]

    monkeypatch.setattr("semiosis.score._likelihood.log_likelihoods", log_likelihoods)
    (score,) = LikelihoodScorer(name, "local/tiny").score_many([ArtifactCase(garden.prompt, garden.a)])
    # .3 of .4 for Yes; (1 · 1 + 2 · .75 + 3 · .5 + 4 · .25 + 10 · 0) / 20 for the levels
    assert score.value == pytest.approx(0.75 if name == "vqascore" else 5 / 20)
    assert (garden.prompt.text in asked[0]) == (name == "vqascore")
    assert (score.prompt is None) == (name == "levels")


def test_a_study_is_scored_once_and_judged_from_the_scores(tmp_path: Path, asker: Asker) -> None:
    study = make_study(tmp_path / "small")
    with StandIn(answer) as provider:
        options = EvaluatorOptions(asker, model_of(provider), settings={"repeats": 2}, study=study)
        plan = plan_scores(study, find_scorer("confidence", options))
        assert len(plan) == 6  # three pictures, twice
        scores = list(run_plan(study, plan, run="scores"))
        assert {score.repeat for score in scores} == {0, 1}
        assert len(provider.calls) == 6
        again = read_study(study.folder)
        judge = find_judge("confidence", replace(options, study=again))
        outcomes = list(run_judging(again, plan_judging(again, [judge]), run="judge"))
        assert len(provider.calls) == 6  # the scores are recorded
    assert [outcome.winner for outcome in outcomes] == ["tie"] * 3
    assert all(len(outcome.verdicts) == 2 for outcome in outcomes)


def test_the_node_scorer_of_a_study_uses_the_reading_of_the_prompt(tmp_path: Path, asker: Asker) -> None:
    study: Study = make_study(tmp_path / "small")
    with StandIn(lambda _: says({"reason": "seen", "present": "yes"})) as provider:
        scorer = NodeScorer(model_of(provider), asker=asker)
        scores = list(run_plan(study, plan_scores(study, scorer, rule=ReadingRule("Ada")), run="nodes"))
    assert [score.value for score in scores] == [1.0, 1.0, 1.0]


def test_the_cost_of_a_scorer_is_estimated(tmp_path: Path, run: Run) -> None:
    study = make_study(tmp_path / "small")
    dry = run(
        "score", study.folder, "--scorer", "viescore", "--model", "anthropic/claude-sonnet-5", "--dry-run"
    )
    assert dry.code == 0
    assert "a run would make about 6 calls" in dry.err  # two for each of three pictures


def test_the_node_scorer_judges_pictures_that_were_not_read(tmp_path: Path, asker: Asker) -> None:
    study = make_study(tmp_path / "small")
    unread = replace(study, hsgs={i: h for i, h in study.hsgs.items() if h.sign.kind == "text"})
    with StandIn(lambda _: says({"reason": "seen", "present": "yes"})) as provider:
        judge = find_judge("nodes", EvaluatorOptions(asker, model_of(provider), study=unread))
        require_inputs(unread, [judge])
        outcomes = list(run_judging(unread, plan_judging(unread, [judge]), run="nodes", record=False))
    assert [outcome.winner for outcome in outcomes] == ["tie"] * 3
