"""The thread that does all the work on the journal's file."""

import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from time import monotonic
from typing import TypeVar

from semiosis.ask._journal_file import journal_error, open_journal
from semiosis.ask._log import logger

R = TypeVar("R")
Work = Callable[[sqlite3.Connection], R]
_Item = tuple[Work[object], Future[object]]


class Database:
    """One SQLite file and one thread. Work that has gathered is done in one transaction.

    A commit waits for the disk, and thirty replies that arrive together should wait once. `chore` is done
    about every so many seconds, however much other work there is.
    """

    def __init__(self, path: Path, *, every: float, chore: Work[None]) -> None:
        self.path = path
        self._every = every
        self._chore = chore
        self._chore_due = monotonic() + every
        self._work: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._connection = open_journal(path)
        self._thread = threading.Thread(target=self._serve, name="semiosis-journal", daemon=True)
        self._thread.start()

    def submit(self, work: Work[R]) -> Future[R]:
        """Let the thread do some work; its result is on disk when the future is done."""
        done: Future[R] = Future()
        self._work.put((work, done))  # type: ignore[arg-type]  # the thread only passes the result through
        return done

    def close(self) -> None:
        """Finish the work that was submitted and close the file."""
        self._work.put(None)
        self._thread.join()

    def _serve(self) -> None:
        is_open = True
        while is_open:
            waiting, is_open = self._gathered()
            # From here on a future cannot be cancelled, so its result can always be set.
            self._commit([item for item in waiting if item[1].set_running_or_notify_cancel()])
            if is_open and monotonic() >= self._chore_due:
                self._do_chore()
        self._connection.close()

    def _gathered(self) -> tuple[list[_Item], bool]:
        """Return the work that has gathered, after waiting for some, and whether more may come."""
        waiting: list[_Item] = []
        try:
            item = self._work.get(timeout=max(0.0, self._chore_due - monotonic()))
            while item is not None:
                waiting.append(item)
                item = self._work.get_nowait()
        except queue.Empty:
            return waiting, True
        return waiting, False

    def _do_chore(self) -> None:
        self._chore_due = monotonic() + self._every
        try:
            self._transaction([self._chore])
        except Exception as error:  # noqa: BLE001  # the thread must go on
            logger.warning("%s", journal_error(error, self.path, "written"))

    def _commit(self, waiting: list[_Item]) -> None:
        """Do all the work in one transaction; if that fails, each piece in its own."""
        if not waiting:
            return
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
