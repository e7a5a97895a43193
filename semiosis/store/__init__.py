"""Values in graph databases: the only room with Cypher."""

from semiosis.store._copy import copy_study, export_cypher
from semiosis.store._cypher_file import cypher_statements, write_cypher_file
from semiosis.store._embedded import EmbeddedStore
from semiosis.store._graph import LABELS, EdgeRow, NodeRow, Row, project, spaced, study_rows
from semiosis.store._guard import PROCEDURES, refuse_unsafe
from semiosis.store._library import LibraryQuery, Parameter, library, library_query, read_query
from semiosis.store._neo4j import Neo4jStore
from semiosis.store._open import is_url, open_store
from semiosis.store._protocol import Counts, Store
from semiosis.store._rows import ROW_LIMIT, TIMEOUT, Rows, limited
from semiosis.store._write import (
    BATCH,
    Batch,
    batches,
    brought,
    carried,
    news,
    references,
    refuse_dangling,
    with_signs,
)

__all__ = [
    "BATCH",
    "LABELS",
    "PROCEDURES",
    "ROW_LIMIT",
    "TIMEOUT",
    "Batch",
    "Counts",
    "EdgeRow",
    "EmbeddedStore",
    "LibraryQuery",
    "Neo4jStore",
    "NodeRow",
    "Parameter",
    "Row",
    "Rows",
    "Store",
    "batches",
    "brought",
    "carried",
    "copy_study",
    "cypher_statements",
    "export_cypher",
    "is_url",
    "library",
    "library_query",
    "limited",
    "news",
    "open_store",
    "project",
    "read_query",
    "references",
    "refuse_dangling",
    "refuse_unsafe",
    "spaced",
    "study_rows",
    "with_signs",
    "write_cypher_file",
]
