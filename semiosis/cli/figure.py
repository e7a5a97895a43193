"""`semiosis figure`: figures for print from a study."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from semiosis.cli._output import remark, show

FileFormat = Literal["pdf", "svg", "png"]
FONTS = "on Debian, run apt install fonts-noto-core fonts-noto-cjk"


def figure(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="card, pair, judges, ratings, iconicity, shifts, drift, cost, profile, agreement or all.",
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
    reference: Annotated[
        list[str] | None, typer.Option(help="Compare judges with this evaluator. May be repeated.")
    ] = None,
    prior: Annotated[
        float, typer.Option(min=0, help="For ratings: wins added to each side of every pair of generators.")
    ] = 0.0,
) -> None:
    """Draw figures for a paper as PDF, SVG or PNG.

    Fonts are embedded, and the same study always gives the same bytes.

    [bold]Examples[/bold]

    $ semiosis figure profile STUDY

    $ semiosis figure card STUDY --only Annunciation --format svg

    $ semiosis figure judges STUDY --one-column --out paper/figures
    """
    from semiosis.cli._figures import figures_package
    from semiosis.study import read_study
    from semiosis.values import UsageError

    figures = figures_package()
    if one_column and two_columns:
        raise UsageError("--one-column and --two-columns cannot be combined", fix="choose one")
    width = "one-column" if one_column else "two-column" if two_columns else None
    options = figures.FigureOptions(width, only, aligner, reader, tuple(reference or ()), prior)
    known = read_study(study)
    kinds = list(figures.FIGURES) if kind == "all" else [kind]
    for name in kinds:
        try:
            for stem, drawn in figures.study_figures(known, name, options):
                file = out / f"{stem}.{form}"
                missing = figures.save_figure(drawn, file)
                show(str(file))
                if missing:
                    remark(f"no installed font has {' '.join(missing)}; {FONTS}")
        except UsageError as error:
            if kind != "all":
                raise
            remark(f"figure {name} is not drawn: {error}")
