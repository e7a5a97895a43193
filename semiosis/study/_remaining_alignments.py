"""Estimates what the missing alignments of a study and the missing verdicts by alignment would cost."""

import shlex
from collections.abc import Iterator
from itertools import product

from semiosis.align import DEFAULT_EMBEDDER, ModelAligner, aligner_of
from semiosis.ask import Asker, Model, Runner
from semiosis.study._align_run import alignment_pairs, plan_alignments, run_alignments
from semiosis.study._cases import ReadingRule
from semiosis.study._recorded_settings import (
    MAX_PLANNED,
    RemainingWork,
    changed_settings,
    default_parameters,
    extrapolated,
    recorded_model,
    setting_options,
)
from semiosis.study._registry import JudgeOptions, find_judge
from semiosis.study._run import StudyJudge, plan_run, run_judges
from semiosis.study._study import Study
from semiosis.values import DETAILS, Alignment, Detail, Evaluator, UsageError

_DETAILS: tuple[Detail | None, ...] = (None, *DETAILS)


def remaining_alignments(study: Study, example: Alignment, asker: Asker) -> RemainingWork | None:
    """Return what remains to be aligned by the aligner of an example, for its reader and its repeat."""
    rule = _rule_of(study, example)
    if rule is None or example.aligner == "person":
        return None
    if example.evaluator is None:
        return _remaining_by_embedder(example, rule)
    model = recorded_model(str(example.evaluator.parameters.get("model", "")), example.evaluator.parameters)
    if model is None:
        return None
    command = f"semiosis align STUDY --model {shlex.quote(model.full_name)}{rule.options}"
    command += _changed_options(model) + f" --repeat {example.repeat}" * bool(example.repeat)
    aligner = ModelAligner(model, asker=asker)
    if aligner.evaluator != example.evaluator:  # an older version of the prompt, for example
        return RemainingWork(command, None, None)
    plan = plan_alignments(study, aligner, alignment_pairs(study, rule), repeat=example.repeat)
    some = plan.missing[:MAX_PLANNED]
    for _ in run_alignments(
        study, some, aligner, run="estimate", runner=Runner(asker), repeat=example.repeat, record=False
    ):
        pass
    return extrapolated(command, asker, len(plan.missing))


def _rule_of(study: Study, alignment: Alignment) -> ReadingRule | None:
    read = study.reading(alignment.source.hsg)
    if read is None:
        return None
    return ReadingRule(read.interpreter.name, read.detail, alignment.condition == "given")


def _remaining_by_embedder(example: Alignment, rule: ReadingRule) -> RemainingWork | None:
    try:
        packaged = aligner_of(example.embedder).weights.version == example.weights
    except UsageError:
        packaged = False
    if not packaged:  # the record does not name the file of its weights
        return None
    named = f" --embedder {shlex.quote(example.embedder)}" if example.embedder != DEFAULT_EMBEDDER else ""
    return RemainingWork(f"semiosis align STUDY{named}{rule.options}", 0, 0.0)


def remaining_aligned_verdicts(study: Study, evaluator: Evaluator, asker: Asker) -> RemainingWork | None:
    """Return what remains of the work of a judge that uses alignments; None if it cannot be restored."""
    embedder = str(evaluator.parameters.get("embedder", ""))
    spec = f"align:{embedder}" if embedder else "align:model"
    model = None if embedder else _aligning_model(study, evaluator)
    if model is None and not embedder:
        return None
    for rule in _rules(study, evaluator.name):
        try:
            judge = find_judge(spec, JudgeOptions(asker, model, rule=rule, study=study))
        except UsageError:  # this version does not have the embedder
            return None
        if judge.judge.evaluator == evaluator:
            return _remaining_of_judge(study, judge, spec, model, rule, asker)
    return None


def _remaining_of_judge(
    study: Study, judge: StudyJudge, spec: str, model: Model | None, rule: ReadingRule, asker: Asker
) -> RemainingWork:
    command = f"semiosis run STUDY --judge {shlex.quote(spec)}"
    if model is None:
        return RemainingWork(command + rule.options, 0, 0.0)
    command += f" --model {shlex.quote(model.full_name)}" + rule.options + _changed_options(model)
    plan = plan_run(study, [judge], retry_unscored=asker.retry_unscored)
    n = len(plan.comparisons)
    plan.comparisons = plan.comparisons[:MAX_PLANNED]
    for _ in run_judges(study, [judge], run="estimate", plan=plan, runner=Runner(asker), record=False):
        pass
    return extrapolated(command, asker, n)


def _aligning_model(study: Study, evaluator: Evaluator) -> Model | None:
    """Return the model whose alignments a judge uses, with the settings that the alignments state."""
    procedure = evaluator.parameters.get("procedure")
    stated = (a.evaluator for a in study.alignments.values() if a.procedure == procedure and a.evaluator)
    if (aligned := next(stated, None)) is not None:
        return recorded_model(str(aligned.parameters.get("model", "")), aligned.parameters)
    name = evaluator.name.removeprefix("alignment (model ").partition(")")[0]
    return recorded_model(name, {})


def _changed_options(model: Model) -> str:
    stated = {"structured": model.profile.structured, **model.parameters}
    return setting_options(changed_settings(stated, default_parameters(model.full_name)))


def _rules(study: Study, name: str) -> Iterator[ReadingRule]:
    """Yield the rules that the name of a judge may state, such as `alignment (wordllama) (Ada, complex)`."""
    chosen = name.partition(") (")[2].removesuffix(")")
    parts = chosen.split(", ") if chosen else []
    readers = [", ".join(parts[:end]) for end in range(len(parts) + 1)]
    readings = [reading for _, _, reading in study.conditions()]
    languages = {reading.language for reading in readings} | {""}
    versions = {reading.interpreter.prompt_version for reading in readings} | {""}
    for reader, detail, prompts, language, given in product(
        readers, _DETAILS, sorted(versions), sorted(languages), (False, True)
    ):
        rule = ReadingRule(reader, detail, given, prompts=prompts, language=language)
        if rule.choice == chosen:
            yield rule
