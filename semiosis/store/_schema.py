"""The schema of the property graph: labels, edge types, constraints, indexes, and a prefix for labels."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from semiosis.files import data
from semiosis.store._guard import TOKEN
from semiosis.values import KINDS, EdgeRow, GraphRow, UsageError

_OTHER_LABELS = ("Study", "Generator", "Interpreter", "Semiosis", "Evaluator")
"""The labels of nodes without a value's `json`."""


def value_labels() -> tuple[str, ...]:
    """Return the labels of nodes that carry a value's `json`, each after those to which its values refer."""
    return tuple(dict.fromkeys(kind.label for kind in KINDS.values()))


def node_labels() -> tuple[str, ...]:
    """Return every label of the property graph."""
    return (*value_labels(), *_OTHER_LABELS)


def current_edges() -> Iterator[tuple[str, str]]:
    """Yield the edges that lead queries to values, each as the label of the value and the type of the edge.

    They start at the value and are renamed when it is superseded: ON becomes WAS_ON.
    """
    for kind in {kind.label: kind for kind in KINDS.values()}.values():
        evaluator = ("BY",) if "BY" in kind.other_edges else ()
        yield from ((kind.label, type_) for type_ in (*kind.about, *evaluator))


def edge_types() -> frozenset[str]:
    """Return every edge type of the property graph."""
    own = {edge for kind in KINDS.values() for edge in (*kind.about, *kind.other_edges)}
    past = {f"WAS_{type_}" for _, type_ in current_edges()} | {"WAS_READ_AS"}
    return frozenset(own | past | {"INCLUDES", "SUPERSEDES"})


def about_edges() -> str:
    """Return the types of edges that lead from a value to what it is or was about, as Cypher."""
    types = dict.fromkeys(edge for kind in KINDS.values() for edge in kind.about)
    return "|".join(f"{type_}|WAS_{type_}" for type_ in types)


_STATEMENT = re.compile(r"CREATE (?:FULLTEXT )?INDEX (?P<name>\w+) IF NOT EXISTS FOR \(n:(?P<label>\w+)\)")


class SchemaStatement(NamedTuple):
    """A statement that creates one constraint or index."""

    name: str
    """The name of the constraint or index, with the prefix."""
    label: str
    """The label it is for, with the prefix."""
    cypher: str


def schema_statements(prefix: str = "") -> Iterator[SchemaStatement]:
    """Yield the statements of the schema, with the prefix before each label and name."""
    for label in node_labels():
        name, prefixed = f"{prefix}{label}_id".lower(), prefix + label
        cypher = f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{prefixed}) REQUIRE n.id IS UNIQUE"
        yield SchemaStatement(name, prefixed, cypher)
    lines = data("graphs/schema.cypher").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("//"))
    for statement in filter(None, map(str.strip, text.split(";"))):
        found = _STATEMENT.match(statement)
        if found is None:
            raise AssertionError(f"graphs/schema.cypher: {statement!r} is not of the expected form")
        name = prefix.lower() + found["name"]
        cypher = statement.replace(f" {found['name']} ", f" {name} ", 1)
        yield SchemaStatement(name, prefix + found["label"], add_prefix(cypher, prefix))


_BEFORE_LABEL = frozenset(":|&!")


def checked_prefix(prefix: str) -> str:
    """Return the prefix; refuse one that cannot start a label."""
    if not re.fullmatch(r"([A-Za-z]\w*)?", prefix, re.ASCII):
        raise UsageError(
            f"{prefix!r} is not a valid label prefix", fix="start with a letter; use letters, digits and '_'"
        )
    return prefix


def add_prefix(cypher: str, prefix: str) -> str:
    """Return the query with the prefix before each label of the property graph.

    >>> add_prefix("MATCH (s:Sign)-[:READ_AS]->(:HSG) WHERE s.kind = ':Sign' RETURN s", "Sm")
    "MATCH (s:SmSign)-[:READ_AS]->(:SmHSG) WHERE s.kind = ':Sign' RETURN s"
    """
    if not prefix:
        return cypher
    ours, parts, before = node_labels(), [], ""
    for token in TOKEN.finditer(cypher):
        text = token[0]
        if before in _BEFORE_LABEL and text in ours:
            parts.append(prefix)
        if not token["skip"]:
            before = text
        parts.append(text)
    return "".join(parts)


def any_superseded(rows: Iterable[GraphRow]) -> bool:
    """Return whether a value of these rows supersedes another one."""
    return any(isinstance(row, EdgeRow) and row.type == "SUPERSEDES" for row in rows)


def rename_superseded_edges() -> Iterator[str]:
    """Yield the statements that rename the edges of every superseded value, so that queries do not find it.

    A superseded value keeps its node, its JSON and its SUPERSEDES edge. The edges by which queries reach it
    are renamed: READ_AS becomes WAS_READ_AS, ON becomes WAS_ON, and so on. The edges from alignments to a
    superseded HSG are renamed too.
    """
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
