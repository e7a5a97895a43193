"""`semiosis diff`: the fate of a prompt's meaning in an artifact."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from semiosis.cli import _aligning as aligning
from semiosis.cli import _models as models
from semiosis.cli._output import remark, show, show_document, show_json_text, wants_traceback
from semiosis.cli._saving import check_store

if TYPE_CHECKING:
    from semiosis.report import DiffReport
    from semiosis.values import HSG, Alignment

    Pairs = Sequence[tuple[HSG, HSG]]
    Align = Callable[[Pairs], list[Alignment] | None]

DIFFERENT, FAILED = 1, 2
"""Exit codes with --exit-code, so that scripts can distinguish a difference from a failure."""


class Diff(NamedTuple):
    """The alignments of one call, their report and their JSON."""

    alignments: "Sequence[Alignment]"
    report: "DiffReport"
    json: Callable[[], str]


@models.with_options
def diff(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="PROMPT ARTIFACT [ARTIFACT]",
            help="HSGs in YAML or JSON. Two artifacts are shown side by side.",
        ),
    ],
    cascade: Annotated[
        bool,
        typer.Option(
            "--cascade", help="Treat the files as rounds of one cascade and show where nodes were lost."
        ),
    ] = False,
    embedder: aligning.EmbedderOption = "wordllama",
    weights: aligning.WeightsOption = None,
    stat: Annotated[bool, typer.Option("--stat", help="Print one line with counts, n and Δo.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the alignment as JSON.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Print an HTML page.")] = False,
    markdown: Annotated[bool, typer.Option("--md", help="Print Markdown.")] = False,
    exit_code: Annotated[
        bool,
        typer.Option(
            "--exit-code",
            help="Exit with 0 if all nodes match and none was added, 1 otherwise, and 2 on failure.",
        ),
    ] = False,
    save: Annotated[
        str, typer.Option(help="Save the HSGs and alignments to this study folder or neo4j:// address.")
    ] = "",
    fates: Annotated[
        list[str] | None,
        typer.Option("--fates", help="Fates by hand in YAML for these files, instead of an embedder."),
    ] = None,
    journal: models.JournalOption = "",
    *,
    asked: models.ModelOptions,
    calls: models.CallOptions,
) -> None:
    """Show what became of a prompt's meaning: matched, lost and emergent nodes, and ground shifts.

    By default, an embedder compares the wording of nodes. With --model, a model states the fate of every
    node. With --fates, a person has stated them (`semiosis align --by-hand`).

    If the files are readings of one sign, the diff compares the readings.

    [bold]Examples[/bold]

    $ semiosis diff prompt.yaml artifact.yaml

    $ semiosis diff prompt.json a.json b.json --html > diff.html

    $ semiosis diff prompt.yaml artifact.yaml --model anthropic/claude-sonnet-5

    $ semiosis diff --cascade round1.json round2.json round3.json round4.json --stat

    $ semiosis diff --exit-code --stat prompt.json artifact.json && echo "nothing lost, nothing added"
    """
    from semiosis.values import SemiosisError

    forms = {"--stat": stat, "--json": as_json, "--html": html, "--md": markdown}

    def by_embedder(pairs: "Pairs") -> "list[Alignment]":
        from semiosis.align import diff_many

        aligning.show_embedder(embedder, weights)
        with aligning.measurement_warnings():
            return list(diff_many(pairs, embedder=embedder, weights=weights))

    def by_model(pairs: "Pairs") -> "list[Alignment] | None":
        from semiosis.align import ModelAligner

        with models.asking(calls, journal) as asker:
            aligning_model = asked.required()
            asker.check(aligning_model)
            aligner = ModelAligner(aligning_model, asker=asker)
            if not calls.dry_run:
                return aligner.align_all(pairs)
            list(aligner.align_many(pairs))
            return None

    def as_stated(pairs: "Pairs") -> "list[Alignment]":
        return _stated(pairs, fates or [])

    try:
        check_store(save)
        form = _output_form([name for name, wanted in forms.items() if wanted])
        align = as_stated if fates else by_model if asked.model else by_embedder
        found = _diff(files, cascade, save, align)
    except SemiosisError as error:
        if not exit_code or wants_traceback():
            raise
        remark(f"error: {error}", style="red")
        raise typer.Exit(FAILED) from error
    if found is None:
        return
    _print(found, form)
    if exit_code and any(_differs(step) for step in found.alignments):
        raise typer.Exit(DIFFERENT)


def _stated(pairs: "Pairs", files: list[str]) -> "list[Alignment]":
    """Return the alignments of these pairs that the files state."""
    from semiosis.align import read_fates
    from semiosis.values import UsageError

    hsgs = {hsg.id: hsg for pair in pairs for hsg in pair}
    alignments = [read_fates(file, hsgs) for file in files]
    by_pair = {(alignment.source.hsg, alignment.target.hsg): alignment for alignment in alignments}
    for source, target in pairs:
        if (source.id, target.id) not in by_pair:
            raise UsageError(
                f"no file of fates aligns HSG {source.id} with HSG {target.id}",
                fix="write the form with semiosis align STUDY --by-hand, and name it with --fates",
            )
    return [by_pair[source.id, target.id] for source, target in pairs]


def _differs(alignment: "Alignment") -> bool:
    """Return whether a node is not matched or was added."""
    return len(alignment.matched) < len(alignment.fates) or bool(alignment.emergent)


def _output_form(forms: list[str]) -> str:
    from semiosis.values import UsageError

    if len(forms) > 1:
        raise UsageError(f"{' and '.join(forms)} cannot be combined", fix="choose one")
    return forms[0] if forms else ""


def _diff(files: list[str], cascade: bool, save: str, align: "Align") -> Diff | None:
    """Return the diff of the files, or None for a dry run."""
    from semiosis.files import read_hsg
    from semiosis.values import UsageError

    if len(files) < 2 or (len(files) > 3 and not cascade):
        raise UsageError(
            f"diff cannot compare {len(files)} file{'s' * (len(files) != 1)}",
            fix="give a prompt and one or two artifacts, or add --cascade for a chain of rounds",
        )
    hsgs = [read_hsg(file) for file in files]
    pairs = [(hsgs[0], other) for other in hsgs[1:]]
    if cascade:
        pairs = [*pairwise(hsgs), (hsgs[0], hsgs[-1])]
    alignments = align(pairs)
    if alignments is None:
        return None
    found = (_drift if cascade else _aligned)(hsgs, alignments)
    if save:
        from semiosis.store import open_store

        with open_store(save) as store:
            store.save(*hsgs, *found.alignments)
        remark(f"saved to {save}")
    return found


def _aligned(hsgs: "Sequence[HSG]", found: "list[Alignment]") -> Diff:
    from semiosis.align import same_place_pairs
    from semiosis.report import diff_report, three_way_json, three_way_report
    from semiosis.values import to_json

    if len(found) == 1:
        same_place = same_place_pairs(found[0], hsgs[0], hsgs[1])
        report = diff_report(found[0], _readers(hsgs), same_place=same_place)
        return Diff(found, report, lambda: to_json(found[0]))
    return Diff(found, three_way_report(found[0], found[1], _readers(hsgs)), lambda: three_way_json(*found))


def _drift(hsgs: "Sequence[HSG]", alignments: "list[Alignment]") -> Diff:
    from semiosis.align import drift_of_alignments
    from semiosis.report import drift_json, drift_report
    from semiosis.values import Cascade

    *steps, whole = alignments
    found = drift_of_alignments(Cascade(tuple(hsgs)), steps, whole)
    return Diff(found.steps, drift_report(found, _readers(hsgs)), lambda: drift_json(found))


def _readers(hsgs: "Sequence[HSG]") -> dict[str, str]:
    return {hsg.reading.interpreter.id: hsg.reading.interpreter.name for hsg in hsgs}


def _print(found: Diff, form: str) -> None:
    if not form:
        from rich.console import Console

        console = Console()
        console.print(found.report.text(console.width), soft_wrap=True, highlight=False)
        return
    printed = {
        "--stat": lambda: "\n".join(found.report.stat),
        "--json": found.json,
        "--html": found.report.page,
        "--md": found.report.markdown,
    }
    write = {"--stat": show, "--json": show_json_text}.get(form, show_document)
    write(printed[form]())
