"""Opens a store by its address."""

import re
from pathlib import Path

from semiosis.store._embedded import EmbeddedStore
from semiosis.store._neo4j import Neo4jStore
from semiosis.store._protocol import Store

_URL = re.compile(r"(neo4j|bolt)(\+s|\+ssc)?://")


def is_url(address: str | Path) -> bool:
    """Whether an address names a Neo4j server. Everything else is a folder."""
    return isinstance(address, str) and _URL.match(address) is not None


def open_store(address: str | Path) -> Store:
    """The store at an address: a study folder, or a Neo4j server."""
    return Neo4jStore(str(address)) if is_url(address) else EmbeddedStore(address)
