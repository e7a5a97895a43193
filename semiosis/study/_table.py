"""Reads tables as programs save them: CSV with commas, semicolons or tabs, JSON Lines, or lines of text."""

import codecs
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import ValidationError

from semiosis.files import heading_key, match_headings, read_bytes, shown_headings
from semiosis.stats.tools import PAST
from semiosis.values import DataError, UsageError, format_error

MAX_BYTES = 1_000_000_000
"""The maximum size of a table in bytes."""
MAX_NAMED = 10
"""The maximum number of bad rows that a message names."""
_SEPARATOR = re.compile(r"sep=([,;\t])\r?\n", re.IGNORECASE)
_BLANK_LINES = re.compile(r"(?:[ ,;\t]*(?:\r\n|\r|\n))+")
_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE_ENDS = re.compile(rb"\r\n|\r|\n")
"""The ends of lines in a text that cannot be decoded."""
_SNIFFED = 1024
"""A zero byte among this many first bytes means a binary file, such as a spreadsheet or a picture."""
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class InputRow:
    """A row of a table."""

    line: int
    """The line of the file on which it starts, counted from 1."""
    cells: dict[str, str]
    """The text of each column without surrounding white space."""

    def get(self, column: str) -> str:
        """Return a cell; empty if the table has no such column."""
        return self.cells.get(column, "")


@dataclass
class InputTable:
    """The rows of a file, and what is wrong with some of them."""

    path: Path
    columns: list[str]
    rows: list[InputRow]
    bad: dict[int, str] = field(default_factory=dict)
    """The first problem of each bad row, by line."""
    delimiter: str = ""
    """The character that separates cells; empty for JSON Lines and plain lines."""
    headings: list[str] = field(default_factory=list)
    """The columns as the file names them."""

    def reject(self, line: int, what: str | Exception) -> None:
        """Note what is wrong with a row, as a text or as an error."""
        self.bad.setdefault(line, what if isinstance(what, str) else problem_text(what))

    def heading(self, column: str) -> str:
        """Return the heading of a column in the file; empty if the table has no such column."""
        return self.headings[self.columns.index(column)] if column in self.columns else ""

    def raise_if_bad(self, fix: str = "correct these rows") -> None:
        """Raise one error that names the bad rows by line."""
        if not self.bad:
            return
        named = [f"line {line}: {what}" for line, what in sorted(self.bad.items())[:MAX_NAMED]]
        more = [f"and {len(self.bad) - MAX_NAMED:,} more"] if len(self.bad) > MAX_NAMED else []
        count = f"{len(self.bad):,} bad row{'' if len(self.bad) == 1 else 's'}; nothing was written"
        raise DataError("\n  ".join([count, *named, *more]), where=str(self.path), fix=fix)


def problem_text(error: Exception) -> str:
    """Return the message of an error. The file that a `DataError` names is left out."""
    if isinstance(error, ValidationError):
        return format_error(error)
    return f"{error.what}; {error.fix}" if isinstance(error, DataError) else str(error)


def read_table(
    path: str | Path,
    known: Mapping[str, Sequence[str]],
    *,
    required: Sequence[str] = (),
    per_row: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
    encoding: str = "",
    lines: bool = False,
) -> InputTable:
    """Return the table in a file, with its columns renamed to the names in `known`.

    A row that an export of Semiosis marks as history is left out. `known` lists the headings that are
    recognised for each name, the likeliest first. `columns` states the heading for a name; an empty one means
    that no column has this meaning. Other columns keep their headings. The message about a missing `required`
    column also names those of `per_row` that are missing. With `lines`, a .txt file without tabs has one
    column, `prompt`, and no headings; with tabs it is a table, such as Excel's "Unicode text".
    """
    file = Path(path)
    text = _text(file, encoding)
    if not text.strip():
        raise DataError("the file is empty", where=str(file), fix="export or save the table again")
    table = _reader(file, text, lines=lines)(file, text)
    table.rows = [row for row in table.rows if row.get("history") not in PAST]
    if not table.rows:
        table.raise_if_bad()
    names = match_headings(table.columns, known, columns or {}, str(file))
    for wanted in required:
        if wanted not in (columns or {}):
            _check_one_heading(table, names, wanted, known[wanted])
    if missing := [wanted for wanted in required if wanted not in names.values()]:
        raise no_such_column(
            table, *missing, per_row=[name for name in per_row if name not in names.values()]
        )
    renamed = {head: name for head, name in names.items() if head != name}
    for row in table.rows:
        for head in renamed.keys() & row.cells.keys():
            row.cells[renamed[head]] = row.cells.pop(head)
    return replace(table, columns=[names.get(head, head) for head in table.columns], headings=table.columns)


def _reader(file: Path, text: str, *, lines: bool) -> Callable[[Path, str], InputTable]:
    suffix = file.suffix.lower()
    if suffix in _JSON:
        return _read_jsonl
    first = text.lstrip().partition("\n")[0]
    return _read_lines if lines and suffix == ".txt" and "\t" not in first else _read_csv


def unused_columns(table: InputTable, known: Collection[str]) -> list[str]:
    """Return a note on the columns of a table that are not known; none if there are none."""
    unused = [repr(name) for name in table.columns if name and name not in known]
    return [f"columns that are not used: {', '.join(unused)}"] if unused else []


def no_such_column(table: InputTable, *missing: str, per_row: Sequence[str] = ()) -> DataError:
    """Return the error for a table that lacks required columns.

    `per_row` are columns that it also lacks, and that it needs if it has one row for each observation.
    """
    found = shown_headings(list(filter(None, table.headings or table.columns))) or "none"
    options = " ".join(f"--column {name}=HEADING" for name in missing)
    also = " ".join(f"--column {name}=HEADING" for name in per_row)
    return DataError(
        f"line 1: there is no column {' or '.join(map(repr, missing))}; columns: {found}",
        where=str(table.path),
        fix=f"name the heading with {options}, or begin with a line of column names"
        + f"; if each row has one vote, also name {also}" * bool(also),
    )


def _check_one_heading(
    table: InputTable, names: Mapping[str, str], wanted: str, spellings: Sequence[str]
) -> None:
    """Raise if two headings may stand for a required column and neither is its own name."""
    unnamed = [head for head in table.columns if names.get(head, head) == head]
    found = [head for head in unnamed if heading_key(head) in spellings]
    used = next((head for head, name in names.items() if name == wanted), wanted)
    if found and heading_key(used) in spellings and heading_key(used) != wanted:
        raise DataError(
            f"line 1: both {used!r} and {found[0]!r} may be the column {wanted!r}",
            where=str(table.path),
            fix=f"name it with --column {wanted}=HEADING",
        )


def _text(file: Path, encoding: str) -> str:
    blob = read_bytes(file, MAX_BYTES, "the table")
    if not encoding and b"\0" in blob[:_SNIFFED] and not blob.startswith(_UTF16):
        raise DataError(
            "this is not a text file",
            where=str(file),
            fix="save a spreadsheet as CSV; for a text in UTF-16, add --encoding utf-16",
        )
    if encoding and blob.startswith(codecs.BOM_UTF8) and "utf" not in encoding.lower():
        raise DataError(
            f"the file begins with the mark of UTF-8, so it is not {encoding}",
            where=str(file),
            fix="leave --encoding out",
        )
    used = encoding or ("utf-16" if blob.startswith(_UTF16) else "utf-8-sig")
    try:
        return blob.decode(used).removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = len(_LINE_ENDS.findall(blob, 0, error.start)) + 1
        raise DataError(
            f"line {line}: the text is not {encoding or 'UTF-8'}",
            where=str(file),
            fix="leave --encoding out, or name another one"
            if encoding
            else "add its encoding, such as --encoding cp1252 (Excel on Windows) or --encoding mac_roman, or "
            "save it as CSV UTF-8",
        ) from error
    except (LookupError, ValueError) as error:  # a name with a zero byte is a ValueError
        raise UsageError(f"unknown encoding {encoding!r}", fix="try cp1252, mac_roman or utf-16") from error


def _read_csv(file: Path, text: str) -> InputTable:
    body, skipped, delimiter = _opened(text)
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, strict=True)
    start = 1 + skipped
    try:
        head = [cell.strip() for cell in next(reader, [])]
        _check_head(head, file, start)
        table = InputTable(file, head, [], delimiter=delimiter)
        start = reader.line_num + 1 + skipped
        for cells in reader:
            values = [cell.strip() for cell in cells]
            while len(values) > len(head) and not values[-1]:
                values.pop()
            if len(values) == len(head) and any(values):
                table.rows.append(InputRow(start, dict(zip(head, values, strict=True))))
            elif any(values):
                n = len(cells)
                table.reject(start, f"{n} cell{'' if n == 1 else 's'}, but the first line has {len(head)}")
            start = reader.line_num + 1 + skipped
    except csv.Error as error:
        raise DataError(
            f"line {start}: the row that begins here does not end: {error}",
            where=str(file),
            fix="check the quotation marks of this row",
        ) from error
    return table


def _opened(text: str) -> tuple[str, int, str]:
    """Return the text from the head of the table on, the number of lines before it, and the delimiter."""
    blank = _BLANK_LINES.match(text)
    before, body = (blank[0], text[blank.end() :]) if blank else ("", text)
    first = _SEPARATOR.match(body)
    if first is not None:  # a line for Excel, not a row
        before, body = before + first[0], body[first.end() :]
    head = _LINE_END.split(body, maxsplit=1)[0]
    delimiter = first[1] if first else max(",;\t", key=head.count)
    return body, len(_LINE_END.findall(before)), delimiter


def _check_head(head: list[str], file: Path, line: int) -> None:
    if not any(head):
        raise DataError(
            f"line {line}: there are no column names",
            where=str(file),
            fix="begin with a line of column names",
        )
    twice = _named_twice(head)
    if twice is not None:
        raise DataError(
            f"line {line}: two columns are called {twice!r}", where=str(file), fix="rename one of them"
        )


def _named_twice(names: Sequence[str]) -> str | None:
    folded = Counter(name.casefold() for name in names if name)
    return next((name for name in names if folded[name.casefold()] > 1), None)


def _read_jsonl(file: Path, text: str) -> InputTable:
    if text.lstrip().startswith("["):
        raise DataError(
            "this is one JSON list, not one JSON object per line",
            where=str(file),
            fix="save it as JSON Lines, for example: jq -c '.[]' votes.json > votes.jsonl",
        )
    table = InputTable(file, [], [])
    for number, line in _filled_lines(text):
        try:
            fields = json.loads(line, object_pairs_hook=_Fields)
        except (ValueError, RecursionError):
            fields = None
        if not isinstance(fields, _Fields):
            table.reject(number, "not a JSON object")
        elif twice := _named_twice([name for name, _ in fields]):
            table.reject(number, f"two fields are called {twice!r}")
        else:
            table.rows.append(InputRow(number, {name: _cell(value) for name, value in fields}))
    table.columns.extend(dict.fromkeys(name for row in table.rows for name in row.cells))
    return table


class _Fields(list[tuple[str, object]]):
    """The names and values of a JSON object, in which a name may occur twice."""


def _cell(value: object) -> str:
    if isinstance(value, list) and not isinstance(value, _Fields):
        return ";".join(map(_cell, value))
    if isinstance(value, _Fields):
        return json.dumps(dict(value))
    return "" if value is None else value.strip() if isinstance(value, str) else json.dumps(value)


def _read_lines(file: Path, text: str) -> InputTable:
    rows = [InputRow(number, {"prompt": line.strip()}) for number, line in _filled_lines(text)]
    return InputTable(file, ["prompt"], rows)


def _filled_lines(text: str) -> Iterator[tuple[int, str]]:
    lines = text.replace("\r\n", "\n").split("\n")  # not splitlines, which also splits at U+2028
    return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())


_JSON = (".jsonl", ".ndjson", ".json")
TABLES = (".csv", ".tsv", ".txt", *_JSON)
"""The suffixes of files that hold a table."""
