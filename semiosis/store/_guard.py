"""Checks Cypher before it is sent: it may not access files, and may call only procedures that read."""

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

TOKEN = re.compile(
    r"""(?P<skip>//[^\n\r]*|/\*.*?(?:\*/|\Z)|'(?:\\.|[^'\\])*(?:'|\Z)|"(?:\\.|[^"\\])*(?:"|\Z)|[\s\0\u180e\u200b\u2060\ufeff]+)
      | (?P<quoted>`(?:``|[^`])*(?:`|\Z))
      | (?P<word>[^\W\d]\w*)
      | (?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)


MAX_CHARACTERS = 1_000_000
"""The longest query. Checking a much longer one takes minutes and gigabytes."""
MAX_NESTING = 50
"""The deepest nesting of brackets in a query. Thousands of levels overflow the stack of Neo4j's parser, which
then sends no answer, and the driver waits for two minutes."""
_OPENING = frozenset("([{")
_CLOSING = frozenset(")]}")


def query_tokens(cypher: str) -> Iterator[str]:
    """Yield the words, quoted names and punctuation of a query in lower case, without strings and comments.

    >>> list(query_tokens("MATCH (n) WHERE n.text CONTAINS 'CREATE' // SET"))
    ['match', '(', 'n', ')', 'where', 'n', '.', 'text', 'contains']
    """
    for match in TOKEN.finditer(cypher):
        if match["quoted"]:
            yield match["quoted"].strip("`").lower()
        elif not match["skip"]:
            yield match[0].lower()


def refuse_unsafe(cypher: str) -> None:
    """Refuse a very long query, and LOAD CSV and calls of unlisted procedures anywhere in it."""
    if len(cypher) > MAX_CHARACTERS:
        raise UsageError(
            f"the query has more than {MAX_CHARACTERS:,} characters",
            fix="pass long texts and lists as parameters",
        )
    words = list(query_tokens(cypher))
    for position, word in enumerate(words):
        if word == "load" and words[position + 1 : position + 2] == ["csv"]:
            raise UsageError(
                "LOAD CSV reads files and URLs, which is not allowed",
                fix="save values instead: semiosis store save",
            )
        if word == "call" and _is_clause(words, position):
            _refuse_unlisted(_procedure(words, position + 1))


def refuse_unsupported(cypher: str) -> None:
    """Refuse what not every engine runs: deeply nested brackets, and several queries at once."""
    depth = 0
    words = list(query_tokens(cypher))
    if ";" in words[:-1]:
        raise UsageError("this is more than one query", fix="run one query at a time")
    for word in words:
        depth += (word in _OPENING) - (word in _CLOSING)
        if depth > MAX_NESTING:
            raise UsageError(
                f"the query nests brackets more than {MAX_NESTING} levels deep",
                fix="simplify it, or pass lists and maps as parameters",
            )


def refuse_plans(cypher: str) -> None:
    """Refuse EXPLAIN and PROFILE, because each engine describes its plan differently."""
    first = next(query_tokens(cypher), "")
    if first in {"explain", "profile"}:
        raise UsageError(
            f"{first.upper()} shows the plan of one engine, not rows of the graph",
            fix="run the query without it, or use Neo4j Browser or cypher-shell",
        )


def without_comments(cypher: str) -> str:
    """Return the query without comments, because kglite does not accept them everywhere.

    >>> without_comments("RETURN '// kept' AS a/* gone */")
    "RETURN '// kept' AS a          "
    """
    # Comments become spaces of the same length, so that the columns in the engine's messages stay correct.
    return TOKEN.sub(
        lambda token: re.sub(r"[^\n]", " ", token[0]) if token[0].startswith(("//", "/*")) else token[0],
        cypher,
    )


def _is_clause(words: list[str], position: int) -> bool:
    """Return whether this `call` is the clause and not a property, label, type or variable named `call`."""
    before = words[position - 1] if position else ""
    after = words[position + 1] if position + 1 < len(words) else ""
    return before not in {".", ":", "|", "&", "!", "$"} and bool(re.match(r"[\w({`]", after))


def _procedure(words: list[str], position: int) -> str:
    """Return the dotted name that starts here; empty for a subquery."""
    if words[position] in {"{", "("}:
        return ""
    return "".join(takewhile(lambda word: word not in {"(", "yield"}, words[position:]))


def _refuse_unlisted(name: str) -> None:
    if name and name not in PROCEDURES:
        raise UsageError(
            f"the procedure {name!r} is not among those that only read the graph",
            fix=f"use one of: {', '.join(sorted(PROCEDURES))}",
        )
