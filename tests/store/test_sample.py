"""Every example of the query library, asked of the sample study."""

import shlex
import shutil
from collections.abc import Iterator

import pytest

from semiosis.align import diff
from semiosis.files import data
from semiosis.store import EmbeddedStore, LibraryQuery, library
from semiosis.values import (
    HSG,
    CompositeSign,
    ImageSign,
    TextSign,
)

pytestmark = pytest.mark.slow

QUERIES = library()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    """The sample study, every prompt aligned with its artifacts."""
    folder = tmp_path_factory.mktemp("sample") / "study"
    shutil.copytree(data("graphs/sample"), folder)
    with EmbeddedStore(folder) as store:
        values = list(store.values())
        signs = {v.id: v for v in values if isinstance(v, TextSign | ImageSign | CompositeSign)}
        hsgs = [value for value in values if isinstance(value, HSG)]
        pairs = ((one, other) for one in hsgs for other in hsgs if signs[other.sign.id].prompt == one.sign.id)
        store.save(*(diff(one, other) for one, other in pairs))
        yield store


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_the_example_finds_something(query: LibraryQuery, sample: EmbeddedStore) -> None:
    words = shlex.split(query.example)[3:]
    given = {name.removeprefix("--"): value for name, value in zip(words[::2], words[1::2], strict=True)}
    rows = sample.query(query.cypher, query.bind(given))
    assert rows.columns == query.columns
    assert len(rows) > 0
    assert rows.hints == ()
