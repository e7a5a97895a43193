"""Checks the plan of a query on Neo4j before the query runs.

READ access mode alone is not enough: it still allows LOAD CSV to fetch files and URLs, it counts TERMINATE
TRANSACTIONS as a read, and it does not restrict the procedures and functions of plugins.
"""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from semiosis.store._guard import PROCEDURES, query_tokens
from semiosis.values import UsageError

if TYPE_CHECKING:
    from neo4j import ResultSummary

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


def refuse_plugins(cypher: str) -> None:
    """Refuse functions of plugins, because some of them run other Cypher, which EXPLAIN does not show."""
    words = list(query_tokens(cypher))
    for name in _dotted_calls(words):
        if name.partition(".")[0] not in _FUNCTION_NAMESPACES:
            raise UsageError(
                f"the function {name!r} belongs to a plugin", fix="use only Neo4j's own functions"
            )


def refuse_plan(summary: "ResultSummary") -> None:
    """Refuse a plan that writes, reads files, affects other users or calls an unlisted procedure."""
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
