"""Writes data to standard output as a table, CSV or JSON, and remarks to standard error."""

import csv
import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

Format = Literal["table", "csv", "json"]


def plain(text: object) -> str:
    """Text that cannot steer the terminal it is shown on."""
    from semiosis.files import visible

    return visible(str(text))


def remark(text: str, style: str = "") -> None:
    """Write a line for the person at the terminal to standard error."""
    from rich.console import Console

    Console(stderr=True, soft_wrap=True).print(
        plain(text), style=style or None, markup=False, highlight=False
    )


def show(text: str) -> None:
    """Write a line of data to standard output."""
    sys.stdout.write(plain(text) + "\n")


def show_json(value: object) -> None:
    """Write a value as JSON to standard output."""
    show_document(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def show_document(text: str) -> None:
    """Write a document that another program reads: in UTF-8, whatever the encoding of standard output is."""
    if sys.stdout.isatty():
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))


def show_rows(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], form: Format) -> None:
    """Write rows to standard output in this form."""
    _FORMS[form](columns, list(rows))


def _table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    numeric = {name for name in columns if rows and all(isinstance(row[name], int | float) for row in rows)}
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in columns:
        table.add_column(Text(plain(name)), justify="right" if name in numeric else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell(row[name])) for name in columns))
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def cell(value: object) -> str:
    """Return a value as a table shows it."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".") if abs(value) < 1e6 else f"{value:g}"
    if isinstance(value, list | tuple):
        return ", ".join(cell(item) for item in value)
    if isinstance(value, dict):
        return plain(json.dumps(value, ensure_ascii=False))
    return plain(value)


def _csv(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([_inert(name) for name in columns])
    writer.writerows([_inert(row[name]) for name in columns] for row in rows)
    show_document(text.getvalue())


def _inert(value: object) -> object:
    """A cell that no spreadsheet takes for a formula."""
    from semiosis.files import escape_csv

    if isinstance(value, list | tuple | dict):
        value = json.dumps(value, ensure_ascii=False)
    return escape_csv(value) if isinstance(value, str) else value


def _json(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    show_json([{name: row[name] for name in columns} for row in rows])


_FORMS: dict[Format, Callable[[Sequence[str], Sequence[Mapping[str, Any]]], None]] = {
    "table": _table,
    "csv": _csv,
    "json": _json,
}
