"""Turns rows into idempotent Cypher: MERGE in UNWIND batches, grouped by label and type."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from semiosis.store._graph import LABELS, EdgeRow, NodeRow, Row
from semiosis.values import (
    HSG,
    CompositeSign,
    ImageSign,
    Recorded,
    StoreError,
    TextSign,
    json_object,
    kind_of,
    to_json,
)

Sign = TextSign | ImageSign | CompositeSign

BATCH = 5_000
"""Rows per statement."""


class Batch(NamedTuple):
    """One statement and the rows it merges."""

    cypher: str
    rows: list[dict[str, Any]]


def batches(rows: Iterable[Row], size: int = BATCH) -> Iterator[Batch]:
    """Statements that merge all rows, nodes before edges; of the same node twice the last one counts."""
    nodes: dict[str, dict[str, NodeRow]] = {}
    edges: dict[str, dict[tuple[str, str, str], dict[str, Any]]] = {}
    for row in rows:
        if isinstance(row, NodeRow):
            by_id = nodes.setdefault(row.label, {})
            if not row.weak or row.id not in by_id:
                by_id[row.id] = row
        else:
            ends = {"source": row.source[1], "target": row.target[1], "key": row.key, "props": row.props}
            edges.setdefault(_merge_edge(row), {})[row.source[1], row.target[1], row.key] = ends
    yield from _forgetting(nodes.get("Sign", {}), size)
    yield from _node_batches(nodes, size)
    for cypher, by_ends in edges.items():
        yield from (Batch(cypher, part) for part in _parts(by_ends.values(), size))


def _forgetting(signs: dict[str, NodeRow], size: int) -> Iterator[Batch]:
    """Take away who made and what prompted a sign before saying it anew: either may have been mended."""
    known = ({"id": row.id} for row in signs.values() if not row.weak)
    cypher = (
        "UNWIND $rows AS row OPTIONAL MATCH (:Sign {id: row.id})<-[r:MADE|PROMPTED]-() "
        "WITH row, collect(r) AS known FOREACH (r IN known | DELETE r)"  # one result for each row, as ever
    )
    yield from (Batch(cypher, part) for part in _parts(known, size))


def _node_batches(nodes: dict[str, dict[str, NodeRow]], size: int) -> Iterator[Batch]:
    for label, by_id in nodes.items():
        for weak, when in ((False, "SET"), (True, "ON CREATE SET")):
            rows = ({"id": row.id, "props": row.props} for row in by_id.values() if row.weak is weak)
            cypher = f"UNWIND $rows AS row MERGE (n:{label} {{id: row.id}}) {when} n += row.props"
            yield from (Batch(cypher, part) for part in _parts(rows, size))


def _merge_edge(row: EdgeRow) -> str:
    key = " {key: row.key}" if row.key else ""
    return (
        f"UNWIND $rows AS row MATCH (a:{row.source[0]} {{id: row.source}}) "
        f"MATCH (b:{row.target[0]} {{id: row.target}}) MERGE (a)-[r:{row.type}{key}]->(b) SET r += row.props"
    )


def _parts(items: Iterable[dict[str, Any]], size: int) -> Iterator[list[dict[str, Any]]]:
    stream = iter(items)
    while part := list(islice(stream, size)):
        yield part


def brought(values: Iterable[Recorded]) -> Iterator[tuple[str, str]]:
    """Label and id of the nodes that values bring along and others may refer to."""
    for value in values:
        yield LABELS[kind_of(value)], value.id
        if isinstance(value, HSG):
            yield from (("Semiosis", f"{value.id}/{node}") for node in value.semioses)


def references(rows: Iterable[Row], brought: Iterable[tuple[str, str]] = ()) -> dict[str, set[str]]:
    """By label, the ids that edges point at and nothing brings along: they must be in the store already."""
    here = set(brought)
    named: set[tuple[str, str]] = set()
    for row in rows:
        if isinstance(row, NodeRow):
            here.add((row.label, row.id))
        else:
            named |= {row.source, row.target}
    missing: dict[str, set[str]] = {}
    for label, node_id in named - here:
        missing.setdefault(label, set()).add(node_id)
    return missing


def refuse_dangling(missing: dict[str, list[str]]) -> None:
    """Say which references lead nowhere, if any do."""
    dangling = [f"{label} {node_id}" for label, ids in sorted(missing.items()) for node_id in sorted(ids)]
    if dangling:
        shown = ", ".join(dangling[:5]) + (f" and {len(dangling) - 5} more" if len(dangling) > 5 else "")
        raise StoreError(
            f"what is saved refers to values the store does not hold: {shown}",
            fix="save those first, or in the same call; nothing was written",
        )


def with_signs(values: Iterable[Recorded]) -> list[Recorded]:
    """The values, with the signs that HSGs carry along as values of their own, signs first."""
    given = list(values)
    signs = {value.id: value for value in given if isinstance(value, Sign)}
    along = {value.sign.id: value.sign for value in given if isinstance(value, HSG)}
    return [*(along | signs).values(), *(value for value in given if not isinstance(value, Sign))]


def carried(values: Iterable[Recorded]) -> set[str]:
    """The ids of signs that only come along with their HSG: what a store knows of them already stands."""
    given = list(values)
    return {value.sign.id for value in given if isinstance(value, HSG)} - {
        value.id for value in given if isinstance(value, Sign)
    }


def news(
    values: Iterable[Recorded], stored: Mapping[str, str], carried: Collection[str] = ()
) -> list[Recorded]:
    """The values that are not stored yet. One that contradicts what is stored under its id is refused.

    `stored` maps ids to JSON. What is known about a sign may change; what an evaluator said may not.
    """
    new: dict[str, Recorded] = {}
    for value in values:
        known = to_json(new[value.id]) if value.id in new else stored.get(value.id)
        if known is None or (value.id not in carried and _changes(value, known)):
            new[value.id] = value
    return list(new.values())


def _changes(value: Recorded, stored: str) -> bool:
    if isinstance(value, HSG):
        return False
    new, old = json_object(to_json(value)), json_object(stored)
    if isinstance(value, Sign):
        return _said(new) != _said(old) or _pictures(new) > _pictures(old)
    if _said(new) == _said(old):
        return False
    raise StoreError(
        f"another {value.kind} with the id {value.id} says something else",
        fix="give a second one its own repeat number; nothing was written",
    )


def _said(fields: dict[str, Any]) -> dict[str, Any]:
    """A value's fields without what it cost (from the cache, nothing) and without where its file is."""
    said = {name: field for name, field in fields.items() if name not in {"usage", "path"}}
    return said | ({"parts": [_said(part) for part in fields["parts"]]} if "parts" in fields else {})


def _pictures(fields: dict[str, Any]) -> int:
    """How many of a sign's images have a file."""
    return bool(fields.get("path")) + sum(map(_pictures, fields.get("parts", ())))
