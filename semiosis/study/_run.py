"""Runs judges over a study. A run can be resumed, records results as they arrive, and shares readings."""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from semiosis.ask import Asker, Done, Runner, Task
from semiosis.judge import Judge, Presentation
from semiosis.study._cases import ReadingRule, comparison_case, study_rule
from semiosis.study._record_run import RunRecorder, run_recorded
from semiosis.study._study import Study
from semiosis.values import Comparison, Outcome, Unscored, Verdict, resolve

SETTLED = frozenset({"refusal", "cut-off", "empty", "malformed", "undefined"})
"""Failures that would most likely recur. A rerun does not ask again unless the user asks for a retry."""


@dataclass(frozen=True)
class StudyJudge:
    """A judge and the readings its cases contain."""

    judge: Judge
    """The judge."""
    rule: ReadingRule | None = None
    """The rule that selects the readings; None for a judge that needs none or makes its own."""


@dataclass
class Plan:
    """The comparisons that a run has to judge, and what each judge has to judge of them."""

    comparisons: list[Comparison]
    """The comparisons, in the order in which they are judged."""
    missing: dict[tuple[str, str], tuple[Presentation, ...]]
    """The presentations to judge, by evaluator and comparison."""
    recorded: dict[tuple[str, str], list[Verdict]]
    """The verdicts of these evaluators that the study already has, by evaluator and comparison."""
    settled: int = 0
    """The number of unscored verdicts that are not asked again, because they would most likely fail again."""

    @property
    def outcomes(self) -> int:
        """The number of outcomes that the run will give: one for each judge and comparison."""
        return len(self.missing)


def plan_run(
    study: Study,
    judges: Sequence[StudyJudge],
    *,
    retry_unscored: bool = False,
    limit: int | None = None,
    shuffle: int | None = None,
) -> Plan:
    """Return the comparisons and presentations that lack verdicts by these judges.

    `shuffle` is the seed of a random order, and `limit` the maximum number of comparisons that lack a
    verdict. Unless `retry_unscored` is set, a verdict whose failure would most likely recur, such as a
    refusal, is not asked again.
    """
    ids = {each.judge.evaluator.id for each in judges}
    plan = Plan([], {}, _recorded_verdicts(study, ids))
    order = list(study.comparisons.values())
    if shuffle is not None:
        random.Random(shuffle).shuffle(order)  # noqa: S311  # an order of work, not a secret
    for comparison in order:
        if limit is not None and len(plan.comparisons) >= limit:
            break
        if _plan_comparison(plan, comparison, judges, retry_unscored=retry_unscored):
            plan.comparisons.append(comparison)
    return plan


def run_judges(
    study: Study,
    judges: Sequence[StudyJudge],
    *,
    run: str,
    plan: Plan | None = None,
    runner: Runner | None = None,
    record: bool = True,
    on_result: Callable[[], None] = lambda: None,
) -> Iterator[Outcome]:
    """Yield the outcomes of the plan's comparisons as they are completed.

    Readings and verdicts are recorded as they arrive. Verdicts that the budget does not allow are not
    recorded, so that the next run asks for them. `on_result` is called for every finished task, including
    readings.
    """
    plan = plan or plan_run(study, judges)
    recorder = RunRecorder(study, run, record=record)
    pending = _Pending(plan)
    tasks = _tasks(study, judges, plan, pending)
    with closing(run_recorded(recorder, runner or Runner(_asker_of(judges)), tasks)) as results:
        for done in results:
            on_result()
            yield from pending.complete(done)


def judge_study(study: Study, judge: Judge, rule: ReadingRule | None = None) -> Iterator[Verdict]:
    """Yield a judge's verdicts on all comparisons, including those already judged.

    A verdict is unscored if a reading that it needs is missing.
    """
    rule = rule and study_rule(study, rule).rule
    cases = (comparison_case(study, comparison, rule) for comparison in study.comparisons.values())
    tasks = (task for case in cases for task in judge.tasks(case))
    return Runner(judge.asker).results(tasks)


def _recorded_verdicts(study: Study, evaluators: set[str]) -> dict[tuple[str, str], list[Verdict]]:
    recorded: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in study.verdicts:
        if verdict.evaluator.id in evaluators:
            recorded.setdefault((verdict.evaluator.id, verdict.comparison), []).append(verdict)
    return recorded


def _plan_comparison(
    plan: Plan, comparison: Comparison, judges: Sequence[StudyJudge], *, retry_unscored: bool
) -> bool:
    incomplete = False
    for each in judges:
        key = each.judge.evaluator.id, comparison.id
        verdicts = plan.recorded.get(key, [])
        scored = {(v.shown, v.repeat) for v in verdicts if not isinstance(v.winner, Unscored)}
        settled = {(v.shown, v.repeat) for v in verdicts if _is_settled(v)} - scored
        wanted = set(each.judge.presentations)
        done = scored if retry_unscored else scored | settled
        plan.settled += 0 if retry_unscored else len(settled & wanted)
        if missing := tuple(one for one in each.judge.presentations if one not in done):
            plan.missing[key] = missing
            incomplete = True
    return incomplete


def _is_settled(verdict: Verdict) -> bool:
    return isinstance(verdict.winner, Unscored) and verdict.winner.reason in SETTLED


@dataclass
class _Pending:
    """Collects the verdicts of a run until an outcome is complete."""

    plan: Plan
    keys: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """The outcomes that a task contributes to, by the task's key."""
    new: dict[tuple[str, str], list[Verdict]] = field(default_factory=dict)

    def register(self, task: Task[Verdict], outcome: tuple[str, str]) -> Task[Verdict]:
        """Register the outcome that a task contributes to, and return the task."""
        self.keys.setdefault(task.key, []).append(outcome)
        return task

    def complete(self, done: Done[Verdict]) -> Iterator[Outcome]:
        """Yield the outcomes that a finished task completes."""
        for key in self.keys.pop(done.task.key, []) if done.requested else []:
            verdicts = self.new.setdefault(key, [])
            verdicts.append(done.result)
            if len(verdicts) == len(self.plan.missing[key]):
                del self.new[key]
                yield resolve([*_kept_verdicts(self.plan, key), *verdicts])


def _kept_verdicts(plan: Plan, key: tuple[str, str]) -> list[Verdict]:
    """Return the recorded verdicts that the run does not replace."""
    missing = plan.missing[key]
    recorded = plan.recorded.get(key, [])
    return [verdict for verdict in recorded if (verdict.shown, verdict.repeat) not in missing]


def _tasks(
    study: Study, judges: Sequence[StudyJudge], plan: Plan, pending: _Pending
) -> Iterator[Task[Verdict]]:
    """Yield the tasks of the plan, comparison by comparison, so that judges share readings."""
    rules = [each.rule and study_rule(study, each.rule).rule for each in judges]
    for comparison in plan.comparisons:
        for each, rule in zip(judges, rules, strict=True):
            key = each.judge.evaluator.id, comparison.id
            if key not in plan.missing:
                continue
            tasks = each.judge.tasks(comparison_case(study, comparison, rule))
            for presentation, task in zip(each.judge.presentations, tasks, strict=True):
                if presentation in plan.missing[key]:
                    yield pending.register(task, key)


def _asker_of(judges: Iterable[StudyJudge]) -> Asker | None:
    return next((each.judge.asker for each in judges if each.judge.asker is not None), None)
