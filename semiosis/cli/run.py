"""`semiosis run`: the verdicts of judges on every comparison of a study."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from semiosis.cli import _models as models
from semiosis.cli._inputs import in_study
from semiosis.cli._output import remark, show, show_rows
from semiosis.cli._progress import progress
from semiosis.cli._unscored import UNSCORED_EXIT, UnscoredCounter, counted, result_line

if TYPE_CHECKING:
    from semiosis.ask import Asker
    from semiosis.study import JudgingPlan, Study, StudyJudge


@models.with_options
def run(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A study folder.")] = "",
    judge: Annotated[
        list[str] | None,
        typer.Option(
            help="A judge, such as semjudge (the default), direct or align:minilm. May be repeated."
        ),
    ] = None,
    list_judges: Annotated[bool, typer.Option("--list", help="List all judges and what they need.")] = False,
    interpreter: Annotated[
        str,
        typer.Option(help="The reader whose readings align uses; by default one who has read every sign."),
    ] = "",
    given: models.GivenOption = False,
    detail: Annotated[
        str,
        typer.Option(
            help="The level of detail of the readings: standard or complex; align uses either by default."
        ),
    ] = "",
    language: models.LanguageOption = "",
    repeats: Annotated[
        int, typer.Option(min=0, help="The number of repeats; 0 for the judge's default.")
    ] = 0,
    reuse_readings: Annotated[
        bool, typer.Option("--reuse-readings", help="Judge the same readings in every repeat.")
    ] = False,
    name: models.RunNameOption = "",
    *,
    asked: models.ModelOptions,
    building: models.BuilderOptions,
    calls: models.CallOptions,
    work: models.WorkOptions,
) -> None:
    """Judge every comparison of a study with one or more judges. Run it again to continue where it stopped.

    The exit code is 3 if a verdict stays unscored.

    [bold]Examples[/bold]

    $ semiosis run --list

    $ semiosis run STUDY --judge align

    $ semiosis run STUDY --judge semjudge --judge direct --model anthropic/claude-sonnet-5 --dry-run

    $ semiosis run STUDY --model anthropic/claude-sonnet-5 --max-cost 20
    """
    if list_judges:
        _list()
        return
    from semiosis.study import EvaluatorOptions, find_judge, plan_judging, read_study, require_inputs
    from semiosis.values import UsageError

    if not study:
        raise UsageError(
            "no study was named", fix="run semiosis run STUDY, or semiosis run --list for the judges"
        )
    opened = read_study(study)
    rule = models.reading_rule(interpreter, given=given, detail=detail, language=language)
    settings: dict[str, Any] = {
        "detail": rule.detail or "standard",
        "reuse_readings": reuse_readings,
        "language": models.language_of(language, opened),
    }
    if repeats:
        settings["repeats"] = repeats
    with models.asking(calls, opened.journal, retry_unscored=work.retry_unscored) as asker:
        options = EvaluatorOptions(asker, asked.optional(), building.model(asked), rule, settings, opened)
        judges = [find_judge(spec, options) for spec in judge or ["semjudge"]]
        asker.check(*(model for each in judges for model in each.judge.models))
        if calls.dry_run:
            judges = [judge for judge in judges if not _loads_weights(judge)]
        else:  # a dry run counts what would stay unscored
            require_inputs(opened, judges)
        _show_left_out(opened, judges)
        plan = plan_judging(opened, judges, retry_unscored=work.retry_unscored, **work.part)
        unscored = _judge_all(opened, judges, plan, asker, name, record=not calls.dry_run)
    if not calls.dry_run and (unscored or plan.settled):
        raise typer.Exit(UNSCORED_EXIT)


def _loads_weights(judge: "StudyJudge") -> bool:
    """Return whether a judge would load a model of this machine, which a dry run does not need."""
    from semiosis.study import find_judging_entry

    return judge.settings is not None and "weights" in find_judging_entry(judge.settings.name).needs


def run_name(evaluator: str) -> str:
    """Return the name of a run, in which characters that are unsafe in a file name are replaced by `-`."""
    return "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in evaluator)


def _judge_all(
    study: "Study",
    judges: "Sequence[StudyJudge]",
    plan: "JudgingPlan",
    asker: "Asker",
    name: str,
    *,
    record: bool,
) -> int:
    from semiosis.ask import Runner
    from semiosis.study import run_judging
    from semiosis.values import evaluator_labels

    labels = evaluator_labels(judge.judge.evaluator for judge in judges)
    names = list(labels.values())
    remark(
        f"{len(plan.comparisons)} of {len(study.comparisons)} comparisons to judge with {', '.join(names)}"
    )
    if not study.comparisons:
        hint = in_study("semiosis study add STUDY adds them with pictures", study.folder)
        remark(f"hint: the study has no comparisons; {hint}")
    judged = dict.fromkeys(names, 0)
    unscored = dict.fromkeys(names, 0)
    counter = UnscoredCounter()
    run = name or (run_name(names[0]) if len(names) == 1 else "run")
    with progress("judging", len(plan.unjudged), asker) as tick:
        for outcome in run_judging(
            study, plan, run=run, runner=Runner(asker), record=record, on_task=lambda: tick(0)
        ):
            failed = counter.add(outcome)
            judged[labels[outcome.evaluator.id]] += not failed
            unscored[labels[outcome.evaluator.id]] += failed
            tick(unscored=failed and record)
    if record:
        for label in names:
            show(result_line(label, judged[label], "comparison", "judged", unscored[label]))
        counter.explain(study.folder, asker, counted(plan.settled, "verdict") * bool(plan.settled))
    else:
        counter.explain_dry_run(study.folder)
    return counter.total


def _show_left_out(study: "Study", judges: "Sequence[StudyJudge]") -> None:
    """Print which readings are left out, because versions of the prompts are never pooled."""
    from semiosis.study import study_rule

    for each in judges:
        chosen = study_rule(study, each.rule) if each.rule else None
        if chosen and chosen.left_out:
            remark(f"{each.judge.evaluator.name} leaves out {' and '.join(chosen.left_out)}")
            remark("hint: choose other readings with --interpreter and --language")


def _list() -> None:
    from semiosis.study import judging_entries

    rows = [
        {
            "judge": entry.form,
            "what it does": entry.about,
            "family": entry.family or "",
            "needs": entry.needs_in_words,
            "calls to a model": entry.calls,
        }
        for entry in judging_entries().values()
    ]
    show_rows(("judge", "what it does", "family", "needs", "calls to a model"), rows, "table")
