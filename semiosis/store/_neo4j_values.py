"""Cypher that finds values in Neo4j, by id or by study, and counts nodes and edges."""

from semiosis.store._labels import about_edges, edge_types, node_labels, value_labels


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


def node_counts_cypher() -> str:
    """Return Cypher for the number of our nodes of each label. Other programs' nodes lack our properties."""
    return " UNION ALL ".join(
        f"MATCH (n:{label}) WHERE n.{'json' if label in value_labels() else 'id'} IS NOT NULL "
        f"RETURN '{label}' AS word, count(n) AS n"
        for label in node_labels()
    )


def edge_counts_cypher() -> str:
    """Return Cypher for the number of our edges of each type."""
    ours, types = "|".join(node_labels()), "|".join(sorted(edge_types()))
    return (
        f"MATCH (a:{ours})-[r:{types}]->(b:{ours}) WHERE a.id IS NOT NULL AND b.id IS NOT NULL "
        "RETURN type(r) AS word, count(r) AS n ORDER BY word"
    )
