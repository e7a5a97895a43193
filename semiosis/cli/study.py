"""`semiosis study`: make, check and summarise a study folder."""

from dataclasses import asdict
from typing import Annotated

import typer

from semiosis.cli._output import remark, show_json, show_rows

app = typer.Typer(help="Make, check and summarise a study folder.", no_args_is_help=True)

Folder = Annotated[str, typer.Argument(help="The study folder.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def new(
    folder: Folder,
    name: Annotated[str, typer.Option(help="Short name; the folder's by default.")] = "",
    title: Annotated[str, typer.Option(help="Name for people.")] = "",
    about: Annotated[str, typer.Option(help="What it is about.")] = "",
    licence: Annotated[str, typer.Option(help="Terms of use, such as CC0-1.0.")] = "",
    language: Annotated[
        str, typer.Option(help="Language of graphs and rationales, such as de; English by default.")
    ] = "",
) -> None:
    """Make an empty study.

    [bold]Example[/bold]

    $ semiosis study new annunciations --title "Annunciations by five generators"
    """
    from semiosis.study import new_study

    made = new_study(folder, name=name, title=title, about=about, licence=licence, language=language)
    remark(f"made the study {made.head.name!r} in {made.folder}")


@app.command()
def check(folder: Folder, as_json: AsJson = False) -> None:
    """Check every line, reference, image and citation; exit 1 if something does not hold.

    [bold]Example[/bold]

    $ semiosis study check annunciations
    """
    from semiosis.study import check_study

    problems = check_study(folder)
    if as_json:
        show_json([asdict(problem) for problem in problems])
    elif problems:
        show_rows(("where", "what"), [asdict(problem) for problem in problems], "table")
    if problems:
        remark(f"{len(problems)} problem{'' if len(problems) == 1 else 's'}", style="red")
        raise typer.Exit(1)
    remark("sound: every line, reference, image and citation holds", style="green")


@app.command()
def summary(folder: Folder, as_json: AsJson = False) -> None:
    """Count what a study holds.

    [bold]Example[/bold]

    $ semiosis study summary annunciations
    """
    from semiosis.study import read_study
    from semiosis.study import summary as count

    study = read_study(folder)
    show_rows(
        ("what", "n", "detail"), [asdict(line) for line in count(study)], "json" if as_json else "table"
    )
    for file in study.torn:
        remark(f"hint: the last line of {file} is torn and left out")
