"""Stores of the made-up study."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from semiosis.files import StudyFile, create_study
from semiosis.store import EmbeddedStore
from tests.store.made_up import MadeUp, made_up


@pytest.fixture(scope="session")
def study() -> MadeUp:
    """The made-up study."""
    return made_up()


@pytest.fixture(scope="session")
def stored(study: MadeUp, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    """The made-up study in a store that tests only read."""
    with EmbeddedStore(tmp_path_factory.mktemp("studies") / "made-up") as store:
        store.save(*study)
        yield store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    """An empty store."""
    create_study(tmp_path / "study", StudyFile(name="study"))
    with EmbeddedStore(tmp_path / "study") as store:
        yield store
