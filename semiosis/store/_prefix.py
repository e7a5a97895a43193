"""A prefix for our labels, so that they differ from the labels of other programs in the same database."""

import re

from semiosis.store._guard import TOKEN
from semiosis.store._projections import BY_LABEL
from semiosis.values import UsageError

VALUE_LABELS = tuple(BY_LABEL)
"""The labels of nodes that carry a value's `json`, each after the labels to which its values refer."""
NODE_LABELS = (*VALUE_LABELS, "Study", "Generator", "Interpreter", "Semiosis", "Evaluator")
"""Every label of the property graph."""

_LABELS = frozenset(NODE_LABELS)
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
    parts, before = [], ""
    for token in TOKEN.finditer(cypher):
        text = token[0]
        if before in _BEFORE_LABEL and text in _LABELS:
            parts.append(prefix)
        if not token["skip"]:
            before = text
        parts.append(text)
    return "".join(parts)
