"""Two studies in one Neo4j that share prompts: each is queried and copied as if it were alone."""

from collections.abc import Iterator

import pytest

from semiosis.store import EmbeddedStore, Neo4jStore, library, library_query
from semiosis.values import ImageSign, Recorded, UsageError, Verdict, references
from tests.neo4j.conftest import Server, empty
from tests.store.made_up import made_up

pytestmark = pytest.mark.slow


def by_generators(values: list[Recorded], generators: set[str]) -> list[Recorded]:
    """The prompts, the images by some generators, and every value that refers to nothing else."""
    kept: dict[str, Recorded] = {}
    for value in values:
        foreign = isinstance(value, ImageSign) and value.prompt and value.generator not in generators
        if not foreign and all(named.value_id in kept for named in references(value)):
            kept[value.id] = value
    return list(kept.values())


class TwoStudies:
    """The studies "one" and "two" in one Neo4j, and each alone in a folder."""

    def __init__(
        self, neo4j: Neo4jStore, folders: dict[str, EmbeddedStore], values: dict[str, list[Recorded]]
    ) -> None:
        self.neo4j, self.folders, self.values = neo4j, folders, values


@pytest.fixture(scope="module")
def both(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoStudies]:
    values = list(made_up())
    studies = {"one": by_generators(values, {"literal", "lyric"}), "two": by_generators(values, {"baroque"})}
    home = tmp_path_factory.mktemp("studies")
    with server.open() as neo4j, EmbeddedStore(home / "one") as one, EmbeddedStore(home / "two") as two:
        empty(neo4j)
        neo4j.save(*values)
        for folder in (one, two):
            neo4j.save(*studies[folder.folder.name], study=folder.folder.name)
            folder.save(*studies[folder.folder.name])
        yield TwoStudies(neo4j, {"one": one, "two": two}, studies)


def given(name: str, values: list[Recorded]) -> dict[str, str]:
    cites = next((v.id for v in values if isinstance(v, Verdict) and v.citations), "")
    known = {"prompt": "vanitas", "artifact": "rain-", "word": "LILY", "verdict": cites}
    return {p.name: known[p.name] for p in library_query(name).parameters if p.default is None}


@pytest.mark.parametrize("name", library())
def test_a_query_of_one_study(both: TwoStudies, name: str) -> None:
    query = library_query(name)
    for study, folder in both.folders.items():
        asked = given(name, both.values[study])
        expected = list(query.run(folder, asked))
        assert list(query.run(both.neo4j, {**asked, "study": study})) == [
            pytest.approx(row) for row in expected
        ]
        assert list(query.run(folder, {**asked, "study": study})) == expected


@pytest.mark.parametrize("name", ["survival", "generators", "disputed-comparisons", "readings", "unscored"])
def test_a_study_makes_a_difference(both: TwoStudies, name: str) -> None:
    query = library_query(name)
    assert list(query.run(both.neo4j)) != list(query.run(both.neo4j, {"study": "one"})) != []


def test_the_values_of_one_study(both: TwoStudies) -> None:
    for study, values in both.values.items():
        assert {value.id for value in both.neo4j.values(study)} == {value.id for value in values}


def test_an_unknown_study_is_refused(both: TwoStudies) -> None:
    with pytest.raises(UsageError, match="no study 'three'"):
        library_query("readings").run(both.neo4j, {"study": "three"})
    with pytest.raises(UsageError, match=r"choose one of: one$"):
        library_query("readings").run(both.folders["one"], {"study": "two"})
