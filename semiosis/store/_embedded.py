"""The embedded store: a study folder, whose record is queried through a kglite index beside it."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from semiosis.files import (
    StudyFile,
    append_record,
    read_study_file,
    record_files,
    stream_record,
    write_study_file,
)
from semiosis.store._graph import LABELS, project, spaced
from semiosis.store._guard import refuse_unsafe
from semiosis.store._index import Stamp, kglite, open_index, refresh
from semiosis.store._order import needs
from semiosis.store._protocol import Counts
from semiosis.store._rows import ROW_LIMIT, TIMEOUT, Rows, limited
from semiosis.store._write import brought, carried, news, references, refuse_dangling, with_signs
from semiosis.values import (
    Recorded,
    StoreError,
    UsageError,
    from_json,
    kind_of,
)

_SEARCH = (
    "CALL db.index.fulltext.queryNodes('meanings', $text) YIELD node, score "
    "RETURN node.id AS id, node.label AS label, node.object AS object, score AS score ORDER BY score DESC, id"
)
_IMPLICIT = {"title", "type"}


class EmbeddedStore:
    """A study folder as a store."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.exists():
            write_study_file(self.folder, StudyFile(name=_study_name(self.folder)))
        self.head = read_study_file(self.folder)
        self._opened: tuple[Stamp, Any] | None = None

    @property
    def address(self) -> str:
        """The folder."""
        return str(self.folder)

    def save(self, *values: Recorded, study: str = "") -> None:
        """Add the values to the record, under the run `saved`, and to the index."""
        if study and study != self.head.name:
            raise UsageError(
                f"this folder is the study {self.head.name!r}, not {study!r}", fix="leave the study out"
            )
        given = with_signs(values)
        new = news(given, self._stored(given), carried(values))
        rows = (row for value in new if needs(value) for row in project(value, ""))
        refuse_dangling(self._missing(references(rows, brought(new))))
        refresh(self.folder, append_record(self.folder, new))

    def load(self, value_id: str) -> Recorded:
        """The value with this id, exactly as it was recorded."""
        for label in dict.fromkeys(LABELS.values()):
            rows = self._read(f"MATCH (n:{label} {{id: $id}}) RETURN n.json AS json", {"id": value_id})
            if rows:
                return from_json(rows[0]["json"], where=self.address)
        raise StoreError(f"no value has the id {value_id!r}", where=self.address, fix="ids are 20 hex digits")

    def values(self) -> Iterator[Recorded]:
        """Every value of the record, signs first; of a sign recorded twice, the later line."""
        for file in record_files(self.folder):
            latest = (
                {line.value.id: line.value for line in stream_record(file)}
                if file.name == "signs.jsonl"
                else None
            )
            yield from latest.values() if latest is not None else (line.value for line in stream_record(file))

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float = TIMEOUT,
        limit: int = ROW_LIMIT,
    ) -> Rows:
        """The rows of a Cypher query. The index follows the record, so nothing is written through it."""
        if write:
            raise UsageError(
                "the embedded graph follows the study's record and takes no writes",
                fix="save values instead, or copy the study to Neo4j and write there",
            )
        refuse_unsafe(cypher)
        return self._read(cypher, params or {}, timeout, limit)

    def search(self, text: str, *, limit: int = 20) -> Rows:
        """Semioses whose words match the text, best first."""
        return self._read(_SEARCH, {"text": spaced(text)}, limit=limit)

    def counts(self) -> Counts:
        """How many nodes and edges there are, by label and type."""
        nodes = self._read("MATCH (n) RETURN labels(n)[0] AS word, count(n) AS n ORDER BY word", {})
        edges = self._read("MATCH ()-[r]->() RETURN type(r) AS word, count(r) AS n ORDER BY word", {})
        return Counts({row["word"]: row["n"] for row in nodes}, {row["word"]: row["n"] for row in edges})

    def close(self) -> None:
        """Let go of the file."""
        self._opened = None

    def refresh(self) -> None:
        """Bring the index up to the record now, rather than at the next query."""
        refresh(self.folder)

    def _session(self) -> Any:
        """The index as it is now: another process may have brought it further since it was opened."""
        stamp = refresh(self.folder)
        if self._opened is None or self._opened[0] != stamp:
            self._opened = stamp, open_index(self.folder)
        return self._opened[1]

    def _read(
        self, cypher: str, params: Mapping[str, Any], timeout: float = TIMEOUT, limit: int = ROW_LIMIT
    ) -> Rows:
        session, engine = self._session(), kglite()
        try:
            view = session.cypher(
                cypher, params=dict(params), timeout_ms=max(1, round(timeout * 1000)), row_limit=limit + 1
            )
            rows = [{column: _plain(value) for column, value in row.items()} for row in view]
        except engine.CypherTimeoutError as error:
            raise StoreError(
                f"the query ran longer than {timeout:g} s and was stopped",
                fix="anchor it with an id or a label, or raise the timeout",
            ) from error
        except engine.ReadOnlyError as error:
            raise UsageError(
                "this query would write; queries only read", fix="save values instead"
            ) from error
        except engine.KgError as error:
            raise UsageError(
                f"the query does not run: {error}", fix="see docs: the property graph"
            ) from error
        warned = [hint for hint in view.diagnostics["warnings"] if "row_limit" not in hint]
        return limited(list(view.columns), rows, limit, warned)

    def _stored(self, values: Iterable[Recorded]) -> dict[str, str]:
        """The JSON of those values that are in the index, by id."""
        by_label: dict[str, list[str]] = {}
        for value in values:
            by_label.setdefault(LABELS[kind_of(value)], []).append(value.id)
        return {
            row["id"]: row["json"]
            for label, ids in by_label.items()
            for row in self._present(label, ids, "n.id AS id, n.json AS json")
        }

    def _missing(self, named: Mapping[str, set[str]]) -> dict[str, list[str]]:
        return {
            label: sorted(ids - {row["id"] for row in self._present(label, sorted(ids), "n.id AS id")})
            for label, ids in named.items()
        }

    def _present(self, label: str, ids: list[str], columns: str) -> Rows:
        cypher = f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN {columns}"
        return self._read(cypher, {"ids": ids}, limit=len(ids) + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _study_name(folder: Path) -> str:
    name = "".join(
        letter if letter.isascii() and letter.isalnum() else "-" for letter in folder.resolve().name
    )
    return name.strip("-") or "study"


def _plain(value: Any) -> Any:
    """Nodes, edges and paths as every store gives them, without what kglite adds of its own."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    if {"labels", "properties"} <= value.keys():
        properties = {name: item for name, item in value["properties"].items() if name not in _IMPLICIT}
        return {"labels": value["labels"], "properties": properties}
    if {"start", "end", "type", "properties"} <= value.keys():
        return {"type": value["type"], "properties": value["properties"]}
    return {name: _plain(item) for name, item in value.items()}
