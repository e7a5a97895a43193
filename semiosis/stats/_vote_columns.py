"""The columns of votes in a table with one row per verdict (long) or one row per comparison (wide)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from semiosis.stats._arrays import first_missing_position, is_missing
from semiosis.stats._arrow import ArrowExporter, column_values, table_columns
from semiosis.values import DataError, UsageError

PAIR = ("prompt", "a", "b")
LONG = ("evaluator", "winner")
OPTIONAL = ("repeat", "shown", "p_a")
PANDAS_INDEX = re.compile(r"__index_level_\d+__")
"""The name that pandas gives an unnamed index when it exports a table."""


@dataclass(frozen=True)
class VoteColumns:
    """The columns of votes, with one entry per verdict."""

    prompt: Sequence[Any]
    a: Sequence[Any]
    b: Sequence[Any]
    evaluator: Sequence[Any]
    winner: Sequence[Any]
    repeat: Sequence[Any] | None = None
    shown: Sequence[Any] | None = None
    p_a: Any = None

    def __post_init__(self) -> None:
        lengths = {
            name: len(column)
            for name in (*PAIR, *LONG, *OPTIONAL)
            if (column := getattr(self, name)) is not None
        }
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{name} has {length}" for name, length in lengths.items())
            raise DataError(f"columns must have the same length: {found}", fix="give one entry per verdict")
        for name in (*PAIR, "evaluator"):
            empty = first_missing_position(getattr(self, name))
            if empty is not None:
                raise DataError(
                    f"verdict {empty} has no {name}", fix=f"fill in {name!r} or leave out the row"
                )


def plain_column(column: Any) -> Any:
    """Return an Arrow column, such as a Series, as a list, and any other column unchanged."""
    return column_values(column) if isinstance(column, ArrowExporter) else column


def vote_columns(table: ArrowExporter, names: Mapping[str, str] | None) -> VoteColumns:
    """Return the votes of a table. `names` maps prompt, a, b and so on to the table's own column names."""
    named = {name: name for name in (*PAIR, *LONG, *OPTIONAL)} | dict(names or {})
    unknown = [name for name in named if name not in (*PAIR, *LONG, *OPTIONAL)]
    if unknown:
        known = ", ".join((*PAIR, *LONG, *OPTIONAL))
        raise UsageError(f"columns= maps {unknown[0]!r}, which votes do not have", fix=f"use {known}")
    found = {
        name: column for name, column in table_columns(table).items() if not PANDAS_INDEX.fullmatch(name)
    }
    lacking = [named[name] for name in (*PAIR, *(names or {})) if named[name] not in found]
    if lacking:
        raise DataError(
            f"the table has no column {lacking[0]!r}; it has {', '.join(map(repr, found))}",
            fix="rename it, or call votes_of(table, columns={'prompt': …}) with its name",
        )
    long = all(named[name] in found for name in LONG)
    return _long(found, named) if long else _wide(found, named)


def _long(found: Mapping[str, list[Any]], named: Mapping[str, str]) -> VoteColumns:
    columns = {name: found[named[name]] for name in (*PAIR, *LONG, *OPTIONAL) if named[name] in found}
    if "repeat" in columns:
        columns["repeat"] = [0 if is_missing(number) else number for number in columns["repeat"]]
    if "shown" in columns:
        columns["shown"] = ["" if is_missing(order) else order for order in columns["shown"]]
    return VoteColumns(**columns)


def _wide(found: Mapping[str, list[Any]], named: Mapping[str, str]) -> VoteColumns:
    """Return the verdicts of a table in which each further column contains the winners of one evaluator."""
    evaluators = [name for name in found if name not in {named[name] for name in PAIR}]
    if not evaluators:
        raise DataError("the table has no column of winners", fix="add one column per evaluator")
    prompt, a, b = (found[named[name]] for name in PAIR)
    _check_winners({name: found[name] for name in evaluators})
    count = len(evaluators)
    return VoteColumns(
        prompt=prompt * count,
        a=a * count,
        b=b * count,
        evaluator=[name for name in evaluators for _ in prompt],
        winner=[winner for name in evaluators for winner in found[name]],
    )


def _check_winners(columns: Mapping[str, list[Any]]) -> None:
    for name, winners in columns.items():
        for row, winner in enumerate(winners):
            if not is_missing(winner) and winner not in ("a", "b", "tie", "flip", 1, -1, 0):
                raise DataError(
                    f"row {row} of column {name!r} contains {winner!r}, which is not a winner",
                    fix="pass only prompt, a, b and one column per evaluator, with a, b, tie or nothing",
                )
