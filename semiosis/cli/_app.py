"""The application of the command line: its commands, and the messages of errors."""

import inspect
import sys
from typing import Annotated

import typer

from semiosis.cli import (
    agreement,
    align,
    answer,
    consensus,
    convert,
    demo,
    diff,
    doctor,
    experiment,
    export,
    figure,
    import_,
    judge,
    log,
    neo4j,
    profile,
    query,
    rank,
    read,
    report,
    run,
    schema,
    score,
    stats,
    status,
    store,
    study,
    verify,
)
from semiosis.cli._figures import FigureCommand
from semiosis.cli._output import remark, wants_traceback
from semiosis.cli._streams import standard_streams

app = typer.Typer(
    help="Read prompts and artworks as graphs of meaning, and measure how much of the meaning survives.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata

        typer.echo(f"semiosis {metadata.version('semiosis')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[  # its callback prints and exits
        bool,
        typer.Option("--version", help="Print the version and exit.", callback=_version, is_eager=True),
    ] = False,
    debug: Annotated[  # `wants_traceback` reads it, because errors end the context
        bool, typer.Option("--debug", help="Show the traceback of a failure.")
    ] = False,
) -> None:
    """Handle the options of all commands."""


app.command("demo")(demo.demo)
app.command("read")(read.read)
app.command("align")(align.align)
app.command("diff")(diff.diff)
app.command("judge")(judge.judge)
app.command("run")(run.run)
app.command("answer")(answer.answer)
app.command("score")(score.score)
app.command("convert")(convert.convert)
app.command("query", context_settings=query.QUERY_CONTEXT)(query.query)
app.add_typer(store.app, name="store")
app.add_typer(study.app, name="study")
app.add_typer(import_.app, name="import")
app.command("experiment")(experiment.experiment)
app.command("status")(status.status)
app.command("stats")(stats.stats)
app.command("rank")(rank.rank)
app.command("ratings")(rank.ratings)
app.command("profile")(profile.profile)
app.command("agreement")(agreement.agreement)
app.command("consensus")(consensus.consensus)
app.command("report")(report.report)
app.command("figure", cls=FigureCommand)(figure.figure)
app.command("export", context_settings=export.EXPORT_CONTEXT)(export.export)
app.command("verify")(verify.verify)
app.command("cite")(export.cite)
app.add_typer(neo4j.app, name="neo4j")
app.command("log")(log.log)
app.command("schema")(schema.schema)
app.command("doctor")(doctor.doctor)


def _set_help(group: typer.Typer) -> None:
    """Set the help of each command to its docstring, with one line for each paragraph.

    Typer keeps the line breaks of the docstring, which would be misplaced in a narrow terminal.
    """
    for command in group.registered_commands:
        paragraphs = inspect.cleandoc(command.callback.__doc__ or "" if command.callback else "").split(
            "\n\n"
        )
        command.help = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    for subgroup in group.registered_groups:
        if subgroup.typer_instance:
            _set_help(subgroup.typer_instance)


_set_help(app)


def main() -> None:
    """Run the command line and exit."""
    with standard_streams():
        try:
            app()
        except SystemExit as ended:  # this clause keeps the next one from importing the package
            if _is_silent_interrupt(ended):
                remark(
                    "stopped; all recorded results are kept; run the same command again to continue",
                    style="yellow",
                )
            raise
        except _expected_errors() as error:
            if wants_traceback():
                raise
            sys.exit(_report(error))


def _is_silent_interrupt(ended: SystemExit) -> bool:
    """Return whether Typer turned a Ctrl-C outside the calls to models into this exit."""
    return ended.__context__ is not None and isinstance(ended.__context__.__cause__, KeyboardInterrupt)


def _expected_errors() -> tuple[type[Exception], ...]:
    """Return the errors that become messages. They are imported only after a failure, to keep --help fast."""
    from semiosis.values import SemiosisError

    return SemiosisError, OSError


def _report(error: Exception) -> int:
    """Print an error and return the exit code: 2 if the call must change, 1 otherwise."""
    from semiosis.values import UsageError

    remark(f"error: {_system_message(error) if isinstance(error, OSError) else error}", style="red")
    return 2 if isinstance(error, UsageError) else 1


def _system_message(error: OSError) -> str:
    """Return the system's message, preceded by the file. The error of a connection names no file."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename is not None else reason
