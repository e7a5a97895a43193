"""Waits for a server that is starting, logs in, and changes the initial password."""

import socket
import time
from collections.abc import Callable
from typing import LiteralString
from urllib.parse import urlsplit

from semiosis.values import MachineError, StoreError

_INITIAL_LOGIN = ("neo4j", "neo4j")
_PAUSE = 0.2
_CHANGE: LiteralString = "ALTER CURRENT USER SET PASSWORD FROM $old TO $new"


def first_login(url: str, password: str, *, check_alive: Callable[[], None], seconds: float) -> None:
    """Wait until ``url`` accepts ``password``; ``check_alive`` raises if the server process has ended."""
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        check_alive()
        try:
            _probe(url)
            _log_in(url, password)
        except AuthError as error:
            raise StoreError(
                "the local Neo4j does not accept the password in its password file",
                fix="restore the file `password` in its home folder, or start with a new --home",
            ) from error
        except (DriverError, Neo4jError, OSError):
            time.sleep(_PAUSE)  # not listening yet, or its system database is still opening
        else:
            return
    raise MachineError(f"Neo4j did not answer within {seconds:.0f} seconds", fix="start again")


def _probe(url: str) -> None:
    """Raise at once if the port is closed. A login attempt would take a hundred times longer."""
    address = urlsplit(url)
    socket.create_connection((address.hostname, address.port), timeout=5).close()


def _log_in(url: str, password: str) -> None:
    """Log in; if that fails, log in with the initial password and change it."""
    from neo4j.exceptions import AuthError

    try:
        _run_query(url, ("neo4j", password), "RETURN 1")
    except AuthError:
        _run_query(url, _INITIAL_LOGIN, _CHANGE, old=_INITIAL_LOGIN[1], new=password)
        _run_query(url, ("neo4j", password), "RETURN 1")


def _run_query(url: str, auth: tuple[str, str], cypher: LiteralString, **parameters: str) -> None:
    from neo4j import GraphDatabase

    with (
        GraphDatabase.driver(url, auth=auth, connection_acquisition_timeout=5) as driver,
        driver.session(database="system" if parameters else "neo4j") as session,
    ):
        session.run(cypher, parameters).consume()
