"""Turns rows into idempotent Cypher (MERGE in UNWIND batches), and checks values before they are saved."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from semiosis.values import (
    HSG,
    KINDS,
    AnySign,
    EdgeRow,
    GraphRow,
    NodeRow,
    Recorded,
    StoreError,
    json_object,
    to_json,
)

ROWS_PER_STATEMENT = 2_000
"""Rows per statement. While the server merges one batch, the next one is sent."""


class MergeStatement(NamedTuple):
    """One statement and the rows that it merges.

    Rows are lists and not maps. The Neo4j driver packs a list in 6 µs and a map in 11 µs, on average over the
    rows of a study, and writing a row takes 26 µs in all.
    """

    cypher: str
    rows: list[list[Any]]


def merge_statements(rows: Iterable[GraphRow], size: int = ROWS_PER_STATEMENT) -> Iterator[MergeStatement]:
    """Yield statements that merge all rows, nodes before edges. If a node occurs twice, the last one counts.

    Edges are grouped only when their statements are requested. Meanwhile the server merges the nodes.
    """
    nodes: dict[tuple[str, str], NodeRow] = {}
    edges: list[EdgeRow] = []
    for row in rows:
        if isinstance(row, EdgeRow):
            edges.append(row)
        elif not row.only_if_new or (row.label, row.id) not in nodes:
            nodes[row.label, row.id] = row
    yield from _split(_by_node_statement(nodes.values()), size)
    yield from _split(_by_edge_statement(edges), size)


def _by_node_statement(nodes: Collection[NodeRow]) -> dict[str, list[list[Any]]]:
    by_statement = {_DELETE_ORIGIN: _described_signs(nodes)}
    for node in nodes:
        cypher = _merge_node(node.label, node.only_if_new, tuple(node.props))
        by_statement.setdefault(cypher, []).append([node.id, *node.props.values()])
    return by_statement


def _by_edge_statement(edges: Iterable[EdgeRow]) -> dict[str, list[list[Any]]]:
    by_statement: dict[str, list[list[Any]]] = {}
    for edge in {(edge.type, edge.source, edge.target, edge.key): edge for edge in edges}.values():
        cypher = _merge_edge(edge.type, edge.source[0], edge.target[0], bool(edge.key), tuple(edge.props))
        key = (edge.key,) if edge.key else ()
        ends = (edge.source[1], edge.target[1])
        by_statement.setdefault(cypher, []).append([*ends, *key, *edge.props.values()])
    return by_statement


def _split(by_statement: dict[str, list[list[Any]]], size: int) -> Iterator[MergeStatement]:
    for cypher, merged in by_statement.items():
        yield from (MergeStatement(cypher, merged[at : at + size]) for at in range(0, len(merged), size))


_DELETE_ORIGIN = (
    "UNWIND $rows AS row OPTIONAL MATCH (:Sign {id: row[0]})<-[r:MADE|PROMPTED]-() "
    "WITH row[0] AS sign, collect(r) AS known FOREACH (r IN known | DELETE r)"
)
"""Deletes the edges from the generator and the prompt of a sign, which may have changed."""


def _described_signs(nodes: Iterable[NodeRow]) -> list[list[Any]]:
    return [[node.id] for node in nodes if node.label == "Sign" and not node.only_if_new]


@cache
def _merge_node(label: str, only_if_new: bool, names: tuple[str, ...]) -> str:
    when = " ON CREATE" if only_if_new and names else ""
    return f"UNWIND $rows AS row MERGE (n:{label} {{id: row[0]}}){when}{_set('n', names, 1)}"


@cache
def _merge_edge(kind: str, source: str, target: str, keyed: bool, names: tuple[str, ...]) -> str:
    return (
        f"UNWIND $rows AS row MATCH (a:{source} {{id: row[0]}}) MATCH (b:{target} {{id: row[1]}}) "
        f"MERGE (a)-[r:{kind}{' {key: row[2]}' if keyed else ''}]->(b){_set('r', names, 2 + keyed)}"
    )


def _set(variable: str, names: tuple[str, ...], first: int) -> str:
    """Return a SET clause that takes these properties from a row, starting at position `first`."""
    props = ", ".join(f"{variable}.`{name}` = row[{position}]" for position, name in enumerate(names, first))
    return f" SET {props}" if names else ""


def provided_ids(values: Iterable[Recorded]) -> Iterator[tuple[str, str]]:
    """Yield the label and id of each node of these values to which other values may refer."""
    for value in values:
        yield KINDS[value.kind].label, value.id
        if isinstance(value, HSG):
            yield from (("Semiosis", f"{value.id}/{node}") for node in value.semioses)


def required_ids(rows: Iterable[GraphRow], provided: Iterable[tuple[str, str]] = ()) -> dict[str, set[str]]:
    """Return, by label, the ids of the nodes that edges point at and that the store must already have."""
    present = set(provided)
    referenced: set[tuple[str, str]] = set()
    for row in rows:
        if isinstance(row, NodeRow):
            present.add((row.label, row.id))
        else:
            referenced |= {row.source, row.target}
    missing: dict[str, set[str]] = {}
    for label, node_id in referenced - present:
        missing.setdefault(label, set()).add(node_id)
    return missing


def refuse_dangling(missing: dict[str, list[str]]) -> None:
    """Raise an error that names the missing nodes, if there are any."""
    dangling = [f"{label} {node_id}" for label, ids in sorted(missing.items()) for node_id in sorted(ids)]
    if dangling:
        shown = ", ".join(dangling[:5]) + (f" and {len(dangling) - 5} more" if len(dangling) > 5 else "")
        raise StoreError(
            f"the values refer to others that are not in the store: {shown}",
            fix="save those first, or in the same call; nothing was written",
        )


def with_included_signs(values: Iterable[Recorded]) -> list[Recorded]:
    """Return the values and the signs that are included in HSGs, signs first."""
    listed = list(values)
    signs = {value.id: value for value in listed if isinstance(value, AnySign)}
    included = {value.sign.id: value.sign for value in listed if isinstance(value, HSG)}
    return [*(included | signs).values(), *(value for value in listed if not isinstance(value, AnySign))]


def included_sign_ids(values: Iterable[Recorded]) -> set[str]:
    """Return the ids of signs that occur only inside an HSG. Such a copy does not change a stored sign."""
    listed = list(values)
    return {value.sign.id for value in listed if isinstance(value, HSG)} - {
        value.id for value in listed if isinstance(value, AnySign)
    }


def new_values(
    values: Iterable[Recorded], stored: Mapping[str, str], implicit: Collection[str] = ()
) -> list[Recorded]:
    """Return the values that are not stored yet. A value that differs from the stored one is refused.

    `stored` maps ids to JSON. The metadata of a sign may change; what an evaluator said may not.
    """
    new: dict[str, Recorded] = {}
    for value in values:
        known = to_json(new[value.id]) if value.id in new else stored.get(value.id)
        if known is None or (value.id not in implicit and _changes(value, known)):
            new[value.id] = value
    return list(new.values())


def _changes(value: Recorded, stored: str) -> bool:
    if isinstance(value, HSG):
        return False
    new, old = json_object(to_json(value)), json_object(stored)
    if isinstance(value, AnySign):
        return _compared_fields(new) != _compared_fields(old) or _count_image_files(new) > _count_image_files(
            old
        )
    if _compared_fields(new) == _compared_fields(old):
        return False
    raise StoreError(
        f"the store has a different {value.kind} with the id {value.id}",
        fix="give the second one its own repeat number; nothing was written",
    )


def _compared_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a value that must not differ: all but its cost and the path of its file."""
    compared = {name: field for name, field in fields.items() if name not in {"usage", "path"}}
    return compared | (
        {"parts": [_compared_fields(part) for part in fields["parts"]]} if "parts" in fields else {}
    )


def _count_image_files(fields: dict[str, Any]) -> int:
    """Return how many images of a sign have a file."""
    return bool(fields.get("path")) + sum(map(_count_image_files, fields.get("parts", ())))
