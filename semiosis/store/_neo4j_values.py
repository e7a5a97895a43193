"""Cypher that finds values in a Neo4j, by id or by the study they belong to, and counts nodes and edges."""

from semiosis.store._prefix import NODE_LABELS, VALUE_LABELS
from semiosis.store._supersede import PAST_TYPES

EDGE_TYPES = frozenset(
    {"ABOUT", "BESIDE", "BY", "CITES", "CONTRASTS", "ELABORATES", "EMERGENT", "FROM", "GIVEN", "GROUNDED_IN"}
    | {"HAS_NODE", "HAS_PART", "HAS_ROOT", "INCLUDES", "LACKS", "LOST", "MADE", "OF", "ON", "PROMPTED"}
    | {"READ_AS", "READ_BY", "REALIZED_AS", "SUPERSEDES", "SUPPORTS", "TO", "USED"}
    | PAST_TYPES
)
"""Every edge type of the property graph."""

_STUDY = "<-[:INCLUDES]-(:Study {id: $study})"
_OF_SIGN = f"(:Sign){_STUDY}"
_OF_COMPARISON = f"(:Comparison)-[:OF|WAS_OF]->{_OF_SIGN}"
_OF_HSG = f"(:HSG)<-[:READ_AS|WAS_READ_AS]-{_OF_SIGN}"

_PATHS = {
    "Sign": (f"(n){_STUDY}",),
    "HSG": (f"(n)<-[:READ_AS|WAS_READ_AS]-{_OF_SIGN}",),
    "Alignment": (f"(n)-[:FROM|WAS_FROM]->{_OF_HSG}",),
    "Comparison": (f"(n)-[:OF|WAS_OF]->{_OF_SIGN}",),
    "Question": (f"(n)-[:ABOUT|WAS_ABOUT]->{_OF_SIGN}",),
    "Verdict": (f"(n)-[:ON|WAS_ON]->{_OF_COMPARISON}",),
    "Rating": (
        f"(n)-[:ABOUT|WAS_ABOUT]->{_OF_SIGN}",
        f"(n)-[:ABOUT|WAS_ABOUT]->(:Semiosis)<-[:HAS_ROOT|HAS_NODE]-{_OF_HSG}",
        f"(n)-[:ABOUT|WAS_ABOUT]->(:Verdict)-[:ON|WAS_ON]->{_OF_COMPARISON}",
    ),
    "Answer": (f"(n)-[:ABOUT|WAS_ABOUT]->(:Question)-[:ABOUT|WAS_ABOUT]->{_OF_SIGN}",),
    "Score": (f"(n)-[:ABOUT|WAS_ABOUT]->{_OF_SIGN}",),
}
"""The paths from a value to its study, by label."""


def every_value(label: str, study: str) -> str:
    """Cypher for the JSON of every value with a label, of one study or of all."""
    paths = " OR ".join(f"EXISTS {{ MATCH {path} }}" for path in _PATHS[label])
    of_study = f" AND ({paths})" if study else ""
    return f"MATCH (n:{label}) WHERE n.json IS NOT NULL{of_study} RETURN n.json AS json ORDER BY n.id"


def every_composite() -> str:
    """Cypher for the JSON of every composite sign."""
    return "MATCH (n:Sign {kind: 'composite'}) RETURN n.json AS json"


def one_value() -> str:
    """Cypher for the JSON of the value with an id, whatever it is."""
    return " UNION ALL ".join(
        f"MATCH (n:{label} {{id: $id}}) WHERE n.json IS NOT NULL RETURN n.json AS json"
        for label in VALUE_LABELS
    )


def node_counts() -> str:
    """Cypher for the number of our nodes of each label; nodes of other programs lack our properties."""
    return " UNION ALL ".join(
        f"MATCH (n:{label}) WHERE n.{'json' if label in VALUE_LABELS else 'id'} IS NOT NULL "
        f"RETURN '{label}' AS word, count(n) AS n"
        for label in NODE_LABELS
    )


def edge_counts() -> str:
    """Cypher for the number of our edges of each type."""
    ours, types = "|".join(NODE_LABELS), "|".join(sorted(EDGE_TYPES))
    return (
        f"MATCH (a:{ours})-[r:{types}]->(b:{ours}) WHERE a.id IS NOT NULL AND b.id IS NOT NULL "
        "RETURN type(r) AS word, count(r) AS n ORDER BY word"
    )
