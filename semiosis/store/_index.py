"""The index of a study: a kglite file that is updated from the record before each query.

Only new lines of the record are read, unless earlier lines have changed. If `.semiosis/graph.kgl` is deleted,
the next query creates it again from the record.
"""

import hashlib
import json
import shutil
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

import filelock

from semiosis.files import (
    HIDDEN_FOLDER,
    STUDY_FILE,
    RecordLine,
    atomic_write,
    read_study_file,
    read_text,
    record_files,
    stream_record,
)
from semiosis.store._schema import any_superseded, rename_superseded_edges, schema_statements
from semiosis.store._statements import merge_statements
from semiosis.values import (
    KINDS,
    DataError,
    EdgeRow,
    GraphRow,
    MachineError,
    NodeRow,
    Recorded,
    StoreError,
    project,
    study_rows,
)

INDEX_VERSION = 6
"""Version of the content of the index. An index of another version of this or of kglite is rebuilt."""
_VALUES_PER_CHUNK = 500
_ROWS_PER_CHUNK = 20_000
_VALUES_PER_OPENING = 25_000
"""After this many values, or a quarter of those already indexed if that is more, the file is saved and opened
again. While it writes, the engine needs three times the memory of a file that has just been opened."""
_CREATED_LABELS = {"HSG", "Semiosis", "Alignment"}
"""Labels of nodes that are written with CREATE, because they have nearly the same properties. CREATE takes
half the time of MERGE, and saving takes half the memory. Nodes with other labels are merged."""
_LOCK_SECONDS = 60.0
_MAX_STATE_BYTES = 10_000_000

_INCLUDE_SIGNS = (
    "MATCH (s:Study {id: $study}) MATCH (n:Sign) WHERE NOT EXISTS { MATCH (n)<-[:INCLUDES]-(:Study) } "
    "CREATE (s)-[:INCLUDES]->(n)"
)
"""MERGE is not used here, because for each edge kglite would scan all edges of the study."""
_REFRESH_TEXT_INDEX = (
    "CALL db.node_text_index.refresh({type: 'Semiosis', text_column: 'words'}) YIELD * RETURN 1 AS done"
)
"""After more than a thousand changes, kglite's full-text index finds nothing until it is refreshed."""

Stamp = dict[str, int]
DeferredRows = dict[str, list[GraphRow]]
NamedLine = tuple[str, RecordLine]


def refresh(folder: Path) -> Stamp:
    """Update the index from the record; return a stamp that identifies this state of the index."""
    state = _read_state(folder)
    if not _is_current(state, folder):
        _update_locked(folder)
        state = _read_state(folder)
    return dict(state["graph"])


def kglite() -> Any:
    """Return the engine, imported on first use."""
    try:
        import kglite as engine  # 40 MB, not needed to read or judge
    except ModuleNotFoundError as error:
        raise StoreError(
            "the embedded store needs the package kglite, which is not installed",
            fix="pip install kglite, or copy the study to Neo4j: semiosis store copy STUDY bolt://HOST:7687, "
            "then add --store bolt://HOST:7687",
        ) from error
    except ImportError as error:  # glibc reserves little static TLS space for libraries that are loaded late
        raise StoreError(
            f"the embedded store cannot be loaded after the libraries that are already loaded: {error}",
            fix="import kglite first, or start with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384",
        ) from error

    engine.set_query_warning_policy("silent")  # warnings are returned with the rows, as hints
    return engine


def _update_locked(folder: Path) -> None:
    lock = filelock.FileLock(folder / HIDDEN_FOLDER / "graph.lock", timeout=_LOCK_SECONDS)
    try:
        (folder / HIDDEN_FOLDER).mkdir(exist_ok=True)
        with lock:
            state = _read_state(folder)
            if not _is_current(state, folder):  # otherwise another process has updated it
                _update(folder, state)
    except filelock.Timeout as error:
        raise MachineError(
            "another process is indexing this study",
            where=str(folder),
            fix="wait until it ends, then try again",
        ) from error
    except (OSError, kglite().FileIoError) as error:
        raise MachineError(
            f"cannot write the index: {_write_failure(error, folder)}",
            where=str(folder / HIDDEN_FOLDER),
            fix="free some space, or copy the study to a folder that you can write to",
        ) from error


def _write_failure(error: Exception, folder: Path) -> str:
    """Return why the index cannot be written. On a full disk, kglite says that another process writes it."""
    is_full = shutil.disk_usage(folder).free < _LEAST_FREE_BYTES
    if isinstance(error, kglite().WriterLeaseHeldError) and is_full:
        return "No space left on device"
    return str(getattr(error, "strerror", None) or error)


def _update(folder: Path, state: Mapping[str, Any]) -> None:
    """Add the new lines to the index. An index that a crash left incomplete is rebuilt."""
    if not _only_appended(state, folder):
        for stale in index_file(folder).parent.glob("graph.kgl*"):
            stale.unlink()
        state = _NO_STATE
    stamps = _stamps(folder)  # taken before reading, so that lines appended meanwhile count as new
    ends = {name: state["files"].get(name, {}).get("end", 0) for name in stamps if name != STUDY_FILE}
    lines, deferred = _new_lines(folder, dict(ends)), DeferredRows()
    read, count = 0, _VALUES_PER_OPENING
    while _index_lines(folder, lines, count, ends, deferred) == count:
        read += count
        count = max(count, read // 4)
        kglite().trim_memory()
    atomic_write(_state_file(folder), json.dumps(_state(folder, stamps, ends)))


def _new_lines(folder: Path, starts: Mapping[str, int]) -> Iterator[NamedLine]:
    """Yield the lines of the record, starting at these offsets, each with the name of its file."""
    for name, start in starts.items():
        for line in stream_record(folder / name, start):
            yield name, line


def _index_lines(
    folder: Path, lines: Iterator[NamedLine], count: int, ends: dict[str, int], deferred: DeferredRows
) -> int:
    """Index up to `count` lines, and after the last line the deferred edges; return the number of lines."""
    source, read = islice(lines, count), 0
    with _open_for_writing(folder) as graph:
        while chunk := list(islice(source, _VALUES_PER_CHUNK)):
            _merge_rows(graph, _project_lines((line for _, line in chunk), deferred))
            kglite().trim_memory()  # otherwise 100,000 HSGs take 1.5 times the memory
            ends.update((name, line.end) for name, line in chunk)
            read += len(chunk)
        if read < count:
            _merge_deferred(graph, folder, deferred)
    return read


def _merge_deferred(graph: Any, folder: Path, deferred: DeferredRows) -> None:
    """Merge the study, and the edges that were deferred until all lines were read."""
    head = read_study_file(folder)
    rows = chain(study_rows(head.name, head.about, []), chain.from_iterable(deferred.values()))
    while chunk := list(islice(rows, _ROWS_PER_CHUNK)):
        _merge_rows(graph, chunk)
    graph.cypher(_INCLUDE_SIGNS, params={"study": head.name})
    if any(map(any_superseded, deferred.values())):
        for statement in rename_superseded_edges():
            graph.cypher(statement)
    graph.cypher(_REFRESH_TEXT_INDEX)


@contextmanager
def _open_for_writing(folder: Path) -> Iterator[Any]:
    """Open the index for writing, with its columns in memory-mapped files. It is saved at the end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kglite().MappedFallbackWarning)
        with kglite().open(str(index_file(folder)), durable="off", storage="mapped") as graph:
            for statement in schema_statements():
                graph.cypher(statement.cypher)
            yield graph


def _project_lines(lines: Iterable[RecordLine], deferred: DeferredRows) -> Iterable[GraphRow]:
    """Yield the rows of some lines; add edges that must be written later to `deferred`.

    If a value is recorded twice, the later line counts.
    """
    for line in {line.value.id: line for line in lines}.values():
        now, later = _split_rows(line.value, line.text)
        deferred.pop(line.value.id, None)
        if later:
            deferred[line.value.id] = later
        yield from now


def _split_rows(value: Recorded, json: str) -> tuple[list[GraphRow], list[GraphRow]]:
    """Return the rows of a value, and apart its edges to values of its section, which may come later."""
    rows = list(project(value, json))
    own = {(row.label, row.id) for row in rows if isinstance(row, NodeRow)}
    section = KINDS[value.kind].section
    labels = {kind.label for kind in KINDS.values() if kind.section == section}
    labels |= {"Semiosis"} if section == "hsgs" else set()
    now: list[GraphRow] = []
    later: list[GraphRow] = []
    for row in rows:
        ends = {row.source, row.target} - own if isinstance(row, EdgeRow) else set()
        (later if any(label in labels for label, _ in ends) else now).append(row)
    return now, later


def _merge_rows(graph: Any, rows: Iterable[GraphRow]) -> None:
    """Merge rows without a transaction, because in one the engine would first copy everything it changes."""
    for batch in merge_statements(_create_nodes(graph, rows)):
        graph.cypher(batch.cypher, params={"rows": batch.rows})


def _create_nodes(graph: Any, rows: Iterable[GraphRow]) -> list[GraphRow]:
    """Create new nodes of the labels in `_CREATED_LABELS`; return the other rows, which must be merged."""
    others: list[GraphRow] = []
    new: dict[str, dict[str, NodeRow]] = {}
    for row in rows:
        if isinstance(row, NodeRow) and row.label in _CREATED_LABELS:
            new.setdefault(row.label, {})[row.id] = row
        else:
            others.append(row)
    for label, nodes in new.items():
        known = f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN n.id AS id"
        others += [nodes.pop(row["id"]) for row in graph.cypher(known, params={"ids": list(nodes)})]
        # Some properties are optional. A node without one gets null, which sets no property.
        names = tuple(dict.fromkeys(name for node in nodes.values() for name in node.props))
        created = [[node.id, *(node.props.get(name) for name in names)] for node in nodes.values()]
        graph.cypher(_create_statement(label, names), params={"rows": created})
    return others


def _create_statement(label: str, names: tuple[str, ...]) -> str:
    props = "".join(f", `{name}`: row[{position}]" for position, name in enumerate(names, 1))
    return f"UNWIND $rows AS row CREATE (:{label} {{id: row[0]{props}}})"


_NO_STATE: dict[str, Any] = {"files": {}}
_LEAST_FREE_BYTES = 1_000_000


def index_file(folder: Path) -> Path:
    return folder / HIDDEN_FOLDER / "graph.kgl"


def _state_file(folder: Path) -> Path:
    return folder / HIDDEN_FOLDER / "graph.json"


def _version() -> str:
    return f"{INDEX_VERSION} kglite {kglite().__version__}"


def _read_state(folder: Path) -> dict[str, Any]:
    """Return the state of the record that was indexed; an empty state if the index does not match it."""
    try:
        state = json.loads(read_text(_state_file(folder), _MAX_STATE_BYTES))
        known = state["index"] == _version() and state["graph"] == _stamp(index_file(folder))
    except (DataError, OSError, ValueError, KeyError, TypeError, RecursionError):
        return _NO_STATE
    return dict(state) if known else _NO_STATE


def _state(folder: Path, stamps: Mapping[str, Stamp], ends: Mapping[str, int]) -> dict[str, Any]:
    files = {
        name: stamps.get(name, {}) | {"end": end, "sha256": _digest(folder / name, end)}
        for name, end in ends.items()
    }
    graph = _stamp(index_file(folder))
    return {"index": _version(), "graph": graph, "study": stamps[STUDY_FILE], "files": files}


def _stamp(file: Path) -> Stamp:
    status = file.stat()
    return {"size": status.st_size, "mtime": status.st_mtime_ns}


def _stamps(folder: Path) -> dict[str, Stamp]:
    files = (folder / STUDY_FILE, *record_files(folder))
    return {file.relative_to(folder).as_posix(): _stamp(file) for file in files}


def _is_current(state: Mapping[str, Any], folder: Path) -> bool:
    """Return whether no file has changed since the index was updated."""
    known = {
        name: {key: about.get(key) for key in ("size", "mtime")} for name, about in state["files"].items()
    }
    return {STUDY_FILE: state.get("study"), **known} == _stamps(folder)


def _only_appended(state: Mapping[str, Any], folder: Path) -> bool:
    """Return whether the record files still begin with what was indexed, so that only new lines are read."""
    return state.get("study") == _stamp(folder / STUDY_FILE) and all(
        (folder / name).is_file() and _digest(folder / name, about["end"]) == about["sha256"]
        for name, about in state["files"].items()
    )


def _digest(file: Path, end: int) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as stream:
        while end > 0 and (chunk := stream.read(min(end, 1 << 20))):
            digest.update(chunk)
            end -= len(chunk)
    return f"{digest.hexdigest()}:{end}"
