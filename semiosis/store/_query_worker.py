"""Runs Cypher on an index file in a separate process, which `_query_process` starts.

It imports nothing else of this package, so that it starts quickly. Requests and replies are pickled on
standard input and output. The memory limit is set after the index is opened, so it applies to queries only.
"""

import pickle
import sys
from pathlib import Path
from typing import Any, BinaryIO

import kglite


def main() -> None:
    """Answer requests until standard input is closed."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a print would corrupt the replies
    kglite.set_query_warning_policy("silent")  # warnings are part of the reply
    session = None
    while (request := _read(source)) is not None:
        try:
            if "file" in request:
                session = None  # frees the memory of the old index first
                session, reply = _open(request), {}
            else:
                reply = _answer(session, request)
        except (kglite.KgError, MemoryError, TypeError, ValueError) as error:
            reply = {"error": type(error).__name__, "message": str(error)}
        pickle.dump(reply, target)
        target.flush()


def _open(request: dict[str, Any]) -> Any:
    _limit_memory(None)
    session = kglite.open_session(request["file"])
    _limit_memory(request["memory"])
    return session


def _read(source: BinaryIO) -> dict[str, Any] | None:
    try:
        return dict(pickle.load(source))  # noqa: S301  # from the process that started this one
    except EOFError:
        return None


def _answer(session: Any, request: dict[str, Any]) -> dict[str, Any]:
    view = session.cypher(
        request["cypher"],
        params=request["params"],
        timeout_ms=request["timeout_ms"],
        row_limit=request["rows"],
    )
    rows = [dict(row.items()) for row in view]
    return {"columns": list(view.columns), "rows": rows, "warnings": list(view.diagnostics["warnings"])}


def _limit_memory(extra: int | None) -> None:
    """Limit the memory of this process to what it uses now plus ``extra`` bytes; Linux only."""
    if sys.platform != "linux":
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    limit = resource.RLIM_INFINITY if extra is None else _data_bytes() + extra
    if hard != resource.RLIM_INFINITY:
        limit = hard if limit == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))


def _data_bytes() -> int:
    """Return what RLIMIT_DATA counts: private writable memory."""
    with Path("/proc/self/status").open(encoding="ascii") as status:
        line = next(line for line in status if line.startswith("VmData:"))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    main()
