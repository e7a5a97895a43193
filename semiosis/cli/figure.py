"""`semiosis figure`: figures for print from a study."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from semiosis.cli._figures import save
from semiosis.cli._inputs import JudgeOption, WithoutOption, read_selected
from semiosis.cli._output import OverwriteOption, remark, show

FileFormat = Literal["pdf", "svg", "png"]


def figure(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="A kind of figure from the list below, or all.",
        ),
    ],
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study folder.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")] = Path("figures"),
    form: Annotated[FileFormat, typer.Option("--format", help="The file format.")] = "pdf",
    one_column: Annotated[bool, typer.Option("--one-column", help="Make figures 85 mm wide.")] = False,
    two_columns: Annotated[bool, typer.Option("--two-columns", help="Make figures 178 mm wide.")] = False,
    only: Annotated[
        str, typer.Option(help="Draw only signs whose title contains this text, or whose id starts with it.")
    ] = "",
    aligner: Annotated[str, typer.Option(help="Draw the alignments of this aligner.")] = "",
    reader: Annotated[str, typer.Option(help="Draw the readings of this reader.")] = "",
    judge: JudgeOption = None,
    without: WithoutOption = None,
    reference: Annotated[
        list[str] | None, typer.Option(help="Compare judges with this evaluator. May be repeated.")
    ] = None,
    measure: Annotated[
        str, typer.Option(help="For ranking: votes, rating:SCALE, score:SCORER or judge:NAME.")
    ] = "",
    by: Annotated[
        str, typer.Option(help="For ranking: a panel for each tradition, tag or tag:NAME.", metavar="GROUP")
    ] = "",
    prior: Annotated[
        float, typer.Option(min=0, help="For ratings: wins added to each side of every pair of generators.")
    ] = 0.0,
    overwrite: OverwriteOption = False,
) -> None:
    """Draw figures for a paper as PDF, SVG or PNG.

    Fonts are embedded, and the same study always gives the same bytes.

    [bold]Examples[/bold]

    $ semiosis figure profile STUDY

    $ semiosis figure card STUDY --only Annunciation --format svg

    $ semiosis figure judges STUDY --one-column --out paper/figures
    """
    from semiosis.files import output_file
    from semiosis.tables import FIGURES, DisplayOptions, study_figures
    from semiosis.values import UsageError

    if one_column and two_columns:
        raise UsageError("--one-column and --two-columns cannot be combined", fix="choose one")
    options = DisplayOptions(
        reference=tuple(reference or ()),
        aligner=aligner,
        reader=reader,
        only=only,
        measure=measure,
        by=by,
        prior=prior,
        width="one-column" if one_column else "two-column" if two_columns else None,
    )
    values = read_selected(study, judge, without)
    drawn = {}
    for name in list(FIGURES) if kind == "all" else [kind]:
        try:
            for stem, picture in study_figures(values, name, options):
                drawn[out / f"{stem}.{form}"] = picture
        except UsageError as error:
            if kind != "all":
                raise
            remark(f"figure {name} is not drawn: {error}")
    for file in drawn:  # all are refused or none
        output_file(file, overwrite=overwrite)
    for file, picture in drawn.items():
        save(picture, file)
        show(str(file))
