"""Reads questions and their replies from the journal, for `semiosis log`."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from semiosis.ask._database import journal_error
from semiosis.ask._decode import bytes_as_text
from semiosis.ask._failure import UnansweredRequest
from semiosis.ask._journal import complaint_key
from semiosis.ask._secret import hide_keys
from semiosis.values import DataError

_MILLION = 1_000_000
_CALLS = (
    "SELECT key, id, answer, attempt, state, at, model, served, input_tokens, output_tokens, micro_dollars,"
    " estimated, reply FROM calls WHERE substr(key, 1, ?) = ?"
    " ORDER BY (SELECT min(id) FROM calls first WHERE first.key = calls.key), id"
)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One reply to a question."""

    number: int
    """1 for the first time it was asked, 2 for the first re-ask."""
    state: str
    """`valid`, `invalid`, `paid` (not yet checked) or `error` (no reply of the API)."""
    at: datetime
    """When the reply arrived."""
    model: str
    """The model asked for."""
    served: str
    """The model that answered, as the provider named it."""
    input_tokens: int | None
    """Input tokens; None if unknown."""
    output_tokens: int | None
    """Output tokens; None if unknown."""
    cost: float | None
    """US dollars; None if the price is unknown."""
    is_estimate: bool
    """Whether the provider did not report the usage."""
    reply: str
    """The reply as it arrived."""
    complaint: str
    """What a re-ask said is wrong with the reply before it; empty for the first attempt."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question, and every reply to it."""

    key: str
    """The request key."""
    system: str
    """The instructions."""
    parts: tuple[str, ...]
    """What was shown, in order; pictures by name and hash."""
    settings: dict[str, Any]
    """Settings of the call, such as `max_tokens`."""
    attempts: tuple[Attempt, ...]
    """The replies, in the order in which they arrived."""
    failure: str = ""
    """Why no reply is a valid answer; empty if one is, or if the reason is not recorded."""

    @property
    def answered(self) -> bool:
        """Whether one of the replies is a valid answer."""
        return any(attempt.state == "valid" for attempt in self.attempts)


def read_exchanges(journal: Path, *, key: str = "", unscored: bool = False) -> Iterator[Exchange]:
    """Yield the questions of a journal in the order in which they were asked, without changing the file.

    `key` selects questions by the beginning of their key, `unscored` those without a valid answer.
    """
    if not journal.is_file():
        raise DataError("there is no reply journal", where=str(journal), fix="ask a model first")
    try:
        with closing(sqlite3.connect(f"{journal.resolve().as_uri()}?mode=ro", uri=True)) as db:
            for exchange in _exchanges(db, key):
                if not (unscored and exchange.answered):
                    yield exchange
    except sqlite3.Error as error:
        raise journal_error(error, journal, "read") from error


def _exchanges(db: sqlite3.Connection, beginning: str) -> Iterator[Exchange]:
    rows = db.execute(_CALLS, (len(beginning), beginning))
    for key, group in groupby(rows, key=itemgetter(0)):
        calls = list(group)
        attempts = tuple(_attempt(_recorded(db, complaint_key(call)), *rest) for _, call, _, *rest in calls)
        exchange = _exchange(key, _recorded(db, key), attempts)
        yield (
            exchange
            if exchange.answered
            else replace(exchange, failure=_failure([call[2] for call in calls]))
        )


def _recorded(db: sqlite3.Connection, key: str) -> str:
    """Return what the log shows for a question, or for a call that is a re-ask; empty if nothing."""
    row = db.execute("SELECT request FROM requests WHERE key = ?", (key,)).fetchone()
    return row[0] if row else ""


def _exchange(key: str, request: str, attempts: tuple[Attempt, ...]) -> Exchange:
    sent = json.loads(request) if request else {}
    parts = tuple(hide_keys(_part_text(part)) for part in sent.get("parts", ()))
    system = hide_keys(sent.get("system", ""))
    return Exchange(key, system, parts, sent.get("settings", {}), attempts)


def _failure(answers: list[str | None]) -> str:
    """Return the latest reason that the journal recorded instead of an answer; empty if there is none."""
    recorded = next((answer for answer in reversed(answers) if answer), None)
    if recorded is None:
        return ""
    reason = UnansweredRequest.model_validate_json(recorded)
    return hide_keys(f"{reason.reason}: {reason.detail}" if reason.detail else reason.reason)


def _part_text(part: dict[str, str]) -> str:
    return part["text"] if "text" in part else f"[picture {part['picture']}, SHA-256 {part['sha256'][:12]}]"


def _attempt(
    complaint: str,
    number: int,
    state: str,
    at: float,
    model: str,
    served: str,
    input_tokens: int | None,
    output_tokens: int | None,
    micro_dollars: int | None,
    estimated: int,
    reply: bytes,
) -> Attempt:
    cost = None if micro_dollars is None else micro_dollars / _MILLION
    when = datetime.fromtimestamp(at, UTC)
    text = hide_keys(bytes_as_text(reply))
    return Attempt(
        number,
        state,
        when,
        model,
        served,
        input_tokens,
        output_tokens,
        cost,
        bool(estimated),
        text,
        hide_keys(complaint),
    )
