"""The journal's file: its schema, its versions, and the errors when it cannot be used."""

import os
import platform
import sqlite3
import uuid
from pathlib import Path

from semiosis.files import cache_folder
from semiosis.values import MachineError, Usage

JOURNAL_VERSION = 2
"""Version 1 (`user_version` 0) kept replies as the text of an SDK's object and costs as floats."""

_CALLS = """
CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    sent TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('paid', 'valid', 'invalid', 'error')),
    reply BLOB NOT NULL,
    answer TEXT,
    model TEXT NOT NULL,
    served TEXT NOT NULL,
    input_tokens INTEGER,
    output_tokens INTEGER,
    cache_read_tokens INTEGER,
    cache_write_tokens INTEGER,
    micro_dollars INTEGER,
    estimated INTEGER NOT NULL DEFAULT 0,
    versions TEXT NOT NULL,
    at REAL NOT NULL
) STRICT;
"""
_OTHER_TABLES = """
CREATE INDEX calls_by_key ON calls (key, attempt);
CREATE TABLE IF NOT EXISTS leases (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    machine TEXT NOT NULL,
    pid INTEGER NOT NULL,
    expires REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batches (sent TEXT PRIMARY KEY, batch TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""
_REQUESTS = """
CREATE TABLE IF NOT EXISTS requests (key TEXT PRIMARY KEY, request TEXT NOT NULL) STRICT, WITHOUT ROWID
"""
"""What was sent, for the log. Older journals lack this table, so it is added when they are opened."""
_FROM_VERSION_1 = """
DROP INDEX IF EXISTS calls_by_key;
ALTER TABLE calls RENAME TO calls_1;
{calls}
INSERT INTO calls SELECT id, key, attempt, sent, state, CAST(reply AS BLOB), answer, model, served,
    input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
    CAST(round(cost * 1000000) AS INTEGER), 0, versions, at FROM calls_1;
DROP TABLE calls_1;
"""
_TOTAL_USAGE = (
    "SELECT count(*), total(input_tokens), total(output_tokens), total(cache_read_tokens),"
    " total(cache_write_tokens), CASE WHEN count(*) = count(micro_dollars) THEN total(micro_dollars) END"
    " FROM calls WHERE state != 'error'"
)
_USAGE_OF_KEY = _TOTAL_USAGE + " AND key = ?"
_MILLION = 1_000_000
_LOG_MARKS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
"""The first bytes of every write-ahead log of SQLite."""
_EMPTY = b"\0\0\0\0"
_FIXES = {
    ("malformed", "not a database", "corrupt"): "restore it from a backup, or delete it and pay again",
    ("full", "disk I/O"): "free some space; what was paid for before is kept",
    ("readonly", "read-only", "unable to open", "denied"): "check the folder and its permissions",
    ("locked",): "close the program that uses it",
    ("no such", "has no column"): "move or delete it: it is no reply journal of this version of Semiosis",
}
"""What to do, by words in SQLite's message."""


def default_journal() -> Path:
    """Return the journal for use without a study: in `$SEMIOSIS_CACHE` or the user's cache folder."""
    return cache_folder() / "replies.sqlite"


def open_journal(path: Path) -> sqlite3.Connection:
    """Open the file, creating or migrating it if needed."""
    _check_log(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise journal_error(error, path, "opened") from error
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        _create_or_migrate(db, path)
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'requests'").fetchone():
            db.execute(_REQUESTS)
    except sqlite3.Error as error:
        db.close()
        raise journal_error(error, path, "opened") from error
    except MachineError:
        db.close()
        raise
    return db


def _check_log(path: Path) -> None:
    """Raise if the write-ahead log is damaged: SQLite would silently drop it and the replies in it."""
    log = path.with_name(f"{path.name}-wal")
    if not log.is_file():
        return
    with log.open("rb") as file:
        beginning = file.read(len(_EMPTY))
    if beginning and beginning not in (_EMPTY, *_LOG_MARKS):
        raise MachineError(
            "the write-ahead log of the reply journal is damaged",
            where=str(log),
            fix="restore it from a backup; if you remove it, the replies in it are paid for again",
        )


def journal_error(error: Exception, path: Path, verb: str) -> MachineError:
    """Return the error to raise when the journal cannot be opened, read or written."""
    text = str(error)
    fix = next((fix for words, fix in _FIXES.items() if any(word in text for word in words)), "")
    return MachineError(
        f"the reply journal cannot be {verb}: {text}", where=str(path), fix=fix or "check the file"
    )


def machine_name() -> str:
    """Return a name of the scope in which process ids are unique. Two containers may share a host name."""
    namespace = Path("/proc/self/ns/pid")
    namespace_id = namespace.stat().st_ino if namespace.exists() else 0
    return f"{platform.node()}-{uuid.getnode():x}-{namespace_id}"


def process_exists(pid: int) -> bool:
    """Return whether a process with this id runs on this machine."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def total_usage(db: sqlite3.Connection, key: str | None = None) -> Usage:
    """Return the usage of one question, or of all without a key. The cost is None if a price is unknown."""
    row = (db.execute(_TOTAL_USAGE) if key is None else db.execute(_USAGE_OF_KEY, (key,))).fetchone()
    tokens = [int(number) for number in row[1:5]]
    return Usage(
        calls=row[0],
        input_tokens=tokens[0],
        output_tokens=tokens[1],
        cache_read_tokens=tokens[2],
        cache_write_tokens=tokens[3],
        cost=None if row[5] is None else row[5] / _MILLION,
    )


def _create_or_migrate(db: sqlite3.Connection, path: Path) -> None:
    if _version(db) == JOURNAL_VERSION:
        return
    db.execute("BEGIN EXCLUSIVE")  # two processes may open an old journal at the same time
    try:
        if _supported_version(db, path) != JOURNAL_VERSION:
            old = db.execute("SELECT 1 FROM sqlite_master WHERE name = 'calls'").fetchone()
            _run_all(db, (_FROM_VERSION_1.format(calls=_CALLS) if old else _CALLS) + _OTHER_TABLES)
            db.execute(f"PRAGMA user_version = {JOURNAL_VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def _supported_version(db: sqlite3.Connection, path: Path) -> int:
    version = _version(db)
    if version not in (0, JOURNAL_VERSION):
        raise MachineError(
            f"the reply journal has format {version}, which this version of Semiosis cannot read",
            where=str(path),
            fix="use the version of Semiosis that wrote it, or name another file with --journal",
        )
    return version


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _run_all(db: sqlite3.Connection, script: str) -> None:
    for statement in filter(str.strip, script.split(";")):  # executescript would commit first
        db.execute(statement)
