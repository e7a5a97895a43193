"""Reads votes from a table: a file, a data frame or columns, with one row per vote or one per comparison.

`semiosis stats FILE`, data frames and the import of votes into a study recognise the same headings and read
cells by the same rules.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from semiosis.files import heading_key, match_headings, shown_headings, whole_number
from semiosis.stats._arrays import is_missing
from semiosis.values import DataError, UsageError

_PEOPLE = ("judge", "annotator", "rater", "user", "worker", "person", "participant", "respondent")
WHO = (*_PEOPLE, "scorer", "metric", *(f"{who}_id" for who in _PEOPLE), "workerid", "prolific_pid")
"""The headings of a column of evaluators."""

VOTE_COLUMNS: dict[str, tuple[str, ...]] = {
    "prompt": ("prompt_id", "text"),
    "a": ("left", "image_a", "file_a", "model_a"),
    "b": ("right", "image_b", "file_b", "model_b"),
    "evaluator": WHO,
    "winner": ("vote", "choice", "preference", "preferred", "label", "response"),
    "repeat": (),
    "shown": ("order",),
    "p_a": (),
    "kind": (),
}
"""The columns of votes, each with the other headings that are recognised."""

DESCRIPTIONS = frozenset(
    (
        *("id", "uid", "sample_id", "name", "nr", "no", "number", "index", "caption", "prompt_text"),
        *("seed", "language", "lang", "missing", "failure", "history"),
        *("file", "file_name", "filename", "image", "path", "picture", "image_path", "image_file_name"),
        *("generator", "generator_name", "model", "system", "round", "turn", "step", "from", "source"),
        *("previous", "references", "reference_images", "tradition", "culture", "tags", "tag", "category"),
    )
)
"""Headings that describe prompts and pictures. A wide table may have them beside the columns of judges."""

SIDES = {name: side for side in ("a", "b") for name in (side, *VOTE_COLUMNS[side])}
"""The sides by the headings of their columns."""

PAST = frozenset(("superseded", "withdrawn"))
"""The cells of a column `history` that mark a row as no longer current. Readers of tables leave it out."""

_CODES: dict[float, str] = {1.0: "a", -1.0: "b", 0.0: "tie"}
ANSWERS = ("a", "b", "tie", "flip", "")
MAX_LISTED = 10
"""The maximum number of bad rows that a message names."""


class BadRow(NamedTuple):
    """A row that cannot be read."""

    line: int
    """The line of the file, or the number of the row."""
    what: str
    """What is wrong with the row."""

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


class Vote(NamedTuple):
    """One vote of a table."""

    prompt: Any
    a: Any
    b: Any
    evaluator: Any
    winner: str
    """a, b, tie, flip or an empty text."""
    repeat: int = 0
    shown: str = "ab"
    p_a: float | None = None


@dataclass
class VoteSource:
    """The cells of a table, column by column, and how to name its rows and its options."""

    columns: Mapping[str, Sequence[Any]]
    """The cells by heading."""
    lines: Sequence[int]
    """The line or the number of each row."""
    bad: dict[int, str] = field(default_factory=dict)
    """What is wrong with a row, by line. Such rows are not read."""
    where: str = ""
    """The name of the file."""
    noun: str = "row"
    """What a row is called in messages: row or line."""
    column_option: str = "columns={{{name!r}: …}}"
    """How to state the heading of a column."""
    judge_option: str = "judges=[{names}]"
    """How to select the columns of judges."""

    def reject(self, line: int, what: str) -> None:
        """Note the first problem of a row."""
        self.bad.setdefault(line, what)


@dataclass(frozen=True)
class VoteLayout:
    """Which columns of a table hold what."""

    names: Mapping[str, str]
    """The heading of each column of votes that the table has."""
    judges: tuple[str, ...]
    """The columns of a wide table that hold the winners of one evaluator each; none if it is long."""


def vote_layout(
    source: VoteSource, stated: Mapping[str, str] | None = None, judges: Sequence[str] | None = None
) -> VoteLayout:
    """Return which columns hold what. `stated` names headings, `judges` the columns of a wide table."""
    headings = list(filter(None, source.columns))
    matched = match_headings(headings, VOTE_COLUMNS, stated or {}, source.where)
    names = {name: heading for heading, name in matched.items()}
    for name in ("prompt", "a", "b"):
        if name not in names:
            raise _no_column(source, name)
    if "evaluator" in names and "winner" in names:
        return VoteLayout(names, ())
    if "winner" in names and not judges:
        raise _no_column(source, "evaluator")
    who = names.pop("evaluator", "")  # without a winner, a column such as "judge" may be one judge
    others = [heading for heading in headings if heading not in names.values() and not describes(heading)]
    if who and not judges and ("evaluator" in (stated or {}) or not may_be_judge(who)):
        raise _no_column(source, "winner")
    columns = tuple(dict.fromkeys(judges or others))
    for name in columns:
        if name not in source.columns:
            near = get_close_matches(name, others, n=1)
            meant = f"did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"there is no column {name!r}",
                where=source.where,
                fix=f"{meant}columns: {shown_headings(others)}",
            )
    if not columns:
        raise DataError(
            "no column holds an evaluator's winners", where=source.where, fix="add one column per evaluator"
        )
    return VoteLayout(names, columns)


def may_be_judge(heading: str) -> bool:
    """Return whether a column of evaluators may instead hold the winners of one judge of this name."""
    return heading_key(heading) in ("judge", "scorer", "metric")


def describes(heading: str) -> bool:
    """Return whether a heading describes the comparison and is no name of a judge."""
    key = heading_key(heading)
    return key in DESCRIPTIONS or any(
        key in (name, *spellings) for name, spellings in VOTE_COLUMNS.items() if name != "evaluator"
    )


def read_votes_from(
    source: VoteSource,
    stated: Mapping[str, str] | None = None,
    judges: Sequence[str] | None = None,
    *,
    skip_bad_rows: bool = False,
) -> tuple[list[Vote], list[str]]:
    """Return the votes of a table and notes on repeated rows. Rows that cannot be read are noted as bad."""
    layout = vote_layout(source, stated, judges)
    votes: list[tuple[int, Vote]] = []
    counts = CellCounts()
    history = source.columns.get("history", [""] * len(source.lines))
    for index, line in enumerate(source.lines):
        if line not in source.bad and history[index] not in PAST:
            row = {name: source.columns[heading][index] for name, heading in layout.names.items()}
            cells = {name: source.columns[name][index] for name in layout.judges}
            votes += [(line, vote) for vote in _votes_of_row(source, row, cells, line, counts)]
    if not judges:
        require_readable_columns(source, layout.judges, counts)
    read, notes = _once(source, votes)
    if source.bad and not skip_bad_rows:
        raise DataError(
            _bad_rows_message(source),
            where=source.where,
            fix="fix these rows, or leave them out" + (" with --skip-bad-rows" if source.where else ""),
        )
    if not read:
        raise DataError("there are no votes in this table", where=source.where, fix="add rows")
    return read, notes


@dataclass
class CellCounts:
    """How many cells of each column of judges could be read, and the first that could not."""

    good: Counter[str] = field(default_factory=Counter)
    bad: Counter[str] = field(default_factory=Counter)
    example: dict[str, tuple[int, object]] = field(default_factory=dict)

    def add_bad(self, name: str, line: int, cell: object) -> None:
        """Count a cell that cannot be read."""
        self.bad[name] += 1
        self.example.setdefault(name, (line, cell))

    def foreign(self, names: Sequence[str]) -> list[str]:
        """Return the columns that hold something else than votes: most of their cells cannot be read."""
        return [name for name in names if self.bad[name] > 1 and self._is_foreign(name)]

    def _is_foreign(self, name: str) -> bool:
        # A column of counts may hold 0 and 1, which are also codes of winners.
        is_number = isinstance(self.example[name][1], int | float | np.number)
        return is_number or self.bad[name] > self.good[name]


def require_readable_columns(source: VoteSource, judges: Sequence[str], counts: CellCounts) -> None:
    """Raise one error for columns that do not hold votes, such as comments, instead of one per row."""
    foreign = counts.foreign(judges)
    others = [name for name in judges if name not in foreign]
    if not foreign or not others:
        return
    line, cell = counts.example[foreign[0]]
    options = " ".join(source.judge_option.format(names=repr(name)) for name in others)
    if "[" in source.judge_option:
        options = source.judge_option.format(names=", ".join(map(repr, others)))
    raise DataError(
        f"{'column' if len(foreign) == 1 else 'columns'} without votes: {shown_headings(foreign)}, such as "
        f"{cell!r} in {source.noun} {line}",
        where=source.where,
        fix=f"name the judges and the reference: {options}",
    )


def _votes_of_row(
    source: VoteSource,
    row: Mapping[str, Any],
    cells: Mapping[str, Any],
    line: int,
    counts: CellCounts,
) -> Iterator[Vote]:
    """Yield the votes of one row. What is wrong with it is noted."""
    needed = ("prompt", "a", "b") if cells else ("prompt", "a", "b", "evaluator")
    empty = next((name for name in needed if is_missing(row[name])), None)
    prompt, a, b = row["prompt"], row["a"], row["b"]
    if empty is not None or a == b:
        source.reject(line, f"{empty!r} is empty" if empty else f"{a!r} is compared with itself")
        return
    ordered = not is_missing(row.get("shown"))
    try:
        repeat, shown = read_repeat(row.get("repeat")), read_order(row.get("shown"))
        p_a = read_probability(row.get("p_a"))
        if not cells:
            winner = _winner(row["evaluator"], row["winner"], a, b, ordered=ordered)
            yield Vote(prompt, a, b, row["evaluator"], winner, repeat, shown, p_a)
    except ValueError as error:
        source.reject(line, str(error))
        return
    for judge, cell in cells.items():
        try:
            winner = _winner(judge, cell, a, b, ordered=ordered)
        except ValueError as error:
            counts.add_bad(judge, line, cell)
            source.reject(line, str(error))
        else:
            counts.good[judge] += 1
            yield Vote(prompt, a, b, judge, winner, repeat, shown)


def _winner(judge: object, cell: object, a: object, b: object, *, ordered: bool) -> str:
    winner = read_winner(cell, a, b, ordered=ordered)
    if winner is None:
        raise ValueError(f"the winner {cell!r} of {judge!r} is not a, b, tie, {a!r}, {b!r} or empty")
    return winner


def read_winner(
    cell: object,
    a: object,
    b: object,
    choices: Mapping[str, str] | None = None,
    *,
    ordered: bool = False,
) -> str | None:
    """Return a, b, tie, flip or an empty text for a cell, or None if it says something else.

    `choices` states what further words mean. Numbers are 1 for a, −1 for b and 0 for a tie. If the order
    shown is stated (`ordered`), left and right may mean the screen or the columns, so they are not read.

    >>> [read_winner(cell, "flux", "sdxl") for cell in ("A", "right", "flux", "", "middle")]
    ['a', 'b', 'a', '', None]
    """
    if is_missing(cell):
        return ""
    if isinstance(cell, int | float | np.number) and not isinstance(cell, bool):
        return _CODES.get(float(cell))
    key = str(cell).strip().casefold()
    if choices and key in choices:
        return choices[key]
    if key in ANSWERS:
        return key
    if key in SIDES and not (ordered and key in ("left", "right")):
        return SIDES[key]
    return {str(a).casefold(): "a", str(b).casefold(): "b"}.get(key)


def read_order(cell: object) -> str:
    """Return the order in which a pair was shown, ab or ba; ab if the cell is empty."""
    shown = "ab" if is_missing(cell) else str(cell).strip().lower()
    if shown not in ("ab", "ba"):
        raise ValueError(f"order shown {cell!r} is neither ab nor ba")
    return shown


def read_repeat(cell: object) -> int:
    """Return the number of a repeat; 0 if the cell is empty."""
    return 0 if is_missing(cell) else whole_number(str(cell).strip(), "repeat")


def read_probability(cell: object) -> float | None:
    """Return the stated probability that a wins, or None if the cell is empty."""
    if is_missing(cell):
        return None
    try:
        p = float(str(cell).strip())
    except ValueError:
        p = float("nan")
    if not 0 <= p <= 1 or "_" in str(cell):  # float accepts 0_1
        raise ValueError(f"p_a {cell!r} is not a probability from 0 to 1")
    return p


def _once(source: VoteSource, votes: Sequence[tuple[int, Vote]]) -> tuple[list[Vote], list[str]]:
    """Return each vote once, and notes on rows that repeat one. A row that contradicts one is bad."""
    first: dict[Hashable, tuple[int, str]] = {}
    once: list[tuple[int, Vote]] = []
    notes = []
    for line, vote in votes:
        swapped = str(vote.a) > str(vote.b)
        pair = (vote.b, vote.a) if swapped else (vote.a, vote.b)
        key = (vote.prompt, *pair, vote.evaluator, vote.repeat, swapped != (vote.shown == "ba"))
        winner = {"a": "b", "b": "a"}.get(vote.winner, vote.winner) if swapped else vote.winner
        earlier, said = first.setdefault(key, (line, winner))
        if earlier == line:
            once.append((line, vote))
        elif said == winner:
            notes.append(f"{source.noun} {line} repeats {source.noun} {earlier}")
        else:
            source.reject(
                line, f"{source.noun} {earlier} has a vote on this pair; number repeats in a repeat column"
            )
    return [vote for line, vote in once if line not in source.bad], notes


def _bad_rows_message(source: VoteSource) -> str:
    listed = [f"{source.noun} {line}: {what}" for line, what in sorted(source.bad.items())[:MAX_LISTED]]
    more = [f"and {len(source.bad) - MAX_LISTED:,} more"] if len(source.bad) > MAX_LISTED else []
    count = f"{len(source.bad):,} bad row{'' if len(source.bad) == 1 else 's'}"
    return "\n  ".join([count, *listed, *more])


def _no_column(source: VoteSource, name: str) -> DataError:
    there_are = shown_headings(list(filter(None, source.columns)))
    line = f"{source.noun} 1: " if source.where else ""
    return DataError(
        f"{line}there is no column {name!r}; columns: {there_are}",
        where=source.where,
        fix=f"name its heading with {source.column_option.format(name=name)}",
    )
