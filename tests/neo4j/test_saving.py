"""Saving to Neo4j: values are complete, without duplicates, and loaded exactly."""

import pytest

from semiosis.store import EmbeddedStore, Neo4jStore, Store
from semiosis.values import CompositeSign, Recorded, StoreError, TextSign, Verdict, text, to_json
from tests.generated import study
from tests.neo4j.conftest import Server
from tests.store.made_up import made_up

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def values() -> list[Recorded]:
    return list(made_up())


def lines(store: Store) -> dict[str, str]:
    return {value.id: to_json(value) for value in store.values()}


def test_saved_values_are_loaded_exactly(store: Neo4jStore, values: list[Recorded]) -> None:
    store.save(*values)
    assert lines(store) == {value.id: to_json(value) for value in values}
    composite = next(value for value in values if isinstance(value, CompositeSign))
    assert [store.load(part.id) for part in composite.parts] == list(composite.parts)
    assert [store.load(value.id) for value in values] == values


def test_saving_twice_changes_nothing(store: Neo4jStore, values: list[Recorded]) -> None:
    store.save(*values, study="made-up")
    before = store.counts()
    store.save(*reversed(values), study="made-up")
    assert store.counts() == before


def test_neo4j_and_the_embedded_store_contain_the_same_graph(
    store: Neo4jStore, values: list[Recorded], tmp_path_factory: pytest.TempPathFactory
) -> None:
    store.save(*values, study="made-up")
    with EmbeddedStore(tmp_path_factory.mktemp("studies") / "made-up") as embedded:
        embedded.save(*values)
        expected = embedded.counts()
    found = store.counts()
    assert dict(found.nodes) == dict(expected.nodes)
    assert dict(found.edges) == dict(expected.edges)


def test_the_schema_is_created_on_first_use(store: Neo4jStore, values: list[Recorded]) -> None:
    store.save(values[0])
    names = {row["name"] for row in store.query("SHOW INDEXES YIELD name, state WHERE state = 'ONLINE'")}
    assert {"sign_id", "semiosis_id", "sign_tradition", "meanings"} <= names
    assert len(store.query("SHOW CONSTRAINTS YIELD name")) == 14


def test_a_dangling_reference_is_refused_and_nothing_is_written(
    store: Neo4jStore, values: list[Recorded]
) -> None:
    verdict = next(value for value in values if isinstance(value, Verdict))
    with pytest.raises(StoreError, match=f"Comparison {verdict.comparison}"):
        store.save(text("a new sign"), verdict)
    assert store.counts().nodes == {}


def test_a_contradicting_value_is_refused(store: Neo4jStore, values: list[Recorded]) -> None:
    store.save(*values)
    verdict = next(value for value in values if isinstance(value, Verdict) and not value.rationale)
    before = store.counts()
    with pytest.raises(StoreError, match="has a different"):
        store.save(verdict.model_copy(update={"rationale": "on reflection"}))
    assert store.counts() == before


def test_the_metadata_of_a_sign_may_change(store: Neo4jStore) -> None:
    sign = TextSign(text="A lily", title="before")
    store.save(sign)
    store.save(sign.model_copy(update={"title": "after"}))
    assert store.load(sign.id) == sign.model_copy(update={"title": "after"})


def test_an_unknown_id_is_reported(store: Neo4jStore) -> None:
    with pytest.raises(StoreError, match="no value has the id 'f00'"):
        store.load("f00")


def test_values_of_one_study_only(store: Neo4jStore, values: list[Recorded]) -> None:
    other = list(study(4))
    store.save(*values, study="made-up")
    store.save(*other, study="generated")
    assert store.studies() == {"generated": "", "made-up": ""}
    assert {value.id for value in store.values("generated")} == {value.id for value in other}
    assert {value.id for value in values} == {value.id for value in store.values("made-up")}


def test_nodes_of_other_programs_are_not_counted(store: Neo4jStore) -> None:
    store.query("CREATE (:Movie {title: 'Stalker'})-[:SHOWN_IN]->(:Cinema)", write=True)
    assert store.counts().nodes == {}
    assert store.counts().edges == {}


def test_search_takes_any_words(store: Neo4jStore, values: list[Recorded]) -> None:
    store.save(*values)
    assert [row["label"] for row in store.search("heron", limit=3)] == ["heron"] * 3
    for words in ("LILY AND (", 'a "dove', "白鹭", "purity~ \\", "NOT", "الموت", "a/b", "[x TO y]", "*"):
        assert store.search(words, limit=5).columns == ("id", "label", "object", "score")


def test_search_on_an_empty_database_finds_nothing(store: Neo4jStore) -> None:
    assert len(store.search("lily")) == 0


def test_a_graph_with_an_earlier_layout_is_refused(
    store: Neo4jStore, server: Server, values: list[Recorded]
) -> None:
    store.save(*values, study="made-up")
    store.query("MATCH (n:Semiosis) REMOVE n.location RETURN count(n) AS n", write=True)
    with Neo4jStore(server.url, auth=server.auth) as again:
        for use in (
            lambda: again.query("MATCH (n:Semiosis) RETURN count(n) AS n"),
            lambda: again.search("lily"),
            lambda: again.save(*values),
        ):
            with pytest.raises(StoreError, match="earlier layout") as raised:
                use()
            assert "semiosis store remove" in raised.value.fix
            assert "semiosis store copy STUDY" in raised.value.fix
        again.remove_study("made-up", dependents=True)
        again.save(*values, study="made-up")
        assert len(again.query("MATCH (n:Semiosis {location: 'located'}) RETURN n.id AS id")) > 0
