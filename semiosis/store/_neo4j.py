"""The Neo4j store: the same graph and the same Cypher as the embedded one, on a server."""

import logging
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from semiosis.store._credentials import credentials
from semiosis.store._explain import refuse_plan, refuse_plugins
from semiosis.store._graph import LABELS, NodeRow, Row, project, spaced, study_rows
from semiosis.store._guard import refuse_unsafe
from semiosis.store._joined import joined
from semiosis.store._neo4j_errors import EXPLAIN, our_words
from semiosis.store._neo4j_rows import hints, plain
from semiosis.store._neo4j_values import (
    VALUE_LABELS,
    edge_counts,
    every_composite,
    every_value,
    node_counts,
    one_value,
)
from semiosis.store._order import by_kind, in_order, pieces
from semiosis.store._protocol import Counts
from semiosis.store._rows import ROW_LIMIT, TIMEOUT, Rows, limited
from semiosis.store._schema import statements
from semiosis.store._write import batches, implicit_signs, new_values, references, refuse_dangling, with_signs
from semiosis.values import (
    CompositeSign,
    ImageSign,
    Recorded,
    SemiosisError,
    StoreError,
    TextSign,
    from_json,
    parts_of,
    to_json,
)

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, Session

VALUES_AT_ONCE = 2_000
"""Values per transaction: each is in the store whole or not at all."""

RETRY_SECONDS = 30.0
"""How long a transaction is tried again when the connection drops or another writer holds a lock."""

_SEARCH = (
    "CALL db.index.fulltext.queryNodes('meanings', $text) YIELD node, score RETURN node.id AS id, "
    "node.label AS label, node.object AS object, score AS score ORDER BY score DESC, id LIMIT $limit"
)
_LUCENE = re.compile(r'([+\-&|!(){}\[\]^"~*?:\\/])')
_LUCENE_WORDS = re.compile(r"\b(AND|OR|NOT|TO)\b")

logging.getLogger("neo4j").addHandler(logging.NullHandler())  # else its remarks reach the terminal unasked


class Neo4jStore:
    """A Neo4j server as a store.

    The user name and password come from ``NEO4J_USERNAME`` and ``NEO4J_PASSWORD``, from the local server's
    own file, or are asked for; the database from ``NEO4J_DATABASE``, else it is the server's default.
    """

    def __init__(self, url: str, auth: tuple[str, str] | None = None) -> None:
        from neo4j import GraphDatabase

        self._url = url
        self._prepared = False
        with our_words(url):
            self._driver = GraphDatabase.driver(
                url,
                auth=auth or credentials(url),
                connection_timeout=10,
                max_transaction_retry_time=RETRY_SECONDS,
                liveness_check_timeout=0,  # a server that was restarted is met with a fresh connection
                user_agent="semiosis",
            )
        try:
            with our_words(url):
                self._driver.verify_connectivity()
        except SemiosisError:
            self._driver.close()
            raise

    @property
    def address(self) -> str:
        """The server's address."""
        return self._url

    def save(self, *values: Recorded, study: str = "") -> None:
        """Merge the values into the graph, so many per transaction; name the study they belong to, if any."""
        given = list(in_order(by_kind(with_signs(values))))
        self._prepare()
        new = new_values(given, self._stored(given), implicit_signs(values))
        projected = [list(project(value)) for value in new]
        refuse_dangling(self._missing(references(chain.from_iterable(projected))))
        written = 0
        for piece in pieces(projected, VALUES_AT_ONCE):
            try:
                self.merge(chain.from_iterable(piece))
            except SemiosisError as error:
                raise _unfinished(error, self.address, written, new) from error
            written += len(piece)
        if study:
            self.merge(_includes(study, given))

    def merge(self, rows: Iterable[Row]) -> None:
        """Write nodes and edges in one transaction, tried again when the connection drops or a lock fails."""
        self._prepare()
        held = list(rows)
        with our_words(self.address), self._session("WRITE") as session:
            session.execute_write(_merge_all, held)

    def load(self, value_id: str) -> Recorded:
        """The value with this id, exactly as it was saved."""
        rows = self._read(one_value(), {"id": value_id})
        if not rows:
            raise StoreError(
                f"no value has the id {value_id!r}", where=self.address, fix="ids are 20 hex digits"
            )
        return from_json(rows[0]["json"], where=self.address)

    def values(self, study: str = "") -> Iterator[Recorded]:
        """Every value, of one study or of all, each kind after what it refers to.

        The parts of a composite sign are nodes of their own and come back inside it.
        """
        parts = self._parts()
        for label in VALUE_LABELS:
            with our_words(self.address), self._session("READ") as session:
                for record in session.run(every_value(label, study), study=study):
                    if record["json"] not in parts:
                        yield from_json(record["json"], where=self.address)

    def studies(self) -> dict[str, str]:
        """The studies in the graph: what each is about, by name."""
        rows = self._read("MATCH (n:Study) RETURN n.id AS id, n.about AS about ORDER BY id", {})
        return {row["id"]: row["about"] or "" for row in rows}

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float = TIMEOUT,
        limit: int = ROW_LIMIT,
    ) -> Rows:
        """The rows of a Cypher query; what it would do is asked before it is done."""
        refuse_unsafe(cypher)
        refuse_plugins(cypher)
        if not write:
            self._explain(cypher, params or {}, timeout)
        mode = "WRITE" if write else "READ"
        return self._read(cypher, params or {}, timeout, limit, mode, remarks=True)

    def search(self, text: str, *, limit: int = 20) -> Rows:
        """Semioses whose words match the text, best first."""
        self._prepare()
        words = _LUCENE_WORDS.sub(lambda word: word[0].lower(), _LUCENE.sub(r"\\\1", spaced(text)))
        return self._read(_SEARCH, {"text": words, "limit": limit}, limit=limit)

    def counts(self) -> Counts:
        """How many nodes and edges there are, by label and type."""
        nodes, edges = (self._read(cypher, {}) for cypher in (node_counts(), edge_counts()))
        return Counts(
            {row["word"]: row["n"] for row in nodes if row["n"]}, {row["word"]: row["n"] for row in edges}
        )

    def close(self) -> None:
        """Let go of the connections."""
        self._driver.close()

    def _session(self, mode: str, remarks: bool = False) -> "Session":
        from neo4j import NotificationMinimumSeverity

        severity = NotificationMinimumSeverity.INFORMATION if remarks else NotificationMinimumSeverity.OFF
        return self._driver.session(
            default_access_mode=mode,
            database=os.environ.get("NEO4J_DATABASE"),
            notifications_min_severity=severity,
        )

    def _explain(self, cypher: str, params: Mapping[str, Any], timeout: float) -> None:
        with (
            our_words(self.address, timeout),
            self._session("READ") as session,
            session.begin_transaction(timeout=timeout) as transaction,
        ):
            refuse_plan(transaction.run(EXPLAIN + cypher, dict(params)).consume())

    def _read(
        self,
        cypher: str,
        params: Mapping[str, Any],
        timeout: float = TIMEOUT,
        limit: int = ROW_LIMIT,
        mode: str = "READ",
        *,
        remarks: bool = False,
    ) -> Rows:
        with (
            our_words(self.address, timeout),
            self._session(mode, remarks) as session,
            session.begin_transaction(timeout=timeout) as transaction,
        ):
            result = transaction.run(cypher, dict(params))
            columns = result.keys()
            rows = [{name: plain(record[name]) for name in columns} for record in result.fetch(limit + 1)]
            remarked = list(dict.fromkeys(hints(result.consume())))
            transaction.commit()
        return limited(list(columns), rows, limit, remarked)

    def _prepare(self) -> None:
        """Make the constraints and indexes the first time. Those that are there are left alone: making them
        again would wait for every writer."""
        if self._prepared:
            return
        with our_words(self.address), self._session("WRITE") as session:
            known = {record["name"] for record in session.run("SHOW INDEXES YIELD name")}
            for name, statement in statements().items():
                if name not in known:
                    session.execute_write(_run_schema, statement)
            session.run("CALL db.awaitIndexes(300)").consume()
        self._prepared = True

    def _parts(self) -> set[str]:
        with our_words(self.address), self._session("READ") as session:
            lines = [record["json"] for record in session.run(every_composite())]
        composites = (from_json(line, where=self.address) for line in lines)
        return {
            to_json(part) for sign in composites if isinstance(sign, CompositeSign) for part in sign.parts
        }

    def _stored(self, values: Iterable[Recorded]) -> dict[str, str]:
        by_label: dict[str, list[str]] = {}
        for value in values:
            by_label.setdefault(LABELS[value.kind], []).append(value.id)
        found = (self._present(label, ids, "n.id AS id, n.json AS json") for label, ids in by_label.items())
        return {row["id"]: row["json"] for rows in found for row in rows}

    def _missing(self, named: Mapping[str, set[str]]) -> dict[str, list[str]]:
        return {
            label: sorted(ids - {row["id"] for row in self._present(label, sorted(ids), "n.id AS id")})
            for label, ids in named.items()
        }

    def _present(self, label: str, ids: list[str], columns: str) -> Rows:
        cypher = f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN {columns}"
        return self._read(cypher, {"ids": ids}, timeout=600, limit=len(ids) + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _merge_all(transaction: "ManagedTransaction", rows: Sequence[Row]) -> None:
    """Run every statement, then count: an edge whose ends were deleted meanwhile is not passed over.

    Nothing is asked back before the last statement is sent, so that the server never waits for the next.
    """
    sent = [(batch, transaction.run(*joined(batch))) for batch in batches(rows)]
    for batch, result in sent:
        merged = result.single(strict=True)["n"]
        if "MERGE" in batch.cypher and merged != len(batch.rows):
            raise StoreError(
                f"{len(batch.rows) - merged} edges lost one of their ends while they were written",
                fix="save again; this transaction was taken back",
            )


def _run_schema(transaction: "ManagedTransaction", statement: str) -> None:
    transaction.run(statement).consume()


def _includes(study: str, values: Iterable[Recorded]) -> Iterator[Row]:
    """The study and its signs. What it is about is not known here, and so is not written over."""
    signs = (value for value in values if isinstance(value, TextSign | ImageSign | CompositeSign))
    for row in study_rows(study, "", sorted({part.id for sign in signs for part in (sign, *parts_of(sign))})):
        yield row._replace(weak=True) if isinstance(row, NodeRow) else row


def _unfinished(error: SemiosisError, address: str, written: int, values: Sequence[Recorded]) -> StoreError:
    """Say what is in the store and what is not."""
    left = values[written : written + VALUES_AT_ONCE]
    shown = ", ".join(f"{value.kind} {value.id}" for value in left[:3])
    more = f" and {len(left) - 3} more" if len(left) > 3 else ""
    return StoreError(
        f"{error.what}; {written} of {len(values)} values were written; stopped at {shown}{more}",
        where=address,
        fix=f"{error.fix}; then save again: what is there is kept and nothing is doubled",
    )
