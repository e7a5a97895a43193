"""Runs an experiment over a study and computes its tables (SemJudge, tables 1 to 3)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from semiosis.ask import Asker, Model, Runner
from semiosis.judge import Examinee
from semiosis.read import Reader
from semiosis.stats import Ablation, BiasTable, JudgeTable, ablation, compare, iconicity_bias
from semiosis.study._answer_run import plan_answers
from semiosis.study._cases import ReadingRule
from semiosis.study._experiment import ExperimentFile, ExperimentRow, experiment_rows
from semiosis.study._judge_run import StudyJudge, plan_judging, run_judging
from semiosis.study._read_run import plan_readings
from semiosis.study._registry import EvaluatorOptions, find_judge, find_judging_entry
from semiosis.study._study import Study, read_study
from semiosis.study._work import WorkPlan, merged_plan, run_plan
from semiosis.values import (
    HSG,
    Answer,
    Comparison,
    Detail,
    Evaluator,
    Observation,
    Primitive,
    Rating,
    Unscored,
    UsageError,
    Verdict,
    brief_repr,
    evaluator_labels,
)


@dataclass(frozen=True)
class ExperimentJudge:
    """A judge of an experiment, with the examinee that answers its questions."""

    row: ExperimentRow
    """The settings that the file states for it."""
    judging: StudyJudge
    """The judge, and the readings that it uses."""
    examinee: Examinee | None
    """The examinee that answers the study's questions; None for a judge without answers."""
    rule: ReadingRule | None
    """The blind readings that the examinee sees; None for the picture alone."""

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of the verdicts."""
        return self.judging.judge.evaluator

    @property
    def answering(self) -> Evaluator | None:
        """The evaluator of the answers."""
        return self.examinee.evaluator(with_hsg=self.rule is not None) if self.examinee else None


@dataclass(frozen=True)
class ExperimentTables:
    """The tables of an experiment. A table that the study has no data for is None, and a note says why."""

    __repr__ = brief_repr

    judges: JudgeTable
    """Judges against the reference (table 1)."""
    bias: BiasTable | None
    """Iconicity bias (table 2)."""
    ablation: Ablation | None
    """KRCC and VQA by HSG, builder and judge (table 3)."""
    notes: tuple[str, ...] = ()
    """Statements of what the tables leave out, and why."""


def experiment_judges(
    study: Study, file: ExperimentFile, asker: Asker, endpoints: Mapping[str, str] | None = None
) -> list[ExperimentJudge]:
    """Return the judges of an experiment, each once.

    The judge `root-only` answers no questions, because one semiosis does not contain enough for an answer.

    `endpoints` has the base URL of a model by its full name. It comes from the user, never from a file.
    """
    made: dict[str, ExperimentJudge] = {}
    for row in experiment_rows(file, endpoints or {}):
        settings: dict[str, Primitive] = {"detail": row.detail, "language": study.language_for()}
        if row.repeats:
            settings["repeats"] = row.repeats
        rule = ReadingRule(row.builder.full_name, row.detail) if row.builder else ReadingRule()
        options = EvaluatorOptions(asker, row.model, row.builder, rule, settings, study)
        judging = find_judge(row.judge, options)
        who = judging.judge.evaluator.id
        if who not in made or made[who].row.hsg is None:
            made.pop(who, None)  # rows of the ablation keep the order of the file
            made[who] = _with_examinee(study, file, row, judging, asker)
    return list(made.values())


def _with_examinee(
    study: Study, file: ExperimentFile, row: ExperimentRow, judging: StudyJudge, asker: Asker
) -> ExperimentJudge:
    answers = find_judging_entry(row.judge).questions and file.questions and study.questions
    if row.model is None or not answers:
        return ExperimentJudge(row, judging, None, None)
    reader = row.reader
    rule = ReadingRule(reader.full_name, row.detail) if reader else None
    readings = f"{reader.full_name} ({row.detail})" if reader else ""
    examinee = Examinee(row.model, asker=asker, language=study.language_for(), readings=readings)
    return ExperimentJudge(row, judging, examinee, rule)


def run_experiment(
    study: Study,
    judges: Sequence[ExperimentJudge],
    asker: Asker,
    *,
    name: str = "experiment",
    retry_unscored: bool = False,
    limit: int | None = None,
    shuffle: int | None = None,
    on_start: Callable[[str, int, int], None] = lambda _what, _total, _settled: None,
) -> Iterator[object]:
    """Run everything that an experiment lacks and yield results as they arrive, recorded.

    First the blind readings that questions and judges use, then the judges, then the answers. Judges that
    use existing readings come after those that make their own. `on_start` is called before each of these
    steps with its name, the number of results, and the number of values that stay unscored from earlier runs.
    """
    runner, record = Runner(asker), not asker.dry_run
    judging = [experiment_judge.judging for experiment_judge in judges]
    plan = plan_judging(study, judging, retry_unscored=retry_unscored, limit=limit, shuffle=shuffle)
    readings = merged_plan(_missing_readings(study, judges, plan.comparisons, asker))
    on_start("reading", len(readings), 0)
    planned: list[HSG] = []  # the readings of a dry run, which are not recorded
    for result in run_plan(study, readings, run=name, runner=runner, record=record):
        planned += [result] if isinstance(result, HSG) and not record else []
        yield result
    on_start("judging", len(plan.unjudged), plan.settled)
    for uses_readings in (False, True):
        current = read_study(study.folder) if record else study.with_values(planned)
        group = [judge for judge in judging if (judge.rule is not None) == uses_readings]
        part = plan_judging(current, group, retry_unscored=retry_unscored, comparisons=plan.comparisons)
        yield from run_judging(current, part, run=name, runner=runner, record=record)
    answers = merged_plan(
        plan_answers(
            current,
            experiment_judge.examinee,
            rule=experiment_judge.rule,
            repeats=len({repeat for _, repeat in experiment_judge.judging.judge.presentations}),
            retry_unscored=retry_unscored,
            limit=limit,
        )
        for experiment_judge in judges
        if experiment_judge.examinee is not None
    )
    on_start("answering", len(answers), answers.settled)
    yield from run_plan(current, answers, run=name, runner=runner, record=record)


def _missing_readings(
    study: Study, judges: Sequence[ExperimentJudge], comparisons: Iterable[Comparison], asker: Asker
) -> Iterator[WorkPlan[HSG | Unscored]]:
    """Yield a plan for each reader, of the blind readings that the study lacks.

    Examinees need those of the pictures asked about. Judges that use existing readings need those of the
    compared signs, if the experiment names the builder.
    """
    asked = {question.sign for question in study.questions.values()}
    compared = {sign for pair in comparisons for sign in (pair.prompt, pair.a, pair.b)}
    signs: dict[tuple[Model, Detail], set[str]] = {}
    for experiment_judge in judges:
        row = experiment_judge.row
        if experiment_judge.rule is not None and row.reader is not None:
            signs.setdefault((row.reader, row.detail), set()).update(asked)
        if experiment_judge.judging.rule is not None and row.builder is not None:
            signs.setdefault((row.builder, row.detail), set()).update(compared)
    for (model, detail), needed in signs.items():
        reader = Reader(model, asker=asker, language=study.language_for())
        yield plan_readings(study, reader, detail=detail, signs=needed)


def experiment_tables(
    study: Study, file: ExperimentFile, judges: Sequence[ExperimentJudge]
) -> ExperimentTables:
    """Return the tables of an experiment, computed from the study's record.

    A judge that has not judged every comparison is compared on those that it has judged.
    """
    names = study.judge_labels
    people = dict.fromkeys(
        names[verdict.evaluator.id] for verdict in study.verdicts if verdict.evaluator.kind == "person"
    )
    reference = list(file.reference or people)
    if not reference:
        raise UsageError(
            "no person has judged in this study", fix="import votes, or name a reference in the experiment"
        )
    labels = _labels(study, judges)
    observations = list(_relabelled(study, judges, labels))
    judging = {value.evaluator.name for value in observations if isinstance(value, Verdict)}
    started = [label for label in labels.values() if label in judging]
    if not started:
        raise UsageError("no judge of this experiment has run yet", fix="run it without --tables-only")
    notes = [f"{label} has not judged yet." for label in labels.values() if label not in started]
    common = {"reference": reference, "comparisons": list(study.comparisons.values())}
    content = {"signs": list(study.signs.values()), "questions": list(study.questions.values())}
    chance = {"resamples": file.resamples, "seed": file.seed}
    table = compare(observations, judges=started, crowd=file.crowd, seed=file.seed, **common, **content)  # type: ignore[arg-type]  # each has its own type
    rated = any(isinstance(value, Rating) and value.scale in file.scales for value in observations)
    bias = None
    if rated:
        bias = iconicity_bias(observations, judges=started, scales=file.scales, **common, **chance)  # type: ignore[arg-type]  # each has its own type
    else:
        notes.append(f"No sign is rated for {', '.join(file.scales)}, so there is no iconicity bias to test.")
    settings = {labels[each.evaluator.id]: _setting(each.row) for each in judges if each.row.hsg}
    used = {label: setting for label, setting in settings.items() if label in started}
    ablated = None
    if used:
        unordered = ablation(observations, used, seed=file.seed, **common, **content)  # type: ignore[arg-type]  # each has its own type
        ablated = _in_order(unordered, list(used))
    return ExperimentTables(table, bias, ablated, tuple(notes))


def _in_order(table: Ablation, labels: Sequence[str]) -> Ablation:
    """Return the ablation with its rows in the order of the file."""
    rows = sorted(table.rows, key=lambda row: labels.index(row.result.judge))
    return replace(table, rows=tuple(rows))


def _setting(row: ExperimentRow) -> tuple[str, str, str]:
    builder = None if row.hsg == "none" else row.builder or row.model
    return str(row.hsg), builder.full_name if builder else "", row.model.full_name if row.model else ""


def _labels(study: Study, judges: Sequence[ExperimentJudge]) -> dict[str, str]:
    """Return the label of each judge, by evaluator id, among all that judged or are to judge."""
    evaluators = [verdict.evaluator for verdict in study.verdicts]
    labels = evaluator_labels([*evaluators, *(judge.evaluator for judge in judges)])
    return {judge.evaluator.id: labels[judge.evaluator.id] for judge in judges}


def _relabelled(
    study: Study, judges: Sequence[ExperimentJudge], labels: Mapping[str, str]
) -> Iterator[Observation]:
    """Yield the study's observations, with one name for the verdicts and the answers of each judge."""
    verdicts: dict[str, list[Evaluator]] = {}
    answers: dict[str, list[Evaluator]] = {}
    for judge in judges:
        labelled = judge.evaluator.model_copy(update={"name": labels[judge.evaluator.id]})
        verdicts.setdefault(judge.evaluator.id, []).append(labelled)
        if judge.answering:  # judges with the same model and readings share their answers
            answers.setdefault(judge.answering.id, []).append(labelled)
    for value in study.observations.values():
        relabelled = answers if isinstance(value, Answer) else verdicts
        for evaluator in relabelled.get(value.evaluator.id, [value.evaluator]):
            yield value.model_copy(update={"evaluator": evaluator})
