"""Renames the edges of superseded values, so that queries do not find them.

A superseded value keeps its node, its JSON and its SUPERSEDES edge. The edges by which queries reach it are
renamed: READ_AS becomes WAS_READ_AS, ON becomes WAS_ON, and so on. The edges from alignments to a superseded
HSG are renamed too.
"""

from collections.abc import Iterable, Iterator

from semiosis.store._labels import current_edges
from semiosis.values import EdgeRow, GraphRow


def any_superseded(rows: Iterable[GraphRow]) -> bool:
    """Return whether a value of these rows supersedes another one."""
    return any(isinstance(row, EdgeRow) and row.type == "SUPERSEDES" for row in rows)


def rename_superseded_edges() -> Iterator[str]:
    """Yield the statements that rename the edges of every superseded value."""
    yield (
        "MATCH (:HSG)-[:SUPERSEDES]->(old:HSG)<-[r:READ_AS]-(s:Sign) MERGE (s)-[:WAS_READ_AS]->(old) DELETE r"
    )
    for label, edge in current_edges():
        if label == "Alignment":
            yield (
                f"MATCH (:HSG)-[:SUPERSEDES]->(old:HSG)<-[r:{edge}]-(al:Alignment) "
                f"MERGE (al)-[:WAS_{edge}]->(old) DELETE r"
            )
        yield (
            f"MATCH (:{label})-[:SUPERSEDES]->(old:{label})-[r:{edge}]->(x) "
            f"MERGE (old)-[:WAS_{edge}]->(x) DELETE r"
        )


def restore_value(label: str) -> Iterator[str]:
    """Yield the statements that delete the renamed edges of the values in `$ids`, which are written again."""
    if label == "HSG":
        yield "UNWIND $ids AS id MATCH (:HSG {id: id})<-[r:WAS_READ_AS|WAS_FROM|WAS_TO]-() DELETE r"
    for edge in (edge for owner, edge in current_edges() if owner == label):
        yield f"UNWIND $ids AS id MATCH (:{label} {{id: id}})-[r:WAS_{edge}]->() DELETE r"
