"""Reads votes from a table without a study."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from semiosis.stats import Votes, votes_of
from semiosis.study._table import MAX_DIGITS, MAX_NAMED, read_table
from semiosis.values import DataError, UsageError

WINNERS = ("a", "b", "tie", "")
_VoteColumns = tuple[
    list[str], list[str], list[str], list[str], list[str], list[int], list[str], list[float | None] | None
]
"""Prompt, a, b, evaluator, winner, repeat, order shown and stated probability of each vote."""


@dataclass(frozen=True)
class Columns:
    """The names of the columns of a CSV file."""

    prompt: str = "prompt"
    a: str = "a"
    b: str = "b"
    evaluator: str = "evaluator"
    winner: str = "winner"
    repeat: str = "repeat"
    shown: str = "shown"
    p_a: str = "p_a"


@dataclass(frozen=True)
class BadRow:
    """A row that cannot be read."""

    line: int
    """The line of the row in the file, counted from 1."""
    what: str
    """What is wrong with the row."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


@dataclass(frozen=True)
class VotesFile:
    """The votes of a file, and the rows that were left out because they cannot be read."""

    votes: Votes
    bad: tuple[BadRow, ...]


@dataclass(frozen=True)
class _Rows:
    """The rows of a file that have as many cells as its first line, column by column."""

    columns: dict[str, list[str]]
    lines: list[int]
    bad: dict[int, str]
    """What is wrong with a row, by line."""


def read_votes(
    path: str | Path,
    *,
    columns: Columns | None = None,
    evaluators: Sequence[str] | None = None,
    skip_bad_rows: bool = False,
    encoding: str = "",
) -> VotesFile:
    """Return the votes in a table, wide or long: CSV with commas, semicolons or tabs, or JSON Lines.

    Wide: `prompt, a, b` and one column per evaluator with a, b, tie or nothing; `evaluators` chooses among
    the columns. Long: `prompt, a, b, evaluator, winner` and optionally `repeat`, `shown` (ab or ba) and
    `p_a` (the stated probability that a wins). The pair (b, a) after (a, b) is the same comparison shown the
    other way round.
    """
    name = str(path)
    named = columns or Columns()
    rows = _rows(path, named, encoding)
    long = named.evaluator in rows.columns and named.winner in rows.columns
    given = _long(rows, named) if long else _wide(rows, named, _evaluators(rows, named, evaluators, name))
    bad = tuple(BadRow(line, what) for line, what in sorted(rows.bad.items()))
    if bad and not skip_bad_rows:
        raise DataError(
            _bad_rows_message(bad), where=name, fix="fix these rows, or leave them out with --skip-bad-rows"
        )
    if not given[0]:
        raise DataError("there are no votes in this file", where=name, fix="add rows below line 1")
    prompt, a, b, evaluator, winner, repeat, shown, p_a = given
    return VotesFile(votes_of(prompt, a, b, evaluator, winner, repeat=repeat, shown=shown, p_a=p_a), bad)


def _rows(path: str | Path, columns: Columns, encoding: str) -> _Rows:
    table = read_table(path, {}, encoding=encoding)
    _check_head(table.columns, columns, str(path))
    cells = {name: [row.cells.get(name, "") for row in table.rows] for name in table.columns}
    return _Rows(cells, [row.line for row in table.rows], table.bad)


def _check_head(head: list[str], columns: Columns, name: str) -> None:
    for option, wanted in (("prompt", columns.prompt), ("a", columns.a), ("b", columns.b)):
        if wanted not in head:
            raise DataError(
                f"line 1: there is no column {wanted!r}; columns: {', '.join(map(repr, head))}",
                where=name,
                fix=f"name it with --{option}-column",
            )


def _wide(rows: _Rows, columns: Columns, evaluators: Sequence[str]) -> _VoteColumns:
    """Return the votes of a wide file, with one row per comparison and one column per evaluator."""
    prompt, a, b = _pairs(rows, columns)
    winners = {evaluator: [cell.lower() for cell in rows.columns[evaluator]] for evaluator in evaluators}
    for evaluator, cells in winners.items():
        _check_winners(rows, cells, [evaluator] * len(cells))
    _check_repeats(rows, [(p, min(x, y), max(x, y), x > y) for p, x, y in zip(prompt, a, b, strict=True)])
    kept = [index for index, line in enumerate(rows.lines) if line not in rows.bad]
    copies = len(evaluators)
    return (
        [prompt[i] for i in kept] * copies,
        [a[i] for i in kept] * copies,
        [b[i] for i in kept] * copies,
        [evaluator for evaluator in evaluators for _ in kept],
        [winners[evaluator][i] for evaluator in evaluators for i in kept],
        [0] * len(kept) * copies,
        ["ab"] * len(kept) * copies,
        None,
    )


def _long(rows: _Rows, columns: Columns) -> _VoteColumns:
    """Return the votes of a long file, with one row per vote."""
    prompt, a, b = _pairs(rows, columns)
    evaluator, winner = (
        rows.columns[columns.evaluator],
        [cell.lower() for cell in rows.columns[columns.winner]],
    )
    repeat = rows.columns.get(columns.repeat) or ["0"] * len(prompt)
    shown = [cell.lower() or "ab" for cell in rows.columns.get(columns.shown) or ["ab"] * len(prompt)]
    _mark_bad(rows, [not cell for cell in evaluator], f"{columns.evaluator!r} is empty")
    _check_presentations(rows, repeat, shown)
    stated = _probabilities(rows, columns)
    _check_winners(rows, winner, evaluator)
    answered = zip(prompt, a, b, evaluator, repeat, shown, strict=True)
    # (b, a) is (a, b) in the other order
    keys = [(p, min(x, y), max(x, y), e, r or "0", (x > y) != (s == "ba")) for p, x, y, e, r, s in answered]
    _check_repeats(rows, keys)
    kept = [index for index, line in enumerate(rows.lines) if line not in rows.bad]
    return (
        [prompt[i] for i in kept],
        [a[i] for i in kept],
        [b[i] for i in kept],
        [evaluator[i] for i in kept],
        [winner[i] for i in kept],
        [int(repeat[i] or 0) for i in kept],
        [shown[i] for i in kept],
        None if stated is None else [stated[i] for i in kept],
    )


def _check_presentations(rows: _Rows, repeat: Sequence[str], shown: Sequence[str]) -> None:
    _mark_bad(
        rows,
        [bool(cell) and not (cell.isdecimal() and len(cell) <= MAX_DIGITS) for cell in repeat],
        lambda index: f"repeat {repeat[index]!r} is not a whole number",
    )
    _mark_bad(
        rows,
        [cell not in ("ab", "ba") for cell in shown],
        lambda index: f"order shown {shown[index]!r} is neither ab nor ba",
    )


def _probabilities(rows: _Rows, columns: Columns) -> list[float | None] | None:
    """Return the stated probabilities, None where a cell is empty; None without such a column."""
    cells = rows.columns.get(columns.p_a)
    if cells is None:
        return None
    stated = [_probability(cell) for cell in cells]
    wrong = [bool(cell) and p is None for cell, p in zip(cells, stated, strict=True)]
    _mark_bad(rows, wrong, lambda index: f"{columns.p_a} {cells[index]!r} is not a probability from 0 to 1")
    return stated if any(p is not None for p in stated) else None


def _probability(cell: str) -> float | None:
    try:
        p = float(cell)
    except ValueError:
        return None
    return p if 0 <= p <= 1 and "_" not in cell else None  # float accepts 0_1


def _pairs(rows: _Rows, columns: Columns) -> tuple[list[str], list[str], list[str]]:
    """Return prompt, a and b of every row, and mark rows that lack one or have the same artifact twice."""
    for column in (columns.prompt, columns.a, columns.b):
        _mark_bad(rows, [not cell for cell in rows.columns[column]], f"{column!r} is empty")
    prompt, a, b = (rows.columns[column] for column in (columns.prompt, columns.a, columns.b))
    same = [x == y for x, y in zip(a, b, strict=True)]
    _mark_bad(rows, same, lambda index: f"{a[index]!r} is compared with itself")
    return prompt, a, b


def _check_winners(rows: _Rows, winners: list[str], evaluators: list[str]) -> None:
    if not set(winners) <= set(WINNERS):
        _mark_bad(
            rows,
            [winner not in WINNERS for winner in winners],
            lambda index: f"the winner {winners[index]!r} of {evaluators[index]!r} is not a, b, tie or empty",
        )


def _check_repeats(rows: _Rows, keys: Sequence[Hashable]) -> None:
    """Mark rows that repeat the question of an earlier row as bad."""
    first: dict[Hashable, int] = {}
    valid = [line not in rows.bad for line in rows.lines]
    earlier = [
        first.setdefault(key, i) if ok else i for i, (key, ok) in enumerate(zip(keys, valid, strict=True))
    ]
    _mark_bad(
        rows,
        [seen != index for index, seen in enumerate(earlier)],
        lambda index: (
            f"line {rows.lines[earlier[index]]} has a vote on this pair; number repeats in a repeat column"
        ),
    )


def _mark_bad(rows: _Rows, wrong: Sequence[bool], what: str | Callable[[int], str]) -> None:
    """Note what is wrong with these rows. Only the first problem of a row counts."""
    if any(wrong):
        for index, bad in enumerate(wrong):
            if bad:
                rows.bad.setdefault(rows.lines[index], what if isinstance(what, str) else what(index))


def _evaluators(rows: _Rows, columns: Columns, wanted: Sequence[str] | None, name: str) -> list[str]:
    found = [
        column for column in rows.columns if column and column not in (columns.prompt, columns.a, columns.b)
    ]
    for column in wanted or ():
        if column not in found:
            near = get_close_matches(column, found, n=1)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"there is no column {column!r}",
                where=name,
                fix=f"{meant}columns: {', '.join(map(repr, found))}",
            )
    chosen = list(dict.fromkeys(wanted or found))
    if not chosen:
        raise DataError(
            "no column holds an evaluator's winners", where=name, fix="add one column per evaluator"
        )
    return chosen


def _bad_rows_message(bad: Sequence[BadRow]) -> str:
    lines = [f"{len(bad):,} bad row{'' if len(bad) == 1 else 's'}", *(str(row) for row in bad[:MAX_NAMED])]
    if len(bad) > MAX_NAMED:
        lines.append(f"and {len(bad) - MAX_NAMED:,} more")
    return "\n  ".join(lines)
