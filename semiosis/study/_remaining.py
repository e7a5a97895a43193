"""Estimates what the remaining work of a study would cost, from the settings of earlier runs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from semiosis.ask import Asker, Runner, wait_for
from semiosis.study._align_run import alignment_pairs, plan_alignments
from semiosis.study._answer_run import plan_answers
from semiosis.study._judge_run import comparisons_with_inputs, plan_judging
from semiosis.study._manifest import RunManifest, alignment_identity, reading_identity
from semiosis.study._read_run import ReadingView, plan_readings
from semiosis.study._registry import (
    EvaluatorOptions,
    find_aligner,
    find_entry,
    find_examinee,
    find_judge,
    find_judging_entry,
    find_reader,
    find_scorer,
)
from semiosis.study._score_run import plan_scores
from semiosis.study._settings import EvaluatorSettings
from semiosis.study._status import WorkState, condition_of
from semiosis.study._study import Study
from semiosis.study._work import WorkPlan, run_plan
from semiosis.values import Alignment, Detail, Evaluator, Score, UsageError

MAX_PLANNED = 100
"""The number of tasks that a dry run plans. The cost of all tasks is extrapolated from them."""


@dataclass(frozen=True)
class RemainingWork:
    """What remains of one evaluator's work, and its cost."""

    command: str
    """The command that does the work."""
    calls: int | None
    """The number of calls that the command would make; None if the settings cannot be restored."""
    cost: float | None
    """The cost in US dollars; None if it is not known."""
    sampled: bool = False
    """Whether calls and cost are extrapolated from a part of the items."""


def remaining_work(study: Study, state: WorkState, manifests: Sequence[RunManifest]) -> RemainingWork | None:
    """Return what remains of one evaluator's work; None if nothing remains or no recorded run did it.

    `manifests` are those of the study, the latest first. Nothing is sent: a dry run plans the calls under the
    settings that a manifest states, at the providers' own addresses.
    """
    if state.complete or state.kind == "person":
        return None
    settings = _settings_of(study, state, manifests)
    if settings is None or not _has_inputs(study, settings):
        return None
    command = settings.command(study.language_for())
    try:
        judges = settings.type == "judge"
        entry = find_judging_entry(settings.name) if judges else find_entry(settings.type, settings.name)
        if "model" not in entry.needs:
            return RemainingWork(command, 0, 0.0)
        remaining = _by_dry_run(study, state, settings, command, retry=False)
        if remaining.calls != 0:
            return remaining
        # Every remaining request was refused or unusable before; only --retry-unscored asks it again.
        return _by_dry_run(study, state, settings, f"{command} --retry-unscored", retry=True)
    except UsageError:  # this version has no such evaluator, or another package provided it
        return RemainingWork(command, None, None)


def _has_inputs(study: Study, settings: EvaluatorSettings) -> bool:
    """Return whether a judge has the readings or scores to judge at least one more comparison."""
    asker = Asker(study.journal, dry_run=True)
    try:
        if settings.type != "judge" or not {"readings", "scores"} & find_judging_entry(settings.name).needs:
            return True
        judging = find_judge(settings.name, _options(study, settings, asker))
        unjudged = plan_judging(study, [judging]).comparisons
        return any(comparisons_with_inputs(study, judging, unjudged))
    except UsageError:  # this version has no such judge
        return True
    finally:
        wait_for(asker.close())


def total_cost(remaining: Iterable[RemainingWork]) -> tuple[int, float | None]:
    """Return the total calls and cost of remaining work; the cost is None if a part of it is unknown."""
    parts = list(remaining)
    costs = [part.cost for part in parts if part.cost is not None]
    return sum(part.calls or 0 for part in parts), sum(costs) if len(costs) == len(parts) else None


def _settings_of(
    study: Study, state: WorkState, manifests: Sequence[RunManifest]
) -> EvaluatorSettings | None:
    """Return the settings of the latest run of the evaluator whose work a state describes."""
    if state.alignment is not None:
        return _aligner_settings(study, state.alignment, manifests)
    settings = next(_settings_with(_identity_of(state), manifests), None)
    if settings is None and state.evaluator is not None and _has_scores(study, state.evaluator):
        return EvaluatorSettings(type="judge", name=f"recorded:{state.evaluator.name}")
    return settings


def _settings_with(identity: str, manifests: Iterable[RunManifest]) -> Iterator[EvaluatorSettings]:
    return (
        evaluator.settings
        for manifest in manifests
        for evaluator in manifest.evaluators
        if evaluator.identity == identity and evaluator.settings is not None
    )


def _identity_of(state: WorkState) -> str:
    if state.reading is not None:
        reading = state.reading
        view = condition_of(reading)
        return reading_identity(reading.interpreter, reading.detail, reading.repeat, reading.language, view)
    return state.evaluator.id if state.evaluator else ""


def _has_scores(study: Study, evaluator: Evaluator) -> bool:
    return any(
        isinstance(value, Score) and value.evaluator == evaluator for value in study.observations.values()
    )


def _aligner_settings(
    study: Study, alignment: Alignment, manifests: Sequence[RunManifest]
) -> EvaluatorSettings | None:
    """Return the settings of an aligner, for the readings of the reader whose readings it aligned."""
    identity = alignment_identity(alignment.matching_procedure, alignment.condition, alignment.repeat)
    read = study.reading(alignment.source.hsg)
    if read is None:
        return None
    for settings in _settings_with(identity, manifests):
        if settings.rule.fits(read):
            rule = replace(settings.rule, interpreter=read.interpreter.name, detail=read.detail)
            return settings.model_copy(update={"rule": rule})
    return None


def _by_dry_run(
    study: Study, state: WorkState, settings: EvaluatorSettings, command: str, *, retry: bool
) -> RemainingWork:
    asker = Asker(study.journal, dry_run=True, retry_unscored=retry)
    try:
        plan = _plan(study, settings, asker)
        identity = None if state.alignment else _identity_of(state)
        if identity and len(plan) and identity not in {planned.identity for planned in plan.evaluators}:
            return RemainingWork(command, None, None)  # for example, an earlier version of a prompt
        for _ in run_plan(study, plan.first(MAX_PLANNED), run="estimate", runner=Runner(asker), record=False):
            pass
        spent, share = asker.budget.spent, max(len(plan.tasks) / MAX_PLANNED, 1.0)
        cost = None if spent.cost is None else spent.cost * share
        return RemainingWork(command, round(spent.calls * share), cost, sampled=share > 1)
    finally:
        wait_for(asker.close())


def _options(study: Study, settings: EvaluatorSettings, asker: Asker) -> EvaluatorOptions:
    return EvaluatorOptions(
        asker,
        settings.model.model() if settings.model else None,
        settings.builder.model() if settings.builder else None,
        settings.rule,
        settings.options,
        study,
    )


def _plan(study: Study, settings: EvaluatorSettings, asker: Asker) -> WorkPlan[Any]:
    """Return the plan of an evaluator's remaining work."""
    options = _options(study, settings, asker)
    own, retry = settings.options, asker.retry_unscored
    repeat = int(own.get("repeat", 0))
    if settings.type == "reader":
        view, detail = cast("ReadingView", own["view"]), cast("Detail", own["detail"])
        return plan_readings(study, find_reader(options), view=view, detail=detail, repeat=repeat)
    if settings.type == "aligner":
        aligner = find_aligner(settings.name, options)
        return plan_alignments(study, aligner, alignment_pairs(study, settings.rule), repeat=repeat)
    if settings.type == "examinee":
        rule, repeats = settings.rule if own["hsg"] else None, int(own.get("repeats", 1))
        examinee = find_examinee(options)
        return plan_answers(study, examinee, rule=rule, repeats=repeats, retry_unscored=retry)
    if settings.type == "scorer":
        scorer = find_scorer(settings.name, options)
        return plan_scores(study, scorer, rule=settings.rule, retry_unscored=retry)
    return plan_judging(study, [find_judge(settings.name, options)], retry_unscored=retry)
