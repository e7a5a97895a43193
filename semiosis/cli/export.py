"""`semiosis export` and `semiosis cite`: studies and HSGs for other tools, and what to cite."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._output import remark, show_document

if TYPE_CHECKING:
    from semiosis.study import Study
    from semiosis.values import HSG


def export(
    form: Annotated[
        str,
        typer.Argument(help="graphml, dot, json, cypher, webanno, iiif, csv or parquet.", metavar="FORMAT"),
    ],
    source: Annotated[str, typer.Argument(help="A study folder, or an HSG as YAML or JSON.")],
    out: Annotated[str, typer.Argument(help="The file to write; a folder for csv and parquet.")],
    anonymise: Annotated[
        bool, typer.Option("--anonymise", help="Replace the names of people by 'person 1' and so on.")
    ] = False,
    base: Annotated[str, typer.Option(help="For iiif: the address where the manifest is published.")] = "",
) -> None:
    """Write a study or an HSG in the format of another tool.

    [bold]Examples[/bold]

    $ semiosis export graphml STUDY study.graphml

    $ semiosis export parquet STUDY tables/ --anonymise

    $ semiosis export iiif STUDY manifest.json --base https://example.org/study
    """
    from semiosis.export import EXPORT_FORMATS, export_study
    from semiosis.values import UsageError

    formats = [name for name in EXPORT_FORMATS if name == form]
    if not formats:
        raise UsageError(
            f"{form!r} is not an export format", fix=f"choose one of {', '.join(EXPORT_FORMATS)}"
        )
    exported = export_study(_source(source, anonymise), formats[0], out, base=base)
    files = f"{len(exported.files)} files" if len(exported.files) > 2 else str(exported.files[0])
    remark(f"wrote {exported.hsgs} HSGs to {files}; CITATION.bib says what to cite")


def cite() -> None:
    """Print what to cite: Semiosis in this version, and the paper whose method it implements, as BibTeX.

    [bold]Examples[/bold]

    $ semiosis cite > semiosis.bib
    """
    from semiosis.export import citation_bibtex

    show_document(citation_bibtex())


def _source(what: str, anonymous: bool) -> "Study | HSG":
    from semiosis.files import read_hsg
    from semiosis.study import anonymise, read_study
    from semiosis.values import UsageError

    if Path(what).is_dir():
        study = read_study(what)
        return anonymise(study) if anonymous else study
    if anonymous:
        raise UsageError("--anonymise needs a study", fix="give a study folder")
    return read_hsg(what)
