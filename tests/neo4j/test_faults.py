"""Failures between a client and a server: nothing is lost or duplicated, and messages are clear."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from semiosis.local_neo4j import _launch, find_server, stop_server
from semiosis.local_neo4j._login import wait_for_login
from semiosis.store import EmbeddedStore, GraphCounts, Neo4jStore, _neo4j_connection, _neo4j_store
from semiosis.store._references import by_kind
from semiosis.values import (
    HSG,
    Alignment,
    ImageSign,
    Recorded,
    StoreError,
    TextSign,
    UsageError,
    text,
    to_json,
)
from tests.generated import study
from tests.neo4j.conftest import Server, started, stopped
from tests.neo4j.proxy import Proxy

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def values() -> list[Recorded]:
    """Signs, HSGs and alignments. With few kinds of values, the server plans few statements."""
    return [value for value in study(40) if isinstance(value, TextSign | ImageSign | HSG | Alignment)]


@pytest.fixture(scope="module")
def expected(values: list[Recorded], tmp_path_factory: pytest.TempPathFactory) -> GraphCounts:
    """The counts of the graph if nothing fails."""
    with EmbeddedStore(tmp_path_factory.mktemp("studies") / "shared") as store:
        store.save(*values)
        return store.counts()


@pytest.fixture
def fragile(tmp_path: Path) -> Iterator[Path]:
    """The home of a server that may be killed."""
    yield tmp_path / "home"
    stopped(tmp_path / "home")


def at_transaction(monkeypatch: pytest.MonkeyPatch, number: int, act: Callable[[], None]) -> None:
    """Call `act` in the middle of the transaction with this number, after its first row is merged."""
    real, seen = _neo4j_store._merge_all, iter(range(1, 1_000))

    def merge(transaction: Any, rows: Sequence[Any], prefix: str) -> None:
        real(transaction, rows[:1], prefix)
        if next(seen) == number:
            act()
        real(transaction, rows[1:], prefix)

    monkeypatch.setattr(_neo4j_store, "_merge_all", merge)


def test_a_server_killed_in_the_middle_of_a_save(
    fragile: Path, values: list[Recorded], expected: GraphCounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = started(fragile)
    record = find_server(fragile)
    assert record is not None
    assert record.pid is not None
    pid = record.pid
    monkeypatch.setattr(_neo4j_store, "VALUES_PER_TRANSACTION", 50)
    with monkeypatch.context() as once:
        once.setattr(_neo4j_connection, "RETRY_SECONDS", 0.5)
        at_transaction(once, 3, lambda: os.kill(pid, signal.SIGKILL))
        with (
            server.open() as store,
            pytest.raises(StoreError, match="100 of 110 values were written; stopped at"),
        ):
            store.save(*values, study="shared")
    assert record.state == "killed"

    again = started(fragile)
    with again.open() as store:
        there = {value.id for value in store.values()}
        assert there == {value.id for value in by_kind(values)[:100]}, "whole transactions, in order"
        store.save(*values, study="shared")
        assert store.counts() == expected
        assert {value.id: to_json(value) for value in store.values()} == {v.id: to_json(v) for v in values}
    assert again.auth == server.auth, "the password is kept between starts"

    _refuses_writes_when_read_only(fragile, monkeypatch, expected)


def _refuses_writes_when_read_only(
    home: Path, monkeypatch: pytest.MonkeyPatch, expected: GraphCounts
) -> None:
    """Restart the server read-only, which Community supports only at startup, and try to save."""
    stop_server(home)
    configure = _launch._configure

    def read_only(server: Any) -> None:
        configure(server)
        with (server.home / "conf" / "neo4j.conf").open("a") as conf:
            conf.write("server.databases.default_to_read_only=true\n")

    monkeypatch.setattr(_launch, "_configure", read_only)
    with started(home).open() as store:
        assert store.counts() == expected
        with pytest.raises(StoreError, match="the database is read-only"):
            store.save(text("something new"))
        assert store.counts() == expected


def test_a_connection_that_drops_is_reopened(
    store: Neo4jStore,
    server: Server,
    values: list[Recorded],
    expected: GraphCounts,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_neo4j_store, "VALUES_PER_TRANSACTION", 50)
    with closing(Proxy(server.url)) as proxy, Neo4jStore(proxy.url, auth=server.auth) as through:
        at_transaction(monkeypatch, 2, proxy.cut)
        through.save(*values, study="shared")
        proxy.cut()
        assert through.counts() == expected, "a connection that went stale meanwhile is replaced"
    assert store.counts() == expected


def test_two_processes_save_the_same_study_at_once(
    store: Neo4jStore, server: Server, values: list[Recorded], expected: GraphCounts
) -> None:
    name, password = server.auth
    environment = os.environ | {"NEO4J_USERNAME": name, "NEO4J_PASSWORD": password}
    command = [sys.executable, "-m", "tests.neo4j.saver", server.url, "40"]
    writers = [
        subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(2)
    ]
    said = [writer.communicate(timeout=300)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], said
    assert store.counts() == expected
    assert {value.id: to_json(value) for value in store.values()} == {v.id: to_json(v) for v in values}


def test_an_edge_without_its_node_rolls_the_transaction_back(
    store: Neo4jStore, values: list[Recorded], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = text("something another program deletes")
    store.save(other)
    missing = Neo4jStore._missing_ids
    monkeypatch.setattr(
        Neo4jStore,
        "_missing_ids",
        lambda self, required: (missing(self, required), self.query("MATCH (n) DETACH DELETE n", write=True))[
            0
        ],
    )
    prompted = text("late").model_copy(update={"prompt": other.id})
    with pytest.raises(StoreError, match="1 edges were not written: one of their nodes"):
        store.save(prompted)
    assert store.counts().nodes == {}


def test_a_wrong_password_is_reported_without_being_shown(server: Server) -> None:
    with pytest.raises(StoreError, match="refuses the user name or the password") as raised:
        Neo4jStore(server.url, auth=("neo4j", "open-sesame"))
    assert "open-sesame" not in f"{raised.value} {raised.value.__cause__}"


def test_an_address_without_a_server() -> None:
    with pytest.raises(StoreError, match="semiosis neo4j status"):
        Neo4jStore("bolt://127.0.0.1:9", auth=("neo4j", "whatever"))


def test_an_unknown_database_is_reported(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_DATABASE", "elsewhere")
    with server.open() as store, pytest.raises(StoreError, match="check NEO4J_DATABASE"):
        store.counts()


def test_an_address_with_a_password_is_refused_without_repeating_it() -> None:
    with pytest.raises(UsageError, match="must not contain a user name") as raised:
        Neo4jStore("neo4j://neo4j:open-sesame@localhost")
    assert "open-sesame" not in str(raised.value)


def test_a_password_file_with_the_wrong_password(server: Server) -> None:
    with pytest.raises(StoreError, match="does not accept the password in its password file"):
        wait_for_login(server.url, "not-this-one", check_alive=lambda: None, seconds=30)
