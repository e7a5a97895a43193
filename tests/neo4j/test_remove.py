"""Removing and superseding in Neo4j."""

import pytest

from semiosis.store import Neo4jStore
from semiosis.values import UsageError
from tests.generated import study
from tests.store.made_up import made_up
from tests.store.removing import removing, superseding

pytestmark = pytest.mark.slow


def test_queries_do_not_find_a_superseded_value(store: Neo4jStore) -> None:
    superseding(store)


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
