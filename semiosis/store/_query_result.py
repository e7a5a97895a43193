"""The result of a query: its rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

from semiosis.values import brief_repr

ROW_LIMIT = 10_000
"""The maximum number of rows that a query returns by default."""
TIMEOUT = 30.0
"""Seconds that a query may run by default."""


@dataclass(frozen=True)
class QueryResult(Sequence[dict[str, Any]]):
    """The rows of a query, each a dict from column to value."""

    __repr__ = brief_repr

    columns: tuple[str, ...]
    """Column names, in order."""
    rows: tuple[dict[str, Any], ...]
    """The rows, in order."""
    truncated: bool = False
    """Whether the query has more rows than the limit."""
    hints: tuple[str, ...] = ()
    """The warnings of the engine, such as an unknown label or property."""

    @overload
    def __getitem__(self, index: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[dict[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> dict[str, Any] | Sequence[dict[str, Any]]:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)


def limit_rows(
    columns: Sequence[str], rows: list[dict[str, Any]], limit: int, hints: Sequence[str] = ()
) -> QueryResult:
    """Return the result with at most `limit` rows. If `rows` has more, the result is marked as truncated."""
    truncated = len(rows) > limit
    more = (f"only the first {limit:,} rows are shown; raise the limit for more",) if truncated else ()
    return QueryResult(tuple(columns), tuple(rows[:limit]), truncated, (*hints, *more))
