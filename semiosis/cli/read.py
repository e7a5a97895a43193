"""`semiosis read`: a hand-written HSG, checked and shown."""

from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli import _models as models
from semiosis.cli._output import remark, show

if TYPE_CHECKING:
    from semiosis.ask import Asker, Model
    from semiosis.values import HSG


def read(
    what: Annotated[str, typer.Argument(help="A reading (YAML or JSON); with --model an image or a text.")],
    model: models.ModelName = "",
    given: Annotated[str, typer.Option(help="HSG of the prompt to read an artifact by; blind without.")] = "",
    detail: Annotated[str, typer.Option(help="standard or complex.")] = "standard",
    repeat: Annotated[int, typer.Option(help="Which independent reading; 0 is the first.")] = 0,
    base_url: models.BaseUrl = "",
    max_tokens: models.MaxTokens = 0,
    temperature: models.Temperature = -1.0,
    max_cost: models.MaxCost = 0.0,
    prices: models.PriceFile = "",
    dry_run: models.DryRun = False,
    journal: models.Journal = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the HSG as JSON.")] = False,
    save: Annotated[str, typer.Option(help="Save it to this study folder or neo4j:// address.")] = "",
) -> None:
    """Read a sign with a model, or an HSG from a file; check it, and show it.

    [bold]Examples[/bold]

    $ semiosis read reading.yaml

    $ semiosis read "The Annunciation, with a white lily" --model anthropic/claude-sonnet-5 --json > p.json

    $ semiosis read a.png --given p.json --model anthropic/claude-sonnet-5
    """
    from semiosis.files import read_hsg
    from semiosis.values import to_json

    if model:
        with models.asking(journal, max_cost=max_cost, prices=prices, dry_run=dry_run) as asker:
            asked = models.model_of(model, base_url, max_tokens, temperature)
            hsg = _read_with(asked, asker, what, given, detail, repeat)
        if dry_run:
            return
    else:
        hsg = read_hsg(what)
    if save:
        from semiosis.store import open_store

        with open_store(save) as store:
            store.save(hsg)
        remark(f"saved to {save}")
    if as_json:
        show(to_json(hsg))
    else:
        _outline(hsg)


def _read_with(model: "Model", asker: "Asker", what: str, given: str, detail: str, repeat: int) -> "HSG":
    from semiosis.files import read_hsg
    from semiosis.read import Reader
    from semiosis.values import DETAILS, HSG, UsageError

    depths = [depth for depth in DETAILS if depth == detail]
    if not depths:
        raise UsageError(f"{detail!r} is no depth of reading", fix=f"choose {' or '.join(DETAILS)}")
    sign = models.sign_or_hsg(what)
    if isinstance(sign, HSG):
        raise UsageError("this is a reading already", fix="leave --model out to show it")
    shown = read_hsg(given) if given else None
    return Reader(model, asker=asker).read(sign, given=shown, detail=depths[0], repeat=repeat)


def _outline(hsg: "HSG") -> None:
    """The HSG as an indented outline."""
    relations = {relation.part: relation for relation in hsg.relations if relation.hierarchy}
    show(f"HSG {hsg.id}, read by {hsg.reading.interpreter.name} ({'blind' if hsg.blind else 'given'})")
    for depth, node in hsg.outline():
        semiosis, indent = hsg.semioses[node], "  " * depth
        how = f" [{relations[node].relation}: {relations[node].how}]" if node in relations else ""
        show(f"{indent}{semiosis.label}: {semiosis.object}{how}")
        strengths = "/".join(f"{strength:g}" for strength in semiosis.grounds.strengths)
        show(f"{indent}  “{semiosis.sign}” → {semiosis.interpretant}  ({strengths}, {semiosis.grounding})")
    if hsg.ungrounded:
        remark(f"{len(hsg.ungrounded)} ungrounded: {', '.join(hsg.ungrounded)}")
