"""The journal's file: its schema, the errors when it cannot be used, and the one thread that uses it."""

import logging
import os
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TypeVar

from semiosis.files import cache_folder
from semiosis.values import MachineError, UsageError

R = TypeVar("R")
Job = Callable[[sqlite3.Connection], R]
_Item = tuple[Job[object], Future[object]]

logger = logging.getLogger("semiosis.ask")

JOURNAL_VERSION = 3
LOCKED_TRY_SECONDS = 5.0
"""How long SQLite waits for a lock before this run says that it is waiting."""
LOCKED_SECONDS = 60.0
"""How long a journal that another program locks is waited for, once, before the run ends."""

_SCHEMA = """
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
CREATE INDEX calls_by_key ON calls (key, attempt);
CREATE TABLE requests (key TEXT PRIMARY KEY, request TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE claims (key TEXT PRIMARY KEY, run TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE batches (sent TEXT PRIMARY KEY, batch TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE commits (number INTEGER NOT NULL) STRICT;
INSERT INTO commits VALUES (0);
"""
"""`requests` holds what was sent, for the log; `claims` which run asks a question now; `batches` which calls
are in which batch; `commits` how often the file was changed."""

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


def journal_error(error: Exception, path: Path, verb: str) -> MachineError:
    """Return the error to raise when the journal cannot be opened, read or written."""
    text = str(error)
    fix = next((fix for words, fix in _FIXES.items() if any(word in text for word in words)), "")
    return MachineError(
        f"the reply journal cannot be {verb}: {text}", where=str(path), fix=fix or "check the file"
    )


class Database:
    """One SQLite file and the thread that uses it. Jobs that are waiting run in one transaction.

    A commit waits for the disk, so replies that arrive together share one.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failure: MachineError | None = None
        """Why a write failed. A run starts no further call then, because its reply might be lost."""
        self._connection = _open(path)
        self._inode = path.stat().st_ino
        self._process = os.getpid()
        self._closing = False
        self._jobs: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._serve, name="semiosis-journal", daemon=True)
        self._thread.start()

    def submit(self, job: Job[R]) -> Future[R]:
        """Queue a job. Its changes are on disk when the future is done."""
        self._require_own_process()
        done: Future[R] = Future()
        self._jobs.put((job, done))  # type: ignore[arg-type]  # the thread only passes the result through
        return done

    def close(self) -> None:
        """Finish the queued jobs and close the file."""
        self._require_own_process()
        self._closing = True
        self._jobs.put(None)
        self._thread.join()

    def _require_own_process(self) -> None:
        """Raise in a process forked from the one that opened the file: the thread does not exist there."""
        if os.getpid() != self._process:
            raise UsageError(
                "the reply journal was opened before this process was forked",
                where=str(self.path),
                fix='make a new Asker in each process, or start processes with multiprocessing\'s "spawn"',
            )

    def _serve(self) -> None:
        is_open = True
        while is_open:
            waiting, is_open = self._next_jobs()
            # From here on a future cannot be cancelled, so its result can always be set.
            self._commit([item for item in waiting if item[1].set_running_or_notify_cancel()])
        self._connection.close()
        if self.failure is None:  # every write is in the file, so a later run has nothing to compare
            _commits_file(self.path).unlink(missing_ok=True)

    def _next_jobs(self) -> tuple[list[_Item], bool]:
        """Wait for a job; return all that are queued, and whether more may come."""
        waiting: list[_Item] = []
        item = self._jobs.get()
        try:
            while item is not None:
                waiting.append(item)
                item = self._jobs.get_nowait()
        except queue.Empty:
            return waiting, True
        return waiting, False

    def _commit(self, waiting: list[_Item]) -> None:
        """Run all jobs in one transaction; if that fails, run each in a transaction of its own."""
        if not waiting:
            return
        try:
            results = self._patient_transaction([job for job, _ in waiting])
        except Exception as error:  # noqa: BLE001  # the thread must keep running; the caller gets the error
            if len(waiting) > 1 and not _is_locked(error):
                for item in waiting:
                    self._commit([item])
                return
            failure = journal_error(error, self.path, "written")
            self.failure = self.failure or failure
            for _, done in waiting:
                done.set_exception(failure)
            return
        for (_, done), result in zip(waiting, results, strict=True):
            done.set_result(result)

    def _patient_transaction(self, jobs: list[Job[object]]) -> list[object]:
        """Run jobs in one transaction. While another program locks the file, say so and wait for a minute."""
        give_up = monotonic() + LOCKED_SECONDS
        is_announced = False
        while True:
            try:
                return self._transaction(jobs)
            except sqlite3.OperationalError as error:
                if not _is_locked(error) or self.failure or self._closing or monotonic() >= give_up:
                    raise
                if not is_announced:
                    logger.warning("another program locks the reply journal %s; waiting for it", self.path)
                is_announced = True

    def _transaction(self, jobs: list[Job[object]]) -> list[object]:
        db = self._connection
        db.execute("BEGIN IMMEDIATE")
        try:
            before = db.total_changes
            results = [job(db) for job in jobs]
            number = None
            if db.total_changes > before:
                self._require_file()
                (number,) = db.execute("UPDATE commits SET number = number + 1 RETURNING number").fetchone()
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        if number is not None:
            with suppress(OSError):  # the changes are on disk, so this must not fail the jobs
                _commits_file(self.path).write_text(str(number))
        return results

    def _require_file(self) -> None:
        """Raise if the file was deleted or replaced while it was open: writes would go nowhere."""
        try:
            inode = self.path.stat().st_ino
        except FileNotFoundError:
            inode = -1
        if inode != self._inode:
            raise OSError("the file was moved, replaced or deleted while it was open")


def _open(path: Path) -> sqlite3.Connection:
    """Open the file, creating it if needed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _require_every_commit(path)
        db = sqlite3.connect(path, timeout=LOCKED_TRY_SECONDS, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise journal_error(error, path, "opened") from error
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        _require_schema(db, path)
    except sqlite3.Error as error:
        db.close()
        raise journal_error(error, path, "opened") from error
    except MachineError:
        db.close()
        raise
    return db


def _require_every_commit(path: Path) -> None:
    """Raise if writes of a run that crashed have vanished since, because they would be paid for again.

    SQLite drops the write-ahead log from the first damaged page on, without an error. A small file next to
    the journal therefore holds the number of the last commit. It is written after the commit has reached the
    disk, so it never runs ahead, and it is removed when the journal is closed in order.
    """
    file = _commits_file(path)
    try:
        written = int(file.read_text() or 0)
    except (FileNotFoundError, ValueError):
        return
    if not path.exists():  # deleted on purpose, to pay again
        file.unlink(missing_ok=True)
        return
    present = _commits_in(path)
    if present < written:
        raise MachineError(
            f"the reply journal has lost its last {written - present} changes, and with them paid replies",
            where=str(path),
            fix=f"restore it together with {path.name}-wal from a backup; or delete {file.name} to go on and "
            "pay for the lost replies again",
        )


def _commits_in(path: Path) -> int:
    """Return how many commits a file contains; 0 if even its tables were in the part that is lost."""
    for mode in ("ro", "rw"):  # a connection that only reads leaves the log as it is, but needs its index
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode={mode}", uri=True, timeout=LOCKED_TRY_SECONDS)
        try:
            row = db.execute("SELECT number FROM commits").fetchone()
        except sqlite3.OperationalError as error:
            if "no such table" in str(error):
                return 0
            if mode == "rw" or _is_locked(error):
                raise
        else:
            return int(row[0]) if row else 0
        finally:
            db.close()
    return 0


def _commits_file(path: Path) -> Path:
    return path.with_name(f"{path.name}-commits")


def _require_schema(db: sqlite3.Connection, path: Path) -> None:
    """Create the tables of a new file; raise if the file has another format."""
    if _version(db) == JOURNAL_VERSION:
        return
    db.execute("BEGIN EXCLUSIVE")  # two processes may create a journal at the same time
    try:
        version = _version(db)
        is_new = not db.execute("SELECT 1 FROM sqlite_master").fetchone()
        if version != JOURNAL_VERSION and not is_new:
            raise _unsupported(version, path)  # noqa: TRY301  # the transaction is rolled back below
        if is_new:
            for statement in filter(str.strip, _SCHEMA.split(";")):  # executescript would commit first
                db.execute(statement)
            db.execute(f"PRAGMA user_version = {JOURNAL_VERSION}")
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise


def _unsupported(version: int, path: Path) -> MachineError:
    return MachineError(
        f"the reply journal has format {version}, which this version of Semiosis cannot read",
        where=str(path),
        fix="use the version of Semiosis that wrote it, or name another file with --journal",
    )


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _is_locked(error: Exception) -> bool:
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
