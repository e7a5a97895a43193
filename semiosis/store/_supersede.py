"""Renames the edges of superseded values, so that queries do not find them.

A superseded value keeps its node, its JSON and its SUPERSEDES edge. The edges by which queries reach it are
renamed: READ_AS becomes WAS_READ_AS, ON becomes WAS_ON, and so on. The edges from alignments to a superseded
HSG are renamed too.
"""

from collections.abc import Iterator

from semiosis.store._projections import BY_LABEL

PAST_TYPES = frozenset(
    {f"WAS_{kind}" for projection in BY_LABEL.values() for kind in projection.current_edges} | {"WAS_READ_AS"}
)
"""The types of edges of superseded values."""


def rename_superseded_edges() -> Iterator[str]:
    """Yield the statements that rename the edges of every superseded value."""
    yield (
        "MATCH (:HSG)-[:SUPERSEDES]->(old:HSG)<-[r:READ_AS]-(s:Sign) MERGE (s)-[:WAS_READ_AS]->(old) DELETE r"
    )
    for kind in BY_LABEL["Alignment"].current_edges:
        yield (
            f"MATCH (:HSG)-[:SUPERSEDES]->(old:HSG)<-[r:{kind}]-(al:Alignment) "
            f"MERGE (al)-[:WAS_{kind}]->(old) DELETE r"
        )
    for label, projection in BY_LABEL.items():
        for kind in projection.current_edges:
            yield (
                f"MATCH (:{label})-[:SUPERSEDES]->(old:{label})-[r:{kind}]->(x) "
                f"MERGE (old)-[:WAS_{kind}]->(x) DELETE r"
            )


def restore_value(label: str) -> Iterator[str]:
    """Yield the statements that delete the renamed edges of the values in `$ids`, which are written again."""
    if label == "HSG":
        yield "UNWIND $ids AS id MATCH (:HSG {id: id})<-[r:WAS_READ_AS|WAS_FROM|WAS_TO]-() DELETE r"
    for kind in BY_LABEL[label].current_edges:
        yield f"UNWIND $ids AS id MATCH (:{label} {{id: id}})-[r:WAS_{kind}]->() DELETE r"
