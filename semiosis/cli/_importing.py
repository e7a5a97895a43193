"""The options and the output that the importing commands share."""

import shlex
from textwrap import shorten
from typing import TYPE_CHECKING, Annotated

import typer

from semiosis.cli._output import remark, show

if TYPE_CHECKING:
    from semiosis.study import ImportResult

ColumnOption = Annotated[
    list[str] | None,
    typer.Option(
        help="The heading of a column, such as prompt=Caption; prompt= for no column. May be repeated.",
        metavar="NAME=HEADING",
    ),
]
EncodingOption = Annotated[
    str, typer.Option(help="Encoding of the table if it is not UTF-8, such as cp1252.")
]
DryRunOption = Annotated[bool, typer.Option("--dry-run", help="Show what would be added, and write nothing.")]

MOST_NOTES = 10
"""The maximum number of notes that are printed. An import may have thousands."""
MOST_PROMPTS = 3
"""The number of prompts that a dry run shows with their pictures."""


def named_columns(options: list[str] | None) -> dict[str, str]:
    """Return the headings of the columns that `--column NAME=HEADING` names."""
    return dict(option_pairs(options, "--column", "NAME=HEADING"))


def option_pairs(options: list[str] | None, option: str, form: str) -> list[tuple[str, str]]:
    """Return the two parts of each use of an option of the form NAME=VALUE."""
    from semiosis.values import UsageError

    found = []
    for given in options or ():
        name, equals, value = given.partition("=")
        if not equals:
            raise UsageError(f"{option} {given!r} has no '='", fix=f"write {option} {form}")
        found.append((name.strip(), value.strip()))
    return found


def command(*words: object) -> str:
    """Return a command line of this program that can be pasted into a shell."""
    return shlex.join(["semiosis", *map(str, words)])


def report_added(added: "ImportResult", dry_run: bool, then: str = "") -> None:
    """Print how many values of each kind are new, the notes of the import, and the next command."""
    for kind, n in added.counts.items():
        show(f"{kind:<12}{n:>8,}")
    if dry_run:
        for line in _new_pictures(added):
            remark(line)
    for note in added.notes[:MOST_NOTES]:
        remark(f"note: {note}")
    if len(added.notes) > MOST_NOTES:
        remark(f"note: {len(added.notes) - MOST_NOTES:,} more notes are not shown")
    done = "would add" if dry_run else "added"
    remark(f"{done} {len(added.new):,} values; {added.known:,} already in the study")
    if dry_run and added.new:
        remark("next: the same command without --dry-run")
    elif then and not dry_run:
        remark(f"next: {then}")


def _new_pictures(added: "ImportResult") -> list[str]:
    """Return the first new prompts with their new pictures, so that a user notices a wrong column."""
    from semiosis.values import CompositeSign, ImageSign, MissingSign, TextSign

    prompts: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    for value in added.new:
        if isinstance(value, ImageSign) and value.prompt:
            name = " ".join(filter(None, (value.generator or value.title, value.seed)))
            prompts.setdefault(value.prompt, []).append(name)
        elif isinstance(value, MissingSign):
            prompts.setdefault(value.prompt, []).append(f"{value.generator} ({value.reason})")
        elif isinstance(value, TextSign | CompositeSign):
            text = shorten(value.text, 50, placeholder="…") if isinstance(value, TextSign) else "composite"
            titles[value.id] = f"{value.title} ({text})" if value.title else text
    lines = [f"{titles.get(prompt, prompt)}: {', '.join(names)}" for prompt, names in prompts.items()]
    more = [f"and {len(lines) - MOST_PROMPTS:,} more prompts"] if len(lines) > MOST_PROMPTS else []
    return [*lines[:MOST_PROMPTS], *more]
