"""Removes values from Neo4j, with the nodes and edges that belong only to them."""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from semiosis.store._prefix import add_prefix
from semiosis.store._supersede import rename_superseded_edges, restore_value
from semiosis.store._write import merge_statements
from semiosis.values import KINDS, CompositeSign, GraphRow, NodeRow, Recorded, project

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

_DELETE_CONTENT = {
    "HSG": "UNWIND $ids AS id MATCH (:HSG {id: id})-[:HAS_ROOT|HAS_NODE]->(n:Semiosis) DETACH DELETE n",
    "Alignment": (
        "UNWIND $ids AS id MATCH (:Alignment {id: id})-[:FROM|WAS_FROM]->(:HSG)-[:HAS_ROOT|HAS_NODE]->(n) "
        "MATCH (n)-[r:REALIZED_AS]->(:Semiosis) WHERE r.key = id DELETE r"
    ),
}
"""The statement that runs before the node of a value is removed, by label."""
_UNUSED_PARTS = (
    "UNWIND $ids AS id MATCH (n:Sign {id: id}) "
    "WHERE NOT EXISTS { MATCH (n)-[r]-() WHERE type(r) <> 'INCLUDES' } DETACH DELETE n"
)
_SHARED_LABELS = ("Interpreter", "Evaluator", "Generator")
"""The labels of nodes that several values share."""


def remove_values(
    transaction: "ManagedTransaction", values: Sequence[Recorded], restored: Sequence[Recorded], prefix: str
) -> None:
    """Remove values in one transaction, and restore the values that they superseded."""

    def run(cypher: str, **params: Any) -> None:
        transaction.run(add_prefix(cypher, prefix), **params).consume()

    for label, ids in _by_label(values).items():
        if label in _DELETE_CONTENT:
            run(_DELETE_CONTENT[label], ids=ids)
        run(f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) DETACH DELETE n", ids=ids)
    parts = [part.id for value in values if isinstance(value, CompositeSign) for part in value.parts]
    run(_UNUSED_PARTS, ids=parts)
    for label, ids in _shared_nodes(values).items():
        unused = "WHERE NOT EXISTS { MATCH (n)--() } DELETE n"
        run(f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) {unused}", ids=ids)
    for label, ids in _by_label(restored).items():
        for cypher in restore_value(label):
            run(cypher, ids=ids)
    rows: list[GraphRow] = list(chain.from_iterable(map(project, restored)))
    for batch in merge_statements(rows):
        run(batch.cypher, rows=batch.rows)
    for cypher in rename_superseded_edges():  # the other HSG of a restored alignment may be superseded
        run(cypher)


def _shared_nodes(values: Sequence[Recorded]) -> dict[str, list[str]]:
    """Return the ids of the nodes that the values may share with others, by label."""
    rows = [row for value in values for row in project(value) if isinstance(row, NodeRow)]
    return {label: sorted({row.id for row in rows if row.label == label}) for label in _SHARED_LABELS}


def _by_label(values: Sequence[Recorded]) -> dict[str, list[str]]:
    by_label: dict[str, list[str]] = {}
    for value in values:
        by_label.setdefault(KINDS[value.kind].label, []).append(value.id)
    return by_label
