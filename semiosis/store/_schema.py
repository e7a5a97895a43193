"""The schema: a constraint for each label, and the indexes of `graphs/schema.cypher`."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from semiosis.files import data
from semiosis.store._labels import node_labels
from semiosis.store._prefix import add_prefix

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
