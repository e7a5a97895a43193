"""The first login to a server that is still starting: wait, then change the password it was born with."""

import socket
import time
from collections.abc import Callable
from typing import LiteralString
from urllib.parse import urlsplit

from semiosis.values import MachineError, StoreError

_BORN_WITH = ("neo4j", "neo4j")
_PAUSE = 0.2
_CHANGE: LiteralString = "ALTER CURRENT USER SET PASSWORD FROM $old TO $new"


def first_login(url: str, password: str, *, alive: Callable[[], None], seconds: float) -> None:
    """Wait until ``url`` answers to ``password``; ``alive`` raises when waiting has become useless."""
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        alive()
        try:
            _knock(url)
            _log_in(url, password)
        except AuthError as error:
            raise StoreError(
                "the local Neo4j does not accept the password of its file",
                fix="put back the file `password` of its home, or start a new home",
            ) from error
        except (DriverError, Neo4jError, OSError):
            time.sleep(_PAUSE)  # not listening yet, or its system database is still opening
        else:
            return
    raise MachineError(f"Neo4j did not answer within {seconds:.0f} seconds", fix="start again")


def _knock(url: str) -> None:
    """Fail at once while nobody listens; asking the driver costs a hundred times more."""
    address = urlsplit(url)
    socket.create_connection((address.hostname, address.port), timeout=5).close()


def _log_in(url: str, password: str) -> None:
    """Log in, or log in as the server was born and set the password."""
    from neo4j.exceptions import AuthError

    try:
        _run(url, ("neo4j", password), "RETURN 1")
    except AuthError:
        _run(url, _BORN_WITH, _CHANGE, old=_BORN_WITH[1], new=password)
        _run(url, ("neo4j", password), "RETURN 1")


def _run(url: str, auth: tuple[str, str], cypher: LiteralString, **parameters: str) -> None:
    from neo4j import GraphDatabase

    with (
        GraphDatabase.driver(url, auth=auth, connection_acquisition_timeout=5) as driver,
        driver.session(database="system" if parameters else "neo4j") as session,
    ):
        session.run(cypher, parameters).consume()
