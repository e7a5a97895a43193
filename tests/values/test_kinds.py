"""The table of value kinds, and the fields that came after version 1 of the ids."""

import json
from typing import Any, get_args

import pytest
from hypothesis import given
from pydantic import ValidationError

from semiosis.store._schema import schema_statements
from semiosis.values import (
    HSG,
    KINDS,
    Absence,
    DataError,
    EdgeRow,
    Recorded,
    from_json,
    project,
    references,
    to_json,
)
from tests.strategies import a_reading, a_semiosis, a_text, a_verdict, an_evaluator, an_hsg, an_id, recorded

PROMPT = an_hsg()


def given_hsg(*absences: Absence, **reading: Any) -> HSG:
    shown = a_reading(**{"given": (PROMPT.id,), **reading})
    return HSG(a_text("seen"), {"root": a_semiosis()}, [], shown, absences)


def missing(node: str = "n1", **fields: Any) -> Absence:
    return Absence(**{"hsg": PROMPT.id, "node": node, "status": "missing", **fields})


# One table


def test_every_recorded_type_is_a_kind() -> None:
    kinds = [t.kind if t is HSG else t.model_fields["kind"].default for t in get_args(Recorded)]
    assert kinds == list(KINDS)


def test_every_label_has_a_constraint() -> None:
    for label in {kind.label for kind in KINDS.values()}:
        assert any(f"(n:{label}) REQUIRE n.id IS UNIQUE" in s.cypher for s in schema_statements())


@given(recorded)
def test_the_edges_of_a_value_point_at_its_references(value: Recorded) -> None:
    """Nodes of the value itself, and of things without a kind, are not references."""
    rows = list(project(value))
    own = {(row.label, row.id) for row in rows if not isinstance(row, EdgeRow)}
    ends = {end for row in rows if isinstance(row, EdgeRow) for end in (row.source, row.target)} - own
    named = {name.id for name in references(value) if not name.included}
    assert {node_id.partition("/")[0] for _, node_id in ends} == {
        name.partition("/")[0] for name in named
    } - {value.id}


@given(recorded)
def test_a_kind_lists_the_types_of_its_edges(value: Recorded) -> None:
    kind = KINDS[value.kind]
    found = {row.type for row in kind.rows(value, to_json(value)) if isinstance(row, EdgeRow)}
    assert found <= {*kind.about, *kind.other_edges}


# Superseding, language, absences


@pytest.mark.parametrize(
    ("plain", "changed"),
    [
        (an_hsg(), an_hsg(reading=a_reading(language="zh-Hant"))),
        (an_hsg(), an_hsg(reading=a_reading(supersedes=an_id("old")))),
        (given_hsg(), given_hsg(missing())),
        (a_verdict(), a_verdict(supersedes=an_id("old"))),
    ],
    ids=["language", "supersedes", "absences", "verdict"],
)
def test_a_later_field_counts_only_when_it_is_set(plain: Recorded, changed: Recorded) -> None:
    assert plain.id != changed.id
    assert from_json(to_json(changed)) == changed
    assert to_json(from_json(to_json(changed))) == to_json(changed)
    written = json.loads(to_json(plain))
    assert not {"supersedes", "absences", "language"} & (written.keys() | written.get("reading", {}).keys())


def test_supersedes_is_a_reference_and_is_projected() -> None:
    verdict = a_verdict(supersedes=an_id("old"))
    assert ("verdict", an_id("old"), False) in references(verdict)
    edges = [row for row in project(verdict) if isinstance(row, EdgeRow)]
    assert [edge.target for edge in edges if edge.type == "SUPERSEDES"] == [("Verdict", an_id("old"))]


def test_an_absence_names_a_node_of_a_given_hsg() -> None:
    hsg = given_hsg(missing(), missing("n2", status="replaced", by="a rose"))
    assert [named.id for named in references(hsg) if named.kind == "node"] == [
        f"{PROMPT.id}/n1",
        f"{PROMPT.id}/n2",
    ]
    lacks = [row for row in project(hsg) if isinstance(row, EdgeRow) and row.type == "LACKS"]
    assert [row.props for row in lacks] == [
        {"status": "missing", "by": ""},
        {"status": "replaced", "by": "a rose"},
    ]


def test_invalid_absences_are_refused() -> None:
    with pytest.raises(DataError, match="was not given"):
        given_hsg(missing(), given=(), beside=(an_id("x"),))
    with pytest.raises(DataError, match="absent twice"):
        given_hsg(missing(), missing(status="replaced", by="a rose"))
    with pytest.raises(ValidationError, match="says what replaces the node"):
        missing(status="replaced")
    with pytest.raises(ValidationError, match="says what replaces the node"):
        missing(by="a rose")


def test_the_order_of_absences_does_not_change_the_id() -> None:
    assert given_hsg(missing(), missing("n2")) == given_hsg(missing("n2"), missing())


def test_evaluators_are_not_superseded() -> None:
    with pytest.raises(ValidationError):
        an_evaluator(supersedes=an_id("x"))
