"""`semiosis profile`: what each generator does to the meaning of its prompts."""

import shutil
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from semiosis.cli._output import remark, show_json

Form = Literal["text", "markdown", "csv", "latex"]


def profile(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study folder.")],
    aligner: Annotated[str, typer.Option(help="Whose alignments to use.")] = "",
    given: Annotated[bool, typer.Option("--given", help="Use readings that saw the prompt.")] = False,
    figure: Annotated[Path | None, typer.Option(help="Also draw the profile: .pdf, .svg or .png.")] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print the table.")] = "text",
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show what each generator does to meaning: matched, lost and added nodes, by ground, tradition and fate.

    [bold]Examples[/bold]

    $ semiosis profile STUDY

    $ semiosis profile STUDY --figure profile.pdf --format latex
    """
    from semiosis.report import RENDERERS, profile_table, profile_tables, to_text
    from semiosis.stats import as_dict
    from semiosis.study import generator_profile, read_study

    found = generator_profile(read_study(study), aligner=aligner, condition="given" if given else "blind")
    if figure:
        from semiosis.cli._figures import figures_package

        figures = figures_package()
        figures.save_figure(figures.profile(found), figure)
        remark(f"wrote {figure}")
    if as_json:
        show_json(as_dict(found))
        return
    if form == "csv":
        table = profile_table(found)
        sys.stdout.write(RENDERERS[form](table))
        for note in table.remarks:
            remark(note)
        return
    width = shutil.get_terminal_size((0, 0)).columns or None  # a pipe has no width
    tables = profile_tables(found)
    shown = [to_text(table, width) if form == "text" else RENDERERS[form](table) for table in tables]
    sys.stdout.write("\n".join(shown))
