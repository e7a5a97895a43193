"""Tables, and their rendering as text, Markdown and CSV."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from unicodedata import combining, east_asian_width

from semiosis.files import escape_csv, escape_markdown, one_line
from semiosis.stats import Estimate, Interval, format_number
from semiosis.values import Unscored, brief_repr

Cell = str | int | float | Estimate | Unscored | None
"""The content of a cell. None is an empty cell, and Unscored a dash with its reason below the table."""


class PValue(float):
    """The p of a test. It is never shown as 0.000."""


def p_cell(p: float | None) -> Cell:
    """Return the cell of a test's p; empty if it has none."""
    return None if p is None else PValue(p)


@dataclass(frozen=True)
class Table:
    """Columns with names, rows of cells, and notes below them."""

    __repr__ = brief_repr

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, and the reasons why cells have a dash or no interval."""
        return (*self.notes, *_reasons(self))

    def lines(self) -> list[list[list[str]]]:
        """Return the lines of each row: the values and, if any cell has one, the intervals below them."""
        return [_text_lines(row) for row in self.rows]

    def __str__(self) -> str:
        return to_text(self)


def to_text(table: Table, width: int | None = None) -> str:
    """Return the table in columns for a terminal, with intervals below their values.

    Columns that do not fit into `width` follow in further blocks, each of which repeats the first column.
    Control characters in names are escaped.
    """
    head = [one_line(name) for name in table.columns]
    body = [line for lines in table.lines() for line in lines]
    widths = [max(cell_width(line[i]) for line in [head, *body]) for i in range(len(head))]
    lines: list[str] = []
    for block in _blocks(widths, width):
        ruled = [head, ["─" * w for w in widths], *body]
        chosen = [([line[i] for i in block], [widths[i] for i in block]) for line in ruled]
        # In a block without intervals, the lines of intervals are empty and are left out.
        chosen = [cells for cells in chosen if any(cells[0])]
        lines += ["", *("  ".join(_padded(*cells)).rstrip() for cells in chosen)]
    notes = [line for note in _below(table, one_line) for line in _wrapped(note, width)]
    return "\n".join([one_line(table.title), *lines, *notes]) + "\n"


def _blocks(widths: Sequence[int], width: int | None) -> list[list[int]]:
    """Return the numbers of the columns in each block. The first column is in every block."""
    blocks, used = [[0]], widths[0]
    for column, column_width in enumerate(widths[1:], start=1):
        if width and used + 2 + column_width > width and len(blocks[-1]) > 1:
            blocks.append([0])
            used = widths[0]
        blocks[-1].append(column)
        used += 2 + column_width
    return blocks


def _wrapped(note: str, width: int | None) -> list[str]:
    return wrap(note, width, subsequent_indent="  ") or [""] if width else [note]


def to_markdown(table: Table) -> str:
    """Return the table in Markdown."""
    lines = [list(table.columns), ["---"] + ["---:"] * (len(table.columns) - 1)]
    cells = [[escape_markdown(cell_text(cell)) for cell in row] for row in table.rows]
    text = [
        "| " + " | ".join(line) + " |" for line in [[escape_markdown(c) for c in lines[0]], lines[1], *cells]
    ]
    return (
        "\n".join([f"**{escape_markdown(table.title)}**", "", *text, *_below(table, escape_markdown)]) + "\n"
    )


def to_csv(table: Table) -> str:
    """Return the table as CSV with full precision. An estimate becomes three columns: value, low and high."""
    estimated = [any(isinstance(row[i], Estimate) for row in table.rows) for i in range(len(table.columns))]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    head = [
        [name, f"{name} low", f"{name} high"] if has_interval else [name]
        for name, has_interval in zip(table.columns, estimated, strict=True)
    ]
    writer.writerow([name for names in head for name in names])
    for row in table.rows:
        cells = [_csv_cells(cell, has_interval) for cell, has_interval in zip(row, estimated, strict=True)]
        writer.writerow([cell for group in cells for cell in group])
    return out.getvalue()


def cell_text(cell: Cell) -> str:
    """Return the text of a cell: 0.55 ± 0.02 [0.49, 0.61]."""
    if cell is None:
        return ""
    if isinstance(cell, Unscored):
        return "–"
    if isinstance(cell, Estimate):
        return f"{_value(cell)} {_interval(cell)}".rstrip()
    if isinstance(cell, PValue) and format_number(cell) == "0.000":
        return "<0.001"
    if isinstance(cell, float):
        return format_number(cell)
    return f"{cell:,}" if isinstance(cell, int) else cell


def _text_lines(row: Sequence[Cell]) -> list[list[str]]:
    """Return the line of the row's values and, if any cell has one, the line of the intervals."""
    values = [one_line(_value(cell) if isinstance(cell, Estimate) else cell_text(cell)) for cell in row]
    intervals = [_interval(cell) if isinstance(cell, Estimate) else "" for cell in row]
    return [values, intervals] if any(intervals) else [values]


def _value(cell: Estimate) -> str:
    if isinstance(cell.value, Unscored):
        return "–"
    spread, fewer = cell.related.get("spread_over_repeats"), cell.related.get("shown_n")
    text = format_number(cell.value) + (f" ± {format_number(spread)}" if isinstance(spread, float) else "")
    return text + (f" (n {fewer:,.0f})" if isinstance(fewer, int | float) else "")


def _interval(cell: Estimate) -> str:
    return (
        str(cell.interval)
        if isinstance(cell.interval, Interval) and not isinstance(cell.value, Unscored)
        else ""
    )


def _reasons(table: Table) -> list[str]:
    """Return each reason why cells have a dash or no interval, once, with the columns and rows."""
    found: dict[str, dict[int, list[int]]] = {}  # reason → column → rows
    for number, row in enumerate(table.rows):
        for column, cell in enumerate(row):
            for reason in _missing(cell):
                found.setdefault(reason, {}).setdefault(column, []).append(number)
    return [f"{reason} ({_where(table, rows)})" for reason, rows in found.items()]


def _where(table: Table, rows_by_column: Mapping[int, list[int]]) -> str:
    """Return the columns, and the first rows unless the reason applies to every row with a value."""
    columns = ", ".join(table.columns[column] for column in rows_by_column)
    if all(
        len(rows) == sum(row[column] is not None for row in table.rows)
        for column, rows in rows_by_column.items()
    ):
        return columns
    numbers = sorted(set().union(*rows_by_column.values()))
    names = list(dict.fromkeys(cell_text(table.rows[number][0]) for number in numbers))
    more = [f"{len(names) - 3} more"] if len(names) > 4 else []
    return f"{columns}: {', '.join([*names[:3], *more] if more else names)}"


def _missing(cell: Cell) -> list[str]:
    value = cell.value if isinstance(cell, Estimate) else cell
    if isinstance(value, Unscored):
        return [f"no value (–): {value.detail or value.reason}"]
    if isinstance(cell, Estimate) and isinstance(cell.interval, Unscored):
        return [f"no interval: {cell.interval.detail or cell.interval.reason}"]
    if not isinstance(cell, Estimate) or not isinstance(cell.interval, Interval):
        return []
    found = []
    if cell.few_units:
        found.append(f"{cell.few_units}: the interval is wide")
    if cell.interval.dropped:
        found.append(f"the interval leaves out {cell.interval.dropped:,} resamples without a value")
    return found


def _below(table: Table, escape: Callable[[str], str]) -> list[str]:
    return ["", *map(escape, table.remarks)] if table.remarks else []


def _padded(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return the cells padded to their widths, the first one left-aligned and the others right-aligned."""
    blanks = [" " * (width - cell_width(cell)) for cell, width in zip(line, widths, strict=True)]
    return [f"{line[0]}{blanks[0]}", *map("".join, zip(blanks[1:], line[1:], strict=True))]


def cell_width(text: str) -> int:
    """Return the width of a text in a terminal: wide characters take two columns, combining accents none."""
    wide = sum(east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(combining(c) > 0 for c in text)


def _csv_cells(cell: Cell, has_interval: bool) -> list[str]:
    if isinstance(cell, Estimate):
        ends = cell.interval if isinstance(cell.interval, Interval) else None
        value = None if isinstance(cell.value, Unscored) else cell.value
        return [_plain(value), _plain(ends.low if ends else None), _plain(ends.high if ends else None)]
    plain = _plain(None if isinstance(cell, Unscored) else cell)
    return [plain, "", ""] if has_interval else [plain]


def _plain(value: str | float | None) -> str:
    if isinstance(value, str):
        return escape_csv(value)
    return "" if value is None else repr(value)
