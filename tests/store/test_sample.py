"""Every example of the query library, run on the sample study."""

import shlex
import shutil
from collections.abc import Iterator

import pytest

from semiosis.align import consensus, diff
from semiosis.files import data
from semiosis.store import EmbeddedStore, LibraryQuery, library
from semiosis.values import (
    HSG,
    AnySign,
)

pytestmark = pytest.mark.slow

QUERIES = library()


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    """The sample study, every prompt aligned with its artifacts, and the consensus of every sign."""
    folder = tmp_path_factory.mktemp("sample") / "study"
    shutil.copytree(data("graphs/sample"), folder)
    with EmbeddedStore(folder) as store:
        values = list(store.values())
        signs = {v.id: v for v in values if isinstance(v, AnySign)}
        hsgs = [value for value in values if isinstance(value, HSG)]
        pairs = ((one, other) for one in hsgs for other in hsgs if signs[other.sign.id].prompt == one.sign.id)
        store.save(*(diff(one, other) for one, other in pairs))
        store.save(*(consensus(readings) for readings in _blind_readings(hsgs) if len(readings) > 1))
        yield store


def _blind_readings(hsgs: list[HSG]) -> list[list[HSG]]:
    by_sign: dict[str, list[HSG]] = {}
    for hsg in hsgs:
        if hsg.blind:
            by_sign.setdefault(hsg.sign.id, []).append(hsg)
    return list(by_sign.values())


@pytest.mark.parametrize("query", QUERIES.values(), ids=QUERIES)
def test_the_example_finds_something(query: LibraryQuery, sample: EmbeddedStore) -> None:
    words = shlex.split(query.example)[3:]
    given = {name.removeprefix("--"): value for name, value in zip(words[::2], words[1::2], strict=True)}
    rows = sample.query(query.cypher, query.bind(given))
    assert rows.columns == query.columns
    assert len(rows) > 0
    assert rows.hints == ()
