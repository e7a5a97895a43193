"""Recognises the columns of a table by their headings, and reads whole numbers from cells."""

import re
from collections.abc import Mapping, Sequence

from semiosis.values import UsageError

MAX_DIGITS = 15
"""The maximum number of digits of a whole number. Every database stores such a number exactly."""


def heading_key(heading: str) -> str:
    """Return a heading in the form in which headings are compared: "File Name" is file_name."""
    return re.sub(r"[\s\-]+", "_", heading.casefold())


def shown_headings(headings: Sequence[str]) -> str:
    """Return the first headings, shortened: the first line of a file that is not a table may be long."""
    text = ", ".join(repr(heading[:40]) for heading in headings[:20])
    return f"{text}, …" if len(headings) > 20 else text


def match_headings(
    headings: Sequence[str],
    spellings: Mapping[str, Sequence[str]],
    stated: Mapping[str, str],
    where: str = "",
) -> dict[str, str]:
    """Return the column name of each heading that is recognised.

    `spellings` has the headings of each column, the likeliest first; its own name is always recognised.
    `stated` are the headings that the user named, by column; an empty one switches the recognition off.
    """
    by_key = {heading_key(heading): heading for heading in reversed(headings)}
    names: dict[str, str] = {}
    for name, heading in stated.items():
        if name not in spellings:
            raise UsageError(f"unknown column {name!r}", fix=f"use one of {', '.join(spellings)}")
        if not heading:  # the user switches a guess off
            continue
        if heading not in headings:
            raise UsageError(
                f"there is no column {heading!r}", where=where, fix=f"columns: {shown_headings(headings)}"
            )
        if heading in names:
            raise UsageError(
                f"the column {heading!r} is named twice, as {names[heading]!r} and {name!r}",
                fix="give each column one name",
            )
        names[heading] = name
    for name, others in spellings.items():
        match = next((by_key[spelling] for spelling in (name, *others) if spelling in by_key), None)
        off = stated.get(name) == ""
        if name not in names.values() and match is not None and match not in names and not off:
            names[match] = name
    return names


def whole_number(cell: str, what: str, at_least: int = 0) -> int:
    """Return the whole number in a cell. 1.0 is accepted, because some programs write it instead of 1."""
    plain = re.sub(r"\.0*$", "", cell)
    if not plain.isdecimal() or len(plain) > MAX_DIGITS or int(plain) < at_least:
        from_ = f" from {at_least}" if at_least else ""
        raise ValueError(f"{what} {cell!r} is not a whole number{from_}")
    return int(plain)
