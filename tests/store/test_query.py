"""Queries only read, and errors of the engine become errors of Semiosis."""

from pathlib import Path

import pytest

from semiosis.store import EmbeddedStore
from semiosis.store._guard import refuse_unsafe
from semiosis.store._open import is_url
from semiosis.values import StoreError, UsageError

CSV = "FROM 'file:///etc/passwd' AS row RETURN row AS row"

LOADS = [
    f"LOAD CSV {CSV}",
    f"load csv {CSV}",
    f"LoAd\tcSv WITH HEADERS {CSV}",
    f"LOAD\n\n  CSV {CSV}",
    f"LOAD/* a comment */CSV {CSV}",
    f"LOAD // a comment\nCSV {CSV}",
    f"LOAD // a comment\rCSV {CSV}",
    f"LOAD\u00a0CSV {CSV}",
    f"LOAD\u3000CSV {CSV}",
    f"LOAD\ufeffCSV {CSV}",
    f"LOAD\u200bCSV {CSV}",
    f"`LOAD` CSV {CSV}",
    f"`load` `csv` {CSV}",
    f"/* harmless */ LOAD CSV {CSV}",
    f"// harmless\nLOAD CSV {CSV}",
    f"MATCH (n) WITH n LOAD CSV {CSV}",
    f"WITH 'a \\' quote' AS x LOAD CSV {CSV}",
    f'WITH "a \\" quote" AS x LOAD CSV {CSV}',
    f"WITH 'a // b' AS x LOAD CSV {CSV}",
    f"WITH 'a /* b' AS x LOAD CSV {CSV}",
    f"WITH 1 AS `it's` LOAD CSV {CSV}",
    f"WITH 1 AS `a``'b` LOAD CSV {CSV}",
    f"/* ' */ LOAD CSV {CSV}",
    f"CALL {{ LOAD CSV {CSV} }} RETURN row AS row",
    f"RETURN 1 AS row UNION ALL LOAD CSV {CSV}",
    f"RETURN 1 AS x; LOAD CSV {CSV}",
    f"EXPLAIN LOAD CSV {CSV}",
    f"PROFILE LOAD CSV {CSV}",
    f"USING PERIODIC COMMIT 500 LOAD CSV {CSV}",
]

CALLS = [
    "CALL apoc.load.json('http://localhost/') YIELD value RETURN value AS value",
    "call apoc.load.json('x')",
    "CALL apoc . load . json ('x')",
    "CALL apoc/**/.load.json('x')",
    "CALL // where to?\n apoc.load.json('x')",
    "CALL `apoc`.`load`.`json`('x')",
    "CALL `apoc.load.json`('x')",
    "CALL `db.cdc.enable`()",
    "CALL dbms.listConfig()",
    "CALL dbms.listConfig YIELD name RETURN name AS name",
    "CALL db.labelsAndMore()",
    "CALL pagerank() YIELD node RETURN node AS node",
    "MATCH (n) CALL table.upsert({node: n}) YIELD n AS m RETURN m AS m",
    "OPTIONAL CALL apoc.load.json('x') YIELD value RETURN value AS value",
    "CALL { CALL apoc.load.json('x') YIELD value RETURN value } RETURN value AS value",
    "RETURN 1 AS x UNION CALL apoc.load.json('x') YIELD value RETURN value AS x",
    "CALL\u00a0apoc.load.json('x')",
    "CALL\ufeffapoc.load.json('x')",
]

WRITES = [
    "CREATE (n:Sign {id: 'x'})",
    "MERGE (n:Sign {id: 'x'}) RETURN n AS n",
    "MATCH (n:Sign) SET n.text = 'x'",
    "MATCH (n:Sign) REMOVE n.text",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n) WITH n LIMIT 1 DELETE n",
    "FOREACH (x IN [1] | CREATE (:Sign {id: x}))",
    "CALL { CREATE (:Sign {id: 'x'}) } RETURN 1 AS one",
    "CREATE INDEX mine FOR (n:Sign) ON (n.kind)",
    "DROP INDEX meanings",
    "DROP CONSTRAINT sign_id",
    "RETURN 1 AS one; CREATE (n:Sign {id: 'x'})",
    "/* reads only */ create (n:Sign {id: 'x'})",
]

HARMLESS = [
    "MATCH (n:Semiosis) WHERE n.object CONTAINS 'CREATE' RETURN count(n) AS n",
    "MATCH (n:Semiosis) WHERE n.object = 'LOAD CSV FROM' RETURN count(n) AS n",
    'MATCH (n:Semiosis) WHERE n.object = "CALL apoc.load.json()" RETURN count(n) AS n',
    "// CALL apoc.load.json() LOAD CSV\nMATCH (n:Sign) RETURN count(n) AS n",
    "MATCH (n:Sign) // SET everything\nRETURN count(n) AS n",
    "MATCH (n:Sign) RETURN count(n.created) AS n",
    "MATCH (n:Sign) RETURN count(n.`load csv`) AS n",
    "MATCH (n:Sign) WHERE n.call IS NULL RETURN count(n) AS n",
    "MATCH (call:Sign) RETURN count(*) AS n",
    "MATCH (load:Sign) RETURN count(load) AS n",
    "RETURN $call AS n",
    "CALL { MATCH (n:Sign) RETURN count(n) AS n } RETURN n AS n",
    "MATCH (s:Sign) CALL (s) { RETURN s.id AS id } RETURN count(id) AS n",
    "MATCH (s:Sign) CALL { WITH s RETURN s.id AS id } RETURN count(id) AS n",
    "CALL db.labels() YIELD label RETURN count(label) AS n",
    "CALL db.labels() YIELD label RETURN count(label) AS n UNION ALL RETURN 1 AS n",
    "call `db`.`labels` ( ) yield label return count(label) AS n",
    "CALL `db.labels`() YIELD label RETURN count(label) AS n",
    "MATCH (n:Sign) WHERE EXISTS { MATCH (n)-[:READ_AS]->(:HSG) } RETURN count(n) AS n",
    "MATCH (g:GROUNDED) RETURN count(g) AS n",
]


@pytest.mark.parametrize("cypher", LOADS)
def test_no_query_reads_files(stored: EmbeddedStore, cypher: str) -> None:
    with pytest.raises(UsageError, match="LOAD CSV reads files and URLs"):
        stored.query(cypher)


@pytest.mark.parametrize("cypher", CALLS)
def test_no_query_calls_an_unlisted_procedure(stored: EmbeddedStore, cypher: str) -> None:
    with pytest.raises(UsageError, match="is not among those that only read"):
        stored.query(cypher)


@pytest.mark.parametrize("cypher", WRITES)
def test_no_query_writes(stored: EmbeddedStore, cypher: str) -> None:
    before = stored.counts()
    with pytest.raises(UsageError):
        stored.query(cypher)
    assert stored.counts() == before


@pytest.mark.parametrize("cypher", HARMLESS)
def test_words_that_only_look_dangerous_are_allowed(stored: EmbeddedStore, cypher: str) -> None:
    rows = stored.query(cypher, {"call": 1})
    assert rows.columns == ("n",)


@pytest.mark.parametrize(
    "cypher", ["RETURN 'unterminated", "/* unterminated", "RETURN `unterminated", "", ";"]
)
def test_an_incomplete_query_raises_our_error(stored: EmbeddedStore, cypher: str) -> None:
    refuse_unsafe(cypher)
    with pytest.raises(UsageError, match="the query failed"):
        stored.query(cypher)


def test_the_embedded_store_refuses_to_write(stored: EmbeddedStore) -> None:
    with pytest.raises(UsageError, match="cannot be written to"):
        stored.query("MATCH (n) DETACH DELETE n", write=True)


def test_a_truncated_result_is_marked(stored: EmbeddedStore) -> None:
    rows = stored.query("MATCH (n:Semiosis) RETURN n.id AS id ORDER BY id", limit=3)
    assert len(rows) == 3
    assert rows.truncated
    assert rows.hints == ("only the first 3 rows are shown; raise the limit for more",)


def test_a_result_of_exactly_the_limit_is_complete(stored: EmbeddedStore) -> None:
    rows = stored.query("MATCH (s:Study) RETURN s.id AS id", limit=1)
    assert (len(rows), rows.truncated, rows.hints) == (1, False, ())


def test_a_runaway_query_is_stopped(stored: EmbeddedStore) -> None:
    with pytest.raises(StoreError, match=r"ran longer than 0\.05 s and was stopped"):
        stored.query("MATCH (a), (b), (c), (d) RETURN count(*) AS n", timeout=0.05)


def test_an_unknown_label_gives_a_hint(stored: EmbeddedStore) -> None:
    rows = stored.query("MATCH (n:Semioses) RETURN n.id AS id")
    assert len(rows) == 0
    assert "Semioses" in rows.hints[0]


def test_a_missing_parameter_is_named(stored: EmbeddedStore) -> None:
    with pytest.raises(UsageError, match="missing"):
        stored.query("RETURN $missing AS x")


def test_nodes_edges_and_paths_are_plain_dicts(stored: EmbeddedStore) -> None:
    rows = stored.query(
        "MATCH p = (a:Sign)-[r:PROMPTED]->(b:Sign) RETURN a AS a, r AS r, p AS p, {node: b} AS m "
        "ORDER BY b.heading LIMIT 1"
    )
    node, edge, path, nested = (rows[0][column] for column in ("a", "r", "p", "m"))
    assert node["labels"] == ["Sign"]
    assert node["properties"]["heading"] == "annunciation"
    assert not {"title", "type", "name"} & node["properties"].keys()
    assert edge == {"type": "PROMPTED", "properties": {"round": 1}}
    assert path == {"nodes": [node, nested["node"]], "relationships": [edge]}


@pytest.mark.parametrize(
    ("text", "found"),
    [("heron", {"heron"}), ("HERON", {"heron"}), ("a candle", {"candle"})],
)
def test_search_finds_words(stored: EmbeddedStore, text: str, found: set[str]) -> None:
    rows = stored.search(text, limit=3)
    assert {row["label"] for row in rows} == found
    assert rows.columns == ("id", "label", "object", "score")
    scores = [row["score"] for row in rows]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize("text", ["", " ", '"', "a AND", "lily~", "(", "*", "'; DROP INDEX meanings", "a:b"])
def test_search_takes_any_text(stored: EmbeddedStore, text: str) -> None:
    stored.search(text)


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("neo4j://localhost:7687", True),
        ("neo4j+s://graph.example.org", True),
        ("neo4j+ssc://graph.example.org", True),
        ("bolt://localhost", True),
        ("bolt+s://localhost", True),
        ("C:/studies/rain", False),
        ("NEO4J", False),
        ("study/neo4j://x", False),
        (Path("bolt:/x"), False),
    ],
)
def test_only_neo4j_and_bolt_are_urls(address: str | Path, url: bool) -> None:
    assert is_url(address) is url
