"""Votes from a CSV file that never saw Semiosis, and the statistics of a study."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TextIO

from semiosis.stats import JudgeTable, Votes, compare, votes_of
from semiosis.stats import evaluator_labels as labels_of
from semiosis.study._study import Study
from semiosis.values import DataError, UsageError

WINNERS = ("a", "b", "tie", "")
MOST_TOLD = 10
"""Bad rows that a message names; there may be thousands."""


@dataclass(frozen=True)
class Columns:
    """What the columns of a CSV file are called."""

    prompt: str = "prompt"
    a: str = "a"
    b: str = "b"
    evaluator: str = "evaluator"
    winner: str = "winner"
    repeat: str = "repeat"
    shown: str = "shown"


@dataclass(frozen=True)
class BadRow:
    """A row that cannot be read."""

    line: int
    """Its line in the file, counted from 1."""
    what: str
    """What is wrong with it."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


@dataclass(frozen=True)
class VotesFile:
    """The votes of a file, and the rows that were left out because they cannot be read."""

    votes: Votes
    bad: tuple[BadRow, ...]


@dataclass(frozen=True)
class _Row:
    line: int
    prompt: str
    a: str
    b: str
    evaluator: str
    winner: str
    repeat: int = 0
    shown: str = "ab"


@dataclass(frozen=True)
class _Layout:
    place: dict[str, int]
    columns: Columns
    evaluators: list[str]
    """The evaluators' columns of a wide file; empty for a long one."""


def read_votes(
    path: str | Path,
    *,
    columns: Columns | None = None,
    evaluators: Sequence[str] | None = None,
    skip_bad_rows: bool = False,
) -> VotesFile:
    """Votes from a CSV file, wide or long; commas, semicolons or tabs.

    Wide: `prompt, a, b` and one column per evaluator with a, b, tie or nothing; `evaluators` chooses among
    the columns. Long: `prompt, a, b, evaluator, winner` and perhaps `repeat` and `shown` (ab or ba). The pair
    (b, a) after (a, b) is the same comparison shown the other way round.
    """
    name = str(path)
    rows: list[_Row] = []
    bad: list[BadRow] = []
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            for row in _rows(file, columns or Columns(), evaluators, name):
                if isinstance(row, BadRow):
                    bad.append(row)
                else:
                    rows.append(row)
    except OSError as error:
        raise UsageError(f"cannot read it: {error.strerror}", where=name) from error
    except UnicodeDecodeError as error:
        raise DataError("it is not UTF-8 text", where=name, fix="save it as CSV UTF-8") from error
    except csv.Error as error:
        raise DataError(f"it is not CSV: {error}", where=name) from error
    rows, repeated = _without_repeats(rows)
    bad = sorted([*bad, *repeated], key=lambda row: row.line)
    if bad and not skip_bad_rows:
        raise DataError(_told(bad), where=name, fix="mend these rows, or leave them out with --skip-bad-rows")
    if not rows:
        raise DataError("it holds no votes", where=name, fix="add rows below the head")
    return VotesFile(_votes(rows), tuple(bad))


def compare_study(study: Study, reference: Sequence[str] = (), **settings: Any) -> JudgeTable:
    """The judges of a study against a reference, by default the majority of the people who judged."""
    verdicts = study.verdicts
    labels = labels_of(verdict.evaluator for verdict in verdicts)
    people = dict.fromkeys(labels[v.evaluator.id] for v in verdicts if v.evaluator.kind == "person")
    if not reference and not people:
        known = ", ".join(dict.fromkeys(labels.values())) or "nobody"
        raise UsageError(
            "no person has judged in this study",
            where=str(study.folder),
            fix=f"add --reference NAME; judges: {known}",
        )
    return compare(
        study.observations.values(),
        reference=list(reference or people),
        comparisons=study.comparisons.values(),
        signs=study.signs.values(),
        questions=study.questions.values(),
        **settings,
    )


def _rows(
    file: TextIO, columns: Columns, evaluators: Sequence[str] | None, name: str
) -> Iterator[_Row | BadRow]:
    head_line = file.readline()
    if not head_line.strip():
        raise DataError(
            "it is empty", where=name, fix=f"begin with a head: {columns.prompt},{columns.a},{columns.b},…"
        )
    delimiter = max(",;\t", key=head_line.count)
    head = [cell.strip() for cell in next(csv.reader([head_line], delimiter=delimiter))]
    place = _places(head, columns, name)
    long = columns.evaluator in place and columns.winner in place
    layout = _Layout(place, columns, [] if long else _evaluators(head, columns, evaluators, name))
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    line = 2
    for cells in reader:
        if any(cell.strip() for cell in cells):
            yield from _read(cells, line, layout)
        line = reader.line_num + 2


def _read(cells: list[str], line: int, layout: _Layout) -> Iterator[_Row | BadRow]:
    """The verdicts of one row, or what is wrong with it."""
    place, columns = layout.place, layout.columns
    if len(cells) != len(place):
        yield BadRow(line, f"{len(cells)} cells, but the head has {len(place)}")
        return
    cells = [cell.strip() for cell in cells]
    prompt, a, b = (cells[place[name]] for name in (columns.prompt, columns.a, columns.b))
    empty = next((n for n in (columns.prompt, columns.a, columns.b) if not cells[place[n]]), None)
    if empty is not None:
        yield BadRow(line, f"{empty!r} is empty")
    elif a == b:
        yield BadRow(line, f"{a!r} is compared with itself")
    elif layout.evaluators:
        for name in layout.evaluators:
            yield _checked(_Row(line, prompt, a, b, name, cells[place[name]].lower()))
    else:
        yield _long(cells, line, place, columns)


def _long(cells: list[str], line: int, place: dict[str, int], columns: Columns) -> _Row | BadRow:
    prompt, a, b, evaluator, winner = (
        cells[place[name]]
        for name in (columns.prompt, columns.a, columns.b, columns.evaluator, columns.winner)
    )
    repeat = cells[place[columns.repeat]] if columns.repeat in place else ""
    shown = (cells[place[columns.shown]] if columns.shown in place else "").lower() or "ab"
    if not evaluator:
        return BadRow(line, f"{columns.evaluator!r} is empty")
    if repeat and not repeat.isdecimal():
        return BadRow(line, f"repeat {repeat!r} is not a whole number")
    if shown not in ("ab", "ba"):
        return BadRow(line, f"order shown {shown!r} is neither ab nor ba")
    return _checked(_Row(line, prompt, a, b, evaluator, winner.lower(), int(repeat or 0), shown))


def _checked(row: _Row) -> _Row | BadRow:
    if row.winner in WINNERS:
        return row
    return BadRow(row.line, f"{row.evaluator!r} says {row.winner!r}, which is none of a, b, tie or nothing")


def _places(head: list[str], columns: Columns, name: str) -> dict[str, int]:
    twice = next((column for column in head if column and head.count(column) > 1), None)
    if twice is not None:
        raise DataError(f"two columns are called {twice!r}", where=name, fix="rename one of them")
    for option, wanted in (("prompt", columns.prompt), ("a", columns.a), ("b", columns.b)):
        if wanted not in head:
            raise DataError(
                f"there is no column {wanted!r}; there are {', '.join(map(repr, head))}",
                where=name,
                fix=f"name it with --{option}-column",
            )
    return {column: number for number, column in enumerate(head)}


def _evaluators(head: list[str], columns: Columns, wanted: Sequence[str] | None, name: str) -> list[str]:
    there = [column for column in head if column and column not in (columns.prompt, columns.a, columns.b)]
    for column in wanted or ():
        if column not in there:
            near = get_close_matches(column, there, n=1)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"there is no column {column!r}", where=name, fix=f"{meant}columns: {', '.join(there)}"
            )
    chosen = list(wanted or there)
    if not chosen:
        raise DataError(
            "no column holds an evaluator's winners", where=name, fix="add one column per evaluator"
        )
    return chosen


def _without_repeats(rows: list[_Row]) -> tuple[list[_Row], list[BadRow]]:
    """Rows that say something new, and rows that answer again what an earlier one answered."""
    first: dict[tuple[object, ...], int] = {}
    kept, bad = [], []
    for row in rows:
        # (b, a) is (a, b) in the other order
        turned = (row.a > row.b) != (row.shown == "ba")
        key = (row.prompt, min(row.a, row.b), max(row.a, row.b), row.evaluator, row.repeat, turned)
        if key in first:
            again = f"{row.evaluator!r} judged this pair already in line {first[key]}"
            bad.append(BadRow(row.line, f"{again}; number repeats in a repeat column"))
        else:
            first[key] = row.line
            kept.append(row)
    return kept, bad


def _votes(rows: list[_Row]) -> Votes:
    return votes_of(
        [row.prompt for row in rows],
        [row.a for row in rows],
        [row.b for row in rows],
        [row.evaluator for row in rows],
        [row.winner for row in rows],
        repeat=[row.repeat for row in rows],
        shown=[row.shown for row in rows],
    )


def _told(bad: Sequence[BadRow]) -> str:
    lines = [f"{len(bad):,} bad row{'' if len(bad) == 1 else 's'}", *(str(row) for row in bad[:MOST_TOLD])]
    if len(bad) > MOST_TOLD:
        lines.append(f"and {len(bad) - MOST_TOLD:,} more")
    return "\n  ".join(lines)
