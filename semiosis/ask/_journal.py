"""The reply journal: every reply is on disk before it is used, so that no question is paid for twice.

It is one SQLite file (write-ahead log, synchronous FULL). A row of `calls` is one reply. Its state is `paid`
when it arrives, then `valid` or `invalid`; a response that is not a reply of the API is an `error`. Invalid
replies are kept because they cost money, and are never served. A *lease* states that a process is asking a
question now. Another process waits for the answer, and takes over the lease if its holder is dead or has not
renewed it.
"""

import os
import sqlite3
import uuid
from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, time

from semiosis.ask._database import Database
from semiosis.ask._journal_file import machine_name, process_exists, total_usage
from semiosis.values import Usage

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
class KeptAnswer:
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
    """Another process is asking this question now."""

    machine: str
    """The machine on which it runs."""
    process: int
    """Its process id."""


class Journal:
    """The journal in one file. Safe to share between processes and between threads of one process."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.owner = uuid.uuid4().hex
        self._machine = machine_name()
        self._seen: dict[str, tuple[float, float]] = {}
        self._file = Database(self.path, interval=LEASE_SECONDS / 4, periodic_job=self._renew)

    def close(self) -> None:
        """Finish the submitted jobs, end all leases and close the file."""
        self._file.submit(lambda db: _run(db, "DELETE FROM leases WHERE owner = ?", self.owner))
        self._file.close()

    def claim(self, key: str) -> Future["KeptAnswer | Claimed | ClaimedElsewhere"]:
        """Return the kept answer, the right to ask, or which other process is asking."""
        return self._file.submit(lambda db: self._claim(db, key))

    def peek(self, key: str) -> Future[KeptAnswer | None]:
        """Return the kept answer, without claiming the question."""
        return self._file.submit(lambda db: _kept_answer(db, key))

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

    def conclude(self, key: str, call: int, answer: str) -> Future[KeptAnswer | None]:
        """Record which call returned the answer to a question, and end the lease."""
        return self._file.submit(lambda db: self._conclude(db, key, call, answer))

    def reject(self, key: str, reason: str | None = None) -> Future[Usage]:
        """Record that no reply to a question is valid, and why; end the lease and return the cost."""
        return self._file.submit(lambda db: self._reject(db, key, reason))

    def rejected(self, key: str) -> Future[tuple[str, Usage] | None]:
        """Return why a question that was asked before got no answer, and what it cost; None if unknown."""
        return self._file.submit(lambda db: _rejected(db, key))

    def release(self, key: str) -> Future[Usage]:
        """End the lease and leave the paid replies for the next claim; return what the question cost."""
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

    def calls_in(self, batch: str) -> Future[list[str]]:
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

    def _claim(self, db: sqlite3.Connection, key: str) -> "KeptAnswer | Claimed | ClaimedElsewhere":
        if kept := _kept_answer(db, key):
            return kept
        holder = db.execute(
            "SELECT owner, machine, pid, expires FROM leases WHERE key = ?", (key,)
        ).fetchone()
        if holder and self._is_held(key, *holder):
            return ClaimedElsewhere(*holder[1:3])
        self._seen.pop(key, None)
        lease = (key, self.owner, self._machine, os.getpid(), time() + LEASE_SECONDS)
        db.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?)", lease)
        rows = db.execute(
            "SELECT attempt, sent, id, reply FROM calls WHERE key = ? AND state = 'paid'", (key,)
        )
        return Claimed({(attempt, fingerprint): (call, reply) for attempt, fingerprint, call, reply in rows})

    def _conclude(self, db: sqlite3.Connection, key: str, call: int, answer: str) -> KeptAnswer | None:
        _run(db, _CONCLUDE, call, call, answer, key, call)
        _run(db, _RELEASE, key, self.owner)
        return _kept_answer(db, key)

    def _reject(self, db: sqlite3.Connection, key: str, reason: str | None) -> Usage:
        _run(db, _REJECT, reason, key)
        return self._release(db, key)

    def _release(self, db: sqlite3.Connection, key: str) -> Usage:
        _run(db, _RELEASE, key, self.owner)
        return total_usage(db, key)

    def _is_held(self, key: str, owner: str, machine: str, pid: int, renewed: float) -> bool:
        """Return whether another journal holds the lease. A lease of this one is left from a cancelled claim.

        A lease that does not change for `LEASE_SECONDS` was left by a dead holder. The time is measured here
        with a monotonic clock, because the system clock jumps when a computer wakes up or its time is set.
        """
        if owner == self.owner or (machine == self._machine and not process_exists(pid)):
            return False
        last, since = self._seen.get(key, (0.0, 0.0))
        if last != renewed:
            self._seen[key] = (renewed, monotonic())
            return True
        return monotonic() - since < LEASE_SECONDS

    def _renew(self, db: sqlite3.Connection) -> None:
        """Renew every lease held here."""
        _run(db, "UPDATE leases SET expires = ? WHERE owner = ?", time() + LEASE_SECONDS, self.owner)


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


def _kept_answer(db: sqlite3.Connection, key: str) -> KeptAnswer | None:
    row = db.execute(
        "SELECT id, answer, served, reply FROM calls WHERE key = ? AND state = 'valid' LIMIT 1", (key,)
    ).fetchone()
    return KeptAnswer(row[1], row[2], total_usage(db, key), row[0], row[3]) if row else None


def _rejected(db: sqlite3.Connection, key: str) -> tuple[str, Usage] | None:
    row = db.execute(
        "SELECT state, answer FROM calls WHERE key = ? AND answer IS NOT NULL ORDER BY id DESC LIMIT 1",
        (key,),
    ).fetchone()
    return (row[1], total_usage(db, key)) if row and row[0] == "invalid" else None
