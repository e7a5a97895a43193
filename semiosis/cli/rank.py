"""`semiosis rank`: the leaderboard of generators. `semiosis ratings`: metrics against ratings of people."""

from typing import Annotated

import typer

from semiosis.cli._output import TableFormat, show_json, show_tables

ByOption = Annotated[
    str,
    typer.Option(help="One result for each group of prompts: tradition, tag, or tag:NAME.", metavar="GROUP"),
]
StudyArgument = Annotated[str, typer.Argument(metavar="STUDY", help="A study folder.")]
LevelOption = Annotated[float, typer.Option(min=0.5, max=0.999, help="The level of the intervals.")]
FormatOption = Annotated[TableFormat, typer.Option("--format", help="The format of the tables.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]


def rank(
    study: StudyArgument,
    measure: Annotated[
        str,
        typer.Option(
            help="What ranks: votes, rating:SCALE, score:SCORER or judge:NAME; by default the first of these "
            "that the study has."
        ),
    ] = "",
    by: ByOption = "",
    level: LevelOption = 0.95,
    form: FormatOption = "text",
    as_json: JsonOption = False,
) -> None:
    """Rank the generators by win rate, ratings or scores, with intervals and the ranks that are open.

    [bold]Examples[/bold]

    $ semiosis rank annunciations

    $ semiosis rank annunciations --measure rating:quality --by tag:category --format latex
    """
    from semiosis.stats import as_dict
    from semiosis.study import rank_generators, read_study
    from semiosis.tables import ranking_table

    rankings = rank_generators(read_study(study), measure, by=by, level=level)
    if as_json:
        show_json(as_dict(rankings))
        return
    show_tables([ranking_table(rankings)], form)


def ratings(
    study: StudyArgument,
    scale: Annotated[
        list[str] | None, typer.Option(help="Only this scale. May be repeated; all by default.")
    ] = None,
    judge: Annotated[
        list[str] | None, typer.Option(help="Only this scorer or judge. May be repeated.")
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option(help="Leave this scorer or judge out. May be repeated.")
    ] = None,
    by: ByOption = "",
    level: LevelOption = 0.95,
    form: FormatOption = "text",
    as_json: JsonOption = False,
) -> None:
    """Correlate scorers and judges with people's ratings of pictures, and state how far people agree.

    [bold]Examples[/bold]

    $ semiosis ratings annunciations

    $ semiosis ratings annunciations --scale quality --by tag:category --format latex
    """
    from semiosis.stats import as_dict
    from semiosis.study import rating_results, read_study
    from semiosis.tables import rating_table

    results = rating_results(
        read_study(study), scale or (), by=by, judges=judge or (), without=without or (), level=level
    )
    if as_json:
        show_json(as_dict(results))
        return
    show_tables([rating_table(result) for result in results], form)
