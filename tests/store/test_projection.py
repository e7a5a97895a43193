"""The property graph: a value becomes flat nodes, and edges whose nodes exist or are required."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semiosis.store import EmbeddedStore
from semiosis.store._schema import schema_statements
from semiosis.store._statements import (
    included_sign_ids,
    merge_statements,
    new_values,
    required_ids,
    with_included_signs,
)
from semiosis.values import (
    HSG,
    KINDS,
    Absence,
    Alignment,
    Answer,
    AnySign,
    CompositeSign,
    EdgeRow,
    GraphRow,
    ImageSign,
    NodeRow,
    Reading,
    Recorded,
    Verdict,
    from_json,
    parts_of,
    project,
    study_rows,
    to_json,
)
from tests.store.made_up import MadeUp
from tests.strategies import (
    a_missing_picture,
    a_reading,
    a_semiosis,
    a_text,
    a_verdict,
    an_evaluator,
    an_hsg,
    an_id,
    an_image,
    hsgs,
    recorded,
    unscored,
)

IMPLICIT = {"id", "title", "type", "name"}
"""Names that kglite reserves on every node. `id` is not among the properties of a row."""


def split(rows: list[GraphRow]) -> tuple[list[NodeRow], list[EdgeRow]]:
    return [r for r in rows if isinstance(r, NodeRow)], [r for r in rows if isinstance(r, EdgeRow)]


def is_flat(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, str) for item in value)
    return isinstance(value, str | int | float | bool)


@given(recorded)
def test_properties_are_flat_and_use_no_reserved_name(value: Recorded) -> None:
    for row in project(value):
        assert all(map(is_flat, row.props.values()))
        assert not IMPLICIT & row.props.keys()


@given(recorded)
def test_the_node_of_a_value_restores_it(value: Recorded) -> None:
    nodes, _ = split(list(project(value)))
    own = [node for node in nodes if (node.label, node.id) == (KINDS[value.kind].label, value.id)]
    assert len(own) == 1
    assert from_json(own[0].props["json"]) == value
    assert not own[0].only_if_new


@given(recorded)
def test_nodes_are_distinguished_by_label_and_id_and_edges_by_ends_and_key(value: Recorded) -> None:
    nodes, edges = split(list(project(value)))
    used = [("USED", edge.target) for edge in edges if edge.type == "USED"]
    ends = Counter((edge.type, edge.source, edge.target, edge.key) for edge in edges)
    assert max(Counter((node.label, node.id) for node in nodes).values()) == 1
    # The same edge occurs twice only if the value itself lists a reference twice, such as an HSG used twice.
    named_twice = {"USED", "GIVEN", "BESIDE"}
    assert all(times == 1 for (kind, *_), times in ends.items() if kind not in named_twice), used


@given(recorded)
def test_an_edge_starts_or_ends_at_a_node_of_its_value(value: Recorded) -> None:
    nodes, edges = split(list(project(value)))
    own = {(node.label, node.id) for node in nodes}
    if isinstance(value, Alignment):  # its edges link nodes of two HSGs
        hsgs_named = {value.source.hsg, value.target.hsg}
        assert all(edge.source in own or edge.source[1].partition("/")[0] in hsgs_named for edge in edges)
    else:
        assert all(edge.source in own or edge.target in own for edge in edges)


@given(hsgs())
def test_the_rows_of_an_hsg_contain_its_nodes_relations_and_places(hsg: HSG) -> None:
    nodes, edges = split(list(project(hsg)))
    labels, types = Counter(node.label for node in nodes), Counter(edge.type for edge in edges)
    parts = parts_of(hsg.sign) if isinstance(hsg.sign, CompositeSign) else ()
    assert labels["Semiosis"] == len(hsg)
    assert types["HAS_ROOT"] == 1
    assert types["HAS_NODE"] == len(hsg) - 1
    assert types["HAS_PART"] == len(hsg) - 1 + len(parts)
    words = types["SUPPORTS"] + types["ELABORATES"] + types["CONTRASTS"]
    assert words == len(hsg.relations)
    assert types["LOCATED_IN"] == sum(len(semiosis.places) for semiosis in hsg.semioses.values())
    assert all(node.only_if_new for node in nodes if node.label == "Sign")


def test_relations_read_part_relation_whole(stored: EmbeddedStore, study: MadeUp) -> None:
    hsg = next(iter(study.hsgs.values()))
    rows = stored.query(
        "MATCH (:HSG {id: $hsg})-[:HAS_ROOT|HAS_NODE]->(p)-[r:SUPPORTS|ELABORATES|CONTRASTS]->(w:Semiosis)"
        " RETURN p.node AS part, type(r) AS relation, w.node AS whole, r.hierarchy AS hierarchy",
        {"hsg": hsg.id},
    )
    found = {(row["part"], row["relation"].lower(), row["whole"], row["hierarchy"]) for row in rows}
    assert found == {(r.part, r.relation, r.whole, r.hierarchy) for r in hsg.relations}


@given(recorded)
def test_exactly_the_references_of_a_value_are_required(value: Recorded) -> None:
    named = required_ids(project(value, ""))
    ids = {node_id.partition("/")[0] for those in named.values() for node_id in those}
    written = json.dumps(json.loads(to_json(value)))
    assert all(json.dumps(node_id)[1:-1] in written for node_id in ids)
    assert value.id not in ids
    if isinstance(value, Verdict):
        assert {value.comparison, *value.used, *(c.hsg for c in value.citations)} == ids


@given(st.lists(hsgs(max_nodes=3), max_size=4), st.integers(1, 5))
def test_batches_contain_every_row_once_and_nodes_before_edges(some: list[HSG], size: int) -> None:
    rows = [row for hsg in some for row in project(hsg)]
    statements = list(merge_statements(rows, size))
    nodes, edges = split(rows)
    merged = [batch for batch in statements if "MATCH" not in batch.cypher]
    linked = [batch for batch in statements if "MATCH" in batch.cypher]
    assert statements == merged + linked
    assert all(0 < len(batch.rows) <= size for batch in statements)
    assert sum(len(batch.rows) for batch in merged) == len({(node.label, node.id) for node in nodes})
    assert sum(len(batch.rows) for batch in linked) == len(
        {(edge.type, edge.source, edge.target, edge.key) for edge in edges}
    )


def without_references(sign: AnySign) -> AnySign:
    """The sign without references to a prompt or a file that do not exist."""
    parts = {"parts": tuple(map(without_references, sign.parts))} if isinstance(sign, CompositeSign) else {}
    path = {"path": ""} if isinstance(sign, ImageSign) else {}
    return sign.model_copy(update={"prompt": None} | parts | path)


@pytest.mark.slow
@settings(max_examples=20)
@given(st.lists(hsgs(max_nodes=3), min_size=1, max_size=3, unique_by=lambda hsg: hsg.sign.id))
def test_any_hsg_is_loaded_as_it_was_saved(tmp_path_factory: pytest.TempPathFactory, some: list[HSG]) -> None:
    readings = [Reading(interpreter=hsg.reading.interpreter) for hsg in some]
    blind = [
        HSG(without_references(hsg.sign), hsg.semioses, hsg.relations, reading)
        for hsg, reading in zip(some, readings, strict=True)
    ]
    with EmbeddedStore(tmp_path_factory.mktemp("any") / "study") as store:
        store.save(*blind)
        assert [to_json(store.load(hsg.id)) for hsg in blind] == list(map(to_json, blind))
        assert store.counts().nodes["Semiosis"] == sum(map(len, blind))
        assert store.counts().edges["HAS_ROOT"] == len(blind)


def test_the_last_row_of_a_node_counts_unless_it_is_only_for_new_nodes() -> None:
    def merged(*rows: NodeRow) -> list[tuple[bool, Any]]:
        found = [b for b in merge_statements(rows) if "MERGE" in b.cypher]
        return [("ON CREATE" in batch.cypher, row[1]) for batch in found for row in batch.rows]

    full, copy = NodeRow("Sign", "1", {"x": "full"}), NodeRow("Sign", "1", {"x": "copy"}, only_if_new=True)
    assert merged(full, copy) == merged(copy, full) == [(False, "full")]
    assert merged(copy, copy) == [(True, "copy")]
    assert merged(full, full._replace(props={"x": "later"})) == [(False, "later")]


def test_saving_a_sign_replaces_its_generator_and_prompt() -> None:
    statements = [batch.cypher for batch in merge_statements(project(an_image(generator="g")))]
    assert "DELETE" in statements[0]
    assert not any("DELETE" in batch.cypher for batch in merge_statements(project(an_hsg())))


def test_the_sign_in_an_hsg_is_saved_only_if_it_is_new() -> None:
    sign = a_text("a lily", title="Lily")
    bare = an_hsg(a_text("a lily"))
    assert with_included_signs([bare]) == [bare.sign, bare]
    assert with_included_signs([bare, sign]) == [sign, bare]
    assert included_sign_ids([bare]) == {sign.id}
    assert included_sign_ids([bare, sign]) == set()
    known = {sign.id: to_json(sign)}
    assert new_values(with_included_signs([bare]), known, included_sign_ids([bare])) == [bare]
    assert new_values(with_included_signs([bare]), known) == [bare.sign, bare]


def test_a_study_includes_its_signs() -> None:
    nodes, edges = split(list(study_rows("mine", "about it", ["1", "2"])))
    assert nodes == [NodeRow("Study", "mine", {"about": "about it"})]
    assert [(edge.type, edge.target) for edge in edges] == [
        ("INCLUDES", ("Sign", "1")),
        ("INCLUDES", ("Sign", "2")),
    ]


def test_every_label_of_the_graph_has_a_constraint(stored: EmbeddedStore) -> None:
    schema = [statement.cypher for statement in schema_statements()]
    for label in stored.counts().nodes:
        assert any(f"FOR (n:{label}) REQUIRE n.id IS UNIQUE" in cypher for cypher in schema)


def test_every_edge_of_the_store_has_its_key_and_ends(stored: EmbeddedStore, study: MadeUp) -> None:
    expected = Counter(
        (edge.type, edge.source[1], edge.target[1], edge.key)
        for value in study
        for edge in split(list(project(value)))[1]
    )
    rows = stored.query(
        "MATCH (a)-[r]->(b) RETURN type(r) AS word, a.id AS source, b.id AS target, "
        "coalesce(r.key, '') AS key"
    )
    found = Counter((row["word"], row["source"], row["target"], row["key"]) for row in rows)
    assert {edge for edge in found if edge[0] != "INCLUDES"} == set(expected)
    assert max(found.values()) == 1


# The page of the property graph

PAGE = (Path(__file__).parents[2] / "docs" / "property-graph.md").read_text(encoding="utf-8")
PATTERNS = [
    " ".join(pattern.split())
    for block in re.findall(r"^```text\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    for pattern in re.split(r"\n(?=\()", block)
]
ELSEWHERE = {"LACKS", "SUPERSEDES"}
"""Edges that the made-up study lacks."""


@pytest.mark.parametrize("pattern", [p for p in PATTERNS if not ELSEWHERE & set(re.findall(r"\w+", p))])
def test_the_store_has_each_pattern_of_the_page(pattern: str, stored: EmbeddedStore) -> None:
    rows = stored.query(f"MATCH {re.sub(r' ?{[^}]*}', '', pattern)} RETURN count(*) AS found")
    assert rows[0]["found"]
    assert not rows.hints


def test_the_page_states_the_properties_of_every_node_and_edge(study: MadeUp) -> None:
    shown = an_id("shown")
    lacks = Absence(hsg=shown, node="n1", status="missing")
    given = HSG(a_text("seen"), {"root": a_semiosis()}, [], a_reading(given=(shown,)), [lacks])
    answer = Answer(evaluator=an_evaluator(), question=an_id("asked"), choice=unscored())
    stated: dict[str, set[str]] = {}
    for labels, properties in re.findall(r"[(\[]\w*:([\w|]+)(?: \{([^}]*)\})?", " ".join(PATTERNS)):
        names = re.sub(r": '.*", "", properties).split(", ") if properties else []
        for label in labels.split("|"):
            stated.setdefault(label, set()).update(names)
    found = {"Study": {"id", "about"}, "INCLUDES": set[str]()}
    for value in [
        *study,
        given,
        answer,
        a_missing_picture(),
        a_verdict(p_a=0.5, supersedes=an_id("old")),
    ]:
        for row in project(value):
            if isinstance(row, NodeRow):
                found.setdefault(row.label, {"id"}).update(row.props)
            else:
                found.setdefault(row.type, set()).update(row.props, ["key"] if row.key else [])
    assert stated == found


def test_a_property_that_only_some_nodes_have_does_not_shift_the_others(
    stored: EmbeddedStore, study: MadeUp
) -> None:
    rows = stored.query(
        "MATCH (n:Semiosis) RETURN n.id AS id, n.importance AS importance, n.claimed AS claimed, "
        "n.location AS location, n.words AS words, n.dynamic_object AS dynamic_object"
    )
    nodes = {f"{hsg.id}/{node}": s for hsg in study.hsgs.values() for node, s in hsg.semioses.items()}
    assert len(rows) == len(nodes)
    assert any(row["importance"] is not None for row in rows)
    for row in rows:
        semiosis = nodes[row["id"]]
        assert row["importance"] == semiosis.importance
        assert row["location"] == semiosis.location
        assert row["dynamic_object"] == semiosis.dynamic_object
        assert semiosis.label in row["words"]
