"""Cypher that finds, counts and removes values in Neo4j."""

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from semiosis.store._schema import (
    about_edges,
    add_prefix,
    edge_types,
    node_labels,
    rename_superseded_edges,
    restore_value,
    value_labels,
)
from semiosis.store._statements import merge_statements
from semiosis.values import KINDS, CompositeSign, GraphRow, NodeRow, Recorded, project

if TYPE_CHECKING:
    from neo4j import ManagedTransaction


_OURS = {
    "Study": "n.about IS NOT NULL OR EXISTS { MATCH (n)-[:INCLUDES]->(s:Sign) WHERE s.json IS NOT NULL }",
    "Generator": "EXISTS { MATCH (n)-[:MADE]->(s:Sign) WHERE s.json IS NOT NULL }",
    "Interpreter": "n.who IS NOT NULL",
    "Semiosis": "n.node IS NOT NULL",
    "Evaluator": "n.who IS NOT NULL",
}
"""What tells our nodes from those of another program with the same label. Nodes of values have a `json`."""


def values_cypher(label: str, study: str) -> str:
    """Return Cypher for the JSON of every value with a label, of one study or of all."""
    of_study = f" AND {_in_study()}" if study else ""
    return f"MATCH (n:{label}) WHERE n.json IS NOT NULL{of_study} RETURN n.json AS json ORDER BY n.id"


def _in_study() -> str:
    """Return Cypher for whether the study `$study` has all signs that a value `n` is about.

    One sign is not enough, because two studies may share a prompt.
    """
    return (
        f"NOT EXISTS {{ MATCH (n)-[:{about_edges()}*0..]->()<-[:HAS_ROOT|HAS_NODE*0..1]-()"
        "<-[:READ_AS|WAS_READ_AS*0..1]-(s:Sign) "
        "WHERE NOT EXISTS { MATCH (s)<-[:INCLUDES]-(:Study {id: $study}) } }"
    )


def composites_cypher() -> str:
    """Return Cypher for the JSON of every composite sign."""
    return "MATCH (n:Sign {kind: 'composite'}) RETURN n.json AS json"


def value_cypher() -> str:
    """Return Cypher for the JSON of the value with an id, whatever its kind."""
    return " UNION ALL ".join(
        f"MATCH (n:{label} {{id: $id}}) WHERE n.json IS NOT NULL RETURN n.json AS json"
        for label in value_labels()
    )


def studies_cypher() -> str:
    """Return Cypher for the name of each of our studies and what it is about."""
    return f"MATCH (n:Study) WHERE {_OURS['Study']} RETURN n.id AS id, n.about AS about ORDER BY id"


def node_counts_cypher() -> str:
    """Return Cypher for the number of our nodes of each label."""
    return " UNION ALL ".join(
        f"MATCH (n:{label}) WHERE {_OURS.get(label, 'n.json IS NOT NULL')} "
        f"RETURN '{label}' AS word, count(n) AS n"
        for label in node_labels()
    )


def edge_counts_cypher() -> str:
    """Return Cypher for the number of our edges of each type."""
    ours, types = "|".join(node_labels()), "|".join(sorted(edge_types()))
    return (
        f"MATCH (a:{ours})-[r:{types}]->(b:{ours}) "
        "WHERE (a:Study OR a:Generator OR coalesce(a.json, a.node, a.who) IS NOT NULL) "
        "AND coalesce(b.json, b.node, b.who) IS NOT NULL RETURN type(r) AS word, count(r) AS n ORDER BY word"
    )


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
