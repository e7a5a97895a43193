"""A prefix for our labels, so that they differ from the labels of other programs in the same database."""

import re

from semiosis.store._guard import TOKEN
from semiosis.store._labels import node_labels
from semiosis.values import UsageError

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
