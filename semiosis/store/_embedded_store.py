"""The embedded store: a study folder, queried through a kglite index in the same folder."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from semiosis.files import (
    STUDY_FILE,
    StudyFile,
    append_record,
    create_study,
    read_study_file,
    record_files,
    remove_recorded,
    stream_record,
)
from semiosis.store._guard import (
    refuse_parameters,
    refuse_plans,
    refuse_unsafe,
    refuse_unsupported,
    without_comments,
)
from semiosis.store._index import index_file, refresh
from semiosis.store._protocol import ROW_LIMIT, TIMEOUT, GraphCounts, QueryResult
from semiosis.store._query_process import QueryProcess
from semiosis.store._record_ids import recorded_lines
from semiosis.store._references import needs, values_to_remove
from semiosis.store._schema import value_labels
from semiosis.store._statements import (
    included_sign_ids,
    new_values,
    provided_ids,
    refuse_dangling,
    required_ids,
    with_included_signs,
)
from semiosis.values import Recorded, StoreError, UsageError, from_json, project, separate_cjk

_SEARCH = (
    "CALL db.index.fulltext.queryNodes('meanings', $text) YIELD node, score "
    "WHERE NOT EXISTS { MATCH (node)<--(:HSG)<-[s]-(:HSG) WHERE type(s) = 'SUPERSEDES' } "
    "RETURN node.id AS id, node.label AS label, node.object AS object, score AS score ORDER BY score DESC, id"
)


class EmbeddedStore:
    """A study folder as a store. Only saving creates the folder; reading never does."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._queries = QueryProcess()
        if self.folder.exists():
            read_study_file(self.folder)  # refuses a folder that is not a study before anything is saved

    @property
    def address(self) -> str:
        """The folder."""
        return str(self.folder)

    @property
    def label_prefix(self) -> str:
        """Empty, because the index contains only the study."""
        return ""

    @property
    def head(self) -> StudyFile:
        """The name and description of the study."""
        self._require_study()
        return read_study_file(self.folder)

    def studies(self) -> dict[str, str]:
        """Return what the study in this folder is about, by its name."""
        return {self.head.name: self.head.about}

    def save(self, *values: Recorded, study: str = "") -> None:
        """Add values to the record, under the run `saved`. The next query adds them to the index."""
        self._refuse_other_study(study)
        included = with_included_signs(values)
        known = recorded_lines(self.folder, (value.id for value in included))
        new = new_values(included, known, included_sign_ids(values))
        rows = (row for value in new if needs(value) for row in project(value, ""))
        refuse_dangling(self._missing_ids(required_ids(rows, provided_ids(new))))
        if not (self.folder / STUDY_FILE).exists():
            create_study(self.folder, StudyFile(name=study or _study_name(self.folder)))
        append_record(self.folder, new)

    def load(self, value_id: str) -> Recorded:
        """Return the value with this id, exactly as it was recorded."""
        self._require_study()
        line = recorded_lines(self.folder, [value_id]).get(value_id)
        if line is not None:
            return from_json(line, where=self.address)
        for label in value_labels():  # parts of composite signs have no lines
            rows = self._read(f"MATCH (n:{label} {{id: $id}}) RETURN n.json AS json", {"id": value_id})
            if rows:
                return from_json(rows[0]["json"], where=self.address)
        raise StoreError(f"no value has the id {value_id!r}", where=self.address, fix="ids are 20 hex digits")

    def remove(self, *ids: str, dependents: bool = False, dry_run: bool = False) -> list[Recorded]:
        """Remove values from the record; with `dependents`, also values that refer to them.

        Image files are kept.
        """
        removed = values_to_remove(self.values(), ids, dependents=dependents, where=self.address)
        if removed and not dry_run:
            remove_recorded(self.folder, {value.id for value in removed})
        return removed

    def values(self) -> Iterator[Recorded]:
        """Yield every value of the record, signs first. If a sign is recorded twice, the last counts."""
        self._require_study()
        for file in record_files(self.folder):
            latest = (
                {line.value.id: line.value for line in stream_record(file)}
                if file.name == "signs.jsonl"
                else None
            )
            yield from latest.values() if latest is not None else (line.value for line in stream_record(file))

    def query(
        self,
        cypher: str,
        params: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float = TIMEOUT,
        limit: int = ROW_LIMIT,
    ) -> QueryResult:
        """Return the rows of a Cypher query. It may not write, because the index is made from the record."""
        if write:
            raise UsageError(
                "the embedded store is an index of the study's files and cannot be written to",
                fix="save values instead, or copy the study to Neo4j and write there",
            )
        refuse_unsafe(cypher)
        refuse_plans(cypher)
        refuse_unsupported(cypher)
        refuse_parameters(params or {})
        return self._read(without_comments(cypher), params or {}, timeout, limit)

    def search(self, text: str, *, limit: int = 20) -> QueryResult:
        """Return the semioses whose words match the text, best first."""
        return self._read(_SEARCH, {"text": separate_cjk(text)}, limit=limit)

    def counts(self) -> GraphCounts:
        """Return the numbers of nodes and edges, by label and type."""
        nodes = self._read("MATCH (n) RETURN labels(n)[0] AS word, count(n) AS n ORDER BY word", {})
        edges = self._read("MATCH ()-[r]->() RETURN type(r) AS word, count(r) AS n ORDER BY word", {})
        return GraphCounts({row["word"]: row["n"] for row in nodes}, {row["word"]: row["n"] for row in edges})

    def close(self) -> None:
        """End the process that runs queries."""
        self._queries.close()

    def refresh(self) -> None:
        """Update the index from the record now instead of at the next query."""
        refresh(self.folder)

    def _require_study(self) -> None:
        if not self.folder.exists():
            raise UsageError(
                "there is no such study", where=self.address, fix="give a study folder or a neo4j:// address"
            )

    def _refuse_other_study(self, study: str) -> None:
        if study and self.folder.exists() and study != self.head.name:
            raise UsageError(
                f"this folder is the study {self.head.name!r}, not {study!r}",
                fix="omit the name of the study",
            )

    def _read(
        self, cypher: str, params: Mapping[str, Any], timeout: float = TIMEOUT, limit: int = ROW_LIMIT
    ) -> QueryResult:
        self._require_study()
        stamp = refresh(self.folder)
        return self._queries.run(index_file(self.folder), stamp, cypher, params, timeout, limit)

    def _missing_ids(self, required: Mapping[str, set[str]]) -> dict[str, list[str]]:
        """Return the referenced ids that the study lacks, by label.

        Most are found in the record. What is not found there, such as a part of a composite sign, is looked
        up in the graph, which takes much longer in a large study.
        """
        if not self.folder.exists():
            return {label: sorted(ids) for label, ids in required.items()}
        unrecorded = {label: ids - self._recorded_ids(label, ids) for label, ids in required.items()}
        return {
            label: sorted(ids - {row["id"] for row in self._rows_of(label, sorted(ids))})
            for label, ids in unrecorded.items()
            if ids
        }

    def _recorded_ids(self, label: str, ids: Iterable[str]) -> set[str]:
        if label == "Semiosis":
            hsgs = recorded_lines(self.folder, {node.partition("/")[0] for node in ids})
            return {node for _, node in provided_ids(from_json(line) for line in hsgs.values())}
        return set(recorded_lines(self.folder, ids))

    def _rows_of(self, label: str, ids: list[str]) -> QueryResult:
        cypher = f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN n.id AS id"
        return self._read(cypher, {"ids": ids}, limit=len(ids) + 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _study_name(folder: Path) -> str:
    """Return a name for a new study, made from the name of its folder."""
    name = "".join(
        letter if letter.isascii() and letter.isalnum() else "-" for letter in folder.resolve().name
    )
    return name.strip("-") or "study"
