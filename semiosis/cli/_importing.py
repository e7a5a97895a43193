"""Options and output that the importing commands share."""

from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._output import remark, show

if TYPE_CHECKING:
    from semiosis.study import ImportResult

Column = Annotated[
    list[str] | None, typer.Option(help="Name a column: --column prompt=Caption.", metavar="NAME=HEADING")
]
Encoding = Annotated[str, typer.Option(help="Encoding of the table if it is not UTF-8, such as cp1252.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be added, and write nothing.")]

MOST_NOTES = 10


def named_columns(options: list[str] | None) -> dict[str, str]:
    """Return the headings of the columns that `--column NAME=HEADING` names."""
    return dict(pairs(options, "--column", "NAME=HEADING"))


def pairs(options: list[str] | None, option: str, form: str) -> list[tuple[str, str]]:
    """Return the two parts of each use of an option of the form NAME=VALUE."""
    from semiosis.values import UsageError

    found = []
    for given in options or ():
        name, equals, value = given.partition("=")
        if not equals:
            raise UsageError(f"{option} {given!r} has no '='", fix=f"write {option} {form}")
        found.append((name.strip(), value.strip()))
    return found


def report_added(added: "ImportResult", dry_run: bool) -> None:
    """Print how many values of each kind are new, and what a person should know."""
    for kind, n in added.counts.items():
        show(f"{kind:<12}{n:>8,}")
    for note in added.notes[:MOST_NOTES]:
        remark(f"note: {note}")
    if len(added.notes) > MOST_NOTES:
        remark(f"note: and {len(added.notes) - MOST_NOTES:,} more such lines")
    done = "would add" if dry_run else "added"
    remark(f"{done} {len(added.new):,} values; {added.known:,} were there already")
