"""Asks Neo4j what a query would do before it does it.

READ access mode alone is not enough: in it LOAD CSV still fetches files and addresses, TERMINATE TRANSACTIONS
counts as a read, and a procedure or function of a plugin may do anything.
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
"""Of functions with a dot in their name, those Neo4j brings itself."""
_REFUSED_OPERATORS = {
    "LoadCSV": "LOAD CSV reads files and addresses",
    "TerminateTransactions": "TERMINATE TRANSACTIONS stops the work of others",
    "ShowTransactions": "SHOW TRANSACTIONS shows the queries of others",
    "ShowSettings": "SHOW SETTINGS shows how the server is set up",
}
_CALL_OPERATORS = frozenset({"ProduceResults", "ProcedureCall"})


def refuse_plugins(cypher: str) -> None:
    """Refuse functions that a plugin brought: some run Cypher of their own, out of sight of EXPLAIN."""
    words = list(query_tokens(cypher))
    for name in _dotted_calls(words):
        if name.partition(".")[0] not in _FUNCTION_NAMESPACES:
            raise UsageError(f"the function {name!r} is not one of Neo4j's own", fix="use Neo4j's functions")


def refuse_plan(summary: "ResultSummary") -> None:
    """Refuse a plan that writes, reads files, touches the work of others or calls an unlisted procedure."""
    operators = list(_operators(summary.plan or {}))
    for operator, details in operators:
        if operator in _REFUSED_OPERATORS:
            raise UsageError(f"{_REFUSED_OPERATORS[operator]}; queries may not", fix="ask the graph only")
        procedure = details.partition("(")[0].lower()
        if operator == "ProcedureCall" and procedure not in PROCEDURES:
            raise UsageError(
                f"the procedure {procedure!r} is not on the list of those that only read the graph",
                fix=f"listed are: {', '.join(sorted(PROCEDURES))}",
            )
    # A listed procedure alone, such as dbms.components, may count as an act of schema.
    if summary.query_type != "r" and not {operator for operator, _ in operators} <= _CALL_OPERATORS:
        raise UsageError("this query would write; queries only read", fix="say so with --write")


def _operators(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    name = str(plan.get("operatorType", "")).partition("@")[0]
    yield name, str(plan.get("args", {}).get("Details", ""))
    for child in plan.get("children", ()):
        yield from _operators(child)


def _dotted_calls(words: list[str]) -> Iterator[str]:
    """Names with a dot before a parenthesis, except after CALL: those are procedures."""
    for at, word in enumerate(words):
        if word != "(" or words[at - 2 : at - 1] != ["."]:
            continue
        start = at - 1
        while start >= 2 and words[start - 1] == ".":
            start -= 2
        if start == 0 or words[start - 1] != "call":
            yield "".join(words[start:at])
