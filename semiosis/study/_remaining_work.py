"""Estimates what the remaining work of a study would cost, with dry runs of the same evaluators."""

import shlex
from collections.abc import Iterable
from dataclasses import replace

from semiosis.ask import Asker, Runner, wait_for
from semiosis.judge import PRESETS, CitationJudge, Examinee, Judge, SemJudge
from semiosis.read import Reader
from semiosis.study._answer_run import plan_answers, run_answers
from semiosis.study._cases import ReadingRule
from semiosis.study._read_run import plan_readings, run_readings
from semiosis.study._recorded_settings import (
    MAX_PLANNED,
    READER_PREFIX,
    RemainingWork,
    changed_settings,
    default_parameters,
    extrapolated,
    recorded_model,
    setting_options,
    with_prefix,
)
from semiosis.study._registry import JUDGES
from semiosis.study._remaining_alignments import remaining_aligned_verdicts, remaining_alignments
from semiosis.study._run import StudyJudge, plan_run, run_judges
from semiosis.study._status import WorkState, condition_of
from semiosis.study._study import Study
from semiosis.values import DETAILS, Evaluator, Parameters, Reading, Score


def remaining_work(study: Study, state: WorkState) -> RemainingWork | None:
    """Return what remains of one evaluator's work; None if nothing remains or no command can do it.

    Nothing is sent. The models are those that the record names, and a dry run plans their calls.
    """
    if state.complete or state.kind == "person":
        return None
    remaining = _remaining_by_dry_run(study, state, retry=False)
    if remaining is None or remaining.calls != 0 or state.kind != "model":
        return remaining
    # Every remaining request was refused or got an unusable reply before; only --retry-unscored asks again.
    with_retries = _remaining_by_dry_run(study, state, retry=True)
    return with_retries and replace(with_retries, command=f"{with_retries.command} --retry-unscored")


def _remaining_by_dry_run(study: Study, state: WorkState, *, retry: bool) -> RemainingWork | None:
    asker = Asker(study.journal, dry_run=True, retry_unscored=retry)
    try:
        return _planned(study, state, asker)
    finally:
        wait_for(asker.close())


def _planned(study: Study, state: WorkState, asker: Asker) -> RemainingWork | None:
    if state.reading is not None:
        return _remaining_readings(study, state.reading, asker)
    if state.alignment is not None:
        return remaining_alignments(study, state.alignment, asker)
    if state.work == "answered" and state.evaluator is not None and state.kind == "model":
        return _remaining_answers(study, state.evaluator, asker)
    if state.work == "judged" and state.evaluator is not None:
        return _remaining_verdicts(study, state.evaluator, asker)
    return None


def _remaining_readings(study: Study, reading: Reading, asker: Asker) -> RemainingWork | None:
    view = condition_of(reading)
    who = reading.interpreter
    if view == "joint" or who.kind != "model" or who.parameters.get("root_only"):
        return None  # no command makes readings by a person, and a judge makes joint and root-only readings
    rule = ReadingRule(who.name, reading.detail, view == "given", reading.repeat, language=reading.language)
    model = recorded_model(who.model, who.parameters)
    if model is None:
        return RemainingWork(rule.command, None, None)
    changed = changed_settings(who.parameters, default_parameters(who.model))
    command = rule.command + setting_options(changed)
    reader = Reader(model, asker=asker, language=reading.language or "en")
    tasks = plan_readings(study, reader, view=view, detail=reading.detail, repeat=reading.repeat)
    if tasks and not tasks[0].interpreter.equals_except_served(who):
        return RemainingWork(command, None, None)
    for _ in run_readings(study, tasks[:MAX_PLANNED], Runner(asker), run="estimate", record=False):
        pass
    return extrapolated(command, asker, len(tasks))


def _remaining_answers(study: Study, evaluator: Evaluator, asker: Asker) -> RemainingWork:
    parameters = evaluator.parameters
    model = recorded_model(str(parameters.get("model", "")), parameters)
    with_hsg, readings = bool(parameters.get("hsg")), str(parameters.get("readings", ""))
    name, _, detail = readings.rstrip(")").rpartition(" (")
    known_detail = next((known for known in DETAILS if known == detail), None)
    rule = ReadingRule(name, known_detail) if with_hsg else None
    command = f"semiosis answer STUDY --model {shlex.quote(str(parameters.get('model', '')))}"
    command += f" --hsg --interpreter {shlex.quote(name)} --detail {detail}" if name else " --hsg" * with_hsg
    if model is None:
        return RemainingWork(command, None, None)
    command += setting_options(changed_settings(parameters, default_parameters(model.full_name)))
    language = study.language_for()
    examinee = Examinee(model, asker=asker, language=language, readings=readings)
    if examinee.evaluator(with_hsg=with_hsg) != evaluator:
        return RemainingWork(command, None, None)
    plan = plan_answers(study, examinee, rule=rule, retry_unscored=asker.retry_unscored)
    n = len(plan.tasks)
    plan.tasks = plan.tasks[:MAX_PLANNED]
    for _ in run_answers(study, plan, Runner(asker), run="estimate", record=False):
        pass
    return extrapolated(command, asker, n)


def _remaining_verdicts(study: Study, evaluator: Evaluator, asker: Asker) -> RemainingWork | None:
    spec, _, model = evaluator.name.removeprefix("citations of ").partition(" ")
    if evaluator.kind == "program":
        return _remaining_of_program(study, evaluator, asker)
    if spec not in PRESETS:
        return None
    cited = evaluator.name.startswith("citations of ")
    named = (f"citations:{spec}" if spec != "semjudge" else "citations") if cited else spec
    command = f"semiosis run STUDY --judge {named} --model {shlex.quote(model)}"
    command += _preset_options(evaluator.parameters)
    judge = _restored_judge(study, spec, evaluator, asker)
    if judge is None:
        return RemainingWork(command, None, None)
    default = _restored_semjudge(study, spec, evaluator, asker, default_settings=True)
    stated, common = evaluator.parameters, default.evaluator.parameters if default else {}
    judging = changed_settings(stated, common)
    reading = changed_settings(with_prefix(stated, READER_PREFIX), with_prefix(common, READER_PREFIX))
    if reading not in ({}, judging):  # `semiosis run` has no options for the settings of the builder
        command = "semiosis experiment STUDY FILE.toml"
    else:
        repeats = 1 + max(repeat for _, repeat in judge.presentations)
        command += setting_options(judging) + f" --repeats {repeats}" * (repeats != PRESETS[spec].repeats)
    judges = [StudyJudge(judge)]
    plan = plan_run(study, judges, retry_unscored=asker.retry_unscored)
    n = len(plan.comparisons)
    plan.comparisons = plan.comparisons[:MAX_PLANNED]
    for _ in run_judges(
        study, [StudyJudge(judge)], run="estimate", plan=plan, runner=Runner(asker), record=False
    ):
        pass
    return extrapolated(command, asker, n)


def _remaining_of_program(study: Study, evaluator: Evaluator, asker: Asker) -> RemainingWork | None:
    if evaluator.name.startswith("alignment ("):
        return remaining_aligned_verdicts(study, evaluator, asker)
    if evaluator.name in JUDGES:
        return RemainingWork(f"semiosis run STUDY --judge {evaluator.name}", 0, 0.0)
    if any(
        isinstance(value, Score) and value.evaluator == evaluator for value in study.observations.values()
    ):
        return RemainingWork(f"semiosis run STUDY --judge {shlex.quote(f'score:{evaluator.name}')}", 0, 0.0)
    return None


def _restored_judge(study: Study, preset: str, evaluator: Evaluator, asker: Asker) -> Judge | None:
    """Return the judge with the settings that an evaluator states; None if its evaluator would differ."""
    semjudge = _restored_semjudge(study, preset, evaluator, asker)
    if semjudge is None:
        return None
    judge: Judge = CitationJudge(semjudge) if evaluator.name.startswith("citations of ") else semjudge
    return judge if judge.evaluator == evaluator else None


def _restored_semjudge(
    study: Study, preset: str, evaluator: Evaluator, asker: Asker, *, default_settings: bool = False
) -> SemJudge | None:
    """Return the SemJudge that an evaluator states, with its settings or with the defaults of its models."""
    parameters = evaluator.parameters
    model = recorded_model(str(parameters.get("model", "")), {} if default_settings else parameters)
    reads = with_prefix(parameters, READER_PREFIX)
    builder = recorded_model(str(parameters.get("builder", "")), {} if default_settings else reads)
    if model is None:
        return None
    own = builder is None or builder.full_name == model.full_name
    changes = {
        name: parameters[name] for name in ("detail", "images", "reuse_readings") if name in parameters
    }
    repeats = 1 + max(v.repeat for v in study.verdicts if v.evaluator == evaluator)
    return SemJudge(
        model,
        preset=preset,
        builder=None if own else builder,
        asker=asker,
        repeats=max(repeats, PRESETS[preset].repeats),
        language=study.language_for(),
        **changes,
    )


def _preset_options(parameters: Parameters) -> str:
    """Return the options that differ from the defaults of a preset."""
    model, builder = parameters.get("model"), parameters.get("builder")
    other = f" --builder {shlex.quote(str(builder))}" if builder not in (None, model) else ""
    detail = " --detail complex" if parameters.get("detail") == "complex" else ""
    return other + detail + (" --reuse-readings" if parameters.get("reuse_readings") else "")


def total_cost(remaining: Iterable[RemainingWork]) -> tuple[int, float | None]:
    """Return the total calls and cost of remaining work; the cost is None if a part of it is unknown."""
    parts = list(remaining)
    costs = [part.cost for part in parts]
    known = [cost for cost in costs if cost is not None]
    return sum(part.calls or 0 for part in parts), sum(known) if len(known) == len(costs) else None
