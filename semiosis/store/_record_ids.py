"""Finds values in a study's record by id without reading the whole record.

`.semiosis/ids.sqlite` maps the id of every recorded line to its file and offset. An update reads only the
lines that were appended since the last call. The file may be deleted at any time.
"""

import hashlib
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from semiosis.files import HIDDEN_FOLDER, read_lines, record_files, write_error
from semiosis.values import MachineError

_SCHEMA = """
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS files (file TEXT PRIMARY KEY, size INT, mtime INT, end INT, tail TEXT);
CREATE TABLE IF NOT EXISTS lines (id TEXT PRIMARY KEY, file TEXT, start INT, end INT) WITHOUT ROWID;
"""
_ID = re.compile(rb'^\s*\{\s*"kind":\s*"\w+",\s*"version":\s*\d+,\s*"id":\s*"(?P<id>[^"\\]+)"')
_TAIL_BYTES = 4096
"""If this many bytes before the old end are unchanged, a file counts as only appended to."""
_WAIT_SECONDS = 60


def recorded_lines(folder: Path, ids: Iterable[str]) -> dict[str, str]:
    """Return the recorded JSON of those ids that a study's record contains, by id."""
    if not folder.exists():
        return {}
    try:
        (folder / HIDDEN_FOLDER).mkdir(exist_ok=True)
        with closing(
            sqlite3.connect(folder / HIDDEN_FOLDER / "ids.sqlite", timeout=_WAIT_SECONDS)
        ) as database:
            database.executescript(_SCHEMA)
            database.isolation_level = None
            _update(database, folder)
            return dict(_look_up(database, folder, ids))
    except OSError as error:
        raise write_error(error, folder / HIDDEN_FOLDER) from error
    except sqlite3.OperationalError as error:
        raise MachineError(
            f"cannot write the id index: {error}",
            where=str(folder / HIDDEN_FOLDER),
            fix="free some space, or choose a folder that you can write to",
        ) from error
    except sqlite3.Error as error:
        raise MachineError(
            f"cannot read the id index: {error}",
            where=str(folder / HIDDEN_FOLDER / "ids.sqlite"),
            fix="delete the file; it is created again",
        ) from error


def _look_up(database: sqlite3.Connection, folder: Path, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
    for value_id in ids:
        line = _line(database, folder, value_id)
        if line is not None and not _is_line_of(value_id, line):  # an earlier line was edited by hand
            database.execute("DELETE FROM files")
            database.execute("DELETE FROM lines")
            _update(database, folder)
            line = _line(database, folder, value_id)
        if line is not None:
            yield value_id, line.decode(errors="replace").rstrip("\n")


def _line(database: sqlite3.Connection, folder: Path, value_id: str) -> bytes | None:
    row = database.execute("SELECT file, start, end FROM lines WHERE id = ?", (value_id,)).fetchone()
    if row is None:
        return None
    with (folder / row[0]).open("rb") as stream:
        stream.seek(row[1])
        line: bytes = stream.read(row[2] - row[1])
    return line


def _is_line_of(value_id: str, line: bytes) -> bool:
    found = _ID.match(line)
    return found is not None and found["id"].decode(errors="replace") == value_id


def _update(database: sqlite3.Connection, folder: Path) -> None:
    present = {file.relative_to(folder).as_posix(): file for file in record_files(folder)}
    stamps = {name: _stamp(file) for name, file in present.items()}
    known = {row[0]: row[1:] for row in database.execute("SELECT file, size, mtime, end, tail FROM files")}
    if {name: row[:2] for name, row in known.items()} == stamps:
        return
    with database:
        database.execute("BEGIN IMMEDIATE")
        for name in known.keys() - present.keys():
            _forget(database, name)
        for name, file in present.items():
            size, mtime, end, tail = known.get(name, (0, 0, 0, ""))
            if (size, mtime) != stamps[name]:
                if end and (stamps[name][0] < end or _tail(file, end) != tail):
                    _forget(database, name)
                    end = 0
                _add_lines(database, name, file, end, stamps[name])


def _add_lines(
    database: sqlite3.Connection, name: str, file: Path, start: int, stamp: tuple[int, int]
) -> None:
    """Add the lines after ``start``. If an id is recorded twice, the later line counts."""
    end = start
    with file.open("rb") as stream:
        stream.seek(start)
        for line in read_lines(stream, file):
            if not line.endswith(b"\n"):
                break
            start, end = end, end + len(line)
            if found := _ID.match(line):
                row = (found["id"].decode(errors="replace"), name, start, end)
                database.execute("INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?)", row)
    about = (name, *stamp, end, _tail(file, end))
    database.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)", about)


def _forget(database: sqlite3.Connection, name: str) -> None:
    database.execute("DELETE FROM lines WHERE file = ?", (name,))
    database.execute("DELETE FROM files WHERE file = ?", (name,))


def _stamp(file: Path) -> tuple[int, int]:
    status = file.stat()
    return status.st_size, status.st_mtime_ns


def _tail(file: Path, end: int) -> str:
    with file.open("rb") as stream:
        stream.seek(max(0, end - _TAIL_BYTES))
        return hashlib.sha256(stream.read(min(end, _TAIL_BYTES))).hexdigest()
