"""Runs judges over a study. A run can be resumed, records results as they arrive, and shares readings."""

import random
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import NamedTuple

from semiosis.ask import Asker, Runner, Task
from semiosis.judge import Judge, Presentation, ScoreJudge
from semiosis.score import LocalScorer, RecordedScorer, ScoreKey, Scorer
from semiosis.study._cases import ReadingRule, comparison_case, study_rule
from semiosis.study._manifest import PlannedEvaluator
from semiosis.study._score_run import plan_scores
from semiosis.study._settings import EvaluatorSettings
from semiosis.study._study import Study
from semiosis.study._work import SETTLED, LazyTasks, WorkPlan, run_plan
from semiosis.values import Comparison, Outcome, Score, Unscored, UsageError, Verdict, resolve


@dataclass(frozen=True)
class StudyJudge:
    """A judge and the readings its cases contain."""

    judge: Judge
    """The judge."""
    rule: ReadingRule | None = None
    """The rule that selects the readings; None for a judge that needs none or makes its own."""
    settings: EvaluatorSettings | None = None
    """The settings that make it again; None for a judge that was not made by the registry."""

    @property
    def planned(self) -> PlannedEvaluator:
        """What a run's manifest states about the judge."""
        evaluator = self.judge.evaluator
        return PlannedEvaluator(evaluator.id, evaluator.name, self.settings)


class OutcomeKey(NamedTuple):
    """What an outcome is about."""

    evaluator: str
    """The id of the judge's evaluator."""
    comparison: str
    """The id of the comparison."""


class Scoring(NamedTuple):
    """The scores that a judge needs and that are computed many at once."""

    judge: ScoreJudge
    """The judge, which receives the scores."""
    plan: WorkPlan[Score]
    """The plan of the scores."""


@dataclass(frozen=True)
class JudgingPlan(WorkPlan[Verdict]):
    """The verdicts that judges have to give, and the outcomes to which they belong."""

    comparisons: tuple[Comparison, ...] = ()
    """The comparisons to judge, in order."""
    unjudged: dict[OutcomeKey, tuple[Presentation, ...]] = field(default_factory=dict)
    """The presentations to judge, for each outcome that the run gives."""
    recorded: dict[OutcomeKey, list[Verdict]] = field(default_factory=dict)
    """The verdicts of these evaluators that the study already has."""
    scoring: tuple[Scoring, ...] = ()
    """The scores that are computed before the verdicts that follow from them."""

    def outcomes(self, verdicts: Iterable[Verdict]) -> Iterator[Outcome]:
        """Yield each outcome when the last of its verdicts arrives."""
        arrived: dict[OutcomeKey, list[Verdict]] = {}
        for verdict in verdicts:
            key = OutcomeKey(verdict.evaluator.id, verdict.comparison)
            arrived.setdefault(key, []).append(verdict)
            if len(arrived[key]) == len(self.unjudged[key]):
                yield resolve([*self._unreplaced(key), *arrived.pop(key)])

    def _unreplaced(self, key: OutcomeKey) -> list[Verdict]:
        """Return the recorded verdicts of an outcome that the run does not replace."""
        replaced = self.unjudged[key]
        recorded = self.recorded.get(key, [])
        return [verdict for verdict in recorded if (verdict.shown, verdict.repeat) not in replaced]


def plan_judging(
    study: Study,
    judges: Sequence[StudyJudge],
    *,
    comparisons: Sequence[Comparison] | None = None,
    retry_unscored: bool = False,
    limit: int | None = None,
    shuffle: int | None = None,
) -> JudgingPlan:
    """Return which of these comparisons, or of all, lack verdicts by these judges.

    `shuffle` is the seed of a random order, and `limit` the maximum number of comparisons that lack a
    verdict. Unless `retry_unscored` is set, a verdict whose failure would most likely recur, such as a
    refusal, is not asked again.
    """
    by_id = {judging.judge.evaluator.id: judging for judging in judges}
    recorded = _recorded_verdicts(study, by_id.keys())
    order = list(study.comparisons.values() if comparisons is None else comparisons)
    if shuffle is not None:
        random.Random(shuffle).shuffle(order)  # noqa: S311  # an order of work, not a secret
    unjudged: dict[OutcomeKey, tuple[Presentation, ...]] = {}
    incomplete: list[Comparison] = []
    settled = 0
    for comparison in order:
        if limit is not None and len(incomplete) >= limit:
            break
        before = len(unjudged)
        for evaluator, judging in by_id.items():
            key = OutcomeKey(evaluator, comparison.id)
            missing, n_settled = _missing(judging.judge, recorded.get(key, []), retry_unscored=retry_unscored)
            settled += n_settled
            if missing:
                unjudged[key] = missing
        if len(unjudged) > before:
            incomplete.append(comparison)
    items = [
        (study.comparisons[key.comparison], key.evaluator, shown)
        for key, presentations in unjudged.items()
        for shown in presentations
    ]
    return JudgingPlan(
        tasks=LazyTasks(items, _TaskMaker(study, by_id).task),
        settled=settled,
        evaluators=tuple(judging.planned for judging in by_id.values()),
        asker=_asker_of(judges),
        comparisons=tuple(incomplete),
        unjudged=unjudged,
        recorded=recorded,
        scoring=tuple(_scorings(study, by_id.values(), incomplete)),
    )


def run_judging(
    study: Study,
    plan: JudgingPlan,
    *,
    run: str,
    runner: Runner | None = None,
    executor: Executor | None = None,
    record: bool = True,
    on_task: Callable[[], None] = lambda: None,
) -> Iterator[Outcome]:
    """Yield the outcomes of the plan's comparisons as they are completed, as `run_plan` does its results.

    Readings and verdicts are recorded as they arrive. Verdicts that the budget does not allow are not
    recorded, so that the next run asks for them.
    """
    for judge, scores in plan.scoring:
        for score in run_plan(study, scores, run=run, executor=executor, record=record, on_task=on_task):
            judge.scores[ScoreKey.of(score)] = score
    verdicts = run_plan(
        study, plan, run=run, runner=runner, executor=executor, record=record, on_task=on_task
    )
    yield from plan.outcomes(verdicts)


def _scorings(
    study: Study, judges: Iterable[StudyJudge], comparisons: Iterable[Comparison]
) -> Iterator[Scoring]:
    """Yield the scores that the judges of these comparisons lack, of scorers that compute many at once."""
    artifacts = {artifact for comparison in comparisons for artifact in (comparison.a, comparison.b)}
    for judging in judges:
        judge = judging.judge
        scorer = judge.scorer if isinstance(judge, ScoreJudge) else None
        if isinstance(judge, ScoreJudge) and _computes_new_scores(scorer):
            plan = plan_scores(study, judge.scorer, rule=judging.rule, artifacts=artifacts)
            yield Scoring(judge, plan)


def _computes_new_scores(scorer: Scorer | None) -> bool:
    return isinstance(scorer, LocalScorer) and not isinstance(scorer, RecordedScorer)


def comparisons_with_inputs(
    study: Study, judging: StudyJudge, comparisons: Iterable[Comparison]
) -> Iterator[Comparison]:
    """Yield the comparisons for which the readings or recorded scores that a judge needs exist."""
    scorer = judging.judge.scorer if isinstance(judging.judge, ScoreJudge) else None
    rule = study_rule(study, judging.rule).rule if judging.rule else None
    for comparison in comparisons:
        case = comparison_case(study, comparison, rule)
        if isinstance(scorer, RecordedScorer):
            scores = [scorer.recorded_score(artifact, 0).value for artifact in case.artifacts]
            if not any(isinstance(score, Unscored) for score in scores):
                yield comparison
        elif not case.missing or (scorer and scorer.reads_prompt_only and case.readings):
            yield comparison


def require_inputs(study: Study, judges: Iterable[StudyJudge]) -> None:
    """Raise a UsageError for a judge none of whose inputs exist, before it records only failures."""
    for judging in judges:
        if not study.comparisons or any(comparisons_with_inputs(study, judging, study.comparisons.values())):
            continue
        rule = study_rule(study, judging.rule).rule if judging.rule else None
        missing = comparison_case(study, next(iter(study.comparisons.values())), rule).missing
        what, _, command = missing.partition("; create them with: ")
        raise UsageError(
            f"{judging.judge.evaluator.name} has nothing to judge: {what or 'no two scores to compare'}",
            where=str(study.folder),
            fix=f"create them with: {command.replace('STUDY', shlex.quote(str(study.folder)))}"
            if command
            else f"add scores: semiosis import scores {study.folder} SCORES.csv",
        )


def _recorded_verdicts(study: Study, evaluators: Iterable[str]) -> dict[OutcomeKey, list[Verdict]]:
    ids = set(evaluators)
    recorded: dict[OutcomeKey, list[Verdict]] = {}
    for verdict in study.verdicts:
        if verdict.evaluator.id in ids:
            key = OutcomeKey(verdict.evaluator.id, verdict.comparison)
            recorded.setdefault(key, []).append(verdict)
    return recorded


def _missing(
    judge: Judge, verdicts: Sequence[Verdict], *, retry_unscored: bool
) -> tuple[tuple[Presentation, ...], int]:
    """Return the presentations to judge, and the number of those that would most likely fail again."""
    scored = {(verdict.shown, verdict.repeat) for verdict in verdicts if not _reason(verdict)}
    settled = {(verdict.shown, verdict.repeat) for verdict in verdicts if _reason(verdict) in SETTLED}
    settled -= scored
    skipped = scored if retry_unscored else scored | settled
    missing = tuple(shown for shown in judge.presentations if shown not in skipped)
    return missing, 0 if retry_unscored else len(settled & set(judge.presentations))


def _reason(verdict: Verdict) -> str:
    return verdict.winner.reason if isinstance(verdict.winner, Unscored) else ""


class _TaskMaker:
    """Makes the tasks of judges, comparison by comparison, so that judges share readings."""

    def __init__(self, study: Study, judges: dict[str, StudyJudge]) -> None:
        self._study = study
        self._judges = judges
        self._rules = {
            evaluator: judging.rule and study_rule(study, judging.rule).rule
            for evaluator, judging in judges.items()
        }
        self._latest: dict[str, tuple[str, dict[Presentation, Task[Verdict]]]] = {}

    def task(self, item: tuple[Comparison, str, Presentation]) -> Task[Verdict]:
        """Return the task for a comparison, a judge and a presentation."""
        comparison, evaluator, shown = item
        latest = self._latest.get(evaluator)
        if latest is None or latest[0] != comparison.id:
            judge = self._judges[evaluator].judge
            case = comparison_case(self._study, comparison, self._rules[evaluator])
            tasks = dict(zip(judge.presentations, judge.tasks(case), strict=True))
            latest = self._latest[evaluator] = (comparison.id, tasks)
        return latest[1][shown]


def _asker_of(judges: Iterable[StudyJudge]) -> Asker | None:
    return next((judging.judge.asker for judging in judges if judging.judge.asker is not None), None)
