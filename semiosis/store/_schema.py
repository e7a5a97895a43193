"""Constraints and indexes: what `graphs/schema.cypher` asks for."""

import re

from semiosis.files import data

_NAME = re.compile(r"(?:CONSTRAINT|INDEX) (\w+) IF NOT EXISTS")


def statements() -> dict[str, str]:
    """The statements of the schema, by the name of the constraint or index each one makes."""
    lines = data("graphs/schema.cypher").read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("//"))
    found = (statement.strip() for statement in text.split(";"))
    return {match[1]: statement for statement in found if (match := _NAME.search(statement))}
