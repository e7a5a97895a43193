"""A connection to a Neo4j database: login, sessions, limits, errors, and the prefix of our labels."""

import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from getpass import getpass
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from semiosis.files import local_password
from semiosis.store._guard import refuse_plan
from semiosis.store._neo4j_errors import EXPLAIN, timeout_error, translate_errors
from semiosis.store._protocol import ROW_LIMIT, TIMEOUT, QueryResult, limit_rows
from semiosis.store._schema import SchemaStatement, add_prefix, checked_prefix, schema_statements
from semiosis.values import SemiosisError, StoreError, UsageError

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, ResultSummary, Session


T = TypeVar("T")

GRACE_SECONDS = 0.9
"""Seconds the server has to report its own timeout."""
RETRY_SECONDS = 30.0
"""How long a transaction is retried when the connection drops or another writer holds a lock."""

PREFIX_VARIABLE = "SEMIOSIS_LABEL_PREFIX"

logging.getLogger("neo4j").addHandler(logging.NullHandler())  # otherwise its log appears in the terminal


class Neo4jConnection:
    """A database on a server. Our Cypher gets the label prefix; the user's Cypher is sent unchanged."""

    def __init__(self, url: str, auth: tuple[str, str] | None, label_prefix: str | None) -> None:
        from neo4j import GraphDatabase

        self.url = url
        prefix = os.environ.get(PREFIX_VARIABLE, "") if label_prefix is None else label_prefix
        self.prefix = checked_prefix(prefix)
        self._prepared = False
        with translate_errors(url):
            self._driver = GraphDatabase.driver(
                url,
                auth=auth or credentials(url),
                connection_timeout=10,
                max_transaction_retry_time=RETRY_SECONDS,
                liveness_check_timeout=0,  # after a restart of the server the old connection is replaced
                user_agent="semiosis",
            )
        try:
            with translate_errors(url):
                self._driver.verify_connectivity()
        except SemiosisError:
            self._driver.close()
            raise

    def close(self) -> None:
        """Close every connection to the server."""
        self._driver.close()

    def read(
        self, cypher: str, params: Mapping[str, Any] | None = None, limit: int = ROW_LIMIT
    ) -> QueryResult:
        """Return the rows of one of our statements."""
        return self.query(add_prefix(cypher, self.prefix), params or {}, timeout=600, limit=limit)

    def stream(self, cypher: str, **params: Any) -> Iterator[dict[str, Any]]:
        """Yield the rows of one of our statements without holding them all in memory."""
        with translate_errors(self.url), self._session("READ") as session:
            for record in session.run(add_prefix(cypher, self.prefix), params):
                yield dict(record)

    def write(self, work: Callable[["ManagedTransaction"], None]) -> None:
        """Run a function in one transaction; retry when the connection drops or a lock fails."""
        self.prepare()
        with translate_errors(self.url), self._session("WRITE") as session:
            session.execute_write(work)

    def explain(self, cypher: str, params: Mapping[str, Any], timeout: float) -> None:
        """Refuse a query whose plan does more than read the graph."""

        def run() -> None:
            with (
                translate_errors(self.url, timeout),
                self._session("READ") as session,
                session.begin_transaction(timeout=timeout) as transaction,
            ):
                refuse_plan(transaction.run(EXPLAIN + cypher, dict(params)).consume())

        _within(timeout, run)

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any],
        *,
        mode: str = "READ",
        timeout: float = TIMEOUT,
        spent: float = 0.0,
        limit: int = ROW_LIMIT,
        with_hints: bool = False,
    ) -> QueryResult:
        """Return the rows of a query, which is sent unchanged. `spent` is the time that its check took."""
        remaining = max(0.001, timeout - spent)  # Neo4j takes 0 for no limit

        def run() -> QueryResult:
            with (
                translate_errors(self.url, timeout),
                self._session(mode, with_hints) as session,
                session.begin_transaction(timeout=remaining) as transaction,
            ):
                result = transaction.run(cypher, dict(params))
                columns = list(result.keys())
                records = result.fetch(limit + 1)
                rows = [{name: python_value(record[name]) for name in columns} for record in records]
                found = list(dict.fromkeys(hints(result.consume())))
                transaction.commit()
            return limit_rows(columns, rows, limit, found)

        return _within(timeout, run, spent)

    def prepare(self) -> None:
        """Create the missing constraints and indexes, once per connection.

        Existing ones are not created again: even IF NOT EXISTS would wait for every writer.
        """
        if self._prepared:
            return
        with translate_errors(self.url), self._session("WRITE") as session:
            known = {
                record["name"]: record["labels"]
                for record in session.run("SHOW INDEXES YIELD name, labelsOrTypes AS labels")
            }
            for statement in schema_statements(self.prefix):
                if statement.name not in known:
                    _create_index(session, statement, self.url)
                elif known[statement.name] != [statement.label]:
                    raise _collision_error(statement, "another index has this name", self.url)
            session.run("CALL db.awaitIndexes(300)").consume()
        self._prepared = True

    def _session(self, mode: str, with_hints: bool = False) -> "Session":
        from neo4j import NotificationMinimumSeverity

        severity = NotificationMinimumSeverity.INFORMATION if with_hints else NotificationMinimumSeverity.OFF
        return self._driver.session(
            default_access_mode=mode,
            database=os.environ.get("NEO4J_DATABASE"),
            notifications_min_severity=severity,
        )


def _within(timeout: float, run: Callable[[], T], spent: float = 0.0) -> T:
    """Return what a function returns; raise if it takes longer than the server is allowed to take.

    The server checks its own timeout only between rows, and it sends no answer if a query overflows the stack
    of its parser. The function then goes on in its thread, with a connection of its own.
    """
    answer: Future[T] = Future()

    def work() -> None:
        try:
            answer.set_result(run())
        except BaseException as error:  # noqa: BLE001  # raised again by the caller
            answer.set_exception(error)

    Thread(target=work, daemon=True).start()
    try:
        return answer.result(max(0.0, timeout - spent) + GRACE_SECONDS)
    except TimeoutError as error:
        raise timeout_error(timeout) from error


def _create_index(session: "Session", statement: SchemaStatement, url: str) -> None:
    from neo4j.exceptions import Neo4jError

    def run(transaction: "ManagedTransaction") -> None:
        transaction.run(statement.cypher).consume()

    try:
        session.execute_write(run)
    except Neo4jError as error:
        if ".Schema." not in (error.code or ""):
            raise
        raise _collision_error(statement, error.message or "", url) from error


def _collision_error(statement: SchemaStatement, reason: str, url: str) -> StoreError:
    return StoreError(
        f"cannot create {statement.name!r} for the label {statement.label!r}: {reason}",
        where=url,
        fix=f"if another program uses this label, set a prefix for our labels: {PREFIX_VARIABLE}=Sm",
    )


def credentials(url: str) -> tuple[str, str]:
    """Return the user name and the password for the server at ``url``."""
    refuse_secrets(url)
    name = os.environ.get("NEO4J_USERNAME", "neo4j")
    password = os.environ.get("NEO4J_PASSWORD") or local_password(url)
    if password is None and sys.stdin.isatty():
        password = getpass(f"Password of {name} at {url}: ")
    if password is None:
        raise UsageError(
            "the server needs a password", where=url, fix="set NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    return name, password


def refuse_secrets(url: str) -> None:
    """Refuse an address that contains a password, because addresses end up in logs and shell histories."""
    if "@" in urlsplit(url).netloc:
        raise UsageError(
            "an address must not contain a user name or password",
            fix="set NEO4J_USERNAME and NEO4J_PASSWORD instead",
        )


def python_value(value: Any) -> Any:
    """Return a value without the driver's classes: nodes, edges and paths as dicts, times as Python types."""
    from neo4j.graph import Node, Path, Relationship

    if isinstance(value, Node):
        return {"labels": sorted(value.labels), "properties": python_value(dict(value))}
    if isinstance(value, Relationship):
        return {"type": value.type, "properties": python_value(dict(value))}
    if isinstance(value, Path):
        return {
            "nodes": python_value(list(value.nodes)),
            "relationships": python_value(list(value.relationships)),
        }
    if isinstance(value, list):
        return [python_value(item) for item in value]
    if isinstance(value, dict):
        return {name: python_value(item) for name, item in value.items()}
    return value.to_native() if hasattr(value, "to_native") else value


def hints(summary: "ResultSummary") -> Iterator[str]:
    """Yield the server's notifications, such as an unknown label or a deprecated keyword."""
    for status in summary.gql_status_objects:
        if status.is_notification:
            yield status.status_description
