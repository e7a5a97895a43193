"""The reply journal: every reply's bytes on disk before anything looks at them, no question paid twice.

One SQLite file (write-ahead log, synchronous FULL). A *call* is one reply. It is `paid` when it arrives, then
`valid` or `invalid`; a response that is no reply of the API is an `error`. Invalid replies stay for the
accounts and are never served. A *lease* says that a process is asking a question now; another one waits for
its answer, and takes the lease over when its holder is dead or has not renewed it.
"""

import os
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

from semiosis.ask._journal_file import (
    journal_error,
    machine_name,
    open_journal,
    process_exists,
    total_usage,
)
from semiosis.values import Usage

R = TypeVar("R")
Work = Callable[[sqlite3.Connection], R]

LEASE_SECONDS = 90.0
"""How long a lease lasts unless renewed. A dead holder on this machine is noticed at once."""

_MILLION = 1_000_000
_CONCLUDE = (
    "UPDATE calls SET state = iif(id = ?, 'valid', 'invalid'), answer = iif(id = ?, ?, answer)"
    " WHERE key = ? AND (state = 'paid' OR id = ?)"
)
_REJECT = "UPDATE calls SET state = 'invalid', answer = ? WHERE key = ? AND state != 'error'"
_RELEASE = "DELETE FROM leases WHERE key = ? AND owner = ?"
_SET_PRICE = (
    "UPDATE calls SET served = ?, input_tokens = ?, output_tokens = ?, cache_read_tokens = ?,"
    " cache_write_tokens = ?, micro_dollars = ?, estimated = ? WHERE id = ? AND input_tokens IS NULL"
)


@dataclass(frozen=True, slots=True)
class Call:
    """One reply, as it arrived."""

    key: str
    """The question's key."""
    attempt: int
    """1 for the first time it was asked, 2 for the first re-ask, and so on."""
    sent: str
    """SHA-256 of this call: a re-ask carries the reply it complains about."""
    reply: bytes
    """The bytes of the provider's reply."""
    model: str
    """The model asked for."""
    versions: str = "{}"
    """Versions of the libraries used, as JSON."""
    batch: bool = False
    """Whether it was collected from a batch."""
    request: str = ""
    """What the question shows, as JSON for the log."""


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
    reply: bytes = b""
    """The reply it came from."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """The question may be asked by this process."""

    paid: dict[tuple[int, str], tuple[int, bytes]]
    """Replies that are paid for and not yet judged: (attempt, sent) → (call, reply)."""


class Busy:
    """Another process is asking this question now."""


class Journal:
    """The journal in one file. Safe to share between processes and between threads of one process.

    One thread does all the work and puts what has gathered into one transaction: a commit waits for the disk,
    and thirty replies that arrive together should wait once.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.owner = uuid.uuid4().hex
        self._machine = machine_name()
        self._work: queue.SimpleQueue[tuple[Work[object], Future[object]] | None] = queue.SimpleQueue()
        self._connection = open_journal(self.path)
        self._thread = threading.Thread(target=self._serve, name="semiosis-journal", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finish what was submitted, give back all leases and close the file."""
        self._submit(lambda db: _run(db, "DELETE FROM leases WHERE owner = ?", self.owner))
        self._work.put(None)
        self._thread.join()

    def claim(self, key: str) -> Future["Kept | Claimed | Busy"]:
        """Return the kept answer, or the right to ask, or that another process is asking."""
        return self._submit(lambda db: self._claim(db, key))

    def peek(self, key: str) -> Future[Kept | None]:
        """Return the kept answer, without claiming the question."""
        return self._submit(lambda db: _kept(db, key))

    def record(self, call: Call) -> Future[int]:
        """Put a reply on disk; return the number of the call."""
        return self._submit(lambda db: _insert(db, call))

    def set_price(self, call: int, served: str, usage: Usage, *, is_estimate: bool) -> Future[None]:
        """Note what a recorded call used and cost. What was noted before stays."""
        micro_dollars = None if usage.cost is None else round(usage.cost * _MILLION)
        tokens = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
        return self._submit(
            lambda db: _run(db, _SET_PRICE, served, *tokens, micro_dollars, int(is_estimate), call)
        )

    def set_error(self, call: int) -> Future[None]:
        """Note that a recorded response is no reply of the API and was not paid for."""
        return self._submit(lambda db: _run(db, "UPDATE calls SET state = 'error' WHERE id = ?", call))

    def conclude(self, key: str, call: int, answer: str) -> Future[Kept | None]:
        """Note that this call holds the answer and the question's others do not; end the lease."""
        return self._submit(lambda db: self._conclude(db, key, call, answer))

    def reject(self, key: str, reason: str | None = None) -> Future[Usage]:
        """Note that no reply to this question holds an answer, and why; end the lease; return the cost."""
        return self._submit(lambda db: self._reject(db, key, reason))

    def rejected(self, key: str) -> Future[tuple[str, Usage] | None]:
        """Return why a question that was asked before got no answer, and what it cost; None if unknown."""
        return self._submit(lambda db: _rejected(db, key))

    def release(self, key: str) -> Future[Usage]:
        """End the lease and leave the paid replies for the next claim; return what the question cost."""
        return self._submit(lambda db: self._release(db, key))

    def renew(self) -> Future[None]:
        """Renew every lease held here."""
        expires = time.time() + LEASE_SECONDS
        return self._submit(
            lambda db: _run(db, "UPDATE leases SET expires = ? WHERE owner = ?", expires, self.owner)
        )

    def batched(self, batch: str, sent: Iterable[str]) -> Future[None]:
        """Note that these calls were submitted as a batch."""
        rows = [(one, batch) for one in sent]
        return self._submit(lambda db: _many(db, "INSERT OR REPLACE INTO batches VALUES (?, ?)", rows))

    def batch_of(self, sent: str) -> Future[str | None]:
        """Return the batch in which this call was submitted and not yet collected."""
        return self._submit(lambda db: _one(db, "SELECT batch FROM batches WHERE sent = ?", sent))

    def sent_in(self, batch: str) -> Future[list[str]]:
        """Return the calls of a batch that are not yet collected."""
        sql = "SELECT sent FROM batches WHERE batch = ?"
        return self._submit(lambda db: [row[0] for row in db.execute(sql, (batch,))])

    def forget_call(self, sent: str) -> Future[None]:
        """Note that a batch will never hold a reply to this call."""
        return self._submit(lambda db: _run(db, "DELETE FROM batches WHERE sent = ?", sent))

    def forget_batch(self, batch: str) -> Future[None]:
        """Note that a batch does not exist any more."""
        return self._submit(lambda db: _run(db, "DELETE FROM batches WHERE batch = ?", batch))

    def total(self) -> Usage:
        """Return the usage of everything in this file."""
        return self._submit(total_usage).result()

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
            # From here on a future cannot be cancelled, so its result can always be set.
            self._commit([item for item in waiting if item[1].set_running_or_notify_cancel()])
            if last:
                break
        self._connection.close()

    def _commit(self, waiting: list[tuple[Work[object], Future[object]]]) -> None:
        """Do all the work in one transaction; if that fails, each piece in its own."""
        try:
            results = self._transaction([work for work, _ in waiting])
        except Exception as error:  # noqa: BLE001  # the thread must go on; the caller gets the error
            if len(waiting) == 1:
                waiting[0][1].set_exception(journal_error(error, self.path, "written"))
                return
            for item in waiting:
                self._commit([item])
            return
        for (_, done), result in zip(waiting, results, strict=True):
            done.set_result(result)

    def _transaction(self, works: list[Work[object]]) -> list[object]:
        db = self._connection
        db.execute("BEGIN IMMEDIATE")
        try:
            results = [work(db) for work in works]
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        return results

    def _claim(self, db: sqlite3.Connection, key: str) -> "Kept | Claimed | Busy":
        if kept := _kept(db, key):
            return kept
        holder = db.execute(
            "SELECT owner, machine, pid, expires FROM leases WHERE key = ?", (key,)
        ).fetchone()
        if holder and self._is_held(*holder):
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

    def _reject(self, db: sqlite3.Connection, key: str, reason: str | None) -> Usage:
        _run(db, _REJECT, reason, key)
        return self._release(db, key)

    def _release(self, db: sqlite3.Connection, key: str) -> Usage:
        _run(db, _RELEASE, key, self.owner)
        return total_usage(db, key)

    def _is_held(self, owner: str, machine: str, pid: int, expires: float) -> bool:
        """Whether another live journal holds the lease. One of our own was left by a cancelled claim."""
        if owner == self.owner or expires < time.time():
            return False
        return machine != self._machine or process_exists(pid)


def _run(db: sqlite3.Connection, sql: str, *values: object) -> None:
    db.execute(sql, values)


def _many(db: sqlite3.Connection, sql: str, rows: list[tuple[str, str]]) -> None:
    db.executemany(sql, rows)


def _one(db: sqlite3.Connection, sql: str, *values: object) -> str | None:
    row = db.execute(sql, values).fetchone()
    return row[0] if row else None


def _insert(db: sqlite3.Connection, call: Call) -> int:
    cursor = db.execute(
        "INSERT INTO calls (key, attempt, sent, state, reply, model, served, versions, at)"
        " VALUES (?, ?, ?, 'paid', ?, ?, '', ?, ?)",
        (call.key, call.attempt, call.sent, call.reply, call.model, call.versions, time.time()),
    )
    if call.request:
        _run(db, "INSERT OR IGNORE INTO requests VALUES (?, ?)", call.key, call.request)
    if call.batch:
        _run(db, "DELETE FROM batches WHERE sent = ?", call.sent)
    return int(cursor.lastrowid or 0)


def _kept(db: sqlite3.Connection, key: str) -> Kept | None:
    row = db.execute(
        "SELECT id, answer, served, reply FROM calls WHERE key = ? AND state = 'valid' LIMIT 1", (key,)
    ).fetchone()
    return Kept(row[1], row[2], total_usage(db, key), row[0], row[3]) if row else None


def _rejected(db: sqlite3.Connection, key: str) -> tuple[str, Usage] | None:
    row = db.execute(
        "SELECT state, answer FROM calls WHERE key = ? AND answer IS NOT NULL ORDER BY id DESC LIMIT 1",
        (key,),
    ).fetchone()
    return (row[1], total_usage(db, key)) if row and row[0] == "invalid" else None
