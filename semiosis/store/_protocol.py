"""The interface of every store, and the result of a query."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self, overload

from semiosis.values import Recorded, brief_repr

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


@dataclass(frozen=True)
class GraphCounts:
    """The numbers of nodes and edges in a store."""

    nodes: Mapping[str, int]
    """The number of nodes of each label."""
    edges: Mapping[str, int]
    """The number of edges of each type."""


class Store(Protocol):
    """A graph database of values."""

    @property
    def address(self) -> str:
        """Its folder or URL, without credentials."""
        ...

    @property
    def label_prefix(self) -> str:
        """The prefix of every label in this store; empty unless a database is shared with other programs."""
        ...

    def save(self, *values: Recorded, study: str = "") -> None:
        """Save values. Saving twice changes nothing; a reference to a missing value is refused."""
        ...

    def load(self, value_id: str) -> Recorded:
        """Return the value with this id, exactly as it was saved."""
        ...

    def remove(self, *ids: str, dependents: bool = False, dry_run: bool = False) -> list[Recorded]:
        """Remove values; with `dependents`, also the values that refer to them. Return what is removed."""
        ...

    def values(self) -> Iterator[Recorded]:
        """Yield every value, signs first, in an order in which they can be saved elsewhere."""
        ...

    def studies(self) -> Mapping[str, str]:
        """Return what each study in this store is about, by its name."""
        ...

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float = TIMEOUT,
        limit: int = ROW_LIMIT,
    ) -> QueryResult:
        """Return the rows of a Cypher query. A query that writes is refused unless `write` is set."""
        ...

    def search(self, text: str, *, limit: int = 20) -> QueryResult:
        """Return the semioses whose words match the text, best first: id, label, object, score."""
        ...

    def counts(self) -> GraphCounts:
        """Return the numbers of nodes and edges."""
        ...

    def close(self) -> None:
        """Close files and connections."""
        ...

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
