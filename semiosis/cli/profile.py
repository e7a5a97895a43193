"""`semiosis profile`: the meanings that each generator matches, loses and adds."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from semiosis.cli._figures import write_figure
from semiosis.cli._output import OverwriteOption, TableFormat, show_json, show_tables


def profile(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study folder.")],
    aligner: Annotated[str, typer.Option(help="Use the alignments of this aligner.")] = "",
    given: Annotated[
        bool, typer.Option("--given", help="Use readings that were given the prompt instead of blind ones.")
    ] = False,
    figure: Annotated[
        Path | None, typer.Option(help="Also draw the profile to this .pdf, .svg or .png file.")
    ] = None,
    overwrite: OverwriteOption = False,
    form: Annotated[TableFormat, typer.Option("--format", help="The format of the tables.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show the nodes that each generator matches, loses and adds, by ground, tradition and fate.

    [bold]Examples[/bold]

    $ semiosis profile STUDY

    $ semiosis profile STUDY --figure profile.pdf --format latex
    """
    from semiosis.files import output_file
    from semiosis.stats import as_dict
    from semiosis.study import generator_profile, read_study
    from semiosis.tables import profile_table, profile_tables

    if figure:
        output_file(figure, overwrite=overwrite)
    condition: Literal["given", "blind"] = "given" if given else "blind"
    generators = generator_profile(read_study(study), aligner=aligner, condition=condition)
    if figure:
        write_figure(lambda figures: figures.profile(generators), figure)
    if as_json:
        show_json(as_dict(generators))
        return
    show_tables([profile_table(generators)] if form == "csv" else profile_tables(generators), form)
