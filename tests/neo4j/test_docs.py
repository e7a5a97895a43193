"""The questions of docs/neo4j.md and their answers, on both stores."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from semiosis.files import data
from semiosis.store import Neo4jStore
from semiosis.store._schema import schema_statements
from tests.documentation import blocks, run_page
from tests.neo4j.conftest import Server
from tests.sampled import aligned_sample
from tools.answer_questions import PAGE, answered, sample_store

pytestmark = pytest.mark.slow
AGAIN = "ask again and look at the answers: python -m tools.answer_questions"


def test_the_answers_are_those_of_the_embedded_store(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page.count("```cypher") == 10
    with sample_store(tmp_path / "sample") as store:
        assert answered(page, store) == page, AGAIN


def test_the_answers_are_those_of_neo4j(store: Neo4jStore) -> None:
    page = PAGE.read_text(encoding="utf-8")
    store.save(*aligned_sample())
    assert answered(page, store) == page, AGAIN


def test_the_query_of_the_picture_finds_matches(store: Neo4jStore) -> None:
    (picture,) = (block.code for block in blocks(PAGE) if block.language == "text")
    store.save(*aligned_sample())
    assert store.query(picture)


def test_the_commands_of_the_page_run(
    server: Server, store: Neo4jStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All commands except those that start and stop a server, which tests/local_neo4j runs."""
    shutil.copytree(data("graphs/sample"), tmp_path / "semiosis-demo")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NEO4J_USERNAME", server.auth[0])
    monkeypatch.setenv("NEO4J_PASSWORD", server.auth[1])
    found = [
        replace(block, code=block.code.replace("bolt://127.0.0.1:7687", server.url))
        for block in blocks(PAGE)
        if "semiosis neo4j" not in block.code
    ]
    assert list(run_page(found, tmp_path)) == []
    assert (tmp_path / "back" / "images").is_dir()
    assert store.counts().nodes["HSG"] == 68


def test_the_style_names_every_label_once() -> None:
    style = data("graphs/style.grass").read_text(encoding="utf-8")
    styled = re.findall(r"^node\.(\w+)", style, re.MULTILINE)
    constrained = {s.label for s in schema_statements() if " CONSTRAINT " in s.cypher}
    assert sorted(styled) == sorted(constrained)
