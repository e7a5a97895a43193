"""Every query of the library gives the same rows on the embedded store and on Neo4j."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import pytest

from semiosis.files import data
from semiosis.store import EmbeddedStore, LibraryQuery, Neo4jStore, library
from semiosis.values import (
    ImageSign,
    Recorded,
    TextSign,
    Verdict,
)
from tests.generated import study
from tests.neo4j.conftest import Server, empty
from tests.sampled import aligned_sample
from tests.store.made_up import made_up

pytestmark = pytest.mark.slow

STUDIES: dict[str, tuple[str, Callable[[], Iterable[Recorded]]]] = {
    "sample and made-up on 5.26": ("server", lambda: [*aligned_sample(), *made_up()]),
    "made-up and 2,000 HSGs on 2026.05": ("newest", lambda: [*made_up(), *study(2_000)]),
}
"""The server and the study of each case."""


class Both:
    """A study in both stores."""

    def __init__(self, values: list[Recorded], embedded: EmbeddedStore, neo4j: Neo4jStore) -> None:
        self.values, self.embedded, self.neo4j = values, embedded, neo4j

    def first(self, kind: type[Recorded]) -> str:
        return next(value.id for value in self.values if isinstance(value, kind))

    def parameters(self, query: LibraryQuery) -> dict[str, str]:
        """A value from the study for every required parameter."""
        known = {
            "prompt": self.first(TextSign),
            "artifact": self.first(ImageSign),
            "sign": self.first(TextSign),
            "verdict": self.first(Verdict),
            "word": "lily",
        }
        return {p.name: known[p.name] for p in query.parameters if p.default is None}


@pytest.fixture(scope="module", params=STUDIES)
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    where, make = STUDIES[request.param]
    server: Server = request.getfixturevalue(where)
    values = list(make())
    folder = tmp_path_factory.mktemp("studies") / "parity"
    with EmbeddedStore(folder) as embedded, server.open() as neo4j:
        empty(neo4j)
        shutil.copytree(data("graphs/sample/images"), folder / "images")
        embedded.save(*values)
        neo4j.save(*values, study="parity")
        yield Both(values, embedded, neo4j)


@pytest.mark.parametrize("name", library())
def test_the_same_rows_on_both_stores(both: Both, name: str) -> None:
    query = library()[name]
    bound = query.bind(both.parameters(query))
    expected = both.embedded.query(query.cypher, bound, timeout=120)
    found = both.neo4j.query(query.cypher, bound, timeout=120)
    assert found.columns == expected.columns == query.columns
    for ours, theirs in islice(zip(found, expected, strict=False), 10_000):
        assert ours == pytest.approx(theirs)
    assert len(found) == len(expected)


def test_the_graphs_have_the_same_size(both: Both) -> None:
    assert both.neo4j.counts() == both.embedded.counts()
