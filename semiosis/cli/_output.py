"""The output of data as tables, CSV or JSON on standard output, and of remarks on standard error."""

import csv
import io
import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from semiosis.tables import Table as StatisticsTable

Format = Literal["table", "csv", "json"]
"""The format of rows."""

TableFormat = Literal["text", "markdown", "csv", "latex"]
"""The format of tables of statistics."""

OverwriteOption = Annotated[
    bool, typer.Option("--overwrite", help="Replace existing files of the same names.")
]
"""The option of every command that writes files. Without it, such a command replaces its own output only."""

_ID = re.compile(r"[0-9a-f]{20}(/.*)?$", re.DOTALL)
_WEIGHTS = re.compile(r", [0-9a-f]{12}$")
"""The hash of an embedder's weights, at the end of the name of a procedure."""

_PROSE = 16
"""The minimum width of a column in which prose is readable."""


def plain(text: object) -> str:
    """Return text in which control characters are escaped, so that it cannot control the terminal."""
    from semiosis.files import visible

    return visible(str(text))


def wants_traceback() -> bool:
    """Return whether this process was started with ``--debug`` or with SEMIOSIS_DEBUG."""
    return "--debug" in sys.argv or bool(os.environ.get("SEMIOSIS_DEBUG"))


def remark(text: str, style: str = "") -> None:
    """Write a line for the user to standard error."""
    from rich.console import Console

    Console(stderr=True, soft_wrap=True).print(
        plain(text), style=style or None, markup=False, highlight=False
    )


def show(text: str) -> None:
    """Write a line of data to standard output."""
    sys.stdout.write(plain(text) + "\n")


def show_json(value: object) -> None:
    """Write a value as JSON to standard output."""
    show_json_text(json.dumps(value, ensure_ascii=False, indent=2))


def show_json_text(text: str) -> None:
    """Write JSON to standard output."""
    from semiosis.files import escape_json

    show_document(escape_json(text) + "\n")


def show_document(text: str) -> None:
    """Write a document that another program reads, always in UTF-8 unless standard output is a terminal."""
    if sys.stdout.isatty():
        sys.stdout.write(text)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))


def show_rows(columns: Sequence[str], rows: Iterable[Mapping[str, Any]], form: Format) -> None:
    """Write rows to standard output in this format."""
    _FORMS[form](columns, list(rows))


def show_tables(tables: "Sequence[StatisticsTable]", form: TableFormat) -> None:
    """Write tables to standard output in this format. The notes of CSV tables go to standard error."""
    from semiosis.tables import RENDERERS, to_text

    width = shutil.get_terminal_size((0, 0)).columns or None  # a pipe has no width
    for number, table in enumerate(tables):
        rendered = to_text(table, width) if form == "text" else RENDERERS[form](table)
        sys.stdout.write(("\n" if number else "") + rendered)
        for note in table.remarks if form == "csv" else ():
            remark(note)


def show_without_ids(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a table without the columns of ids, which a remark names, and without hashes of weights."""
    hidden = [name for name in columns if rows and all(_ID.match(str(row[name])) for row in rows)]
    shown = [name for name in columns if name not in hidden]
    texts = {name: _without_weights([row[name] for row in rows]) for name in shown}
    _table(shown, [{name: texts[name][n] for name in shown} for n in range(len(rows))])
    if hidden:
        remark(f"columns with ids are hidden: {', '.join(hidden)}; show them with --ids")


def _without_weights(values: Sequence[Any]) -> Sequence[Any]:
    """Return the values without hashes of weights, if values that differ still differ."""
    texts = [_WEIGHTS.sub("", value) if isinstance(value, str) else value for value in values]
    return texts if len(set(map(str, texts))) == len(set(map(str, values))) else values


def _table(columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a table, or one record per row if the columns would be too narrow to read."""
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() or "COLUMNS" in os.environ else 140)
    cells = [[cell(row[name]) for name in columns] for row in rows]
    names = [plain(name) for name in columns]
    if widths := _widths(names, cells, console.width - 3 * len(names)):  # 3 between columns
        numeric = [bool(rows) and all(isinstance(row[name], int | float) for row in rows) for name in columns]
        console.print(_grid(names, cells, numeric, widths))
    else:
        _records(names, cells, console)


def _widths(names: Sequence[str], cells: Sequence[Sequence[str]], space: int) -> list[int]:
    """Return a width for each column that breaks no word and has room for prose, or none if they do not fit.

    The widest columns are made narrower first.
    """
    from rich.cells import cell_len

    columns = list(zip(names, *cells, strict=True))
    words = [[word for text in column for word in text.split()] for column in columns]
    widths = [min(space, max(map(cell_len, column))) for column in columns]
    least = [
        max(min(_PROSE, width), *map(cell_len, inside)) for width, inside in zip(widths, words, strict=True)
    ]
    if sum(least) > space:
        return []
    while sum(widths) > space:
        widest = max(range(len(widths)), key=lambda n: (widths[n] > least[n], widths[n]))
        widths[widest] -= 1
    return widths


def _grid(
    names: Sequence[str], cells: Sequence[Sequence[str]], numeric: Sequence[bool], widths: Sequence[int]
) -> "Table":
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name, right, width in zip(names, numeric, widths, strict=True):
        table.add_column(Text(name), justify="right" if right else "left", overflow="fold", width=width)
    for row in cells:
        table.add_row(*map(Text, row))
    return table


def _records(names: Sequence[str], cells: Sequence[Sequence[str]], console: "Console") -> None:
    from rich.table import Table
    from rich.text import Text

    for row in cells:
        record = Table.grid(padding=(0, 2))
        record.add_column(style="bold", no_wrap=True)
        record.add_column(overflow="fold")
        for name, text in zip(names, row, strict=True):
            record.add_row(Text(name), Text(text))
        console.print(record)
        console.print()


def cell(value: object) -> str:
    """Return the text of a value in a table."""
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
    writer.writerow([_csv_cell(name) for name in columns])
    writer.writerows([_csv_cell(row[name]) for name in columns] for row in rows)
    show_document(text.getvalue())


def _csv_cell(value: object) -> object:
    """Return a cell that a spreadsheet does not interpret as a formula."""
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
