"""Removing and superseding in the embedded store."""

from semiosis.store import EmbeddedStore
from tests.store.made_up import MadeUp
from tests.store.removing import removing, superseding


def test_a_superseded_value_leaves_the_queries(store: EmbeddedStore) -> None:
    superseding(store)


def test_removing(store: EmbeddedStore, study: MadeUp) -> None:
    removing(store, list(study))
