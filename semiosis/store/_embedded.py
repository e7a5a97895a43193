"""The embedded store: a kglite graph beside a study's record, and only ever an index of it.

Delete `.semiosis/graph.kgl` and the next query makes it again.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import filelock

from semiosis.store._graph import LABELS, Row, project, spaced, study_rows
from semiosis.store._guard import refuse_unsafe
from semiosis.store._protocol import Counts
from semiosis.store._rows import ROW_LIMIT, TIMEOUT, Rows, limited
from semiosis.store._write import batches, news, references, refuse_dangling, with_signs
from semiosis.values import (
    HIDDEN,
    Line,
    MachineError,
    Recorded,
    StoreError,
    StudyFile,
    UsageError,
    append_record,
    data,
    from_json,
    kind_of,
    read_study_file,
    record_files,
    stream_record,
    write_study_file,
    write_whole,
)

INDEX_VERSION = 1
"""Version of the index. One of another version is remade."""
_VALUES_AT_ONCE = 2_000
_SEARCH = (
    "CALL db.index.fulltext.queryNodes('meanings', $text) YIELD node, score "
    "RETURN node.id AS id, node.label AS label, node.object AS object, score AS score ORDER BY score DESC, id"
)


class EmbeddedStore:
    """A study folder as a store."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.exists():
            write_study_file(self.folder, StudyFile(name=_study_name(self.folder)))
        self.head = read_study_file(self.folder)
        self._hidden = self.folder / HIDDEN
        self._file = self._hidden / "graph.kgl"

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
        new = news(given, self._stored(given))
        rows = [row for value in new for row in project(value)]
        refuse_dangling(self._missing(references(rows)))
        append_record(self.folder, new)
        self.refresh()

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
        self.__dict__.pop("_session", None)

    def refresh(self) -> None:
        """Bring the index up to the record: read on from where it stopped, or make it anew."""
        state = _read_state(self._hidden / "graph.json")
        if self._file.exists() and _is_current(state, self.folder):
            return
        self.close()
        lock = filelock.FileLock(self._hidden / "graph.lock", timeout=60)
        try:
            self._hidden.mkdir(exist_ok=True)
            with lock:
                self._index(_read_state(self._hidden / "graph.json"))
        except filelock.Timeout as error:
            raise MachineError(
                "another process is indexing this study", where=self.address, fix="try again"
            ) from error
        except OSError as error:
            raise MachineError(
                f"cannot write the index: {error.strerror or error}",
                where=str(self._hidden),
                fix="free some space",
            ) from error

    def _index(self, state: dict[str, Any]) -> None:
        if not self._file.exists() or not _continues(state, self.folder):
            for stale in self._hidden.glob("graph.kgl*"):
                stale.unlink()
            state = {"files": {}}
        ends: dict[str, int] = {}
        with _kglite().open(str(self._file), durable="normal") as graph:
            for statement in _statements():
                graph.cypher(statement)
            for file in record_files(self.folder):
                name = file.relative_to(self.folder).as_posix()
                ends[name] = _read_on(graph, file, state["files"].get(name, {}).get("end", 0))
            signs = graph.cypher("MATCH (n:Sign) RETURN n.id AS id")
            _merge(graph, study_rows(self.head.name, self.head.about, [row["id"] for row in signs]))
        write_whole(self._hidden / "graph.json", json.dumps(_state(self.folder, ends)))

    @cached_property
    def _session(self) -> Any:
        return _kglite().open_session(str(self._file))

    def _read(
        self, cypher: str, params: Mapping[str, Any], timeout: float = TIMEOUT, limit: int = ROW_LIMIT
    ) -> Rows:
        self.refresh()
        kglite = _kglite()
        try:
            view = self._session.cypher(
                cypher, params=dict(params), timeout_ms=max(1, round(timeout * 1000)), row_limit=limit + 1
            )
            rows = [{column: _plain(value) for column, value in row.items()} for row in view]
        except kglite.CypherTimeoutError as error:
            raise StoreError(
                f"the query ran longer than {timeout:g} s and was stopped",
                fix="anchor it with an id or a label, or raise the timeout",
            ) from error
        except kglite.ReadOnlyError as error:
            raise UsageError(
                "this query would write; queries only read", fix="save values instead"
            ) from error
        except kglite.KgError as error:
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


def _kglite() -> Any:
    import kglite  # noqa: PLC0415  # 40 MB of engine, not needed to read or judge

    kglite.set_query_warning_policy("silent")  # its remarks come back as hints on the rows
    return kglite


def _study_name(folder: Path) -> str:
    name = "".join(
        letter if letter.isascii() and letter.isalnum() else "-" for letter in folder.resolve().name
    )
    return name.strip("-") or "study"


def _statements() -> list[str]:
    lines = data("graphs/schema.cypher").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("//"))
    return [statement.strip() for statement in text.split(";") if statement.strip()]


def _read_on(graph: Any, file: Path, start: int) -> int:
    """Merge what a record file holds from an offset on; returns the offset after its last whole line."""
    lines = stream_record(file, start)
    end = start
    while part := list(islice(lines, _VALUES_AT_ONCE)):
        _merge(graph, _rows_of(part))
        end = part[-1].end
    return end


def _rows_of(lines: list[Line]) -> Iterator[Row]:
    return (row for line in lines for row in project(line.value))


def _merge(graph: Any, rows: Iterable[Row]) -> None:
    with graph.begin() as transaction:
        for batch in batches(rows):
            transaction.cypher(batch.cypher, params={"rows": batch.rows})


def _plain(value: Any) -> Any:
    """A node without the properties kglite adds of its own."""
    if isinstance(value, dict) and {"labels", "properties"} <= value.keys():
        properties = {
            name: item for name, item in value["properties"].items() if name not in {"title", "type"}
        }
        return {"labels": value["labels"], "properties": properties}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


def _read_state(file: Path) -> dict[str, Any]:
    try:
        state = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {"files": {}}
    known = isinstance(state, dict) and state.get("index") == INDEX_VERSION and "files" in state
    return state if known else {"files": {}}


def _state(folder: Path, ends: Mapping[str, int]) -> dict[str, Any]:
    files = {
        name: _stamp(folder / name) | {"end": end, "sha256": _digest(folder / name, end)}
        for name, end in ends.items()
    }
    return {"index": INDEX_VERSION, "study": _stamp(folder / "study.toml"), "files": files}


def _stamp(file: Path) -> dict[str, int]:
    status = file.stat()
    return {"size": status.st_size, "mtime": status.st_mtime_ns}


def _is_current(state: Mapping[str, Any], folder: Path) -> bool:
    """Whether no record file was touched since the index was made."""
    stamps = {file.relative_to(folder).as_posix(): _stamp(file) for file in record_files(folder)}
    known = {name: {key: about[key] for key in ("size", "mtime")} for name, about in state["files"].items()}
    return stamps == known and state.get("study") == _stamp(folder / "study.toml")


def _continues(state: Mapping[str, Any], folder: Path) -> bool:
    """Whether the record files still begin with what was indexed: then it is enough to read on."""
    return bool(state["files"]) and all(
        (folder / name).is_file() and _digest(folder / name, about["end"]) == about["sha256"]
        for name, about in state["files"].items()
    )


def _digest(file: Path, end: int) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while end > 0 and (piece := stream.read(min(end, 1 << 20))):
            digest.update(piece)
            end -= len(piece)
    return f"{digest.hexdigest()}:{end}"
