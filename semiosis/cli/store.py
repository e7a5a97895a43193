"""`semiosis store`: what a store holds."""

from pathlib import Path
from typing import Annotated

import typer

from semiosis.cli._output import remark, show_json, show_rows

app = typer.Typer(help="Save to a graph store, and see what it holds.", no_args_is_help=True)

Address = Annotated[str, typer.Argument(help="A study folder or a neo4j:// address.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def counts(address: Address, as_json: AsJson = False) -> None:
    """Count nodes by label and edges by type.

    [bold]Example[/bold]

    $ semiosis store counts semiosis-demo
    """
    from semiosis.store import open_store

    with open_store(address) as store:
        found = store.counts()
    if as_json:
        show_json({"nodes": dict(found.nodes), "edges": dict(found.edges)})
        return
    rows = [{"what": f"(:{label})", "n": n} for label, n in found.nodes.items()]
    rows += [{"what": f"[:{word}]", "n": n} for word, n in found.edges.items()]
    show_rows(("what", "n"), rows, "table")


@app.command()
def search(
    address: Address,
    text: Annotated[str, typer.Argument(help="Words to look for.")],
    limit: Annotated[int, typer.Option(min=1, help="Rows to return at most.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Find semioses by the words they use, best match first.

    [bold]Example[/bold]

    $ semiosis store search semiosis-demo "purity"
    """
    from semiosis.store import open_store

    with open_store(address) as store:
        rows = store.search(text, limit=limit)
    show_rows(rows.columns, rows, "json" if as_json else "table")


@app.command()
def save(
    address: Address,
    files: Annotated[list[str], typer.Argument(help="HSGs: hand-written YAML or JSON.")],
) -> None:
    """Save HSGs from files. Saving twice changes nothing.

    [bold]Example[/bold]

    $ semiosis store save my-study reading.yaml
    """
    from semiosis.cli._saving import save_readings
    from semiosis.files import read_hsg

    hsgs = save_readings(address, [read_hsg(file) for file in files])
    remark(f"saved {len(hsgs)} HSG{'' if len(hsgs) == 1 else 's'} to {address}")


@app.command("copy")
def copy_(
    source: Annotated[str, typer.Argument(help="A study folder or a neo4j:// address.")],
    target: Annotated[str, typer.Argument(help="A study folder, made if need be, or a neo4j:// address.")],
    study: Annotated[str, typer.Option(help="Which study, where a Neo4j holds several.")] = "",
    images: Annotated[Path | None, typer.Option(help="Where pictures lie; a Neo4j holds words only.")] = None,
) -> None:
    """Copy a study from one store to another, either way. Copying twice changes nothing.

    [bold]Examples[/bold]

    $ semiosis store copy semiosis-demo neo4j://localhost:7687

    $ semiosis store copy neo4j://localhost:7687 back --images semiosis-demo
    """
    from semiosis.store import copy_study

    count = copy_study(source, target, study=study, images=images)
    remark(f"copied {count:,} values to {target}")


@app.command()
def export(
    address: Address, file: Annotated[Path, typer.Argument(help="The .cypher file to write.")]
) -> None:
    """Write a study as a .cypher file: constraints and MERGE statements for any Neo4j. No server is needed.

    [bold]Example[/bold]

    $ semiosis store export semiosis-demo demo.cypher
    """
    from semiosis.store import export_cypher

    count = export_cypher(address, file)
    remark(f"wrote {count:,} statements to {file}; load them with: cypher-shell --file {file}")
