"""The interface of every store."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from semiosis.store._query_result import ROW_LIMIT, TIMEOUT, QueryResult
from semiosis.values import Recorded


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
