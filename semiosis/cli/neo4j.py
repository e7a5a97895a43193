"""`semiosis neo4j`: a Neo4j server on this machine, without Docker."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._output import remark, show, show_json

if TYPE_CHECKING:
    from semiosis.local_neo4j import LocalServer

app = typer.Typer(
    help="Start and stop Neo4j Community on this machine, and open Neo4j Browser.\n\n"
    "Neo4j Community is free software under GPL-3. It is downloaded at the first start and runs as a "
    "separate process; it is not part of Semiosis.",
    no_args_is_help=True,
)

HomeOption = Annotated[
    Path | None,
    typer.Option(
        envvar="SEMIOSIS_NEO4J_HOME",
        help="The folder of the server; by default in the user's data folder.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def start(
    home: HomeOption = None,
    release: Annotated[str, typer.Option(help="The release: 5.26 (long-term support) or 2026.05.")] = "",
    bolt_port: Annotated[int | None, typer.Option(help="The Bolt port; a free one by default.")] = None,
    http_port: Annotated[
        int | None, typer.Option(help="The port of Neo4j Browser; a free one by default.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Start the server and print its address. Starting it twice changes nothing.

    The first start downloads 143 MB. Later starts take about ten seconds and need no network.

    [bold]Example[/bold]

    $ semiosis neo4j start
    """
    from semiosis.local_neo4j import start_server

    remark("Neo4j Community (GPL-3) runs as a separate process that only this machine can reach")
    with _downloading() as progress:
        server = start_server(
            home, release=release or None, bolt_port=bolt_port, http_port=http_port, progress=progress
        )
    _show(server, as_json)


@app.command()
def stop(home: HomeOption = None) -> None:
    """Stop the server. Its data is kept.

    [bold]Example[/bold]

    $ semiosis neo4j stop
    """
    from semiosis.local_neo4j import stop_server

    server = stop_server(home)
    remark(f"stopped; the data is kept in {server.home}")


@app.command()
def status(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Print the state and the address of the server and the path of its password file.

    The exit code is 1 if the server is not running.

    [bold]Example[/bold]

    $ semiosis neo4j status
    """
    server = _found(home)
    _show(server, as_json)
    if server.state == "starting":
        remark("the server has not answered yet; semiosis neo4j start waits until it does")
    if server.state == "killed":
        remark(
            "the server was killed, or the machine was restarted; its data is kept; run semiosis neo4j start"
        )
    if server.state != "running":
        raise typer.Exit(1)


@app.command("open")
def open_browser(
    home: HomeOption = None,
    print_only: Annotated[bool, typer.Option("--print", help="Only print the address.")] = False,
) -> None:
    """Open Neo4j Browser.

    [bold]Example[/bold]

    $ semiosis neo4j open
    """
    import webbrowser

    from semiosis.values import MachineError, UsageError

    server = _found(home)
    if server.state != "running":
        raise MachineError(f"the server is {server.state}", fix="run semiosis neo4j start")
    if server.browser is None:
        raise UsageError(
            f"release {server.release} comes without Neo4j Browser",
            fix=f"open another Neo4j Browser and connect it to {server.url}",
        )
    show(server.browser)
    remark(f"user neo4j, password in {server.password_file}")
    if not print_only:
        webbrowser.open(server.browser)


def _found(home: Path | None) -> "LocalServer":
    from semiosis.local_neo4j import find_server
    from semiosis.values import UsageError

    server = find_server(home)
    if server is None:
        raise UsageError("no Neo4j server was started", where=str(home or ""), fix="run semiosis neo4j start")
    return server


def _show(server: "LocalServer", as_json: bool) -> None:
    facts = {
        "state": server.state,
        "url": server.url,
        "browser": server.browser,
        "user": "neo4j",
        "password_file": str(server.password_file),
        "release": server.release,
        "home": str(server.home),
    }
    if as_json:
        show_json(facts)
        return
    for name, fact in facts.items():
        if fact is not None:
            show(f"{name:14}{fact}")


@contextmanager
def _downloading() -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on standard error while files are downloaded."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = (TextColumn("downloading Neo4j"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("jars")
        yield lambda done, total: bar.update(task, completed=done, total=total)
