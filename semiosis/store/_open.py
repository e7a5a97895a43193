"""Opens a store by its address."""

import re
from pathlib import Path

from semiosis.files import has_scheme, without_login
from semiosis.store._embedded_store import EmbeddedStore
from semiosis.store._neo4j_store import Neo4jStore
from semiosis.store._protocol import Store
from semiosis.values import UsageError

_NEO4J = re.compile(r"(neo4j|bolt)(\+s|\+ssc)?://")


def is_url(address: str | Path) -> bool:
    """Return whether an address is that of a Neo4j server and not a folder. Other schemes are refused."""
    if not has_scheme(address):
        return False
    if _NEO4J.match(str(address)):
        return True
    raise UsageError(
        f"a store cannot be opened at {without_login(str(address))!r}",
        fix="give a study folder (with ./ before a name that has a colon), "
        "or a server: neo4j://host:port or bolt://host:port",
    )


def open_store(address: str | Path) -> Store:
    """Return the store at an address: a study folder, or a Neo4j server."""
    return Neo4jStore(str(address)) if is_url(address) else EmbeddedStore(address)
