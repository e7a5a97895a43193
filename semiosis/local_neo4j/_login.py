"""The password of a local server: set before its first start, tried before the server counts as running."""

import hashlib
import os
import secrets
import socket
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from semiosis.values import MachineError, StoreError

_PAUSE = 0.2
_HASH_ITERATIONS = 1024
"""The number of iterations that Neo4j states in the files that it writes itself."""


def ensure_password(home: Path) -> str:
    """Return the password of a home folder. A new password is on disk before the first start."""
    path = home / "password"
    if not path.exists():
        _write_private(path, secrets.token_urlsafe(18) + "\n")
    return path.read_text(encoding="utf-8").strip()


def set_initial_password(home: Path, password: str) -> None:
    """Give the user `neo4j` this password before the server opens a port.

    Otherwise any local process could log in with the default password until the first login changes it. Neo4j
    reads the file when it creates the user, or when the user still has the default password.
    """
    folder = home / "data" / "dbms"
    folder.mkdir(parents=True, exist_ok=True)
    _write_private(folder / "auth.ini", f"neo4j:{_credential(password, secrets.token_bytes(32))}:\n")


def _write_private(path: Path, content: str) -> None:
    """Write a file that only its owner can read. Other users never see an incomplete file."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with os.fdopen(
        os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as file:
        file.write(content)
    draft.replace(path)


def _credential(password: str, salt: bytes) -> str:
    """Return the salted hash in the form of `neo4j-admin dbms set-initial-password`.

    The command itself would show the password to other users in the list of processes.
    """
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(_HASH_ITERATIONS - 1):
        digest = hashlib.sha256(digest).digest()
    return f"SHA-256,{digest.hex()},{salt.hex()},{_HASH_ITERATIONS}"


def wait_for_login(url: str, password: str, *, check_alive: Callable[[], None], seconds: float) -> None:
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
    from neo4j import GraphDatabase

    with (
        GraphDatabase.driver(url, auth=("neo4j", password), connection_acquisition_timeout=5) as driver,
        driver.session(database="neo4j") as session,
    ):
        session.run("RETURN 1").consume()
