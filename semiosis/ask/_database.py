"""Reads and writes the journal's file in one thread."""

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
Job = Callable[[sqlite3.Connection], R]
_Item = tuple[Job[object], Future[object]]


class Database:
    """One SQLite file and the thread that uses it. Jobs that are waiting run in one transaction.

    A commit waits for the disk, so replies that arrive together share one. `periodic_job` runs about every
    `interval` seconds, however many jobs there are.
    """

    def __init__(self, path: Path, *, interval: float, periodic_job: Job[None]) -> None:
        self.path = path
        self._interval = interval
        self._periodic_job = periodic_job
        self._job_due = monotonic() + interval
        self._jobs: queue.SimpleQueue[_Item | None] = queue.SimpleQueue()
        self._connection = open_journal(path)
        self._thread = threading.Thread(target=self._serve, name="semiosis-journal", daemon=True)
        self._thread.start()

    def submit(self, job: Job[R]) -> Future[R]:
        """Queue a job. Its changes are on disk when the future is done."""
        done: Future[R] = Future()
        self._jobs.put((job, done))  # type: ignore[arg-type]  # the thread only passes the result through
        return done

    def close(self) -> None:
        """Finish the queued jobs and close the file."""
        self._jobs.put(None)
        self._thread.join()

    def _serve(self) -> None:
        is_open = True
        while is_open:
            waiting, is_open = self._next_jobs()
            # From here on a future cannot be cancelled, so its result can always be set.
            self._commit([item for item in waiting if item[1].set_running_or_notify_cancel()])
            if is_open and monotonic() >= self._job_due:
                self._run_periodic_job()
        self._connection.close()

    def _next_jobs(self) -> tuple[list[_Item], bool]:
        """Wait for a job; return all that are queued, and whether more may come."""
        waiting: list[_Item] = []
        try:
            item = self._jobs.get(timeout=max(0.0, self._job_due - monotonic()))
            while item is not None:
                waiting.append(item)
                item = self._jobs.get_nowait()
        except queue.Empty:
            return waiting, True
        return waiting, False

    def _run_periodic_job(self) -> None:
        self._job_due = monotonic() + self._interval
        try:
            self._transaction([self._periodic_job])
        except Exception as error:  # noqa: BLE001  # the thread must keep running
            logger.warning("%s", journal_error(error, self.path, "written"))

    def _commit(self, waiting: list[_Item]) -> None:
        """Run all jobs in one transaction; if that fails, run each in a transaction of its own."""
        if not waiting:
            return
        try:
            results = self._transaction([job for job, _ in waiting])
        except Exception as error:  # noqa: BLE001  # the thread must keep running; the caller gets the error
            if len(waiting) == 1:
                waiting[0][1].set_exception(journal_error(error, self.path, "written"))
                return
            for item in waiting:
                self._commit([item])
            return
        for (_, done), result in zip(waiting, results, strict=True):
            done.set_result(result)

    def _transaction(self, jobs: list[Job[object]]) -> list[object]:
        db = self._connection
        db.execute("BEGIN IMMEDIATE")
        try:
            results = [job(db) for job in jobs]
            db.execute("COMMIT")
        except BaseException:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
        return results
