"""`semiosis diff`: what of one HSG's meaning another keeps, loses and adds."""

import shutil
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli import _models as models
from semiosis.cli._output import remark, show

if TYPE_CHECKING:
    from semiosis.align import Adjudicator
    from semiosis.report import Sheet
    from semiosis.values import HSG, Alignment

_NARROW = 100


def diff(
    files: Annotated[
        list[str], typer.Argument(help="SOURCE TARGET, or PROMPT A B, or with --drift every round.")
    ],
    stat: Annotated[bool, typer.Option("--stat", help="One line only.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The alignments as JSON, one a line.")] = False,
    html: Annotated[bool, typer.Option("--html", help="A page.")] = False,
    markdown: Annotated[bool, typer.Option("--md", help="A Markdown table.")] = False,
    drift: Annotated[bool, typer.Option("--drift", help="Follow each meaning along a cascade.")] = False,
    exit_code: Annotated[
        bool, typer.Option("--exit-code", help="End with 1 if anything was lost or emerged, else with 0.")
    ] = False,
    embedder: Annotated[
        str, typer.Option(help="Who compares the texts: wordllama, minilm or hf:<id>.")
    ] = "wordllama",
    adjudicator: Annotated[
        str, typer.Option(help="provider/model that settles the least certain nodes.")
    ] = "",
    share: Annotated[float, typer.Option(help="Share of nodes put to the adjudicator.")] = 0.15,
    base_url: models.BaseUrl = "",
    max_cost: models.MaxCost = 0.0,
    journal: models.Journal = "",
) -> None:
    """Align HSGs and show what is kept (=), lost (-) and new (+).

    [bold]Examples[/bold]

    $ semiosis diff prompt.yaml artifact.yaml

    $ semiosis diff prompt.yaml a.yaml b.yaml --md

    $ semiosis diff --drift round1.yaml round2.yaml round3.yaml
    """
    from semiosis.values import UsageError, read_hsg, to_json

    if len(files) < 2 or (len(files) > 3 and not drift):
        raise UsageError(
            "a diff takes a source and one or two targets", fix="or --drift with all rounds in order"
        )
    hsgs = [read_hsg(file) for file in files]
    remark(_which(embedder), style="dim")
    if drift:
        sheet, found = _drift(hsgs, embedder)
    elif adjudicator:
        from semiosis.judge import ModelAdjudicator

        with models.asking(journal, max_cost=max_cost) as asker:
            judge = ModelAdjudicator(models.model_of(adjudicator, base_url), asker=asker)
            sheet, found = _against(hsgs, embedder, judge, share)
    else:
        sheet, found = _against(hsgs, embedder, None, share)
    if as_json:
        for alignment in found:
            show(to_json(alignment))
    elif stat:
        show(sheet.title)
    else:
        sys.stdout.write(_printed(sheet, html=html, markdown=markdown))
    if exit_code and any(alignment.lost or alignment.emergent for alignment in found):
        raise typer.Exit(1)


def _against(
    hsgs: "list[HSG]", embedder: str, adjudicator: "Adjudicator | None", share: float
) -> "tuple[Sheet, list[Alignment]]":
    from semiosis.align import diff as align
    from semiosis.report import diff_sheet, three_way_sheet

    source, *targets = hsgs
    found = [
        align(source, target, embedder=embedder, adjudicator=adjudicator, share=share) for target in targets
    ]
    return three_way_sheet(*found) if len(found) == 2 else diff_sheet(found[0]), found


def _drift(hsgs: "list[HSG]", embedder: str) -> "tuple[Sheet, list[Alignment]]":
    from semiosis.align import drift as follow
    from semiosis.report import drift_sheet
    from semiosis.values import Cascade

    followed = follow(Cascade(tuple(hsgs)), embedder=embedder)
    return drift_sheet(followed), [*followed.steps, followed.whole]


def _printed(sheet: "Sheet", *, html: bool, markdown: bool) -> str:
    if html:
        return sheet.html()
    if markdown:
        return sheet.markdown()
    colour = sys.stdout.isatty()
    return sheet.terminal(width=shutil.get_terminal_size((_NARROW, 24)).columns, colour=colour)


def _which(embedder: str) -> str:
    """Which embedder runs, and what the better one would give."""
    from semiosis.align import weights_of

    if embedder != "wordllama":
        return f"comparing texts with {embedder}"
    own, better = (weights_of(name).expected["small"] for name in ("wordllama", "minilm"))
    return f"comparing texts with wordllama (F1 {own:.2f} on planted graphs; --embedder minilm: {better:.2f})"
