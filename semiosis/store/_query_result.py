"""Rows: what a query gives back."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

ROW_LIMIT = 10_000
"""Rows a query returns unless told otherwise."""
TIMEOUT = 30.0
"""Seconds a query may run unless told otherwise."""


@dataclass(frozen=True)
class QueryResult(Sequence[dict[str, Any]]):
    """The rows of a query, each a dict from column to value."""

    columns: tuple[str, ...]
    """Column names, in order."""
    rows: tuple[dict[str, Any], ...]
    """The rows, in order."""
    truncated: bool = False
    """Whether there were more than the limit allowed."""
    hints: tuple[str, ...] = ()
    """What the engine remarked: an unknown label, a property nobody has."""

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
    """Rows cut to the limit; one row more than the limit shows that there were more."""
    truncated = len(rows) > limit
    more = (f"only the first {limit:,} rows are shown; raise the limit for more",) if truncated else ()
    return QueryResult(tuple(columns), tuple(rows[:limit]), truncated, (*hints, *more))
