"""Finds the login for a Neo4j server: in the environment, in the local server's file, or by asking."""

import os
import sys
from getpass import getpass
from urllib.parse import urlsplit

from semiosis.files import local_password
from semiosis.values import UsageError


def credentials(url: str) -> tuple[str, str]:
    """Return the user name and the password for the server at ``url``."""
    refuse_secrets(url)
    name = os.environ.get("NEO4J_USERNAME", "neo4j")
    password = os.environ.get("NEO4J_PASSWORD") or local_password(url)
    if password is None and sys.stdin.isatty():
        password = getpass(f"Password of {name} at {url}: ")
    if password is None:
        raise UsageError(
            "the server needs a password", where=url, fix="set NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    return name, password


def refuse_secrets(url: str) -> None:
    """Refuse an address that contains a password, because addresses end up in logs and shell histories."""
    if "@" in urlsplit(url).netloc:
        raise UsageError(
            "an address must not contain a user name or password",
            fix="set NEO4J_USERNAME and NEO4J_PASSWORD instead",
        )
