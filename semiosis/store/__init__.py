"""Values in graph databases: the only room with Cypher."""

from semiosis.store._embedded import EmbeddedStore
from semiosis.store._graph import LABELS, EdgeRow, NodeRow, Row, project, spaced, study_rows
from semiosis.store._guard import PROCEDURES, refuse_unsafe
from semiosis.store._library import LibraryQuery, Parameter, library, library_query, read_query
from semiosis.store._open import is_url, open_store
from semiosis.store._protocol import Counts, Store
from semiosis.store._rows import ROW_LIMIT, TIMEOUT, Rows, limited
from semiosis.store._write import BATCH, Batch, batches, news, references, refuse_dangling, with_signs

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
    "NodeRow",
    "Parameter",
    "Row",
    "Rows",
    "Store",
    "batches",
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
]
