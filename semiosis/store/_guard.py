"""Checks Cypher before it runs: it may not access files, and may call only procedures that read."""

import datetime
import re
from collections.abc import Collection, Iterator, Mapping
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from semiosis.values import UsageError

if TYPE_CHECKING:
    from neo4j import ResultSummary


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


_FUNCTION_NAMESPACES = frozenset(
    {"date", "datetime", "duration", "localdatetime", "localtime", "point", "time", "vector"}
)
"""The namespaces of Neo4j's own functions."""
_REFUSED_OPERATORS = {
    "LoadCSV": "LOAD CSV reads files and URLs",
    "TerminateTransactions": "TERMINATE TRANSACTIONS stops the queries of other users",
    "ShowTransactions": "SHOW TRANSACTIONS shows the queries of other users",
    "ShowSettings": "SHOW SETTINGS shows the configuration of the server",
}
_CALL_OPERATORS = frozenset({"ProduceResults", "ProcedureCall"})


def refuse_parameters(params: Mapping[str, Any]) -> None:
    """Refuse parameters that a store cannot receive, with one message for every store.

    The check goes level by level and visits a shared list once, because nested references to one list can
    stand for more values than any memory holds.
    """
    for name, value in params.items():
        level = [value]
        for _ in range(MAX_NESTING):
            if not all(map(_can_be_sent, level)):
                break
            parts = {id(part): part for value in level for part in _parts(value)}
            level = list(parts.values())
        if level:
            raise UsageError(
                f"the query parameter {name!r} cannot be sent",
                fix=f"use text, 64-bit numbers, booleans, times, lists and maps, up to {MAX_NESTING} levels",
            )


def _parts(value: Any) -> Collection[Any]:
    return value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()


def _can_be_sent(value: Any) -> bool:
    if isinstance(value, Mapping):
        return all(isinstance(key, str) for key in value)
    if isinstance(value, int):
        return -(2**63) <= value < 2**63
    times = (datetime.date, datetime.time, datetime.timedelta)
    return value is None or isinstance(value, (str, float, list, tuple, *times))


def refuse_plugins(cypher: str) -> None:
    """Refuse functions of plugins, because some of them run other Cypher, which EXPLAIN does not show."""
    words = list(query_tokens(cypher))
    for name in _dotted_calls(words):
        if name.partition(".")[0] not in _FUNCTION_NAMESPACES:
            raise UsageError(
                f"the function {name!r} belongs to a plugin", fix="use only Neo4j's own functions"
            )


def refuse_plan(summary: "ResultSummary") -> None:
    """Refuse a plan that writes, reads files, affects other users or calls an unlisted procedure.

    READ access mode alone is not enough: it still allows LOAD CSV to fetch files and URLs, it counts
    TERMINATE TRANSACTIONS as a read, and it does not restrict the procedures and functions of plugins.
    """
    operators = list(_operators(summary.plan or {}))
    for operator, details in operators:
        if operator in _REFUSED_OPERATORS:
            raise UsageError(
                f"{_REFUSED_OPERATORS[operator]}, which is not allowed", fix="query only the graph"
            )
        procedure = details.partition("(")[0].lower()
        if operator == "ProcedureCall" and procedure not in PROCEDURES:
            raise UsageError(
                f"the procedure {procedure!r} is not among those that only read the graph",
                fix=f"use one of: {', '.join(sorted(PROCEDURES))}",
            )
    # Neo4j classifies some listed procedures, such as dbms.components, as schema operations.
    if summary.query_type != "r" and not {operator for operator, _ in operators} <= _CALL_OPERATORS:
        raise UsageError("this query would write, but queries only read", fix="add --write")


def _operators(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    name = str(plan.get("operatorType", "")).partition("@")[0]
    yield name, str(plan.get("args", {}).get("Details", ""))
    for child in plan.get("children", ()):
        yield from _operators(child)


def _dotted_calls(words: list[str]) -> Iterator[str]:
    """Yield names with a dot before a parenthesis, except procedures, which come after CALL."""
    for position, word in enumerate(words):
        if word != "(" or words[position - 2 : position - 1] != ["."]:
            continue
        start = position - 1
        while start >= 2 and words[start - 1] == ".":
            start -= 2
        if start == 0 or words[start - 1] != "call":
            yield "".join(words[start:position])
