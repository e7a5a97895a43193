"""Looks at Cypher before it is sent: reads only, no files, no procedures beyond a short list."""

import re
from collections.abc import Iterator
from itertools import takewhile

from semiosis.values import UsageError

PROCEDURES = frozenset(
    {
        "db.index.fulltext.querynodes",
        "db.labels",
        "db.propertykeys",
        "db.relationshiptypes",
        "db.schema.nodetypeproperties",
        "db.schema.reltypeproperties",
        "db.schema.visualization",
        "dbms.components",
    }
)
"""Procedures that only read the graph."""

_TOKEN = re.compile(
    r"""(?P<skip>//[^\n\r]*|/\*.*?(?:\*/|\Z)|'(?:\\.|[^'\\])*(?:'|\Z)|"(?:\\.|[^"\\])*(?:"|\Z)|[\s\0\u180e\u200b\u2060\ufeff]+)
      | (?P<quoted>`(?:``|[^`])*(?:`|\Z))
      | (?P<word>[^\W\d]\w*)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


def tokens(cypher: str) -> Iterator[str]:
    """Words, quoted names and signs of a query, lower-cased; strings and comments left out.

    >>> list(tokens("MATCH (n) WHERE n.text CONTAINS 'CREATE' // SET"))
    ['match', '(', 'n', ')', 'where', 'n', '.', 'text', 'contains']
    """
    for match in _TOKEN.finditer(cypher):
        if match["quoted"]:
            yield match["quoted"].strip("`").lower()
        elif not match["skip"]:
            yield match[0].lower()


def refuse_unsafe(cypher: str) -> None:
    """Refuse what reads files or calls procedures that are not listed, wherever it stands in the query."""
    words = list(tokens(cypher))
    for at, word in enumerate(words):
        if word == "load" and words[at + 1 : at + 2] == ["csv"]:
            raise UsageError(
                "LOAD CSV reads files and addresses; queries may not", fix="import data with 'semiosis study'"
            )
        if word == "call" and _is_clause(words, at):
            _refuse_unlisted(_procedure(words, at + 1))


def _is_clause(words: list[str], at: int) -> bool:
    """Whether this `call` is the clause, and not a property, label, type or variable of that name."""
    before = words[at - 1] if at else ""
    after = words[at + 1] if at + 1 < len(words) else ""
    return before not in {".", ":", "|", "&", "!", "$"} and bool(re.match(r"[\w({`]", after))


def _procedure(words: list[str], at: int) -> str:
    """The dotted name that starts here; empty for a subquery."""
    if words[at] in {"{", "("}:
        return ""
    return "".join(takewhile(lambda word: word not in {"(", "yield"}, words[at:]))


def _refuse_unlisted(name: str) -> None:
    if name and name not in PROCEDURES:
        raise UsageError(
            f"the procedure {name!r} is not on the list of those that only read the graph",
            fix=f"listed are: {', '.join(sorted(PROCEDURES))}",
        )
