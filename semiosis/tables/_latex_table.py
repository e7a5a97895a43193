"""Tables in LaTeX with booktabs rules, divided into parts that fit the text width of the class `article`."""

import re
from collections.abc import Iterator, Sequence

from semiosis.files import escape_latex, file_stem, one_line
from semiosis.tables._table import Table

_LINE = 69
"""The number of characters of \\footnotesize that fit on a line of `article` (345 pt)."""
_CELL = 24
"""The maximum number of characters of a cell that is not wrapped."""
_PAGE = 34
"""The maximum number of lines of a part, so that it fits on a page with its caption and notes."""
_NOTES = 10
"""The maximum number of lines of notes below a part. More notes get floats of their own."""
_SMALL = 95
"""The number of characters of \\scriptsize that fit on a line of `article`."""
_GAP = 2
"""The width of the space between two columns, in characters."""
_WORD = re.compile(r"\S{13,}")

_Cell = tuple[str, ...]
"""The lines of a cell: its value and, if it has one, the interval below it."""


def to_latex(table: Table, label: str = "") -> str:
    """Return a table with a caption, a label and notes. A wide or long table is divided into parts.

    The caption contains the title and the first two notes, which state n and what was compared. The other
    notes follow in small print: below the first part, or after the last if there are too many to fit on
    its page. `label` names the table: `\\ref{tab:<label>}`.
    """
    head: list[_Cell] = [(one_line(name),) for name in table.columns]
    rows = [[tuple(filter(None, cell)) for cell in zip(*lines, strict=True)] for lines in table.lines()]
    widths = [max(_width(row[i]) for row in [head, *rows]) for i in range(len(head))]
    parts = [
        _tabular([[row[i] for i in columns] for row in [head, *part_rows]], [widths[i] for i in columns])
        for columns in _column_parts(widths)
        for part_rows in _row_parts(
            [row for row in rows if len(columns) == 1 or any(row[i] for i in columns[1:])], widths
        )
    ]
    key = label or file_stem(table.title)
    below, *separate = _note_parts(table.remarks[2:])
    floats = [
        _float(table, part, key, number, len(parts), below if number == 1 else ())
        for number, part in enumerate(parts, 1)
    ]
    return "\n".join([*floats, *(_notes_float(notes, key) for notes in separate)])


def latex_text(text: str) -> str:
    """Return escaped text in which long words can be broken."""
    words = re.split(r"(\s+)", one_line(text))
    return "".join(
        r"\allowbreak{}".join(escape_latex(word[i : i + 10]) for i in range(0, len(word), 10))
        if _WORD.fullmatch(word)
        else escape_latex(word) or word
        for word in words
    )


def _float(table: Table, tabular: str, label: str, number: int, parts: int, notes: Sequence[str]) -> str:
    sentences = [f"{table.title}.", *table.notes[:2]] if number == 1 else [f"{table.title}, continued."]
    caption = " ".join([*sentences, f"Part {number} of {parts}."] if parts > 1 else sentences)
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{latex_text(caption)}}}",
            rf"\label{{tab:{label}{'' if number == 1 else f'-{number}'}}}",
            r"\footnotesize",
            r"\setlength{\tabcolsep}{4pt}",
            tabular,
            *(_notes(notes) if notes else ()),
            r"\end{table}",
            "",
        ]
    )


def _note_parts(notes: Sequence[str]) -> list[list[str]]:
    """Return the notes below the first part of a table, and groups of other notes that fit on a page."""
    if sum(map(_note_lines, notes)) <= _NOTES:
        return [list(notes)]
    parts: list[list[str]] = [[], []]
    used = 0
    for note in notes:
        if parts[-1] and used + _note_lines(note) > _PAGE:
            parts.append([])
            used = 0
        parts[-1].append(note)
        used += _note_lines(note)
    return parts


def _note_lines(note: str) -> int:
    return -(-len(note) // _SMALL)


def _notes_float(notes: Sequence[str], label: str) -> str:
    head = rf"\noindent\footnotesize Notes on Table~\ref{{tab:{label}}}"
    return "\n".join([r"\begin{table}", head, *_notes(notes), r"\end{table}", ""])


def _notes(notes: Sequence[str]) -> list[str]:
    # \par is inside the group, because LaTeX takes a paragraph's line spacing from its end.
    return [
        r"\par\medskip",
        r"{\raggedright\scriptsize",
        *(rf"{latex_text(note)}\par" for note in notes),
        "}",
    ]


def _width(cell: _Cell) -> int:
    """Return the width of a cell in characters. A second line is in smaller print."""
    lengths = [*map(len, cell[:1]), *(len(line) * 4 // 5 for line in cell[1:])]
    return min(_CELL, max(lengths, default=0))


def _column_parts(widths: Sequence[int]) -> Iterator[list[int]]:
    """Yield groups of columns that fit on a line together with the first column."""
    part = [0]
    for column in range(1, len(widths)):
        if len(part) > 1 and sum(widths[i] + _GAP for i in [*part, column]) > _LINE:
            yield part
            part = [0]
        part.append(column)
    yield part


def _row_parts(rows: Sequence[list[_Cell]], widths: Sequence[int]) -> Iterator[list[list[_Cell]]]:
    """Yield groups of rows that fit on a page."""
    part: list[list[_Cell]] = []
    used = 0
    for row in rows:
        height = max(_height(cell, width) for cell, width in zip(row, widths, strict=True))
        if part and used + height > _PAGE:
            yield part
            part, used = [], 0
        part.append(row)
        used += height
    yield part


def _height(cell: _Cell, width: int) -> int:
    return max(1, sum(-(-len(line) * 5 // (max(1, width) * 4)) if len(cell) == 1 else 1 for line in cell))


def _tabular(rows: Sequence[Sequence[_Cell]], widths: Sequence[int]) -> str:
    kinds = [_column_kind([row[i] for row in rows], width, i) for i, width in enumerate(widths)]
    top, *body = [" & ".join(map(_cell, row)) + r" \tabularnewline" for row in rows]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{''.join(kinds)}}}",
            r"\toprule",
            top,
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def _column_kind(cells: Sequence[_Cell], width: int, column: int) -> str:
    if any(_is_long(cell) for cell in cells):
        return rf"p{{{width * 0.5:.1f}em}}"
    return "l" if column == 0 else "r"


def _is_long(cell: _Cell) -> bool:
    return len(cell) == 1 and len(cell[0]) > _CELL


def _cell(cell: _Cell) -> str:
    if len(cell) < 2:
        return r"\raggedright " + latex_text(cell[0]) if _is_long(cell) else "".join(map(escape_latex, cell))
    first, *intervals = map(latex_text, cell)
    below = "".join(rf"\\{{\scriptsize {interval}}}" for interval in intervals)
    return rf"\begin{{tabular}}[t]{{@{{}}r@{{}}}}{first}{below}\end{{tabular}}"
