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
    from semiosis.values import UsageError

    named = {}
    for option in options or ():
        name, equals, heading = option.partition("=")
        if not equals:
            raise UsageError(f"--column {option!r} has no '='", fix="write --column NAME=HEADING")
        named[name.strip()] = heading.strip()
    return named


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
