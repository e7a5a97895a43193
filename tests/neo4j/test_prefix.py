"""A database that other programs use too: a prefix for our labels, counts of our nodes, collisions."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from semiosis.store import EmbeddedStore, GraphCounts, Neo4jStore, library
from semiosis.store._schema import add_prefix
from semiosis.values import Recorded, StoreError, UsageError, to_json
from tests.neo4j.conftest import Server, empty
from tests.store.made_up import made_up


@pytest.fixture(scope="module")
def values() -> list[Recorded]:
    return list(made_up())


def clean(store: Neo4jStore) -> None:
    """Remove the nodes and constraints of this prefix."""
    empty(store)
    for row in store.query("SHOW CONSTRAINTS YIELD name"):
        if row["name"].startswith(store.label_prefix.lower()):
            store.query(f"DROP CONSTRAINT {row['name']}", write=True)
    for row in store.query("SHOW INDEXES YIELD name"):
        if row["name"].startswith(store.label_prefix.lower()):
            store.query(f"DROP INDEX {row['name']}", write=True)


@pytest.fixture
def shared(server: Server) -> Iterator[Neo4jStore]:
    """A store with a prefix, in a database that also has a school's questions, answers and scores."""
    with Neo4jStore(server.url, auth=server.auth, label_prefix="Sm") as store:
        empty(store)
        store.query(
            "UNWIND range(1, 3) AS i "
            "CREATE (:Question {text: 'who?'})<-[:ABOUT]-(:Answer)-[:BY]->(:Score {n: i})",
            write=True,
        )
        yield store
        clean(store)


@pytest.mark.slow
def test_our_labels_have_the_prefix(shared: Neo4jStore, values: list[Recorded]) -> None:
    shared.save(*values, study="made-up")
    assert {value.id: to_json(value) for value in shared.values("made-up")} == {
        value.id: to_json(value) for value in values
    }
    labels = {row["label"] for row in shared.query("CALL db.labels() YIELD label RETURN label")}
    assert {"SmSign", "SmHSG", "SmSemiosis", "SmQuestion"} <= labels
    assert shared.query("MATCH (n:Question) RETURN count(n) AS n")[0] == {"n": 3}
    assert [row["label"] for row in shared.search("heron", limit=3)] == ["heron"] * 3
    assert len(library()["readings"].run(shared, {"sign": ""})) == shared.counts().nodes["HSG"]
    before = shared.counts()
    shared.save(*values, study="made-up")
    assert shared.counts() == before


@pytest.mark.slow
def test_nodes_with_our_labels_that_are_not_ours_are_not_counted(shared: Neo4jStore, server: Server) -> None:
    with Neo4jStore(server.url, auth=server.auth, label_prefix="") as plain:
        assert plain.counts().nodes == {}
        assert plain.counts().edges == {}
        assert list(plain.values()) == []


@pytest.mark.slow
def test_nodes_of_a_university_are_neither_counted_nor_removed(
    store: Neo4jStore, values: list[Recorded], tmp_path: Path
) -> None:
    """They have our labels, edge types and ids, and the database has no prefix."""
    store.query(
        "CREATE (:Study {id: 'law', years: 4})-[:INCLUDES]->(:Sign {id: 'exit'}), "
        "(:Generator {id: 'diesel'})-[:MADE]->(:Sign {id: 'heat'}), (:Generator {id: 'wind'}), "
        "(:Evaluator {id: 'dean'})<-[:BY]-(:Score {id: 'first'}), (:Interpreter {id: 'guide'}), "
        "(:Semiosis {id: 'lecture'})",
        write=True,
    )
    theirs = store.query("MATCH (n) RETURN count(n) AS n")[0]["n"]
    assert store.counts() == GraphCounts({}, {})
    assert store.studies() == {}
    store.save(*values, study="made-up")
    assert list(store.studies()) == ["made-up"]
    with EmbeddedStore(tmp_path / "made-up") as embedded:
        embedded.save(*values)
        assert store.counts() == embedded.counts()
    store.remove_study("made-up")
    assert store.counts() == GraphCounts({}, {})
    assert store.query("MATCH (n) RETURN count(n) AS n")[0]["n"] == theirs


@pytest.mark.slow
def test_half_a_surrogate_pair_in_a_query(store: Neo4jStore) -> None:
    for cypher, params in (("RETURN '\ud800' AS x", {}), ("RETURN $x AS x", {"x": "\ud800"})):
        with pytest.raises(UsageError, match="half of a surrogate pair"):
            store.query(cypher, params)


@pytest.mark.slow
def test_a_label_that_another_program_uses_is_named(server: Server, values: list[Recorded]) -> None:
    with Neo4jStore(server.url, auth=server.auth, label_prefix="Clash") as store:
        empty(store)
        store.query("CREATE (:ClashScore {id: 1}), (:ClashScore {id: 1})", write=True)
        with pytest.raises(StoreError, match=r"'clashscore_id' for the label 'ClashScore'") as caught:
            store.save(values[0])
        assert "SEMIOSIS_LABEL_PREFIX=Sm" in str(caught.value)
        clean(store)
    with Neo4jStore(server.url, auth=server.auth, label_prefix="Other") as store:
        store.query("CREATE INDEX othersign_id FOR (n:Movie) ON n.title", write=True)
        with pytest.raises(StoreError, match="another index has this name"):
            store.save(values[0])
        store.query("DROP INDEX othersign_id", write=True)
        clean(store)


@pytest.mark.slow
def test_the_prefix_comes_from_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMIOSIS_LABEL_PREFIX", "Env")
    with server.open() as store:
        assert store.label_prefix == "Env"


@pytest.mark.parametrize("prefix", ["1", "a b", "`", "é", "x)-[:"])
def test_an_invalid_prefix_is_refused(prefix: str) -> None:
    with pytest.raises(UsageError, match="is not a valid label prefix"):
        Neo4jStore("bolt://localhost:9", auth=("neo4j", "x"), label_prefix=prefix)


@pytest.mark.parametrize(
    ("cypher", "expected"),
    [
        ("MATCH (n:Sign|HSG) RETURN n", "MATCH (n:XSign|XHSG) RETURN n"),
        ("MATCH (n : Score) RETURN n", "MATCH (n : XScore) RETURN n"),
        ("MATCH (n) WHERE n:Verdict RETURN n", "MATCH (n) WHERE n:XVerdict RETURN n"),
        ("MATCH (n:Movie {a: 'x:Sign'}) // :Sign", "MATCH (n:Movie {a: 'x:Sign'}) // :Sign"),
        ("RETURN n.Sign AS Sign", "RETURN n.Sign AS Sign"),
    ],
)
def test_only_our_labels_change(cypher: str, expected: str) -> None:
    assert add_prefix(cypher, "X") == expected


@pytest.mark.parametrize("name", library())
def test_no_library_query_uses_an_unprefixed_label(name: str) -> None:
    prefixed = add_prefix(library()[name].cypher, "Xyz")
    assert "labels(" not in prefixed, "a label in a result would differ between stores"
    assert prefixed.count(":Xyz") >= 1
