"""A local Neo4j Community server: its home folder, its state, and how to stop it.

The *home* folder of a server contains ``data``, ``logs``, ``conf``, the file ``password`` (readable by its
owner only) and ``server.json``, which records how the server was last started. Neo4j Community is free
software under GPL-3. It is downloaded at the user's request and runs as a separate process.
"""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from semiosis.files import atomic_write, neo4j_home, read_server_record, server_process_runs
from semiosis.values import MachineError, UsageError

_STOP_SECONDS = 120


@dataclass(frozen=True)
class LocalServer:
    """A server, as it was last started from its home folder."""

    home: Path
    """The home folder."""
    release: str
    """The Neo4j release, such as `5.26.22`."""
    bolt_port: int
    """Port of the Bolt protocol."""
    http_port: int | None
    """Port of Neo4j Browser, if a Browser is available for the release."""
    pid: int | None = None
    """Process id, or None after a regular stop."""
    born: float = 0.0
    """Start time of the process. It distinguishes the server from a later process with the same id."""
    answered: bool = False
    """Whether this process has accepted a login with the password of the home folder."""

    @property
    def series(self) -> str:
        """The release without its last number; all releases of a series read the same data."""
        return self.release.rpartition(".")[0]

    @property
    def url(self) -> str:
        """The address to pass to ``open_store``."""
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def browser(self) -> str | None:
        """The address of Neo4j Browser with the server preselected."""
        if self.http_port is None:
            return None
        return f"http://127.0.0.1:{self.http_port}/browser/?dbms=bolt://neo4j@127.0.0.1:{self.bolt_port}&db=neo4j"

    @property
    def password_file(self) -> Path:
        """The file with the password, readable by its owner only."""
        return self.home / "password"

    @property
    def log(self) -> Path:
        """The file with the server's output since its last start."""
        return self.home / "logs" / "console.log"

    @property
    def state(self) -> Literal["running", "starting", "stopped", "killed"]:
        """``running`` after a login of our own; ``killed`` if the process ended without ``stop_server``."""
        if self.pid is None:
            return "stopped"
        if not server_process_runs(asdict(self)):
            return "killed"
        return "running" if self.answered else "starting"


def find_server(home: Path | None = None) -> LocalServer | None:
    """Return the server that was last started from ``home``, running or not; None before the first start."""
    home = (home or neo4j_home()).absolute()
    record = read_server_record(home)
    return None if record is None else LocalServer(home=home, **record)


def stop_server(home: Path | None = None) -> LocalServer:
    """Stop the server of ``home`` and wait for its end. Stopping a stopped server changes nothing."""
    import psutil

    server = find_server(home)
    if server is None:
        raise UsageError(
            "no Neo4j was started from this home folder",
            where=str(home or neo4j_home()),
            fix="run: semiosis neo4j start",
        )
    if server.state in {"running", "starting"} and server.pid is not None:
        process = psutil.Process(server.pid)
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except psutil.TimeoutExpired as error:
            raise MachineError(
                "Neo4j does not stop", where=str(server.log), fix=f"end process {server.pid}"
            ) from error
    return write_server_record(replace(server, pid=None, born=0.0, answered=False))


def with_process(server: LocalServer, pid: int) -> LocalServer:
    """Return the server with this process, which has not answered yet."""
    import psutil

    return replace(server, pid=pid, born=psutil.Process(pid).create_time(), answered=False)


def write_server_record(server: LocalServer) -> LocalServer:
    """Record in its home folder how the server was started, atomically, and return the server."""
    record = {name: value for name, value in asdict(server).items() if name != "home"}
    atomic_write(server.home / "server.json", json.dumps(record, indent=2) + "\n")
    return server
