"""The export of a study or an HSG in the formats of other tools."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from semiosis.ask import contains_key
from semiosis.export._annotations import export_iiif, export_webanno
from semiosis.export._cite import citation_bibtex
from semiosis.export._flat_tables import export_csv, export_parquet
from semiosis.export._graphs import export_dot, export_graphml, union_graph
from semiosis.files import atomic_write, output_file, output_folder
from semiosis.store import write_cypher_file
from semiosis.study import Study, require_no_keys
from semiosis.values import HSG, Alignment, DataError, Recorded, UsageError, to_json

ExportFormat = Literal["graphml", "dot", "json", "cypher", "webanno", "iiif", "csv", "parquet"]
"""The name of a file format."""
EXPORT_FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)
"""Every format that a study is exported to."""

_CITATION = "CITATION.bib"


@dataclass(frozen=True)
class Exported:
    """The files that an export wrote."""

    files: tuple[Path, ...]
    """The files, including the citation."""
    hsgs: int
    """The number of HSGs in the files."""


def export_study(
    source: Study | HSG, form: ExportFormat, out: str | Path, *, base: str = "", overwrite: bool = False
) -> Exported:
    """Write a study or one HSG to a file, or to a folder of tables for CSV and Parquet.

    `CITATION.bib`, in the same folder, states what to cite. `base` is the address under which an IIIF
    manifest is published. An existing file needs `overwrite`; earlier tables may be replaced if unchanged.
    """
    path = Path(out)
    if isinstance(source, Study):
        require_no_keys(source.folder)
    elif contains_key(f"{to_json(source.sign)} {source.nodes(data=True)!r}".encode()):
        raise DataError(
            "the HSG contains a key or a password", where=source.id, fix="remove it from the text"
        )
    hsgs = [source] if isinstance(source, HSG) else list(source.hsgs.values())
    if form in ("csv", "parquet"):
        if isinstance(source, HSG):
            raise UsageError(f"one HSG cannot be exported as {form}", fix="give a study folder")
        return Exported(_write_tables(source, form, path, overwrite), len(hsgs))
    output_file(path, overwrite=overwrite)
    alignments = list(source.alignments.values()) if isinstance(source, Study) else []
    _write_file(source, hsgs, alignments, form, path, base)
    citation = path.with_name(_CITATION)
    if not citation.exists():  # it may be the user's own
        atomic_write(citation, citation_bibtex())
    return Exported((path, citation), len(hsgs))


def _write_tables(
    study: Study, form: Literal["csv", "parquet"], folder: Path, overwrite: bool
) -> tuple[Path, ...]:
    export_tables = export_csv if form == "csv" else export_parquet
    with output_folder(folder, f"semiosis export {form}", overwrite=overwrite) as draft:
        tables = export_tables(study, draft)
        atomic_write(draft / _CITATION, citation_bibtex())
    return tuple(folder / file.relative_to(draft) for file in (*tables, draft / _CITATION))


def _write_file(
    source: Study | HSG,
    hsgs: list[HSG],
    alignments: list[Alignment],
    form: ExportFormat,
    file: Path,
    base: str,
) -> Path:
    if form == "graphml":
        return export_graphml(union_graph(hsgs, alignments), file)
    if form == "dot":
        return export_dot(hsgs, alignments, file)
    if form == "webanno":
        return export_webanno(hsgs, file)
    if form == "iiif":
        return export_iiif(hsgs, file, base)
    if form == "cypher":
        write_cypher_file(file, _values(source), *_name_and_about(source))
        return file
    atomic_write(file, "".join(f"{to_json(value)}\n" for value in _values(source)))
    return file


def _name_and_about(source: Study | HSG) -> tuple[str, str]:
    return (source.head.name, source.head.about) if isinstance(source, Study) else ("", "")


def _values(source: Study | HSG) -> Iterable[Recorded]:
    return [source.sign, source] if isinstance(source, HSG) else source.everything().values()
