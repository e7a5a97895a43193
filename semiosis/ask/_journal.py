"""The reply journal: every reply is on disk before it is used, so that no question is paid for twice.

It is one SQLite file (write-ahead log, synchronous FULL). A row of `calls` is one reply. Its state is `paid`
when it arrives, then `valid` or `invalid`; a response that is not a reply of the API is an `error`. Invalid
replies are kept because they cost money, and are never served. A *claim* states which run asks a question
now. Another run waits for the answer. Each run holds a lock on a file of its own, which the operating system
frees when the process dies, so the claims of a dead run are taken over at once.
"""

import asyncio
import os
import sqlite3
import uuid
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import TypeVar

from filelock import FileLock, Timeout

from semiosis.ask._database import Database
from semiosis.values import MachineError, Usage

R = TypeVar("R")

_LOCK_SECONDS = 10.0
"""Seconds to wait for a lock that nobody else wants, while another run looks whether it is held."""
_MILLION = 1_000_000
_CONCLUDE = (
    "UPDATE calls SET state = iif(id = ?, 'valid', 'invalid'), answer = iif(id = ?, ?, answer)"
    " WHERE key = ? AND (state = 'paid' OR id = ?)"
)
_REJECT = "UPDATE calls SET state = 'invalid', answer = ? WHERE key = ? AND state != 'error'"
_RELEASE = "DELETE FROM claims WHERE key = ? AND run = ?"
_TOTAL_USAGE = (
    "SELECT count(*), total(input_tokens), total(output_tokens), total(cache_read_tokens),"
    " total(cache_write_tokens), CASE WHEN count(*) = count(micro_dollars) THEN total(micro_dollars) END"
    " FROM calls WHERE state != 'error'"
)
_USAGE_OF_KEY = _TOTAL_USAGE + " AND key = ?"
_ASKING: dict[str, set[str]] = {}
"""The keys that each run of this process asks now. A claim that is not among them was left by a failed write,
so a run never waits for its own process in vain."""
_SET_PRICE = (
    "UPDATE calls SET served = ?, input_tokens = ?, output_tokens = ?, cache_read_tokens = ?,"
    " cache_write_tokens = ?, micro_dollars = ?, estimated = ? WHERE id = ? AND input_tokens IS NULL"
)


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """A reply to record."""

    key: str
    """The question's key."""
    attempt: int
    """1 for the first time it was asked, 2 for the first re-ask, and so on."""
    fingerprint: str
    """SHA-256 of the call. The column of the file is named `sent`."""
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
    complaint: str = ""
    """What a re-ask says is wrong with the reply before it, for the log."""


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """A valid answer from the journal."""

    answer: str
    """The answer as JSON."""
    served: str
    """The model that answered."""
    usage: Usage
    """What it cost, including earlier attempts."""
    call: int
    """The number of the call that returned it."""
    reply: bytes = b""
    """The reply it came from."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """The right of this process to ask a question."""

    paid: dict[tuple[int, str], tuple[int, bytes]]
    """Replies that are paid for and not yet checked: (attempt, fingerprint) → (call, reply)."""


@dataclass(frozen=True, slots=True)
class ClaimedElsewhere:
    """Another run is asking this question now."""

    process: int
    """The id of its process."""


class Journal:
    """The journal in one file. Safe to share between processes and between threads of one process."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.run = f"{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._file = Database(self.path)
        self._lock = FileLock(_lock_file(self.path, self.run), thread_local=False)
        self._lock.acquire(timeout=_LOCK_SECONDS)
        for file in self.path.parent.glob(f"{self.path.name}-*.lock"):
            self._has_ended(file)
        _ASKING[self.run] = set()

    @property
    def failure(self) -> MachineError | None:
        """Why a write failed; None if none did. No further call should start then."""
        return self._file.failure

    def close(self) -> None:
        """Finish the submitted jobs, end all claims and close the file."""
        try:
            self._file.submit(lambda db: _run(db, "DELETE FROM claims WHERE run = ?", self.run))
            self._file.close()
        finally:
            _ASKING.pop(self.run, None)
            self._lock.release()
            Path(self._lock.lock_file).unlink(missing_ok=True)

    def claim(self, key: str) -> Future["RecordedAnswer | Claimed | ClaimedElsewhere"]:
        """Return the kept answer, the right to ask, or which other process is asking."""
        return self._file.submit(lambda db: self._claim(db, key))

    def peek(self, key: str) -> Future[RecordedAnswer | None]:
        """Return the kept answer, without claiming the question."""
        return self._file.submit(lambda db: _recorded_answer(db, key))

    def record(self, entry: JournalEntry) -> Future[int]:
        """Put a reply on disk; return the number of the call."""
        return self._file.submit(lambda db: _insert(db, entry))

    def set_price(self, call: int, served: str, usage: Usage, *, is_estimate: bool) -> Future[None]:
        """Record the usage and the cost of a call, unless they are recorded already."""
        micro_dollars = None if usage.cost is None else round(usage.cost * _MILLION)
        tokens = (usage.input_tokens, usage.output_tokens, usage.cache_read_tokens, usage.cache_write_tokens)
        return self._file.submit(
            lambda db: _run(db, _SET_PRICE, served, *tokens, micro_dollars, int(is_estimate), call)
        )

    def set_error(self, call: int) -> Future[None]:
        """Record that a response is not a reply of the API and was not paid for."""
        return self._file.submit(lambda db: _run(db, "UPDATE calls SET state = 'error' WHERE id = ?", call))

    def conclude(self, key: str, call: int, answer: str) -> Future[RecordedAnswer | None]:
        """Record which call returned the answer to a question, and end the claim."""
        self._stop_asking(key)
        return self._file.submit(lambda db: self._conclude(db, key, call, answer))

    def reject(self, key: str, reason: str | None = None) -> Future[Usage]:
        """Record that no reply to a question is valid, and why; end the claim and return the cost."""
        self._stop_asking(key)
        return self._file.submit(lambda db: self._reject(db, key, reason))

    def rejected(self, key: str) -> Future[tuple[str, Usage] | None]:
        """Return why a question that was asked before got no answer, and what it cost; None if unknown."""
        return self._file.submit(lambda db: _rejected(db, key))

    def release(self, key: str) -> Future[Usage]:
        """End the claim and leave the paid replies for the next one; return what the question cost."""
        self._stop_asking(key)
        return self._file.submit(lambda db: self._release(db, key))

    def record_batch(self, batch: str, fingerprints: Iterable[str]) -> Future[None]:
        """Record that these calls were submitted as a batch."""
        rows = [(fingerprint, batch) for fingerprint in fingerprints]
        return self._file.submit(
            lambda db: _run_many(db, "INSERT OR REPLACE INTO batches VALUES (?, ?)", rows)
        )

    def batch_of(self, fingerprint: str) -> Future[str | None]:
        """Return the batch in which this call was submitted and not yet collected."""
        return self._file.submit(
            lambda db: _first_value(db, "SELECT batch FROM batches WHERE sent = ?", fingerprint)
        )

    def calls_in(self, batch: str) -> Future[Iterable[str]]:
        """Return the fingerprints of the calls of a batch that are not yet collected."""
        sql = "SELECT sent FROM batches WHERE batch = ?"
        return self._file.submit(lambda db: [row[0] for row in db.execute(sql, (batch,))])

    def forget_call(self, fingerprint: str) -> Future[None]:
        """Record that a batch contains no reply to this call."""
        return self._file.submit(lambda db: _run(db, "DELETE FROM batches WHERE sent = ?", fingerprint))

    def forget_batch(self, batch: str) -> Future[None]:
        """Record that a batch no longer exists."""
        return self._file.submit(lambda db: _run(db, "DELETE FROM batches WHERE batch = ?", batch))

    def total(self) -> Usage:
        """Return the usage of everything in this file."""
        return self._file.submit(total_usage).result()

    def _claim(self, db: sqlite3.Connection, key: str) -> "RecordedAnswer | Claimed | ClaimedElsewhere":
        if recorded := _recorded_answer(db, key):
            return recorded
        holder = _first_value(db, "SELECT run FROM claims WHERE key = ?", key)
        if holder is not None and self._is_asking(holder, key):
            return ClaimedElsewhere(int(holder.partition("-")[0]))
        db.execute("INSERT OR REPLACE INTO claims VALUES (?, ?)", (key, self.run))
        _ASKING.setdefault(self.run, set()).add(key)
        rows = db.execute(
            "SELECT attempt, sent, id, reply FROM calls WHERE key = ? AND state = 'paid'", (key,)
        )
        return Claimed({(attempt, fingerprint): (call, reply) for attempt, fingerprint, call, reply in rows})

    def _conclude(self, db: sqlite3.Connection, key: str, call: int, answer: str) -> RecordedAnswer | None:
        _run(db, _CONCLUDE, call, call, answer, key, call)
        _run(db, _RELEASE, key, self.run)
        return _recorded_answer(db, key)

    def _reject(self, db: sqlite3.Connection, key: str, reason: str | None) -> Usage:
        _run(db, _REJECT, reason, key)
        return self._release(db, key)

    def _release(self, db: sqlite3.Connection, key: str) -> Usage:
        _run(db, _RELEASE, key, self.run)
        return total_usage(db, key)

    def _is_asking(self, run: str, key: str) -> bool:
        """Return whether another run asks a question. A claim of this run is left from a cancelled one."""
        if run == self.run:
            return False
        if run in _ASKING:
            return key in _ASKING[run]
        return not self._has_ended(_lock_file(self.path, run))

    def _has_ended(self, file: Path) -> bool:
        """Return whether the run that holds this lock has ended, and remove the file if it has."""
        lock = FileLock(file, thread_local=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return False
        lock.release()
        file.unlink(missing_ok=True)
        return True

    def _stop_asking(self, key: str) -> None:
        _ASKING.get(self.run, set()).discard(key)


async def result_of(future: Future[R]) -> R:
    """Return the result of a job on the private loop."""
    return await asyncio.wrap_future(future)


def _lock_file(path: Path, run: str) -> Path:
    """Return the file that a run locks as long as its process lives."""
    return path.with_name(f"{path.name}-{run}.lock")


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


def _run(db: sqlite3.Connection, sql: str, *values: object) -> None:
    db.execute(sql, values)


def _run_many(db: sqlite3.Connection, sql: str, rows: list[tuple[str, str]]) -> None:
    db.executemany(sql, rows)


def _first_value(db: sqlite3.Connection, sql: str, *values: object) -> str | None:
    row = db.execute(sql, values).fetchone()
    return row[0] if row else None


def _insert(db: sqlite3.Connection, entry: JournalEntry) -> int:
    cursor = db.execute(
        "INSERT INTO calls (key, attempt, sent, state, reply, model, served, versions, at)"
        " VALUES (?, ?, ?, 'paid', ?, ?, '', ?, ?)",
        (entry.key, entry.attempt, entry.fingerprint, entry.reply, entry.model, entry.versions, time()),
    )
    if entry.request:
        _run(db, "INSERT OR IGNORE INTO requests VALUES (?, ?)", entry.key, entry.request)
    if entry.complaint:
        key = complaint_key(int(cursor.lastrowid or 0))
        _run(db, "INSERT INTO requests VALUES (?, ?)", key, entry.complaint)
    if entry.batch:
        _run(db, "DELETE FROM batches WHERE sent = ?", entry.fingerprint)
    return int(cursor.lastrowid or 0)


def complaint_key(call: int) -> str:
    """Return the key under which the table of requests contains the complaint of a re-ask."""
    return f"call {call}"


def _recorded_answer(db: sqlite3.Connection, key: str) -> RecordedAnswer | None:
    row = db.execute(
        "SELECT id, answer, served, reply FROM calls WHERE key = ? AND state = 'valid' LIMIT 1", (key,)
    ).fetchone()
    return RecordedAnswer(row[1], row[2], total_usage(db, key), row[0], row[3]) if row else None


def _rejected(db: sqlite3.Connection, key: str) -> tuple[str, Usage] | None:
    row = db.execute(
        "SELECT state, answer FROM calls WHERE key = ? AND answer IS NOT NULL ORDER BY id DESC LIMIT 1",
        (key,),
    ).fetchone()
    return (row[1], total_usage(db, key)) if row and row[0] == "invalid" else None
