"""A new kind of value is a class and an entry in the table of kinds: nothing else needs to know it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest

from semiosis.files import StudyFile, append_record, create_study
from semiosis.store import EmbeddedStore, export_cypher
from semiosis.store._neo4j_cypher import edge_counts_cypher, value_cypher, values_cypher
from semiosis.study import check_study, read_study
from semiosis.values import (
    KINDS,
    Answer,
    DataError,
    EdgeRow,
    GraphRow,
    NodeRow,
    Question,
    Reference,
    StoreError,
    from_json,
    references,
    to_json,
)
from semiosis.values._kinds import Kind
from semiosis.values._value import Superseding
from tests.strategies import a_text, an_evaluator

SIGN = a_text("a lily")
QUESTION = Question(sign=SIGN.id, text="What is it?", choices=("a lily", "a rose"), correct=0, type="IQ")
ANSWER = Answer(evaluator=an_evaluator(), question=QUESTION.id, choice=1)


class Remark(Superseding):
    """What somebody remarks on an answer."""

    kind: Literal["remark"] = "remark"
    answer: str
    said: str

    @property
    def id(self) -> str:
        return self._id("remark", {"answer": self.answer, "said": self.said})


def remark_references(remark: Remark) -> Iterator[Reference]:
    yield Reference("answer", remark.answer)


def remark_rows(remark: Remark, json: str) -> Iterator[GraphRow]:
    here = ("Remark", remark.id)
    yield NodeRow(*here, {"said": remark.said, "json": json})
    yield EdgeRow("REMARKS_ON", here, ("Answer", remark.answer), {})


ENTRY = Kind(
    Remark, "remark", "observations", remark_references, "Remark", remark_rows, about=("REMARKS_ON",)
)
REMARK: Any = Remark(answer=ANSWER.id, said="look again")
BETTER: Any = Remark(answer=ANSWER.id, said="look closely", supersedes=REMARK.id)
SAID = "MATCH (r:Remark)-[:REMARKS_ON]->(:Answer) RETURN r.said AS said"


@pytest.fixture(autouse=True)
def _in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "remark", ENTRY)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_study(tmp_path / "study", StudyFile(name="study"))
    append_record(tmp_path / "study", [SIGN, QUESTION], "first")
    return tmp_path / "study"


def test_its_json_and_references() -> None:
    assert from_json(to_json(REMARK)) == REMARK
    assert references(BETTER) == [Reference("answer", ANSWER.id), Reference("remark", REMARK.id)]
    with pytest.raises(DataError, match="not a valid remark: said"):
        from_json(to_json(REMARK).replace('"said":"look again"', '"said":1'))


def test_a_study_records_checks_and_supersedes_it(folder: Path) -> None:
    append_record(folder, [REMARK], "a")  # the file of the run `a` is read before that of `b`
    assert [problem.what for problem in check_study(folder)] == [
        f"names the answer {ANSWER.id}, which the study does not have"
    ]
    append_record(folder, [ANSWER, BETTER], "b")
    assert check_study(folder) == []
    study = read_study(folder)
    assert set(study.observations) == {ANSWER.id, BETTER.id}
    assert study.history[REMARK.id] == REMARK


def test_the_embedded_store_saves_finds_and_removes_it(folder: Path) -> None:
    with EmbeddedStore(folder) as store:
        with pytest.raises(StoreError, match=f"not in the store: Answer {ANSWER.id}"):
            store.save(REMARK)
        store.save(REMARK, ANSWER)
        assert store.load(REMARK.id) == REMARK
        assert list(store.query(SAID)) == [{"said": "look again"}]
        store.save(BETTER)
        assert list(store.query(SAID)) == [{"said": "look closely"}]
        assert [value.id for value in store.values()][-3:] == [REMARK.id, ANSWER.id, BETTER.id]
        assert {value.id for value in store.remove(ANSWER.id, dependents=True)} == {
            ANSWER.id,
            REMARK.id,
            BETTER.id,
        }
        assert list(store.query(SAID)) == []


def test_an_edge_to_a_later_line_is_not_lost(folder: Path) -> None:
    append_record(folder, [REMARK], "a")
    append_record(folder, [ANSWER], "b")
    with EmbeddedStore(folder) as store:
        assert list(store.query(SAID)) == [{"said": "look again"}]


def test_the_statements_for_neo4j_know_it(folder: Path, tmp_path: Path) -> None:
    append_record(folder, [ANSWER, REMARK, BETTER], "first")
    export_cypher(str(folder), file := tmp_path / "study.cypher")
    statements = file.read_text(encoding="utf-8")
    assert "FOR (n:Remark) REQUIRE n.id IS UNIQUE" in statements
    assert "MERGE (a)-[r:REMARKS_ON]->(b)" in statements
    assert "REMARKS_ON" in edge_counts_cypher()
    assert "(n:Remark {id: $id})" in value_cypher()
    assert "REMARKS_ON|WAS_REMARKS_ON" in values_cypher("Remark", "study")
