"""Queries on Neo4j: they only read, within limits, and errors have clear messages."""

import socket
from types import SimpleNamespace

import pytest

from semiosis.store import Neo4jStore, _neo4j_connection
from semiosis.store._guard import refuse_plugins
from semiosis.values import StoreError, UsageError, text
from tests.store.test_limits import UNSENDABLE


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cypher", "reason"),
    [
        ("CREATE (n:Sign {id: 'x'}) RETURN n", "would write"),
        ("MATCH (n) DETACH DELETE n", "would write"),
        ("MATCH (n) CALL (n) { SET n.x = 1 } RETURN n", "would write"),
        ("CALL { CREATE (n) } IN TRANSACTIONS", "would write"),
        ("CREATE INDEX mine FOR (n:X) ON n.y", "would write"),
        ("ALTER CURRENT USER SET PASSWORD FROM 'a' TO 'b'", "would write"),
        ("DROP CONSTRAINT sign_id", "would write"),
        ("CALL db.createLabel('X')", "not among those"),
        ("CALL dbms.listConfig()", "not among those"),
        ("CALL `dbms`.`listConfig`()", "not among those"),
        ("TERMINATE TRANSACTIONS 'neo4j-transaction-1'", "stops the queries of other users"),
        ("SHOW TRANSACTIONS", "shows the queries of other users"),
        ("SHOW SETTINGS", "the configuration of the server"),
        ("RETURN apoc.cypher.runFirstColumnSingle('x', {}) AS x", "belongs to a plugin"),
    ],
)
def test_a_query_that_does_more_than_read_is_refused(store: Neo4jStore, cypher: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        store.query(cypher)


@pytest.mark.slow
@pytest.mark.parametrize("write", [False, True])
def test_load_csv_never_leaves_the_machine(store: Neo4jStore, write: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(0.2)
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/secrets.csv"
        for cypher in (
            "LOAD CSV FROM '{}' AS line RETURN line",
            "/* */ LOAD /**/ CSV FROM '{}' AS l RETURN l",
        ):
            with pytest.raises(UsageError, match="LOAD CSV"):
                store.query(cypher.format(address), write=write)
        with pytest.raises(TimeoutError):
            listener.accept()


@pytest.mark.slow
def test_words_that_only_look_like_writes_are_allowed(store: Neo4jStore) -> None:
    sign = text("CREATE (n) or DELETE it; LOAD CSV // CALL dbms.listConfig()")
    store.save(sign)
    rows = store.query(
        "MATCH (n:Sign) WHERE n.text CONTAINS 'CREATE' AND n.text CONTAINS 'LOAD CSV' RETURN n.id AS id"
    )
    assert [row["id"] for row in rows] == [sign.id]


@pytest.mark.slow
def test_listed_procedures_and_neo4j_functions_are_allowed(store: Neo4jStore) -> None:
    store.save(text("a lily"))
    assert {"label": "Sign"} in list(store.query("CALL db.labels() YIELD label RETURN label"))
    assert store.query("CALL dbms.components() YIELD name RETURN name")[0]["name"] == "Neo4j Kernel"
    assert store.query("RETURN date.truncate('year', date('2026-05-04')) AS day")[0]["day"].year == 2026


@pytest.mark.slow
def test_a_runaway_query_is_stopped(store: Neo4jStore) -> None:
    store.query("UNWIND range(1, 300) AS i CREATE (:Filler {i: i})", write=True)
    four = ", ".join(f"({name}:Filler)" for name in "abcd")
    cypher = f"MATCH {four} WHERE a.i * b.i + c.i * d.i < 0 RETURN count(*) AS n"
    with pytest.raises(StoreError, match=r"ran longer than 0\.3 s and was stopped"):
        store.query(cypher, timeout=0.3)


@pytest.mark.slow
def test_a_query_that_the_server_does_not_stop(store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server checks its timeout between rows, and this query has one row."""
    monkeypatch.setattr("semiosis.store._neo4j_connection.GRACE_SECONDS", 0.2)
    with pytest.raises(StoreError, match=r"ran longer than 0\.1 s and was stopped"):
        store.query("RETURN reduce(a = 0, i IN range(1, 100000000) | a + i) AS sum", timeout=0.1)
    assert list(store.query("RETURN 1 AS one")) == [{"one": 1}]


@pytest.mark.slow
@pytest.mark.parametrize("value", UNSENDABLE.values(), ids=list(UNSENDABLE))
def test_a_parameter_that_cannot_be_sent(store: Neo4jStore, value: object) -> None:
    with pytest.raises(UsageError, match="the query parameter 'p' cannot be sent"):
        store.query("RETURN $p AS p", {"p": value})


@pytest.mark.slow
def test_the_check_and_the_query_share_the_time(store: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the plan takes the whole time, so that nothing is left for the query."""
    clock = iter([0.0, 60.0])
    monkeypatch.setattr("semiosis.store._neo4j_store.time", SimpleNamespace(monotonic=lambda: next(clock)))
    with pytest.raises(StoreError, match="ran longer than 60 s and was stopped"):
        store.query("UNWIND range(1, 100000000) AS i RETURN sum(i) AS sum", timeout=60)


def test_the_time_limit_is_kept_within_a_second() -> None:
    assert _neo4j_connection.GRACE_SECONDS < 1


@pytest.mark.slow
def test_deep_nesting_is_not_sent(store: Neo4jStore) -> None:
    with pytest.raises(UsageError, match="more than 50 levels deep"):
        store.query("RETURN " + "(" * 10_000 + "1" + ")" * 10_000)


@pytest.mark.slow
def test_a_row_limit_is_kept_and_reported(store: Neo4jStore) -> None:
    rows = store.query("UNWIND range(1, 100000) AS i RETURN i", limit=3)
    assert [row["i"] for row in rows] == [1, 2, 3]
    assert rows.truncated
    assert "only the first 3 rows" in rows.hints[-1]
    assert not store.query("UNWIND range(1, 3) AS i RETURN i", limit=3).truncated


@pytest.mark.slow
def test_an_unknown_label_is_a_hint_and_not_an_error(
    store: Neo4jStore, capfd: pytest.CaptureFixture[str]
) -> None:
    rows = store.query("MATCH (n:Semioses) RETURN n.objekt AS object")
    assert len(rows) == 0
    assert any("Semioses" in hint for hint in rows.hints)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cypher", "message"),
    [
        ("MATCH (n RETURN n", r"the query failed: Invalid input 'RETURN'.*\(line 1, column 10\)"),
        ("MATCH (n)\nRETURN m", r"not defined \(line 2, column 8\)"),
        ("RETURN $missing AS x", r"Expected parameter\(s\): missing"),
        ("RETURN 1 AS a; RETURN 2 AS b", "more than one query"),
        ("PROFILE MATCH (n) RETURN n", "PROFILE shows the plan of one engine"),
        ("/* why */ explain MATCH (n) RETURN n", "EXPLAIN shows the plan of one engine"),
        ("RETURN 1 / 0 AS x", "/ by zero"),
    ],
)
def test_a_failed_query_gives_the_reason(store: Neo4jStore, cypher: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        store.query(cypher)


@pytest.mark.slow
def test_writes_are_explicit(store: Neo4jStore) -> None:
    assert store.query("CREATE (n:Note {x: 1}) RETURN n.x AS x", write=True)[0] == {"x": 1}
    assert store.query("MATCH (n:Note) RETURN count(n) AS n")[0] == {"n": 1}


@pytest.mark.slow
def test_nodes_edges_and_paths_are_plain_dicts(store: Neo4jStore) -> None:
    store.query("CREATE (:A {x: 1})-[:R {y: [1.5]}]->(:B {at: date('2026-05-04')})", write=True)
    (row,) = store.query("MATCH p = (a:A)-[r]->(b) RETURN a, r, p, [b.at, {k: a}] AS mixed")
    a, r = {"labels": ["A"], "properties": {"x": 1}}, {"type": "R", "properties": {"y": [1.5]}}
    assert row["a"] == a
    assert row["r"] == r
    assert row["p"]["nodes"][0] == a
    assert row["p"]["relationships"] == [r]
    assert row["mixed"][0].isoformat() == "2026-05-04"
    assert row["mixed"][1] == {"k": a}


@pytest.mark.parametrize(
    "cypher", ["RETURN point.distance(a, b)", "CALL db.labels()", "MATCH (n) WHERE (n.x) RETURN n"]
)
def test_dots_that_are_not_plugins(cypher: str) -> None:
    refuse_plugins(cypher)


@pytest.mark.parametrize(
    "cypher", ["RETURN apoc.load.json('x')", "RETURN `genai`.vector.encode('x')", "RETURN x . y (1)"]
)
def test_functions_of_plugins(cypher: str) -> None:
    with pytest.raises(UsageError, match="Neo4j's own"):
        refuse_plugins(cypher)
