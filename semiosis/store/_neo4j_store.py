"""The Neo4j store: the same graph and the same Cypher as the embedded store, on a server."""

import re
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from semiosis.store._guard import (
    refuse_parameters,
    refuse_plans,
    refuse_plugins,
    refuse_unsafe,
    refuse_unsupported,
)
from semiosis.store._neo4j_connection import Neo4jConnection
from semiosis.store._neo4j_cypher import (
    composites_cypher,
    edge_counts_cypher,
    node_counts_cypher,
    remove_values,
    studies_cypher,
    value_cypher,
    values_cypher,
)
from semiosis.store._protocol import ROW_LIMIT, TIMEOUT, GraphCounts, QueryResult
from semiosis.store._references import by_kind, chunks, in_order, needs, values_to_remove
from semiosis.store._schema import add_prefix, any_superseded, rename_superseded_edges, value_labels
from semiosis.store._statements import (
    included_sign_ids,
    merge_statements,
    new_values,
    refuse_dangling,
    required_ids,
    with_included_signs,
)
from semiosis.values import (
    KINDS,
    Alignment,
    AnySign,
    CompositeSign,
    GraphRow,
    NodeRow,
    Recorded,
    SemiosisError,
    StoreError,
    UsageError,
    from_json,
    parts_of,
    project,
    replaced_id,
    separate_cjk,
    study_rows,
    to_json,
)

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

VALUES_PER_TRANSACTION = 2_000
"""The maximum number of values in one transaction. A value is written completely or not at all."""

_SEARCH = (
    "CALL db.index.fulltext.queryNodes($index, $text) YIELD node, score "
    "WHERE NOT EXISTS { MATCH (node)<--(:HSG)<-[s]-(:HSG) WHERE type(s) = 'SUPERSEDES' } "
    "RETURN node.id AS id, node.label AS label, node.object AS object, score AS score "
    "ORDER BY score DESC, id LIMIT $limit"
)
_LUCENE = re.compile(r'([+\-&|!(){}\[\]^"~*?:\\/])')
_LUCENE_WORDS = re.compile(r"\b(AND|OR|NOT|TO)\b")

_KEEP_PLAN = "CYPHER replan=skip "
"""Every statement finds nodes by their unique ids, so its first plan stays good while the graph grows.
Without this, the server plans each statement again after every load, and 30,000 rows take 20% longer."""


class Neo4jStore:
    """A Neo4j server as a store.

    The user name and password come from ``NEO4J_USERNAME`` and ``NEO4J_PASSWORD``, from the password file of
    the local server, or from a prompt. ``NEO4J_DATABASE`` names a database other than the server's default.
    ``label_prefix``, or ``SEMIOSIS_LABEL_PREFIX``, keeps our labels apart from those of other programs.
    """

    def __init__(
        self, url: str, auth: tuple[str, str] | None = None, label_prefix: str | None = None
    ) -> None:
        self._connection = Neo4jConnection(url, auth, label_prefix)
        self._is_current = False

    @property
    def address(self) -> str:
        """The server's address."""
        return self._connection.url

    @property
    def label_prefix(self) -> str:
        """The prefix of our labels in this database."""
        return self._connection.prefix

    def save(self, *values: Recorded, study: str = "") -> None:
        """Merge the values into the graph, many per transaction, as part of a study if one is named."""
        included = list(in_order(by_kind(with_included_signs(values))))
        self._connection.prepare()
        self._refuse_earlier_layout()
        new = new_values(included, self._stored_json(included), included_sign_ids(values))
        projected = [list(project(value)) for value in new]
        refuse_dangling(self._missing_ids(required_ids(chain.from_iterable(projected))))
        written = 0
        for chunk in chunks(projected, VALUES_PER_TRANSACTION):
            try:
                self.merge(chain.from_iterable(chunk))
            except SemiosisError as error:
                raise _partial_save_error(error, self.address, written, new) from error
            written += len(chunk)
        if study:
            self.merge(_inclusion_rows(study, included))

    def merge(self, rows: Iterable[GraphRow]) -> None:
        """Write nodes and edges in one transaction."""
        self._connection.write(partial(_merge_all, rows=list(rows), prefix=self.label_prefix))

    def load(self, value_id: str) -> Recorded:
        """Return the value with this id, exactly as it was saved."""
        rows = self._connection.read(value_cypher(), {"id": value_id})
        if not rows:
            raise StoreError(
                f"no value has the id {value_id!r}", where=self.address, fix="ids are 20 hex digits"
            )
        return from_json(rows[0]["json"], where=self.address)

    def remove(self, *ids: str, dependents: bool = False, dry_run: bool = False) -> list[Recorded]:
        """Remove values in one transaction; with `dependents`, also the values that refer to them."""
        known = {value.id: value for value in self.values()}
        chosen = values_to_remove(known.values(), ids, dependents=dependents, where=self.address)
        removed = {value.id for value in chosen}
        restored = {old for old in map(replaced_id, chosen) if old is not None} - removed
        rewritten = [
            value
            for value in known.values()
            if value.id not in removed
            and (value.id in restored or (isinstance(value, Alignment) and restored & needs(value)))
        ]
        if chosen and not dry_run:
            self._connection.write(
                partial(remove_values, values=chosen, restored=rewritten, prefix=self.label_prefix)
            )
        return chosen

    def remove_study(self, study: str, *, dependents: bool = False, dry_run: bool = False) -> list[Recorded]:
        """Remove a study and the values that belong to no other study."""
        if study not in (known := self.studies()):
            raise UsageError(
                f"the server has no study {study!r}",
                where=self.address,
                fix=f"choose one of: {', '.join(known)}" if known else "save a study there first",
            )
        ids = {value.id for value in self.values(study)}
        removed = self.remove_from_study(study, ids, dependents=dependents, dry_run=dry_run)
        if not dry_run:
            self._connection.write(partial(_delete_study, study=study, prefix=self.label_prefix))
        return removed

    def remove_from_study(
        self, study: str, ids: Collection[str], *, dependents: bool = False, dry_run: bool = False
    ) -> list[Recorded]:
        """Remove values from a study. Values that another study also has stay in the store."""
        shared = {value.id for name in self.studies() if name != study for value in self.values(name)}
        removed = self.remove(*(set(ids) - shared), dependents=dependents, dry_run=dry_run)
        if not dry_run:
            self._connection.write(
                partial(_exclude, study=study, signs=sorted(shared & set(ids)), prefix=self.label_prefix)
            )
        return removed

    def values(self, study: str = "") -> Iterator[Recorded]:
        """Yield every value, of one study or of all, each kind after the kinds it refers to.

        A value belongs to every study that includes its signs. The parts of a composite sign are not yielded
        separately.
        """
        parts = self._composite_parts()
        for label in value_labels():
            for row in self._connection.stream(values_cypher(label, study), study=study):
                if row["json"] not in parts:
                    yield from_json(row["json"], where=self.address)

    def studies(self) -> dict[str, str]:
        """Return what each study in the graph is about, by its name."""
        rows = self._connection.read(studies_cypher())
        return {row["id"]: row["about"] or "" for row in rows if row["id"]}

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float = TIMEOUT,
        limit: int = ROW_LIMIT,
    ) -> QueryResult:
        """Return the rows of a Cypher query. Its plan is checked before it runs, unless `write` is set."""
        refuse_unsafe(cypher)
        refuse_plans(cypher)
        refuse_unsupported(cypher)
        refuse_plugins(cypher)
        refuse_parameters(params or {})
        self._refuse_earlier_layout()
        start = time.monotonic()
        if not write:
            self._connection.explain(cypher, params or {}, timeout)
        mode = "WRITE" if write else "READ"
        spent = time.monotonic() - start
        return self._connection.query(
            cypher, params or {}, mode=mode, timeout=timeout, spent=spent, limit=limit, with_hints=True
        )

    def search(self, text: str, *, limit: int = 20) -> QueryResult:
        """Return the semioses whose words match the text, best first."""
        self._connection.prepare()
        self._refuse_earlier_layout()
        words = _LUCENE_WORDS.sub(lambda word: word[0].lower(), _LUCENE.sub(r"\\\1", separate_cjk(text)))
        params = {"index": f"{self.label_prefix.lower()}meanings", "text": words, "limit": limit}
        return self._connection.read(_SEARCH, params, limit)

    def counts(self) -> GraphCounts:
        """Return the numbers of our nodes and edges, by label and type."""
        nodes, edges = (
            self._connection.read(cypher) for cypher in (node_counts_cypher(), edge_counts_cypher())
        )
        return GraphCounts(
            {row["word"]: row["n"] for row in nodes if row["n"]}, {row["word"]: row["n"] for row in edges}
        )

    def close(self) -> None:
        """Close the connections."""
        self._connection.close()

    def _refuse_earlier_layout(self) -> None:
        """Refuse a graph that was written before nodes had a location; asked once per connection.

        Old and new nodes are never mixed, because nothing is saved to such a graph. So one node is enough.
        """
        if self._is_current:
            return
        rows = self._connection.read("MATCH (n:Semiosis) RETURN n.location IS NULL AS earlier LIMIT 1")
        if any(row["earlier"] for row in rows):
            raise StoreError(
                "this graph has an earlier layout: its nodes have no location",
                where=self.address,
                fix="write it again from the study folder: semiosis store remove "
                f"{self.address} --study NAME --dependents, then semiosis store copy STUDY {self.address}",
            )
        self._is_current = True

    def _composite_parts(self) -> set[str]:
        lines = [row["json"] for row in self._connection.stream(composites_cypher())]
        composites = (from_json(line, where=self.address) for line in lines)
        return {
            to_json(part) for sign in composites if isinstance(sign, CompositeSign) for part in sign.parts
        }

    def _stored_json(self, values: Iterable[Recorded]) -> dict[str, str]:
        """Return the JSON of those values that the store has, by id."""
        by_label: dict[str, list[str]] = {}
        for value in values:
            by_label.setdefault(KINDS[value.kind].label, []).append(value.id)
        found = (self._rows_of(label, ids, "n.id AS id, n.json AS json") for label, ids in by_label.items())
        return {row["id"]: row["json"] for rows in found for row in rows if row["json"]}

    def _missing_ids(self, required: Mapping[str, set[str]]) -> dict[str, list[str]]:
        return {
            label: sorted(ids - {row["id"] for row in self._rows_of(label, sorted(ids), "n.id AS id")})
            for label, ids in required.items()
        }

    def _rows_of(self, label: str, ids: list[str], columns: str) -> QueryResult:
        cypher = f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN {columns}"
        return self._connection.read(cypher, {"ids": ids}, limit=len(ids) + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _merge_all(transaction: "ManagedTransaction", rows: Sequence[GraphRow], prefix: str) -> None:
    """Run every statement, then check the counts, so that an edge without its nodes is not skipped silently.

    All statements are sent before the first result is read, so the server never waits for the next one.
    """
    sent = []
    for batch in merge_statements(rows):
        cypher = f"{_KEEP_PLAN}{add_prefix(batch.cypher, prefix)} RETURN count(*) AS n"
        sent.append((batch, transaction.run(cypher, rows=batch.rows)))
    if any_superseded(rows):
        for statement in rename_superseded_edges():
            transaction.run(add_prefix(statement, prefix))
    for batch, result in sent:
        merged = result.single(strict=True)["n"]
        if "MERGE" in batch.cypher and merged != len(batch.rows):
            raise StoreError(
                f"{len(batch.rows) - merged} edges were not written: one of their nodes no longer exists",
                fix="save again; this transaction was rolled back",
            )


def _delete_study(transaction: "ManagedTransaction", study: str, prefix: str) -> None:
    transaction.run(add_prefix("MATCH (n:Study {id: $id}) DETACH DELETE n", prefix), id=study).consume()


def _exclude(transaction: "ManagedTransaction", study: str, signs: list[str], prefix: str) -> None:
    """Delete the edges from a study to its signs."""
    cypher = "UNWIND $signs AS id MATCH (:Study {id: $study})-[r:INCLUDES]->(:Sign {id: id}) DELETE r"
    transaction.run(add_prefix(cypher, prefix), study=study, signs=signs).consume()


def _inclusion_rows(study: str, values: Iterable[Recorded]) -> Iterator[GraphRow]:
    """Yield the study and its signs. The description of an existing study is kept."""
    signs = (value for value in values if isinstance(value, AnySign))
    for row in study_rows(study, "", sorted({part.id for sign in signs for part in (sign, *parts_of(sign))})):
        yield row._replace(only_if_new=True) if isinstance(row, NodeRow) else row


def _partial_save_error(
    error: SemiosisError, address: str, written: int, values: Sequence[Recorded]
) -> StoreError:
    """Return an error that names what was written and what was not."""
    remaining = values[written : written + VALUES_PER_TRANSACTION]
    shown = ", ".join(f"{value.kind} {value.id}" for value in remaining[:3])
    more = f" and {len(remaining) - 3} more" if len(remaining) > 3 else ""
    return StoreError(
        f"{error.what}; {written} of {len(values)} values were written; stopped at {shown}{more}",
        where=address,
        fix=f"{error.fix}; then save again; nothing is written twice",
    )
