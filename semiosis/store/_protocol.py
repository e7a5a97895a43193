"""What every store can do."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from semiosis.store._rows import ROW_LIMIT, TIMEOUT, Rows
from semiosis.values import Recorded


@dataclass(frozen=True)
class Counts:
    """How many nodes and edges a store holds."""

    nodes: Mapping[str, int]
    """By label."""
    edges: Mapping[str, int]
    """By type."""


class Store(Protocol):
    """A graph database that keeps values: save, load, query, search."""

    @property
    def address(self) -> str:
        """Where it is, without credentials."""
        ...

    @property
    def label_prefix(self) -> str:
        """What each label starts with in this store; empty unless a Neo4j is shared with other programs."""
        ...

    def save(self, *values: Recorded, study: str = "") -> None:
        """Keep the values. Saving twice changes nothing; a reference that leads nowhere is refused."""
        ...

    def load(self, value_id: str) -> Recorded:
        """The value with this id, exactly as it was saved."""
        ...

    def remove(self, *ids: str, dependents: bool = False, dry_run: bool = False) -> list[Recorded]:
        """Remove values, with `dependents` also those that refer to them; return what is removed."""
        ...

    def values(self) -> Iterator[Recorded]:
        """Every value, signs first, in an order in which they can be saved elsewhere."""
        ...

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float = TIMEOUT,
        limit: int = ROW_LIMIT,
    ) -> Rows:
        """The rows of a Cypher query; it reads only unless `write` is set."""
        ...

    def search(self, text: str, *, limit: int = 20) -> Rows:
        """Semioses whose words match the text, best first: id, label, object, score."""
        ...

    def counts(self) -> Counts:
        """How many nodes and edges there are."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
