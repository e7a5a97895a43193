"""Writes evidence bundles for reviewers: a study or a part of it, with everything that is computed from it.

The same study gives the same bytes: files are sorted, the archive has no times and no compression, and
numbers are rounded to nine decimals, because processors differ in the digits after them.
"""

import csv
import hashlib
import importlib.metadata
import io
import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from semiosis.ask import contains_key
from semiosis.export._bundle_latex import latex_files
from semiosis.export._cite import citation_bibtex
from semiosis.export._flat_tables import export_csv
from semiosis.export._provenance import provenance, resolved_citations
from semiosis.export._select import (
    EvidenceQuery,
    about_signs,
    comparison_signs,
    row_signs,
    with_relative_paths,
    write_part,
)
from semiosis.export._unpack import MANIFEST
from semiosis.files import (
    HIDDEN_FOLDER,
    ListedDigests,
    escape_csv,
    output_archive,
    output_folder,
    write_zip,
)
from semiosis.report import report_tables
from semiosis.stats import Estimate, Interval
from semiosis.store import QueryResult, library_query, write_cypher_file
from semiosis.study import Study, check_study, require_no_keys
from semiosis.tables import FIGURES, Table, figure_kind, study_figures, to_csv
from semiosis.values import DataError, MissingExtraError, UsageError

STUDY_PREFIX = "study/"
FIGURES_PREFIX = "figures/"
CAPTIONS = "figures/captions.json"
_TABLE_ROWS = 200


class BundledFile(BaseModel):
    """The size and the hash of a file in the manifest."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    size: int
    """The length of the file in bytes."""
    sha256: str
    """The SHA-256 of its bytes."""


class Manifest(BaseModel):
    """The list of the files in a bundle, and the comparison or query that selected them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    semiosis: str
    """The version of Semiosis that made the bundle."""
    study: str
    """The name of the study."""
    comparison: str = ""
    """The comparison that the bundle is about; empty if none was given."""
    query: str
    """The library query that finds the evidence."""
    parameters: dict[str, str] = {}
    """The parameters of the query."""
    files: dict[str, BundledFile]
    """Every file except the manifest, by name."""
    sha256: str = ""
    """The SHA-256 of the manifest with this field empty, by which a change of the manifest is detected."""

    def signed(self) -> "Manifest":
        """Return the manifest with its own hash."""
        empty = self.model_copy(update={"sha256": ""})
        return self.model_copy(update={"sha256": hashlib.sha256(manifest_text(empty).encode()).hexdigest()})


def export_evidence(
    study: Study,
    out: str | Path,
    *,
    comparison: str = "",
    query: EvidenceQuery | None = None,
    overwrite: bool = False,
) -> Manifest:
    """Write the evidence of a study, of one comparison or of a query to a folder or a `.zip` file.

    An earlier bundle may be replaced if nobody changed it; anything else needs `overwrite`. Raises DataError
    for a study with problems. The figures need Matplotlib.
    """
    target = Path(out)
    if target.suffix == ".zip":
        output_archive(target, overwrite=overwrite, listing=MANIFEST, read=_listed_digests)
        with tempfile.TemporaryDirectory() as scratch:
            manifest = _make_bundle(study, Path(scratch) / "bundle", comparison, query)
            output_archive(target, overwrite=overwrite, listing=MANIFEST, read=_listed_digests)
            write_archive(Path(scratch) / "bundle", target, manifest)
        return manifest
    with output_folder(target, overwrite=overwrite, listing=MANIFEST, read=_listed_digests) as draft:
        return _make_bundle(study, draft, comparison, query)


def _listed_digests(blob: bytes) -> ListedDigests | None:
    """Return the files of the manifest of a bundle, or None for another manifest, such as one of IIIF."""
    try:
        manifest = Manifest.model_validate_json(blob)
    except (ValidationError, RecursionError):
        return None
    if manifest_text(manifest.signed()).encode() != blob:
        return None
    return {name: {file.sha256} for name, file in manifest.files.items()}


def _make_bundle(study: Study, home: Path, comparison: str, query: EvidenceQuery | None) -> Manifest:
    """Write the files of a bundle into an empty folder."""
    require_no_keys(study.folder)
    if problems := check_study(study.folder):
        raise DataError(
            f"the study has {len(problems)} problems; the first is: {problems[0].what}",
            where=problems[0].where,
            fix=f"list all with semiosis study check {study.folder}",
        )
    with tempfile.TemporaryDirectory() as scratch:
        part = _write_selected(study, home / STUDY_PREFIX, Path(scratch), comparison, query)
    shown_query = query or EvidenceQuery("citations-by-judge", {})
    captions = draw_figures(part, home, each_pair=bool(comparison or query))
    write_derived(part, home, shown_query, captions)
    shutil.rmtree(home / STUDY_PREFIX / HIDDEN_FOLDER, ignore_errors=True)
    manifest = Manifest(
        semiosis=importlib.metadata.version("semiosis"),
        study=study.head.name,
        comparison=next(iter(part.comparisons)) if comparison else "",
        query=shown_query.name,
        parameters=dict(shown_query.parameters),
        files=_bundled_files(home),
    ).signed()
    (home / MANIFEST).write_text(manifest_text(manifest), "utf-8", newline="")
    return manifest


def _write_selected(
    study: Study, folder: Path, scratch: Path, comparison: str, query: EvidenceQuery | None
) -> Study:
    """Write the part of the study that the bundle contains into its folder, and return that part.

    It is the whole study if the rows of a query depend on more than the signs they name, as counts do.
    """
    if comparison:
        return write_part(study, about_signs(study, comparison_signs(study, comparison)), folder)
    everything = list(study.everything().values())
    if query is None:
        return write_part(study, everything, folder)
    whole = write_part(study, everything, scratch / "whole")
    rows = query.rows(whole.folder)
    if not rows:
        raise UsageError(
            f"the query {query.name!r} returns no rows for this study", fix="change its parameters"
        )
    part = write_part(study, about_signs(study, row_signs(study, rows)), folder)
    if rows_csv(query.rows(part.folder)) == rows_csv(rows):
        return part
    shutil.rmtree(folder)
    return write_part(study, everything, folder)


def draw_figures(study: Study, home: Path, *, each_pair: bool) -> dict[str, str]:
    """Draw the figures for which the study has data, and return their captions by file name.

    `each_pair` adds a figure of every aligned pair.
    """
    captions: dict[str, str] = {}
    for kind, entry in FIGURES.items():
        if not entry.in_report and not (each_pair and kind == "pair"):
            continue
        try:
            for name, figure in study_figures(study, kind):
                from semiosis.figures import save_figure

                captions[name] = str(figure.get_label())
                for form in ("pdf", "svg"):
                    save_figure(figure, home / FIGURES_PREFIX / f"{name}.{form}")
        except MissingExtraError:
            raise
        except UsageError:  # the study lacks the data for this kind
            continue
    return captions


def write_derived(study: Study, home: Path, query: EvidenceQuery, captions: Mapping[str, str]) -> None:
    """Write everything that is computed from the study and from the captions of its figures."""
    relative = with_relative_paths(study, STUDY_PREFIX)
    export_csv(relative, home / "tables")
    write_cypher_file(
        home / "graph.cypher", relative.everything().values(), study.head.name, study.head.about
    )
    rows = query.rows(study.folder)
    tables = {name: _rounded(table) for name, table in report_tables(study)}
    texts = {f"summary/{name}.csv": to_csv(table) for name, table in tables.items()}
    texts |= {
        f"summary/{name}.txt": "\n".join((table.title, *table.remarks)) + "\n"
        for name, table in tables.items()
    }
    counts = (len(study.comparisons), len(study.hsgs), len(study.alignments))
    n = "n = {} comparisons, {} HSGs, {} alignments.".format(*counts)
    captioned = {name: _caption(name, text, n, tables) for name, text in captions.items()}
    noted = {name: replace(table, notes=(n, *table.notes)) for name, table in tables.items()}
    latex = latex_files({**noted, "evidence": _rows_table(query, rows)}, captioned)
    texts |= {f"latex/{name}": text for name, text in latex.items()}
    texts |= {
        "evidence.csv": rows_csv(rows),
        "query.cypher": library_query(query.name).with_arguments(query.parameters),
        "citations.json": _json(resolved_citations(study)),
        "provenance.json": _json(provenance(study)),
        "CITATION.bib": citation_bibtex(),
        "README.md": _readme(study, query),
        CAPTIONS: _json(dict(captions)),
    }
    for name, text in texts.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, "utf-8", newline="")


def _caption(name: str, text: str, n: str, tables: Mapping[str, Table]) -> str:
    """Return a caption with n and the method, which are in the notes of the table of the same data."""
    table = tables.get(figure_kind(name).table)
    return " ".join([text.rstrip(".") + ".", n, *(table.notes[:2] if table else ())])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def _rows_table(query: EvidenceQuery, rows: QueryResult) -> Table:
    given = ", ".join(f"{name} {value}" for name, value in query.parameters.items())
    note = f"n = {len(rows)} rows of the library query {query.name}" + (f" ({given})." if given else ".")
    shown = list(rows)[:_TABLE_ROWS]
    some = f"The first {len(shown)} rows are shown; evidence.csv contains all."
    notes = [note] if len(rows) == len(shown) else [note, some]
    cells = tuple(tuple(_cell(row[name]) for name in rows.columns) for row in shown)
    return Table(library_query(query.name).purpose.rstrip("."), tuple(rows.columns), cells, tuple(notes))


def _cell(value: Any) -> str | int | float | None:
    if isinstance(value, float):
        return round(value, 9)
    return value if isinstance(value, int | None) and not isinstance(value, bool) else str(value)


def rows_csv(rows: QueryResult) -> str:
    """Return the rows of a query as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows.columns)
    for row in rows:
        cells = [_cell(row[name]) for name in rows.columns]
        writer.writerow([escape_csv(cell) if isinstance(cell, str) else cell for cell in cells])
    return out.getvalue()


def _rounded(table: Table) -> Table:
    return replace(table, rows=tuple(tuple(map(_rounded_cell, row)) for row in table.rows))


def _rounded_cell(cell: Any) -> Any:
    if isinstance(cell, float):
        return type(cell)(round(cell, 9))
    if isinstance(cell, Interval):
        return replace(cell, low=round(cell.low, 9), high=round(cell.high, 9))
    if isinstance(cell, Estimate):
        related = {name: _rounded_cell(value) for name, value in cell.related.items()}
        changes = {"value": _rounded_cell(cell.value), "interval": _rounded_cell(cell.interval)}
        return replace(cell, **changes, related=related)
    return cell


def _readme(study: Study, query: EvidenceQuery) -> str:
    return f"""# Evidence: {study.head.title or study.head.name}

Made with Semiosis {importlib.metadata.version("semiosis")}.
Licence of the content: {study.head.licence or "not stated"}. CITATION.bib says what to cite.

- Check this bundle offline: `semiosis verify BUNDLE`
- `study/`: signs, HSGs, alignments and verdicts as JSON, with the images
- `evidence.csv`: the rows of the query `{query.name}`, which is in `query.cypher`
- `graph.cypher`: statements that recreate the property graph in Neo4j
- `citations.json`: every citation with the node it points at
- `summary/`, `tables/`: judges against people, generators, and flat tables as CSV
- `latex/`, `figures/`: tables and figures for a paper; compile `latex/evidence.tex` in its folder
- `provenance.json`: models requested and served, prompt versions, settings, seeds, hashes of every input
- `manifest.json`: the size and SHA-256 of every other file
"""


def manifest_text(manifest: Manifest) -> str:
    """Return the text of the manifest file."""
    return f"{manifest.model_dump_json(indent=1)}\n"


def _bundled_files(home: Path) -> dict[str, BundledFile]:
    files = {file.relative_to(home).as_posix(): file for file in home.rglob("*") if file.is_file()}
    bundled = {}
    for name, file in sorted(files.items()):
        blob = file.read_bytes()
        if not name.startswith((f"{STUDY_PREFIX}images/", FIGURES_PREFIX)) and contains_key(blob):
            raise DataError(
                "the file contains a key of this environment",
                where=name,
                fix="remove the value that contains it from the study",
            )
        bundled[name] = BundledFile(size=len(blob), sha256=hashlib.sha256(blob).hexdigest())
    return bundled


def write_archive(home: Path, target: Path, manifest: Manifest) -> None:
    """Write the files of a bundle as a zip archive."""
    write_zip(target, {name: home / name for name in (*manifest.files, MANIFEST)})


def bundle_names(home: Path) -> Iterator[str]:
    """Yield the names of the files in a folder."""
    yield from (file.relative_to(home).as_posix() for file in home.rglob("*") if file.is_file())
