"""Runs queries on the embedded index in a separate process, so that a query can be stopped.

kglite checks its timeout only between rows, and a failed allocation aborts the whole process. In a separate
process both are harmless: the process is killed at the timeout, its memory is limited on Linux, and the next
query starts a new one. Starting takes about 0.1 s; after that, a small query takes about a millisecond.
"""

import pickle
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from semiosis.store._protocol import QueryResult, limit_rows
from semiosis.values import MachineError, SemiosisError, StoreError, UsageError

QUERY_MEMORY = 2_000_000_000
"""Bytes that a query may use beyond the index itself."""

_GRACE_SECONDS = 1.0
"""Seconds the engine has to report its own timeout before its process is killed."""
_OPEN_SECONDS = 600.0
_WORKER = Path(__file__).with_name("_query_worker.py")
_IMPLICIT_PROPERTIES = {"title", "type"}
"""Properties that kglite adds to every node."""


class QueryProcess:
    """A process that answers queries on one index file. It starts with the first query."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._opened: tuple[Path, object] | None = None
        self._lock = threading.Lock()
        self._finalizer: weakref.finalize[..., QueryProcess] | None = None

    def run(
        self, file: Path, stamp: object, cypher: str, params: Mapping[str, Any], timeout: float, limit: int
    ) -> QueryResult:
        """Return the rows of a query on the index in ``file``; reopen the file if ``stamp`` has changed."""
        query = {
            "cypher": cypher,
            "params": dict(params),
            "timeout_ms": max(1, round(timeout * 1000)),
            "rows": limit + 1,
        }
        with self._lock:
            self._open(file, stamp)
            reply = self._ask(query, timeout)
        if "error" in reply:
            raise _query_error(reply, timeout)
        rows = [{column: _python_value(value) for column, value in row.items()} for row in reply["rows"]]
        hints = [hint for hint in reply["warnings"] if "row_limit" not in hint]
        return limit_rows(reply["columns"], rows, limit, hints)

    def close(self) -> None:
        """End the process if it is running."""
        if self._finalizer is not None:
            self._finalizer()
        self._process = self._finalizer = self._opened = None

    def _open(self, file: Path, stamp: object) -> None:
        """Open the index unless it is open. A large index may take longer to open than a query may run."""
        if self._opened == (file, stamp):
            return
        self._opened = None
        reply = self._ask({"file": str(file), "memory": QUERY_MEMORY}, _OPEN_SECONDS)
        if "error" in reply:
            raise MachineError(
                f"cannot open the index: {reply['message']}",
                where=str(file),
                fix="try again; if it fails again, delete the file, and it is created again",
            )
        self._opened = file, stamp

    def _ask(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        process = self._running_process()
        timed_out = threading.Event()

        def stop() -> None:
            timed_out.set()
            process.kill()

        timer = threading.Timer(timeout + _GRACE_SECONDS, stop)
        timer.start()
        try:
            return _send(process, request)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            process.wait()
            self.close()
            if timed_out.is_set():
                raise _timeout_error(timeout) from error
            raise _crash_error(process.returncode) from error
        except BaseException:  # the reply to an interrupted query must not answer the next one
            self.close()
            raise
        finally:
            timer.cancel()

    def _running_process(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-P", str(_WORKER)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is handled here; the process ends when its input is closed
            )
            self._finalizer = weakref.finalize(self, _kill, self._process)
        return self._process


def _send(process: "subprocess.Popen[bytes]", request: dict[str, Any]) -> dict[str, Any]:
    if process.stdin is None or process.stdout is None:
        raise AssertionError("the process is started with both pipes")
    process.stdin.write(pickle.dumps(request))
    process.stdin.flush()
    return dict(pickle.load(process.stdout))  # noqa: S301  # from a process that this one started


def _kill(process: "subprocess.Popen[bytes]") -> None:
    process.kill()
    process.communicate()


def _timeout_error(timeout: float) -> StoreError:
    return StoreError(
        f"the query ran longer than {timeout:g} s and was stopped",
        fix="start it from an id or a label, or raise the timeout",
    )


def _memory_error() -> StoreError:
    return StoreError(
        f"the query needed more than {QUERY_MEMORY / 1e9:g} GB of memory and was stopped",
        fix="request less at once, or copy the study to Neo4j",
    )


def _crash_error(code: int) -> StoreError:
    """Return the error for a process that ended by itself."""
    if code == -signal.SIGABRT:  # a failed allocation aborts the engine
        return _memory_error()
    return StoreError(
        f"the query engine ended with code {code}",
        fix="simplify the query or return less; if every query fails, delete the study's .semiosis/graph.kgl",
    )


def _query_error(reply: Mapping[str, Any], timeout: float) -> SemiosisError:
    """Return the error to raise for an error of the engine."""
    if reply["error"] == "CypherTimeoutError":
        return _timeout_error(timeout)
    if reply["error"] == "MemoryError":
        return _memory_error()
    if reply["error"] == "ReadOnlyError":
        return UsageError("this query would write, but queries only read", fix="save values instead")
    return UsageError(f"the query failed: {reply['message']}", fix="see docs: the property graph")


def _python_value(value: Any) -> Any:
    """Return nodes, edges and paths as every store returns them, without the properties that kglite adds."""
    if isinstance(value, list):
        return [_python_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    if {"labels", "properties"} <= value.keys():
        properties = {
            name: item for name, item in value["properties"].items() if name not in _IMPLICIT_PROPERTIES
        }
        return {"labels": value["labels"], "properties": properties}
    if {"start", "end", "type", "properties"} <= value.keys():
        return {"type": value["type"], "properties": value["properties"]}
    return {name: _python_value(item) for name, item in value.items()}
