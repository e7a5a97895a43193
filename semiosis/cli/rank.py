"""`semiosis rank`: the leaderboard of generators. `semiosis ratings`: metrics against ratings of people."""

from typing import Annotated

import typer

from semiosis.cli._inputs import JudgeOption, WithoutOption, read_selected
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
    judge: JudgeOption = None,
    without: WithoutOption = None,
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
    from semiosis.study import rank_generators
    from semiosis.tables import ranking_table

    rankings = rank_generators(read_selected(study, judge, without), measure, by=by, level=level)
    if as_json:
        show_json(as_dict(rankings))
        return
    show_tables([ranking_table(rankings)], form)


def ratings(
    study: StudyArgument,
    scale: Annotated[
        list[str] | None, typer.Option(help="Only this scale. May be repeated; all by default.")
    ] = None,
    judge: JudgeOption = None,
    without: WithoutOption = None,
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
    from semiosis.study import rating_results
    from semiosis.tables import rating_table

    results = rating_results(read_selected(study, judge, without), scale or (), by=by, level=level)
    if as_json:
        show_json(as_dict(results))
        return
    show_tables([rating_table(result) for result in results], form)
