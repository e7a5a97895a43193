"""Reads the home folder of a local Neo4j. `local_neo4j` writes it; `store` finds the password in it."""

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from semiosis.files._folders import data_folder

NEO4J_PORT = 7687
"""The Bolt port of an address that names none."""

_LOOPBACK = {"127.0.0.1", "localhost", "::1"}


def neo4j_home() -> Path:
    """Return the home folder of the user's Neo4j; ``SEMIOSIS_NEO4J_HOME`` overrides it."""
    own = os.environ.get("SEMIOSIS_NEO4J_HOME")
    return Path(own) if own else data_folder() / "neo4j"


def read_server_record(home: Path) -> dict[str, Any] | None:
    """Return how the server of ``home`` was last started, or None before its first start."""
    file = home / "server.json"
    return dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else None


def server_process_runs(record: dict[str, Any]) -> bool:
    """Return whether the recorded process still runs. The start time rules out a reused process id."""
    if record["pid"] is None:
        return False
    import psutil

    try:
        process = psutil.Process(record["pid"])
        same = abs(process.create_time() - record["born"]) < 2
        return bool(same and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def local_password(url: str) -> str | None:
    """Return the password of the user's local Neo4j if ``url`` is its address and it is running."""
    address = urlsplit(url)
    record = read_server_record(neo4j_home())
    if record is None or address.hostname not in _LOOPBACK or not server_process_runs(record):
        return None
    if (address.port or NEO4J_PORT) != record["bolt_port"]:
        return None
    return (neo4j_home() / "password").read_text(encoding="utf-8").strip()
