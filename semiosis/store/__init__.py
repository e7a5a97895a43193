"""Saves values in graph databases and queries them with Cypher: a study folder, or a Neo4j server."""

from semiosis.store._copy import copy_study, export_cypher
from semiosis.store._cypher_file import write_cypher_file
from semiosis.store._embedded_store import EmbeddedStore
from semiosis.store._library import LibraryQuery, library, library_query
from semiosis.store._neo4j_store import Neo4jStore
from semiosis.store._open import open_store
from semiosis.store._protocol import GraphCounts, QueryResult, Store

__all__ = [
    "EmbeddedStore",
    "GraphCounts",
    "LibraryQuery",
    "Neo4jStore",
    "QueryResult",
    "Store",
    "copy_study",
    "export_cypher",
    "library",
    "library_query",
    "open_store",
    "write_cypher_file",
]
