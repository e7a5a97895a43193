"""Removing and superseding in Neo4j."""

import pytest

from semiosis.store import Neo4jStore
from semiosis.store._cypher_file import cypher_statements
from semiosis.values import Score, UsageError
from tests.generated import study
from tests.store.made_up import made_up
from tests.store.removing import corrected, distances, readings, removing, superseding
from tests.strategies import a_text, an_evaluator, an_image

pytestmark = pytest.mark.slow


def test_queries_do_not_find_a_superseded_value(store: Neo4jStore) -> None:
    superseding(store)


def test_a_cypher_file_keeps_a_superseded_value_out_of_queries(store: Neo4jStore) -> None:
    first, second, artifact, alignment = corrected()
    signs = (first.sign, artifact.sign)
    for statement in cypher_statements([*signs, second, first, artifact, alignment], "study"):
        store.query(statement, write=True)
    assert readings(store) == {second.id, artifact.id}
    assert distances(store) == 0
    assert store.load(first.id) == first


def test_a_superseded_score_stays_in_its_study(store: Neo4jStore) -> None:
    prompt = a_text("a prompt")
    artifact, other = an_image(prompt=prompt.id), an_image("other")
    first = Score(evaluator=an_evaluator(), prompt=prompt.id, artifact=artifact.id, value=0.5)
    second = first.model_copy(update={"value": 0.6, "supersedes": first.id})
    store.save(prompt, artifact, first, second, study="scored")
    store.save(prompt, other, study="other")
    assert {value.id for value in store.values("scored")} == {prompt.id, artifact.id, first.id, second.id}
    assert {value.id for value in store.values("other")} == {prompt.id, other.id}


def test_removing(store: Neo4jStore) -> None:
    removing(store, list(made_up()))


def test_removing_a_study_keeps_the_others(store: Neo4jStore) -> None:
    values = list(made_up())
    store.save(*values, study="made-up")
    before = store.counts()
    store.save(*study(3), study="generated")
    store.save(*values[:1], study="generated")
    assert store.remove_study("generated", dry_run=True)
    assert set(store.studies()) == {"generated", "made-up"}
    store.remove_study("generated")
    assert store.counts() == before
    with pytest.raises(UsageError, match=r"has no study 'generated'\n.*choose one of: made-up"):
        store.remove_study("generated")
