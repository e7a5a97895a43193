"""Opens a store by its address."""

import re
from pathlib import Path

from semiosis.store._embedded import EmbeddedStore
from semiosis.store._neo4j import Neo4jStore
from semiosis.store._protocol import Store
from semiosis.values import UsageError

_NEO4J = re.compile(r"(neo4j|bolt)(\+s|\+ssc)?://")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/")


def is_url(address: str | Path) -> bool:
    """Return whether an address names a Neo4j server; a folder is none. Any other URL is refused."""
    if isinstance(address, Path) or not _SCHEME.match(address) or re.match(r"[A-Za-z]:/", address):
        return False  # a drive letter is no scheme
    if _NEO4J.match(address):
        return True
    raise UsageError(
        f"a store cannot be opened at {address!r}",
        fix="name a study folder, or a server: neo4j://host:port or bolt://host:port",
    )


def open_store(address: str | Path) -> Store:
    """Return the store at an address: a study folder, or a Neo4j server."""
    return Neo4jStore(str(address)) if is_url(address) else EmbeddedStore(address)
