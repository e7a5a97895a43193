"""The index of a study: a kglite file that follows the record, read on by offset or made anew.

Delete `.semiosis/graph.kgl` and the next query makes it again. Nothing is lost: the record holds it all.
"""

import hashlib
import json
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any

import filelock

from semiosis.store._graph import EdgeRow, Row, project, study_rows
from semiosis.store._schema import statements
from semiosis.store._write import batches
from semiosis.values import (
    HIDDEN,
    STUDY_FILE,
    Line,
    MachineError,
    Recorded,
    StoreError,
    read_study_file,
    record_files,
    stream_record,
    to_json,
    write_whole,
)

INDEX_VERSION = 1
"""Version of what is in the index. One of another version, or by another kglite, is remade."""
_VALUES_AT_ONCE = 2_000
_PATIENCE = 60.0

_FIND_WORDS = (
    "CALL db.node_text_index.refresh({type: 'Semiosis', text_column: 'words'}) YIELD * RETURN 1 AS done"
)
"""After more than a thousand changes kglite finds nothing by its full-text index until it is told to."""

Stamp = dict[str, int]
_STAMP = ("size", "mtime")
Late = dict[str, list[Row]]


def refresh(folder: Path, saved: Iterable[Recorded] = ()) -> Stamp:
    """Bring the index up to the record; the stamp tells this state of the index from any other.

    `saved` are values recorded just now, whose lines need not be read again.
    """
    state = _read_state(folder)
    if not _is_current(state, folder):
        _with_lock(folder, {to_json(value): value for value in saved})
        state = _read_state(folder)
    return dict(state["graph"])


def open_index(folder: Path) -> Any:
    """A session that reads the index as it is now."""
    try:
        return kglite().open_session(str(_index_file(folder)))
    except kglite().KgError as error:
        raise MachineError(
            f"cannot open the index: {error}",
            where=str(_index_file(folder)),
            fix="try again; it may be deleted at any time",
        ) from error


def kglite() -> Any:
    """The engine, loaded when first needed."""
    try:
        import kglite as engine  # 40 MB, not needed to read or judge
    except ImportError as error:  # glibc keeps little room for libraries of this kind that are loaded late
        raise StoreError(
            f"the embedded store cannot be loaded beside what is loaded already: {error}",
            fix="import kglite first, or start with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384",
        ) from error

    engine.set_query_warning_policy("silent")  # its remarks come back as hints on the rows
    return engine


def _with_lock(folder: Path, at_hand: Mapping[str, Recorded]) -> None:
    lock = filelock.FileLock(folder / HIDDEN / "graph.lock", timeout=_PATIENCE)
    try:
        (folder / HIDDEN).mkdir(exist_ok=True)
        with lock:
            state = _read_state(folder)
            if not _is_current(state, folder):  # else another process was quicker
                _index(folder, state, at_hand)
    except filelock.Timeout as error:
        raise MachineError(
            "another process is indexing this study", where=str(folder), fix="try again"
        ) from error
    except (OSError, kglite().FileIoError) as error:
        raise MachineError(
            f"cannot write the index: {getattr(error, 'strerror', None) or error}",
            where=str(folder / HIDDEN),
            fix="free some space, or copy the study to a folder you may write to",
        ) from error


def _index(folder: Path, state: Mapping[str, Any], at_hand: Mapping[str, Recorded]) -> None:
    """Add what the index lacks. It is replaced whole at the end: a crash leaves the one before."""
    if not _continues(state, folder):
        for stale in _index_file(folder).parent.glob("graph.kgl*"):
            stale.unlink()
        state = _NOTHING
    stamps = _stamps(folder)  # before reading: what is appended meanwhile must show as new
    ends: dict[str, int] = {}
    late: Late = {}
    with _quietly(), kglite().open(str(_index_file(folder)), durable="off") as graph:
        for statement in statements().values():
            graph.cypher(statement)
        for file in record_files(folder):
            name = file.relative_to(folder).as_posix()
            start = state["files"].get(name, {}).get("end", 0)
            ends[name] = _read_on(graph, stream_record(file, start, at_hand), start, late)
        head = read_study_file(folder)
        signs = graph.cypher("MATCH (n:Sign) RETURN n.id AS id")
        _merge(graph, chain.from_iterable(late.values()))
        _merge(graph, study_rows(head.name, head.about, [row["id"] for row in signs]))
        graph.cypher(_FIND_WORDS)
    write_whole(_state_file(folder), json.dumps(_state(folder, stamps, ends)))


@contextmanager
def _quietly() -> Iterator[None]:
    """Without remarks on how a large file is laid out."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", kglite().MappedFallbackWarning)
        yield


def _read_on(graph: Any, lines: Iterator[Line], end: int, late: Late) -> int:
    """Merge the lines of a record file; returns the offset after the last one, or `end` if there is none."""
    while part := list(islice(lines, _VALUES_AT_ONCE)):
        _merge(graph, _rows_of(part, late))
        kglite().trim_memory()  # else 100,000 HSGs take half as much memory again
        end = part[-1].end
    return end


def _rows_of(lines: Iterable[Line], late: Late) -> Iterable[Row]:
    """The rows of some lines, of a value recorded twice the later ones; edges that must wait go to `late`."""
    for line in {line.value.id: line for line in lines}.values():
        rows = list(project(line.value, line.text))
        late[line.value.id] = [row for row in rows if _is_late(row)]
        if not late[line.value.id]:
            del late[line.value.id]
        yield from (row for row in rows if not _is_late(row))


def _is_late(row: Row) -> bool:
    """Whether an edge may point at a line further down: at a value kept in the same folder of the record."""
    return isinstance(row, EdgeRow) and (row.type in {"PROMPTED", "GIVEN"} or row.target[0] == "Verdict")


def _merge(graph: Any, rows: Iterable[Row]) -> None:
    with graph.begin() as transaction:
        for batch in batches(rows):
            transaction.cypher(batch.cypher, params={"rows": batch.rows})


_NOTHING: dict[str, Any] = {"files": {}}


def _index_file(folder: Path) -> Path:
    return folder / HIDDEN / "graph.kgl"


def _state_file(folder: Path) -> Path:
    return folder / HIDDEN / "graph.json"


def _version() -> str:
    return f"{INDEX_VERSION} kglite {kglite().__version__}"


def _read_state(folder: Path) -> dict[str, Any]:
    """What the index was made from; nothing where that is unknown or the index is not what was left."""
    try:
        state = json.loads(_state_file(folder).read_text(encoding="utf-8"))
        known = state["index"] == _version() and state["graph"] == _stamp(_index_file(folder))
    except (OSError, ValueError, KeyError, TypeError):
        return _NOTHING
    return dict(state) if known else _NOTHING


def _state(folder: Path, stamps: Mapping[str, Stamp], ends: Mapping[str, int]) -> dict[str, Any]:
    files = {
        name: stamps.get(name, {}) | {"end": end, "sha256": _digest(folder / name, end)}
        for name, end in ends.items()
    }
    graph = _stamp(_index_file(folder))
    return {"index": _version(), "graph": graph, "study": stamps[STUDY_FILE], "files": files}


def _stamp(file: Path) -> Stamp:
    status = file.stat()
    return {"size": status.st_size, "mtime": status.st_mtime_ns}


def _stamps(folder: Path) -> dict[str, Stamp]:
    files = (folder / STUDY_FILE, *record_files(folder))
    return {file.relative_to(folder).as_posix(): _stamp(file) for file in files}


def _is_current(state: Mapping[str, Any], folder: Path) -> bool:
    """Whether no file was touched since the index was made."""
    known = {
        name: {key: about.get(key) for key in ("size", "mtime")} for name, about in state["files"].items()
    }
    return {STUDY_FILE: state.get("study"), **known} == _stamps(folder)


def _continues(state: Mapping[str, Any], folder: Path) -> bool:
    """Whether the record files still begin with what was indexed: then it is enough to read on."""
    return state.get("study") == _stamp(folder / STUDY_FILE) and all(
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
