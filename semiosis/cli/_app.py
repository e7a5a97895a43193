"""Gathers the verbs and turns errors into messages."""

import os
import sys
from typing import Annotated

import typer

from semiosis.cli import (
    demo,
    diff,
    doctor,
    judge,
    migrate,
    neo4j,
    query,
    read,
    run,
    schema,
    stats,
    store,
    study,
)
from semiosis.cli._output import remark

app = typer.Typer(
    help="Reads prompts and artworks as graphs of meaning, and measures how much of the meaning survives.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of a failure.")] = False,
) -> None:
    if debug:
        os.environ["SEMIOSIS_DEBUG"] = "1"


app.command("demo")(demo.demo)
app.command("read")(read.read)
app.command("diff")(diff.diff)
app.command("judge")(judge.judge)
app.command("run")(run.run)
app.command("query", context_settings=query.CONTEXT)(query.query)
app.add_typer(store.app, name="store")
app.add_typer(study.app, name="study")
app.command("stats")(stats.stats)
app.add_typer(neo4j.app, name="neo4j")
app.command("schema")(schema.schema)
app.command("migrate")(migrate.migrate)
app.command("doctor")(doctor.doctor)


def main() -> None:
    """Run the command line."""
    try:
        app()
    except _expected() as error:
        sys.exit(_tell(error))


def _expected() -> type[Exception]:
    """The errors we raise on purpose; looked up when something was raised, so that --help stays light."""
    from semiosis.values import SemiosisError

    return SemiosisError


def _tell(error: Exception) -> int:
    from semiosis.values import UsageError

    if os.environ.get("SEMIOSIS_DEBUG"):
        raise error
    remark(f"error: {error}", style="red")
    return 2 if isinstance(error, UsageError) else 1
