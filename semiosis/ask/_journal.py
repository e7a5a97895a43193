"""The reply cache and journal: every paid reply on disk before it is used, and no question paid twice.

One SQLite file (write-ahead log, synchronous FULL). A *call* is one reply that was paid for; it is `paid`
when it arrives, then `valid` or `invalid`. Invalid replies stay for the books and are never served. A *lease*
says that a process is asking a question now; another one waits for its answer, and takes the lease over when
its holder is dead or has not renewed it.
"""

import os
import platform
import queue
import sqlite3
import threading
import time
import uuid
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from semiosis.values import MachineError, Usage

R = TypeVar("R")
Work = Callable[[sqlite3.Connection], R]

LEASE_SECONDS = 90.0
"""How long a lease lasts unless renewed. A dead holder on this machine is noticed at once."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    sent TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('paid', 'valid', 'invalid')),
    reply TEXT NOT NULL,
    answer TEXT,
    model TEXT NOT NULL,
    served TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cache_read_tokens INTEGER NOT NULL,
    cache_write_tokens INTEGER NOT NULL,
    cost REAL,
    versions TEXT NOT NULL,
    at REAL NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS calls_by_key ON calls (key, attempt);
CREATE TABLE IF NOT EXISTS leases (
    key TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    machine TEXT NOT NULL,
    pid INTEGER NOT NULL,
    expires REAL NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS batches (sent TEXT PRIMARY KEY, batch TEXT NOT NULL) STRICT, WITHOUT ROWID;
"""

_CONCLUDE = (
    "UPDATE calls SET state = iif(id = ?, 'valid', 'invalid'), answer = iif(id = ?, ?, answer)"
    " WHERE key = ? AND (state = 'paid' OR id = ?)"
)
_SPENT = (
    "SELECT count(*), total(input_tokens), total(output_tokens), total(cache_read_tokens),"
    " total(cache_write_tokens), CASE WHEN count(*) = count(cost) THEN total(cost) END FROM calls"
)
_SPENT_ON = _SPENT + " WHERE key = ?"
_RELEASE = "DELETE FROM leases WHERE key = ? AND owner = ?"


@dataclass(frozen=True, slots=True)
class Call:
    """One reply that was paid for."""

    key: str
    """The question's key."""
    attempt: int
    """1 for the first time it was asked, 2 for the first re-ask, and so on."""
    sent: str
    """SHA-256 of this very request: a re-ask carries the reply it complains of."""
    reply: str
    """The provider's reply as JSON."""
    model: str
    """The model asked for."""
    served: str
    """The model that answered."""
    usage: Usage
    """Tokens and cost."""
    versions: str = "{}"
    """Versions of the libraries used, as JSON."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A valid answer from the journal."""

    answer: str
    """The answer as JSON."""
    served: str
    """The model that answered."""
    usage: Usage
    """What it had cost, with the attempts before it."""
    call: int
    """Which call holds it."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """The question is ours to ask."""

    paid: dict[tuple[int, str], tuple[int, str]]
    """Replies that arrived before a crash and were not looked at: (attempt, sent) → (call, reply)."""


class Busy:
    """Another process is asking this question now."""


class Journal:
    """The journal in one file. Safe to share between processes and between threads of one process.

    All work goes through one thread, which puts what has gathered into one transaction: a commit waits for
    the disk, and thirty replies that arrive together should wait once.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.owner = uuid.uuid4().hex
        self._machine = _machine()
        self._work: queue.SimpleQueue[tuple[Work[object], Future[object]] | None] = queue.SimpleQueue()
        self._connection = _open(self.path)
        self._thread = threading.Thread(target=self._serve, name="semiosis-journal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finishes what was handed in, then closes the file."""
        self._work.put(None)
        self._thread.join()

    def claim(self, key: str) -> Future["Kept | Claimed | Busy"]:
        """The kept answer, or the right to ask, or the news that somebody else is asking."""
        return self._submit(lambda db: self._claim(db, key))

    def peek(self, key: str) -> Future[Kept | None]:
        """The kept answer, without asking for the right to ask."""
        return self._submit(lambda db: _kept(db, key))

    def record(self, call: Call) -> Future[int]:
        """Puts a paid reply on disk; gives the number of the call."""
        return self._submit(lambda db: _insert(db, call))

    def conclude(self, key: str, call: int, answer: str) -> Future[Kept | None]:
        """This call holds the answer, the question's other calls do not; gives the right to ask back."""
        return self._submit(lambda db: self._conclude(db, key, call, answer))

    def reject(self, key: str) -> Future[None]:
        """No reply to this question holds an answer, none is served again; gives the right to ask back."""
        return self._submit(lambda db: self._reject(db, key))

    def release(self, key: str) -> Future[None]:
        """Gives the right to ask back."""
        return self._submit(lambda db: _run(db, _RELEASE, key, self.owner))

    def renew(self) -> Future[None]:
        """Renews every lease held here."""
        expires = time.time() + LEASE_SECONDS
        return self._submit(
            lambda db: _run(db, "UPDATE leases SET expires = ? WHERE owner = ?", expires, self.owner)
        )

    def batched(self, batch: str, sent: Iterable[str]) -> Future[None]:
        """Notes that these requests were handed in as a batch."""
        rows = [(one, batch) for one in sent]
        return self._submit(lambda db: _many(db, "INSERT OR REPLACE INTO batches VALUES (?, ?)", rows))

    def batch_of(self, sent: str) -> Future[str | None]:
        """The batch in which this very request was handed in and not yet collected."""
        return self._submit(lambda db: _one(db, "SELECT batch FROM batches WHERE sent = ?", sent))

    def sent_in(self, batch: str) -> Future[list[str]]:
        """The requests of a batch that are not yet collected."""
        sql = "SELECT sent FROM batches WHERE batch = ?"
        return self._submit(lambda db: [row[0] for row in db.execute(sql, (batch,))])

    def collected(self, sent: str) -> Future[None]:
        """The batch's reply to this request has been recorded, or will never come."""
        return self._submit(lambda db: _run(db, "DELETE FROM batches WHERE sent = ?", sent))

    def total(self) -> Usage:
        """Everything paid for in this file."""
        return self._submit(_usage).result()

    def _submit(self, work: Work[R]) -> Future[R]:
        done: Future[R] = Future()
        self._work.put((work, done))  # type: ignore[arg-type]  # the thread only passes the result through
        return done

    def _serve(self) -> None:
        while (first := self._work.get()) is not None:
            waiting, last = [first], False
            while not self._work.empty() and not last:
                more = self._work.get()
                last = more is None
                waiting += [more] if more else []
            self._commit(waiting)
            if last:
                break
        self._connection.close()

    def _commit(self, waiting: list[tuple[Work[object], Future[object]]]) -> None:
        results: list[object] = []
        try:
            with self._connection as db:
                db.execute("BEGIN IMMEDIATE")
                results.extend(work(db) for work, _ in waiting)
        except (sqlite3.Error, OverflowError, ValueError) as error:
            trouble = MachineError(
                f"the journal cannot be written: {error}", where=str(self.path), fix="free some space"
            )
            for _, done in waiting:
                done.set_exception(trouble)
            return
        for (_, done), result in zip(waiting, results, strict=True):
            if done.set_running_or_notify_cancel():
                done.set_result(result)

    def _claim(self, db: sqlite3.Connection, key: str) -> "Kept | Claimed | Busy":
        if kept := _kept(db, key):
            return kept
        holder = db.execute("SELECT machine, pid, expires FROM leases WHERE key = ?", (key,)).fetchone()
        if holder and self._alive(*holder):
            return Busy()
        lease = (key, self.owner, self._machine, os.getpid(), time.time() + LEASE_SECONDS)
        db.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?)", lease)
        rows = db.execute(
            "SELECT attempt, sent, id, reply FROM calls WHERE key = ? AND state = 'paid'", (key,)
        )
        return Claimed({(attempt, sent): (call, reply) for attempt, sent, call, reply in rows})

    def _conclude(self, db: sqlite3.Connection, key: str, call: int, answer: str) -> Kept | None:
        _run(db, _CONCLUDE, call, call, answer, key, call)
        _run(db, _RELEASE, key, self.owner)
        return _kept(db, key)

    def _reject(self, db: sqlite3.Connection, key: str) -> None:
        _run(db, "UPDATE calls SET state = 'invalid', answer = NULL WHERE key = ?", key)
        _run(db, _RELEASE, key, self.owner)

    def _alive(self, machine: str, pid: int, expires: float) -> bool:
        if expires < time.time():
            return False
        return machine != self._machine or _process_exists(pid)


def _open(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.executescript(_SCHEMA)
    except (OSError, sqlite3.Error) as error:
        raise MachineError(
            f"cannot open the reply journal: {error}", where=str(path), fix="check the folder"
        ) from error
    return db


def _machine() -> str:
    """A name for the space in which process numbers are unique: two containers may share a host name."""
    namespace = Path("/proc/self/ns/pid")
    space = namespace.stat().st_ino if namespace.exists() else 0
    return f"{platform.node()}-{uuid.getnode():x}-{space}"


def _process_exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _run(db: sqlite3.Connection, sql: str, *values: object) -> None:
    db.execute(sql, values)


def _many(db: sqlite3.Connection, sql: str, rows: list[tuple[str, str]]) -> None:
    db.executemany(sql, rows)


def _one(db: sqlite3.Connection, sql: str, *values: object) -> str | None:
    row = db.execute(sql, values).fetchone()
    return row[0] if row else None


def _insert(db: sqlite3.Connection, call: Call) -> int:
    spent = call.usage
    row = (call.key, call.attempt, call.sent, call.reply, call.model, call.served, spent.input_tokens)
    rest = (
        spent.output_tokens,
        spent.cache_read_tokens,
        spent.cache_write_tokens,
        spent.cost,
        call.versions,
        time.time(),
    )
    cursor = db.execute(
        "INSERT INTO calls (key, attempt, sent, state, reply, model, served, input_tokens, output_tokens,"
        " cache_read_tokens, cache_write_tokens, cost, versions, at)"
        " VALUES (?, ?, ?, 'paid', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row + rest,
    )
    return int(cursor.lastrowid or 0)


def _kept(db: sqlite3.Connection, key: str) -> Kept | None:
    row = db.execute(
        "SELECT id, answer, served FROM calls WHERE key = ? AND state = 'valid' LIMIT 1", (key,)
    ).fetchone()
    return Kept(row[1], row[2], _usage(db, key), row[0]) if row else None


def _usage(db: sqlite3.Connection, key: str | None = None) -> Usage:
    """What one question cost, or with no key everything. The cost is unknown as soon as one price is."""
    row = (db.execute(_SPENT) if key is None else db.execute(_SPENT_ON, (key,))).fetchone()
    tokens = [int(number) for number in row[1:5]]
    return Usage(
        calls=row[0],
        input_tokens=tokens[0],
        output_tokens=tokens[1],
        cache_read_tokens=tokens[2],
        cache_write_tokens=tokens[3],
        cost=row[5],
    )
