"""`semiosis report`: a study as HTML pages that open from disk."""

from pathlib import Path
from typing import Annotated

import typer

from semiosis.cli._inputs import JudgeOption, WithoutOption, read_selected
from semiosis.cli._output import OverwriteOption, show


def report(
    study: Annotated[Path, typer.Argument(metavar="STUDY", help="A study folder.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write to.")] = Path("report"),
    judge: JudgeOption = None,
    without: WithoutOption = None,
    aligner: Annotated[str, typer.Option(help="Show the alignments of this aligner.")] = "",
    archive: Annotated[bool, typer.Option("--zip", help="Also pack the folder into a zip archive.")] = False,
    overwrite: OverwriteOption = False,
) -> None:
    """Write a report with tables, figures, and every comparison with its graphs and verdicts.

    The report is a folder of HTML pages that any browser opens without a network.

    [bold]Examples[/bold]

    $ semiosis report STUDY

    $ semiosis report STUDY --out annunciations --zip
    """
    from semiosis.report import write_report

    selected = read_selected(study, judge, without)
    show(str(write_report(selected, out, aligner=aligner, archive=archive, overwrite=overwrite)))
