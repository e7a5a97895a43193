"""`semiosis export` and `semiosis cite`: exports for other tools, and the works to cite."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._inputs import JudgeOption, WithoutOption, read_selected
from semiosis.cli._output import OverwriteOption, remark, show_document
from semiosis.cli._unscored import counted
from semiosis.cli.query import query_parameters

if TYPE_CHECKING:
    from semiosis.study import Study
    from semiosis.values import HSG


EXPORT_CONTEXT = {"ignore_unknown_options": True}


def export(
    form: Annotated[
        str,
        typer.Argument(
            help="evidence, graphml, dot, json, cypher, webanno, iiif, csv or parquet.", metavar="FORMAT"
        ),
    ],
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE OUT",
            help="A study folder, or an HSG in YAML or JSON, and the file or folder to write.",
        ),
    ],
    anonymise: Annotated[
        bool, typer.Option("--anonymise", help="Replace the names of people with 'person 1' and so on.")
    ] = False,
    judge: JudgeOption = None,
    without: WithoutOption = None,
    base: Annotated[str, typer.Option(help="For iiif: the address where the manifest is published.")] = "",
    comparison: Annotated[str, typer.Option(help="For evidence: the id of one comparison.")] = "",
    query: Annotated[
        str, typer.Option(help="For evidence: a library query. Its parameters are options: --prompt …")
    ] = "",
    overwrite: OverwriteOption = False,
) -> None:
    """Write a study or an HSG for another tool, or as evidence that a reviewer can verify.

    [bold]Examples[/bold]

    $ semiosis export graphml STUDY study.graphml

    $ semiosis export parquet STUDY tables/ --anonymise

    $ semiosis export iiif STUDY manifest.json --base https://example.org/study

    $ semiosis export evidence STUDY evidence.zip

    $ semiosis export evidence STUDY evidence --query lost-intent --prompt Annunciation
    """
    from semiosis.export import EXPORT_FORMATS, export_study
    from semiosis.values import UsageError

    source, out, given = _parse_words(words, query)
    if form == "evidence":
        _export_evidence(_study(source, anonymise, judge, without), out, comparison, query, given, overwrite)
        return
    if comparison or query:
        raise UsageError(
            f"--comparison and --query cannot be used with {form}", fix="leave them out, or export evidence"
        )
    formats = [name for name in EXPORT_FORMATS if name == form]
    if not formats:
        raise UsageError(
            f"{form!r} is not an export format", fix=f"choose one of evidence, {', '.join(EXPORT_FORMATS)}"
        )
    exported = export_study(
        _source(source, anonymise, judge, without), formats[0], out, base=base, overwrite=overwrite
    )
    files = f"{len(exported.files)} files" if len(exported.files) > 2 else str(exported.files[0])
    hsgs = f"{counted(exported.hsgs, 'HSG')} to " if form not in ("csv", "parquet") else ""
    remark(f"wrote {hsgs}{files}; CITATION.bib states what to cite")


def _parse_words(words: list[str], query: str) -> tuple[str, str, dict[str, str]]:
    """Return the source, the target and the parameters of a query, which may come in any order."""
    from semiosis.values import UsageError

    plain: list[str] = []
    given: list[str] = []
    remaining = list(words)
    while remaining:
        word = remaining.pop(0)
        if word.startswith("--"):
            if not query:
                raise UsageError(
                    f"there is no option {word}", fix="run semiosis export --help for the options"
                )
            given += [word] if "=" in word else [word, *remaining[:1]]
            remaining = remaining if "=" in word else remaining[1:]
        else:
            plain.append(word)
    if len(plain) != 2:
        raise UsageError(
            f"export needs a source and a target; {counted(len(plain), 'argument')} given",
            fix="give both, for example: semiosis export csv STUDY tables/",
        )
    return plain[0], plain[1], query_parameters(given)


def cite() -> None:
    """Print the BibTeX entries of Semiosis in this version and of the papers whose methods it implements.

    [bold]Examples[/bold]

    $ semiosis cite > semiosis.bib
    """
    from semiosis.export import citation_bibtex

    show_document(citation_bibtex())


def _export_evidence(
    study: "Study",
    out: str,
    comparison: str,
    query: str,
    given: dict[str, str],
    overwrite: bool,
) -> None:
    from semiosis.export import EvidenceQuery, export_evidence
    from semiosis.values import UsageError

    if comparison and query:
        raise UsageError("--comparison and --query cannot be combined", fix="choose one")
    evidence_query = EvidenceQuery(query, given) if query else None
    manifest = export_evidence(study, out, comparison=comparison, query=evidence_query, overwrite=overwrite)
    remark(f"wrote {len(manifest.files)} files to {out}; check them with: semiosis verify {out}")


def _study(folder: str, anonymous: bool, judge: list[str] | None, without: list[str] | None) -> "Study":
    from semiosis.study import anonymise

    study = read_selected(folder, judge, without)
    return anonymise(study) if anonymous else study


def _source(what: str, anonymous: bool, judge: list[str] | None, without: list[str] | None) -> "Study | HSG":
    from semiosis.files import read_hsg
    from semiosis.values import UsageError

    if Path(what).is_dir():
        return _study(what, anonymous, judge, without)
    if judge or without:
        raise UsageError("one HSG has no judges", where=what, fix="give a study folder")
    if anonymous:
        raise UsageError("one HSG cannot be anonymised", where=what, fix="give a study folder")
    return read_hsg(what)
