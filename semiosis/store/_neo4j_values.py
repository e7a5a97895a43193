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


def values_cypher(label: str, study: str) -> str:
    """Return Cypher for the JSON of every value with a label, of one study or of all."""
    of_study = f" AND ({BY_LABEL[label].in_study})" if study else ""
    return f"MATCH (n:{label}) WHERE n.json IS NOT NULL{of_study} RETURN n.json AS json ORDER BY n.id"


def composites_cypher() -> str:
    """Return Cypher for the JSON of every composite sign."""
    return "MATCH (n:Sign {kind: 'composite'}) RETURN n.json AS json"


def value_cypher() -> str:
    """Return Cypher for the JSON of the value with an id, whatever its kind."""
    return " UNION ALL ".join(
        f"MATCH (n:{label} {{id: $id}}) WHERE n.json IS NOT NULL RETURN n.json AS json"
        for label in VALUE_LABELS
    )


def node_counts_cypher() -> str:
    """Return Cypher for the number of our nodes of each label. Other programs' nodes lack our properties."""
    return " UNION ALL ".join(
        f"MATCH (n:{label}) WHERE n.{'json' if label in VALUE_LABELS else 'id'} IS NOT NULL "
        f"RETURN '{label}' AS word, count(n) AS n"
        for label in NODE_LABELS
    )


def edge_counts_cypher() -> str:
    """Return Cypher for the number of our edges of each type."""
    ours, types = "|".join(NODE_LABELS), "|".join(sorted(EDGE_TYPES))
    return (
        f"MATCH (a:{ours})-[r:{types}]->(b:{ours}) WHERE a.id IS NOT NULL AND b.id IS NOT NULL "
        "RETURN type(r) AS word, count(r) AS n ORDER BY word"
    )
