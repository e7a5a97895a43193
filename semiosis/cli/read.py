"""`semiosis read`: a hand-written HSG, checked and shown."""

from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._output import remark, show

if TYPE_CHECKING:
    from semiosis.values import HSG


def read(
    what: Annotated[str, typer.Argument(help="A hand-written reading (YAML), or an HSG in JSON.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the HSG as JSON.")] = False,
    save: Annotated[str, typer.Option(help="Save it to this study folder or neo4j:// address.")] = "",
) -> None:
    """Read an HSG from a file, check it, and show it.

    [bold]Examples[/bold]

    $ semiosis read reading.yaml

    $ semiosis read reading.yaml --json > reading.json
    """
    from semiosis.values import read_hsg, to_json

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
