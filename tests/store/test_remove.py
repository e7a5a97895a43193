"""Removing and superseding in the embedded store."""

import pytest

from semiosis.store import EmbeddedStore
from tests.store.made_up import MadeUp
from tests.store.removing import removing, superseding


@pytest.mark.slow
def test_queries_do_not_find_a_superseded_value(store: EmbeddedStore) -> None:
    superseding(store)


@pytest.mark.slow
def test_removing(store: EmbeddedStore, study: MadeUp) -> None:
    removing(store, list(study))
