"""`semiosis answer`: the answers of a model to the questions of a study."""

from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli import _models as models
from semiosis.cli._output import remark, show
from semiosis.cli._progress import progress
from semiosis.cli._unscored import UNSCORED_EXIT, UnscoredCounter, counted, result_line
from semiosis.cli.run import run_name

if TYPE_CHECKING:
    from semiosis.judge import Examinee
    from semiosis.study import ReadingRule, Study, WorkPlan
    from semiosis.values import Answer


@models.with_options
def answer(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A study folder.")],
    with_hsg: Annotated[
        bool, typer.Option("--hsg", help="Also show the blind reading of each picture.")
    ] = False,
    interpreter: Annotated[
        str, typer.Option(help="With --hsg: the reader; by default the one with the most readings.")
    ] = "",
    detail: Annotated[str, typer.Option(help="With --hsg: standard or complex; by default either.")] = "",
    language: models.LanguageOption = "",
    repeats: Annotated[int, typer.Option(min=1, help="The number of repeats of every question.")] = 1,
    name: models.RunNameOption = "",
    *,
    asked: models.ModelOptions,
    calls: models.CallOptions,
    work: models.WorkOptions,
) -> None:
    """Answer the multiple-choice questions of a study. Run it again to continue where it stopped.

    The model sees the picture and never its prompt. The exit code is 3 if an answer stays unscored.

    [bold]Examples[/bold]

    $ semiosis answer STUDY --model anthropic/claude-sonnet-5 --dry-run

    $ semiosis answer STUDY --model anthropic/claude-sonnet-5 --hsg
    """
    from semiosis.judge import Examinee
    from semiosis.study import answer_rule, plan_answers, read_study

    opened = read_study(study)
    rule = None
    if with_hsg:
        rule = answer_rule(opened, models.reading_rule(interpreter, detail=detail, language=language))
    with models.asking(calls, opened.journal, retry_unscored=work.retry_unscored) as asker:
        examinee = Examinee(
            asked.required(),
            asker=asker,
            language=models.language_of(language, opened),
            readings=_readings_text(rule),
        )
        asker.check(examinee.model)
        plan = plan_answers(
            opened,
            examinee,
            rule=rule,
            repeats=repeats,
            retry_unscored=work.retry_unscored,
            **work.part,
        )
        who = examinee.evaluator(with_hsg=with_hsg).name
        unscored = answer_all(opened, examinee, plan, who, name)
    if not calls.dry_run and (unscored or plan.settled):
        raise typer.Exit(UNSCORED_EXIT)


def _readings_text(rule: "ReadingRule | None") -> str:
    return f"{rule.interpreter} ({rule.detail})" if rule and rule.interpreter else ""


def answer_all(
    study: "Study", examinee: "Examinee", plan: "WorkPlan[Answer]", who: str, name: str = ""
) -> int:
    """Answer the questions of a plan, print the final line, and return the number of unscored answers."""
    from semiosis.study import run_plan

    record = not examinee.asker.dry_run
    remark(
        f"{counted(len(plan), 'answer')} to give to {counted(len(study.questions), 'question')} with {who}"
    )
    counter = UnscoredCounter()
    with progress("answering", len(plan), examinee.asker) as tick:
        for result in run_plan(study, plan, run=name or run_name(who), record=record):
            tick(unscored=counter.add(result) and record)
    if record:
        show(result_line(who, counter.scored, "answer", "given", counter.total))
        counter.explain(study.folder, examinee.asker, counted(plan.settled, "answer") * bool(plan.settled))
    else:
        counter.explain_dry_run(study.folder)
    return counter.total
