"""Cypher that finds values in Neo4j, by id or by study, and counts nodes and edges."""

from semiosis.store._labels import about_edges, edge_types, node_labels, value_labels

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
