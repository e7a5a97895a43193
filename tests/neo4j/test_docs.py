"""The questions of docs/neo4j.md and their answers, on both stores."""

import re
from pathlib import Path

import pytest

from semiosis.files import data
from semiosis.store import Neo4jStore
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


def test_the_style_names_every_label_once() -> None:
    style = data("graphs/style.grass").read_text(encoding="utf-8")
    styled = re.findall(r"^node\.(\w+)", style, re.MULTILINE)
    schema = data("graphs/schema.cypher").read_text(encoding="utf-8")
    assert sorted(styled) == sorted(re.findall(r"CONSTRAINT \w+ IF NOT EXISTS FOR \(n:(\w+)\)", schema))
