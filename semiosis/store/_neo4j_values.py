"""Where values stand in a Neo4j: every node that carries one, and which study it belongs to."""

from semiosis.store._graph import LABELS

VALUE_LABELS = tuple(dict.fromkeys(LABELS.values()))
"""The labels of nodes that carry a value's `json`, each after what it refers to."""
NODE_LABELS = (*VALUE_LABELS, "Study", "Generator", "Interpreter", "Semiosis", "Evaluator")
"""Every label of the property graph."""

_STUDY = "<-[:INCLUDES]-(:Study {id: $study})"
_OF_SIGN = f"(:Sign){_STUDY}"
_OF_COMPARISON = f"(:Comparison)-[:OF {{key: 'prompt'}}]->{_OF_SIGN}"
_OF_HSG = f"(:HSG)<-[:READ_AS]-{_OF_SIGN}"

_WAYS = {
    "Sign": (f"(n){_STUDY}",),
    "HSG": (f"(n)<-[:READ_AS]-{_OF_SIGN}",),
    "Alignment": (f"(n)-[:FROM]->{_OF_HSG}",),
    "Comparison": (f"(n)-[:OF {{key: 'prompt'}}]->{_OF_SIGN}",),
    "Question": (f"(n)-[:ABOUT]->{_OF_SIGN}",),
    "Verdict": (f"(n)-[:ON]->{_OF_COMPARISON}",),
    "Rating": (
        f"(n)-[:ABOUT]->{_OF_SIGN}",
        f"(n)-[:ABOUT]->(:Semiosis)<-[:HAS_ROOT|HAS_NODE]-{_OF_HSG}",
        f"(n)-[:ABOUT]->(:Verdict)-[:ON]->{_OF_COMPARISON}",
    ),
    "Answer": (f"(n)-[:ABOUT]->(:Question)-[:ABOUT]->{_OF_SIGN}",),
    "Score": (f"(n)-[:ABOUT {{key: 'artifact'}}]->{_OF_SIGN}",),
}
"""How a value leads to its study."""


def every_value(label: str, study: str) -> str:
    """Cypher for the JSON of every value with a label, of one study or of all."""
    ways = " OR ".join(f"EXISTS {{ MATCH {way} }}" for way in _WAYS[label])
    return f"MATCH (n:{label}){f' WHERE {ways}' if study else ''} RETURN n.json AS json ORDER BY n.id"


def every_composite() -> str:
    """Cypher for the JSON of every composite sign."""
    return "MATCH (n:Sign {kind: 'composite'}) RETURN n.json AS json"


def one_value() -> str:
    """Cypher for the JSON of the value with an id, whatever it is."""
    return " UNION ALL ".join(
        f"MATCH (n:{label} {{id: $id}}) RETURN n.json AS json" for label in VALUE_LABELS
    )


def node_counts() -> str:
    """Cypher for the number of nodes of each label; nodes of other programs are not counted."""
    return " UNION ALL ".join(
        f"MATCH (n:{label}) RETURN '{label}' AS word, count(n) AS n" for label in NODE_LABELS
    )


def edge_counts() -> str:
    """Cypher for the number of edges of each type."""
    return f"MATCH (:{'|'.join(NODE_LABELS)})-[r]->() RETURN type(r) AS word, count(r) AS n ORDER BY word"
