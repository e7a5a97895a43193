"""Cypher that finds values in Neo4j, by id or by study, and counts nodes and edges."""

from semiosis.store._prefix import NODE_LABELS, VALUE_LABELS
from semiosis.store._projections import BY_LABEL
from semiosis.store._supersede import PAST_TYPES

EDGE_TYPES = frozenset(
    {"ABOUT", "BESIDE", "BY", "CITES", "CONTRASTS", "ELABORATES", "EMERGENT", "FROM", "GIVEN", "GROUNDED_IN"}
    | {"HAS_NODE", "HAS_PART", "HAS_ROOT", "INCLUDES", "LACKS", "LOST", "MADE", "MERGES", "OF", "ON"}
    | {"PROMPTED", "READ_AS", "READ_BY", "REALIZED_AS", "SUPERSEDES", "SUPPORTS", "TO", "USED"}
    | PAST_TYPES
)
"""Every edge type of the property graph."""

_OURS = {
    "Study": "n.about IS NOT NULL OR EXISTS { MATCH (n)-[:INCLUDES]->(s:Sign) WHERE s.json IS NOT NULL }",
    "Generator": "EXISTS { MATCH (n)-[:MADE]->(s:Sign) WHERE s.json IS NOT NULL }",
    "Interpreter": "n.who IS NOT NULL",
    "Semiosis": "n.node IS NOT NULL",
    "Evaluator": "n.who IS NOT NULL",
}
"""What tells our nodes from those of another program with the same label. Nodes of values have a `json`."""


def every_value(label: str, study: str) -> str:
    """Return Cypher for the JSON of every value with a label, of one study or of all."""
    of_study = f" AND ({BY_LABEL[label].in_study})" if study else ""
    return f"MATCH (n:{label}) WHERE n.json IS NOT NULL{of_study} RETURN n.json AS json ORDER BY n.id"


def every_composite() -> str:
    """Return Cypher for the JSON of every composite sign."""
    return "MATCH (n:Sign {kind: 'composite'}) RETURN n.json AS json"


def one_value() -> str:
    """Return Cypher for the JSON of the value with an id, whatever its kind."""
    return " UNION ALL ".join(
        f"MATCH (n:{label} {{id: $id}}) WHERE n.json IS NOT NULL RETURN n.json AS json"
        for label in VALUE_LABELS
    )


def every_study() -> str:
    """Return Cypher for the name of each of our studies and what it is about."""
    return f"MATCH (n:Study) WHERE {_OURS['Study']} RETURN n.id AS id, n.about AS about ORDER BY id"


def node_counts() -> str:
    """Return Cypher for the number of our nodes of each label."""
    return " UNION ALL ".join(
        f"MATCH (n:{label}) WHERE {_OURS.get(label, 'n.json IS NOT NULL')} "
        f"RETURN '{label}' AS word, count(n) AS n"
        for label in NODE_LABELS
    )


def edge_counts() -> str:
    """Return Cypher for the number of our edges of each type."""
    ours, types = "|".join(NODE_LABELS), "|".join(sorted(EDGE_TYPES))
    return (
        f"MATCH (a:{ours})-[r:{types}]->(b:{ours}) "
        "WHERE (a:Study OR a:Generator OR coalesce(a.json, a.node, a.who) IS NOT NULL) "
        "AND coalesce(b.json, b.node, b.who) IS NOT NULL RETURN type(r) AS word, count(r) AS n ORDER BY word"
    )
