"""`semiosis import`: add votes, ratings, answers and scores from files to a study."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from semiosis.cli._importing import (
    ColumnOption,
    DryRunOption,
    EncodingOption,
    command,
    named_columns,
    option_pairs,
    report_added,
)

if TYPE_CHECKING:
    from semiosis.study import ImportKind, ImportOptions, ImportResult

app = typer.Typer(help="Add votes, ratings, answers and scores from files to a study.", no_args_is_help=True)

FolderArgument = Annotated[str, typer.Argument(metavar="STUDY", help="The study folder.")]
FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="The table: CSV, TSV or JSON Lines.")]
EvaluatorKind = Literal["person", "model", "program"]
KindOption = Annotated[
    EvaluatorKind,
    typer.Option(help="The kind of the evaluators, unless another option or a column states it."),
]
ProgramOption = Annotated[
    list[str] | None, typer.Option("--program", help="The name of an evaluator that is a program.")
]
ModelOption = Annotated[
    list[str] | None, typer.Option("--model", help="The name of an evaluator that is a model.")
]
EvaluatorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--evaluator",
        help="A column to read as an evaluator; by default every column without another meaning.",
    ),
]
ChoiceOption = Annotated[
    list[str] | None,
    typer.Option("--choice", help="A word that means a, b or tie, such as tie=Equal.", metavar="SIDE=CHOICE"),
]
LowOption = Annotated[float | None, typer.Option(help="Lowest possible value of the scale.")]
HighOption = Annotated[float | None, typer.Option(help="Highest possible value of the scale.")]


@app.command()
def votes(
    folder: FolderArgument,
    file: FileArgument,
    kind: KindOption = "person",
    program: ProgramOption = None,
    model: ModelOption = None,
    evaluator: EvaluatorOption = None,
    choice: ChoiceOption = None,
    column: ColumnOption = None,
    encoding: EncodingOption = "",
    dry_run: DryRunOption = False,
) -> None:
    """Import votes from a table with the columns prompt, a, b, evaluator and winner.

    Instead of evaluator and winner, it may have one column per evaluator. Prompts are named by title, text or
    id, a and b by file name, generator or id. The winner is a, b, tie, the name of a picture, or empty.

    [bold]Examples[/bold]

    $ semiosis import votes annunciations votes.csv --dry-run

    $ semiosis import votes annunciations votes.csv --choice a="Image 1" --choice b="Image 2"

    $ semiosis import votes annunciations votes.csv --program clip --program pickscore
    """
    options = _options(kind, program, model, evaluator, choices=_choices(choice))
    _import(folder, "votes", file, options, column, encoding, dry_run)


@app.command()
def ratings(
    folder: FolderArgument,
    file: FileArgument,
    scale: Annotated[
        list[str] | None,
        typer.Option(help="Name of the scale, unless a scale column has it. Repeated for cells like [1, 0]."),
    ] = None,
    low: LowOption = None,
    high: HighOption = None,
    by: Annotated[str, typer.Option(help="Who rated, if no column says so.", metavar="NAME")] = "",
    kind: KindOption = "person",
    evaluator: EvaluatorOption = None,
    column: ColumnOption = None,
    encoding: EncodingOption = "",
    dry_run: DryRunOption = False,
) -> None:
    """Import ratings of pictures from a table with the columns file, evaluator and value.

    Instead of evaluator and value, it may have one column per rater or, with a column evaluator, one per
    scale. A table without pictures has one column per generator; --by names the rater. The columns prompt,
    generator, seed, scale, low, high, repeat and kind are optional.

    [bold]Examples[/bold]

    $ semiosis import ratings annunciations ratings.csv --scale iconicity --low 1 --high 7

    $ semiosis import ratings imagenhub rater1.tsv --by rater1 --scale SC --scale PQ --low 0 --high 1
    """
    options = _options(kind, evaluator=evaluator, scales=scale or (), low=low, high=high, by=by)
    _import(folder, "ratings", file, options, column, encoding, dry_run)


@app.command()
def answers(
    folder: FolderArgument,
    file: FileArgument,
    kind: KindOption = "person",
    column: ColumnOption = None,
    encoding: EncodingOption = "",
    dry_run: DryRunOption = False,
) -> None:
    """Import answers to questions from a table with the columns question, evaluator and answer.

    A question that is not in the study also needs the columns file, choices (separated by '|') and correct.

    [bold]Example[/bold]

    $ semiosis import answers annunciations answers.csv
    """
    _import(folder, "answers", file, _options(kind), column, encoding, dry_run)


@app.command()
def scores(
    folder: FolderArgument,
    file: FileArgument,
    kind: KindOption = "program",
    evaluator: EvaluatorOption = None,
    column: ColumnOption = None,
    encoding: EncodingOption = "",
    dry_run: DryRunOption = False,
) -> None:
    """Import scores from a table with the columns file, evaluator and value. Higher is better.

    Instead of evaluator and value, it may have one column per scorer. Each scorer also judges the comparisons
    whose two pictures it scored: the higher score wins.

    [bold]Example[/bold]

    $ semiosis import scores annunciations scores.csv
    """
    _import(folder, "scores", file, _options(kind, evaluator=evaluator), column, encoding, dry_run)


@app.command()
def labelstudio(
    folder: FolderArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The export of Label Studio, as JSON, JSON-MIN or CSV.")
    ],
    low: LowOption = 1,
    high: HighOption = 5,
    key: Annotated[
        list[str] | None,
        typer.Option(help="The key of the task data that contains prompt, a, b or file.", metavar="NAME=KEY"),
    ] = None,
    control: Annotated[
        list[str] | None,
        typer.Option(help="Read only this control; all by default. May be repeated.", metavar="NAME"),
    ] = None,
    choice: ChoiceOption = None,
    dry_run: DryRunOption = False,
) -> None:
    """Import pairwise selections, choices and ratings from an export of Label Studio.

    Pictures are found by the names of the uploaded files. Skipped annotations and predictions are left out.

    [bold]Examples[/bold]

    $ semiosis import labelstudio annunciations export.json --key a=picture_left --key b=picture_right

    $ semiosis import labelstudio annunciations export.json --control better --choice tie="No difference"
    """
    from semiosis.study import import_labelstudio

    added = import_labelstudio(
        folder,
        file,
        options=_options("person", low=low, high=high),
        keys=dict(option_pairs(key, "--key", "NAME=KEY")),
        controls=control or (),
        choices=_choices(choice),
        dry_run=dry_run,
    )
    report_added(added, dry_run, command("stats", folder))


def _choices(options: list[str] | None) -> dict[str, str]:
    """Return the side that each word means, by the word."""
    return {word: side for side, word in option_pairs(options, "--choice", "SIDE=CHOICE")}


def _options(
    kind: EvaluatorKind,
    program: list[str] | None = None,
    model: list[str] | None = None,
    evaluator: list[str] | None = None,
    *,
    scales: Sequence[str] = (),
    low: float | None = None,
    high: float | None = None,
    by: str = "",
    choices: dict[str, str] | None = None,
) -> "ImportOptions":
    from semiosis.study import ImportOptions

    kinds: dict[str, EvaluatorKind] = {
        **dict.fromkeys(program or (), "program"),
        **dict.fromkeys(model or (), "model"),
    }
    return ImportOptions(kind, kinds, evaluator or (), scales, low, high, by, choices or {})


def _import(
    folder: str,
    what: "ImportKind",
    file: Path,
    options: "ImportOptions",
    column: list[str] | None,
    encoding: str,
    dry_run: bool,
) -> None:
    from semiosis.study import import_observations

    columns = named_columns(column)
    added = import_observations(
        folder, what, file, options=options, columns=columns, encoding=encoding, dry_run=dry_run
    )
    report_added(added, dry_run, command(_next_command(added, what), folder))


def _next_command(added: "ImportResult", what: "ImportKind") -> str:
    """Return the command that shows what the new values say."""
    from semiosis.study import rating_scales

    has_votes = any(verdict.evaluator.kind == "person" for verdict in added.study.verdicts)
    is_rated = what == "ratings" or (what == "scores" and not has_votes and bool(rating_scales(added.study)))
    return "ratings" if is_rated else "stats"
