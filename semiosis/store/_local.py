"""A real Neo4j Community server on this machine, without Docker: where it lives, if it runs, how it stops.

Everything of one server lives in its *home* folder: ``data``, ``logs``, ``conf``, the ``password`` (readable
by its owner only) and ``server.json``, which says how it was last started. Neo4j Community is free software
under GPL-3; it is downloaded when the user asks for it and runs as its own process.
"""

import json
import os
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from semiosis.values import MachineError, UsageError

BOLT, HTTP = 7687, 7474
"""The ports a Neo4j usually has; taken when they are free."""

_STOP_SECONDS = 120


@dataclass(frozen=True)
class LocalServer:
    """A server as it was last started from its home."""

    home: Path
    release: str
    bolt_port: int
    http_port: int | None
    """Where Neo4j Browser is served, when its jar fits the release."""
    pid: int | None = None
    """The process, until the server is stopped."""
    born: float = 0.0
    """When that process began: a pid alone may be another program's after a restart."""

    @property
    def series(self) -> str:
        """The release without its last number; the data stays readable within a series."""
        return self.release.rpartition(".")[0]

    @property
    def url(self) -> str:
        """What ``open_store`` takes."""
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def browser(self) -> str | None:
        """The address of Neo4j Browser, with the server filled in."""
        if self.http_port is None:
            return None
        return f"http://127.0.0.1:{self.http_port}/browser/?dbms=bolt://neo4j@127.0.0.1:{self.bolt_port}&db=neo4j"

    @property
    def password_file(self) -> Path:
        """The file only the user can read."""
        return self.home / "password"

    @property
    def log(self) -> Path:
        """What the server printed since its last start."""
        return self.home / "logs" / "console.log"

    @property
    def state(self) -> Literal["running", "stopped", "killed"]:
        """``killed`` when the process ended without being asked to; the data is kept."""
        if self.pid is None:
            return "stopped"
        return "running" if _alive(self.pid, self.born) else "killed"


def server_home() -> Path:
    """Where the user's server lives; ``SEMIOSIS_NEO4J_HOME`` moves it."""
    if "SEMIOSIS_NEO4J_HOME" in os.environ:
        return Path(os.environ["SEMIOSIS_NEO4J_HOME"])
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "semiosis" / "neo4j"


def find_server(home: Path | None = None) -> LocalServer | None:
    """Give the server that was last started from ``home``, running or not; None before the first start."""
    home = (home or server_home()).absolute()
    record = home / "server.json"
    if not record.exists():
        return None
    return LocalServer(home=home, **json.loads(record.read_text(encoding="utf-8")))


def stop_server(home: Path | None = None) -> LocalServer:
    """Ask the server of ``home`` to stop and wait until it has; stopping a stopped one changes nothing."""
    import psutil

    server = find_server(home)
    if server is None:
        raise UsageError("no Neo4j has been started here", fix="semiosis neo4j start")
    if server.state == "running" and server.pid is not None:
        process = psutil.Process(server.pid)
        process.terminate()
        try:
            process.wait(_STOP_SECONDS)
        except psutil.TimeoutExpired as error:
            raise MachineError(
                "Neo4j does not stop", where=str(server.log), fix=f"end process {server.pid}"
            ) from error
    return remember(replace(server, pid=None, born=0.0))


def local_password(url: str) -> str | None:
    """Give the password of the user's own server when ``url`` is that server's and it runs."""
    server = find_server()
    address = urlsplit(url)
    if (
        server is None
        or server.state != "running"
        or address.hostname not in {"127.0.0.1", "localhost", "::1"}
    ):
        return None
    if (address.port or BOLT) != server.bolt_port:
        return None
    return server.password_file.read_text(encoding="utf-8").strip()


def remember(server: LocalServer) -> LocalServer:
    """Write the server to its home, whole or not at all."""
    record = {name: value for name, value in asdict(server).items() if name != "home"}
    fresh = server.home / "server.json.new"
    fresh.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    fresh.replace(server.home / "server.json")
    return server


def _alive(pid: int, born: float) -> bool:
    import psutil

    try:
        process = psutil.Process(pid)
        return bool(abs(process.create_time() - born) < 2 and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
