"""`semiosis neo4j`: a real Neo4j on this machine, without Docker."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._output import remark, show, show_json

if TYPE_CHECKING:
    from semiosis.server import LocalServer

app = typer.Typer(
    help="Start a real Neo4j Community on this machine, stop it, open Neo4j Browser.\n\n"
    "Neo4j Community is free software under GPL-3. It is downloaded at the first start and runs as its own "
    "process; nothing of it comes with Semiosis.",
    no_args_is_help=True,
)

Home = Annotated[
    Path | None,
    typer.Option(envvar="SEMIOSIS_NEO4J_HOME", help="Where its data lives; a place of its own by default."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def start(
    home: Home = None,
    release: Annotated[str, typer.Option(help="5.26, the long-term one, or 2026.05.")] = "",
    bolt_port: Annotated[int | None, typer.Option(help="A port; a free one by default.")] = None,
    http_port: Annotated[int | None, typer.Option(help="The Browser's port; a free one by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Start the server and print its address. Starting it twice changes nothing.

    The first start downloads 143 MB; later ones take about ten seconds and need no network.

    [bold]Example[/bold]

    $ semiosis neo4j start
    """
    from semiosis.server import start_server

    remark("Neo4j Community, GPL-3, as its own process on this machine only")
    with _downloading() as progress:
        server = start_server(
            home, release=release or None, bolt_port=bolt_port, http_port=http_port, progress=progress
        )
    _show(server, as_json)


@app.command()
def stop(home: Home = None) -> None:
    """Stop the server; its data is kept.

    [bold]Example[/bold]

    $ semiosis neo4j stop
    """
    from semiosis.server import stop_server

    server = stop_server(home)
    remark(f"stopped; the data is kept in {server.home}")


@app.command()
def status(home: Home = None, as_json: AsJson = False) -> None:
    """Say whether the server runs, where it is, and where its password is. Fails when it does not run.

    [bold]Example[/bold]

    $ semiosis neo4j status
    """
    server = _found(home)
    _show(server, as_json)
    if server.state == "killed":
        remark("it was killed, or the machine was restarted; the data is kept: semiosis neo4j start")
    if server.state != "running":
        raise typer.Exit(1)


@app.command("open")
def open_browser(
    home: Home = None,
    print_only: Annotated[bool, typer.Option("--print", help="Print the address, open nothing.")] = False,
) -> None:
    """Open Neo4j Browser.

    [bold]Example[/bold]

    $ semiosis neo4j open
    """
    import webbrowser

    from semiosis.values import MachineError, UsageError

    server = _found(home)
    if server.state != "running":
        raise MachineError(f"the server is {server.state}", fix="semiosis neo4j start")
    if server.browser is None:
        raise UsageError(
            f"no Neo4j Browser comes with release {server.release}",
            fix=f"open any Neo4j Browser and connect it to {server.url}",
        )
    show(server.browser)
    remark(f"user neo4j, password in {server.password_file}")
    if not print_only:
        webbrowser.open(server.browser)


def _found(home: Path | None) -> "LocalServer":
    from semiosis.server import find_server
    from semiosis.values import UsageError

    server = find_server(home)
    if server is None:
        raise UsageError("no Neo4j has been started here", fix="semiosis neo4j start")
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
    """A bar on standard error, as long as there is something to download."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    columns = (TextColumn("jars, checked"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("jars")
        yield lambda done, total: bar.update(task, completed=done, total=total)
