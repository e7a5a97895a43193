"""`semiosis store`: commands that save, search, count, copy and remove values of a store."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._output import OverwriteOption, remark, show, show_json, show_rows, show_without_ids
from semiosis.cli._unscored import counted

if TYPE_CHECKING:
    from semiosis.values import Recorded

app = typer.Typer(help="Save, search, count, copy and remove values of a graph store.", no_args_is_help=True)

AddressArgument = Annotated[
    str, typer.Argument(metavar="STORE", help="A study folder or a neo4j:// address.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
DependentsOption = Annotated[
    bool, typer.Option("--dependents", help="Also remove the values that refer to these.")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be removed, and remove nothing.")
]


def report_removed(values: "Sequence[Recorded]", dry_run: bool) -> None:
    """Print the kind and id of each value, and their number."""
    for value in values:
        show(f"{value.kind} {value.id}")
    remark(f"{'would remove' if dry_run else 'removed'} {counted(len(values), 'value')}")


@app.command()
def counts(address: AddressArgument, as_json: JsonOption = False) -> None:
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
    address: AddressArgument,
    text: Annotated[str, typer.Argument(help="The words to search for.")],
    limit: Annotated[int, typer.Option(min=1, help="The maximum number of rows.")] = 20,
    as_json: JsonOption = False,
    ids: Annotated[bool, typer.Option("--ids", help="Show the ids of the semioses in the table.")] = False,
) -> None:
    """Find semioses by their words, the best match first.

    [bold]Example[/bold]

    $ semiosis store search semiosis-demo "purity"
    """
    from semiosis.store import open_store

    with open_store(address) as store:
        rows = store.search(text, limit=limit)
    if as_json or ids:
        show_rows(rows.columns, rows, "json" if as_json else "table")
    else:
        show_without_ids(rows.columns, rows)


@app.command()
def save(
    address: AddressArgument,
    files: Annotated[list[str], typer.Argument(help="HSGs in YAML or JSON, and fates in YAML.")],
) -> None:
    """Save HSGs, and alignments by hand, from files. Saving twice changes nothing.

    [bold]Examples[/bold]

    $ semiosis store save my-study reading.yaml

    $ semiosis store save my-study fates/lily.yaml
    """
    from semiosis.align import is_fates_file
    from semiosis.cli._saving import save_fates, save_readings
    from semiosis.files import read_hsg

    fates = [file for file in files if is_fates_file(file)]
    hsgs = save_readings(address, [read_hsg(file) for file in files if file not in fates])
    alignments = save_fates(address, fates)
    for alignment in alignments:
        show(str(alignment))
    numbers = {"HSG": len(hsgs), "alignment": len(alignments)}
    counts = [counted(number, noun) for noun, number in numbers.items() if number]
    remark(f"saved {' and '.join(counts)} to {address}")


@app.command()
def remove(
    address: AddressArgument,
    ids: Annotated[list[str] | None, typer.Argument(help="The ids of the values to remove.")] = None,
    study: Annotated[str, typer.Option(help="Remove a whole study from a Neo4j.")] = "",
    dependents: DependentsOption = False,
    dry_run: DryRunOption = False,
) -> None:
    """Remove values, or a whole study from a Neo4j.

    A value is kept if values that are not removed refer to it. If you remove a value that supersedes another
    one, the other one becomes current again. Images stay in the study folder.

    [bold]Examples[/bold]

    $ semiosis store remove my-study d17feeb920a6aa835638 --dependents

    $ semiosis store remove neo4j://localhost:7687 --study sample
    """
    from semiosis.store import Neo4jStore, open_store
    from semiosis.values import UsageError

    if bool(ids) == bool(study):
        raise UsageError(
            "remove needs either ids or --study", fix="give one of them: semiosis store remove STORE ID …"
        )
    with open_store(address) as store:
        if not study:
            gone = store.remove(*ids or (), dependents=dependents, dry_run=dry_run)
        elif isinstance(store, Neo4jStore):
            gone = store.remove_study(study, dependents=dependents, dry_run=dry_run)
        else:
            raise UsageError(
                "--study works with Neo4j only",
                where=address,
                fix="delete the study folder instead",
            )
    report_removed(gone, dry_run)


@app.command("copy")
def copy_(
    source: Annotated[str, typer.Argument(help="A study folder or a neo4j:// address.")],
    target: Annotated[
        str, typer.Argument(help="A study folder, which is created if it is missing, or a neo4j:// address.")
    ],
    study: Annotated[str, typer.Option(help="The study to copy if a Neo4j has several.")] = "",
    images: Annotated[
        Path | None, typer.Option(help="The folder of the images, which a Neo4j does not contain.")
    ] = None,
    mirror: Annotated[
        bool, typer.Option(help="Also remove values from the target that the source does not have.")
    ] = False,
) -> None:
    """Copy a study from one store to another, in either direction. Copying twice changes nothing.

    [bold]Examples[/bold]

    $ semiosis store copy semiosis-demo neo4j://localhost:7687

    $ semiosis store copy neo4j://localhost:7687 back --images semiosis-demo
    """
    from semiosis.store import copy_study

    count = copy_study(source, target, study=study, images=images, mirror=mirror)
    remark(f"copied {counted(count, 'value')} to {target}")


@app.command()
def export(
    address: AddressArgument,
    file: Annotated[Path, typer.Argument(help="The .cypher file to write.")],
    overwrite: OverwriteOption = False,
) -> None:
    """Write a study as a .cypher file with constraints and MERGE statements for any Neo4j.

    No server is needed.

    [bold]Example[/bold]

    $ semiosis store export semiosis-demo demo.cypher
    """
    from semiosis.store import export_cypher
    from semiosis.study import require_no_keys

    if Path(address).is_dir():
        require_no_keys(Path(address))
    count = export_cypher(address, file, overwrite=overwrite)
    remark(f"wrote {counted(count, 'statement')} to {file}; load them with: cypher-shell --file {file}")
