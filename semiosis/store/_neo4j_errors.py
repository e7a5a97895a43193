"""Translates the errors of Neo4j and its driver. No message contains a user name or a password."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from semiosis.values import SemiosisError, StoreError, UsageError

if TYPE_CHECKING:
    from neo4j.exceptions import Neo4jError

EXPLAIN = "EXPLAIN "
"""Put before a query to get its plan without running it."""

_RUNNING = "is it running? for a local one: semiosis neo4j status"
_LOGIN = "set NEO4J_USERNAME and NEO4J_PASSWORD"

_BY_CODE: tuple[tuple[str, type[SemiosisError], str, str], ...] = (
    ("Security.Unauthorized", StoreError, "the server refuses the user name or the password", _LOGIN),
    ("Security.AuthenticationRateLimit", StoreError, "too many wrong passwords", "wait a few seconds"),
    (
        "Security.CredentialsExpired",
        StoreError,
        "the password must be changed first",
        "log in with Neo4j Browser",
    ),
    ("Security.Forbidden", StoreError, "this user lacks the permission", "ask the database's administrator"),
    ("ReadOnly", StoreError, "the database is read-only", "use another database, or ask its administrator"),
    (
        "NotALeader",
        StoreError,
        "this server does not accept writes",
        "use a neo4j:// address, which finds the server that does",
    ),
    ("DatabaseNotFound", StoreError, "the server has no such database", "check NEO4J_DATABASE"),
    ("DatabaseUnavailable", StoreError, "the database is not available", _RUNNING),
    (
        "OutOfMemory",
        StoreError,
        "the server ran out of memory",
        "request less data at once, or give the server a larger heap",
    ),
    ("OutOfDisk", StoreError, "the server's disk is full", "free some space there"),
    (
        "Statement.AccessMode",
        UsageError,
        "this query would write, but queries only read",
        "add --write",
    ),
)
"""Part of the error code, the error to raise, what happened, and what to do."""


@contextmanager
def translate_errors(address: str, timeout: float = 0.0) -> Iterator[None]:
    """Raise every error of the driver as an error of Semiosis."""
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        yield
    except Neo4jError as error:
        raise _translate(error, address, timeout) from error
    except DriverError as error:
        raise StoreError(
            f"the server does not answer ({type(error).__name__})", where=address, fix=_RUNNING
        ) from error
    except UnicodeEncodeError as error:
        raise UsageError(
            "the query contains half of a surrogate pair, which is not a character",
            fix="decode its text as UTF-8",
        ) from error
    except (OSError, ValueError) as error:  # an address that cannot be resolved or parsed
        raise StoreError(f"cannot connect: {error}", where=address, fix=_RUNNING) from error


def timeout_error(timeout: float) -> StoreError:
    """Return the error for a query that ran too long."""
    return StoreError(
        f"the query ran longer than {timeout:g} s and was stopped",
        fix="start it from an id or a label, or raise the timeout",
    )


def _translate(error: "Neo4jError", address: str, timeout: float) -> SemiosisError:
    code = error.code or ""
    if "TransactionTimedOut" in code:
        return timeout_error(timeout)
    for part, kind, what, fix in _BY_CODE:
        if part in code:
            return kind(what, where=address, fix=fix)
    if ".Statement." in code or ".Procedure." in code or ".Schema." in code:
        return UsageError(
            f"the query failed: {_message_with_position(error)}", fix="see docs: the property graph"
        )
    return StoreError(
        f"the server reports an error: {error.message}", where=address, fix=f"look up its code: {code}"
    )


def _message_with_position(error: "Neo4jError") -> str:
    """Return the server's message about a query, with columns counted without our EXPLAIN."""
    message, found, position = (error.message or "").partition(" (line ")
    numbers = [int(number) for number in re.findall(r"\d+", position)[:2]]
    if not found or len(numbers) < 2:
        return message
    line, column = numbers
    return f"{message} (line {line}, column {column - len(EXPLAIN) if line == 1 else column})"
