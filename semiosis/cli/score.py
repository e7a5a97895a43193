"""`semiosis score`: the scores of scorers for every picture of a study, without comparisons."""

from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli import _models as models
from semiosis.cli._output import remark, show
from semiosis.cli._progress import progress
from semiosis.cli._unscored import UNSCORED_EXIT, UnscoredCounter, counted, result_line
from semiosis.cli.run import run_name

if TYPE_CHECKING:
    from semiosis.ask import Asker
    from semiosis.study import EvaluatorOptions, Study
    from semiosis.values import Primitive


@models.with_options
def score(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="A study folder.")],
    scorer: Annotated[
        list[str],
        typer.Option(help="A scorer, such as baseline:size; semiosis run --list shows all. May be repeated."),
    ],
    interpreter: Annotated[
        str, typer.Option(help="The reader whose readings align uses; by default one who has read all.")
    ] = "",
    given: models.GivenOption = False,
    detail: Annotated[str, typer.Option(help="The level of detail of the readings, for align.")] = "",
    language: models.LanguageOption = "",
    repeats: Annotated[
        int, typer.Option(min=0, help="The number of repeats; 0 for the scorer's default.")
    ] = 0,
    name: models.RunNameOption = "",
    *,
    asked: models.ModelOptions,
    calls: models.CallOptions,
    work: models.WorkOptions,
) -> None:
    """Score every picture of a study. Run it again to continue where it stopped.

    Scores of different scorers have no common scale. The exit code is 3 if a picture stays unscored.

    [bold]Examples[/bold]

    $ semiosis score STUDY --scorer baseline:colour

    $ semiosis score STUDY --scorer align --interpreter "Ada"
    """
    from semiosis.study import EvaluatorOptions, read_study

    opened = read_study(study)
    rule = models.reading_rule(interpreter, given=given, detail=detail, language=language)
    unscored = 0
    with models.asking(calls, opened.journal, retry_unscored=work.retry_unscored) as asker:
        settings: dict[str, Primitive] = {"language": models.language_of(language, opened)}
        if repeats:
            settings["repeats"] = repeats
        options = EvaluatorOptions(asker, asked.optional(), None, rule, settings, opened)
        for spec in scorer:
            unscored += _score_all(opened, spec, options, asker, work, name)
    if unscored and not calls.dry_run:
        raise typer.Exit(UNSCORED_EXIT)


def _score_all(
    study: "Study",
    spec: str,
    options: "EvaluatorOptions",
    asker: "Asker",
    work: models.WorkOptions,
    name: str,
) -> int:
    """Score with one scorer, print the final line, and return the number of unscored pictures."""
    from semiosis.study import find_entry, find_scorer, plan_scores, run_plan

    scorer = find_scorer(spec, options)
    asker.check(*scorer.models)
    rule = options.rule if "readings" in find_entry("scorer", spec).needs else None
    plan = plan_scores(
        study,
        scorer,
        rule=rule,
        settings=options.recorded("scorer", spec),
        retry_unscored=work.retry_unscored,
        **work.part,
    )
    who = scorer.evaluator.name
    remark(f"{counted(len(plan), 'score')} to give with {who} ({scorer.family})")
    if asker.dry_run and plan.computation is not None:
        return 0
    counter = UnscoredCounter()
    with progress("scoring", len(plan), scorer.asker) as tick:
        for result in run_plan(study, plan, run=name or run_name(who), record=not asker.dry_run):
            tick(unscored=counter.add(result) and not asker.dry_run)
    if asker.dry_run:
        counter.explain_dry_run(study.folder)
    else:
        show(result_line(who, counter.scored, "score", "given", counter.total))
        counter.explain(study.folder, scorer.asker, counted(plan.settled, "score") * bool(plan.settled))
    return counter.total + plan.settled
