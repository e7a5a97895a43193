"""Carries one question and its re-asks to the provider, and puts each reply on disk before it is used."""

import asyncio
import hashlib
import json
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from semiosis.ask._batch import Batcher
from semiosis.ask._books import Books
from semiosis.ask._failure import GaveUpError, Trouble, shortened, sort_out
from semiosis.ask._journal import Call, Journal
from semiosis.ask._limit import TURN, Limiter, Turn
from semiosis.ask._provider import Connection, ended, reply_text, usage_of, versions
from semiosis.ask._request import Request
from semiosis.values import SemiosisError, Unscored, UnscoredReason

R = TypeVar("R")

_CUT_OFF = ("max_tokens", "length", "model_context_window_exceeded")
_REFUSED = ("refusal", "content_filter")
_LONGEST_WAIT = 60.0


@dataclass
class Road:
    """What every courier of a run shares."""

    journal: Journal
    limiter: Limiter
    books: Books
    tries: int
    first_wait: float
    in_flight: set[asyncio.Task[Any]] = field(default_factory=set)
    jitter: random.Random = field(default_factory=random.Random)


@dataclass
class Courier:
    """The trips of one question."""

    road: Road
    connection: Connection
    request: Request[Any]
    paid: dict[tuple[int, str], tuple[int, str]]
    """Replies of an interrupted run that nobody has looked at yet."""
    batcher: Batcher | None = None
    attempt: int = 0
    call: int = 0
    """The journal's number of the last reply."""
    reply: Any = None
    """The last reply."""

    async def create(self, **arguments: Any) -> Any:
        """What instructor calls in place of the SDK: its reply, from the journal or the provider."""
        self.attempt += 1
        sent = _fingerprint(arguments, self.request.repeat, self.attempt)
        waiting = self.paid.get((self.attempt, sent))
        restored = self.connection.restored(waiting[1]) if waiting else None
        if waiting and restored is not None:
            self.call, self.reply = waiting[0], restored
        else:
            self.call, self.reply = await self._send(arguments, sent)
        _look(self.reply)
        return self.reply

    async def _send(self, arguments: dict[str, Any], sent: str) -> tuple[int, Any]:
        for tries in range(1, self.road.tries + 1):
            turn = Turn(self.road.limiter)
            outcome = await self._kept_alive(self._trip(arguments, sent, turn), turn)
            if not isinstance(outcome, Trouble):
                self.road.limiter.succeeded()
                return outcome
            await self._wait(outcome, turn, tries)
        raise AssertionError("the last try either returns or gives up")

    async def _kept_alive(self, work: Coroutine[Any, Any, R], turn: Turn) -> R:
        """Lets Ctrl-C end a call that waits for its turn; one under way is paid for, so its reply is kept."""
        trip = asyncio.create_task(work)
        self.road.in_flight.add(trip)
        trip.add_done_callback(self.road.in_flight.discard)
        try:
            return await asyncio.shield(trip)
        except asyncio.CancelledError:
            if turn.started is None and self.batcher is None:
                trip.cancel()
            raise

    async def _wait(self, trouble: Trouble, turn: Turn, tries: int) -> None:
        if not trouble.passing or tries == self.road.tries:
            raise GaveUpError(trouble.unscored)
        backoff = min(_LONGEST_WAIT, self.road.first_wait * 2 ** (tries - 1)) * self.road.jitter.uniform(
            0.5, 1.0
        )
        wait = backoff if trouble.wait is None else trouble.wait
        if trouble.overloaded and self.batcher is None:
            # This closes the door for everyone, this courier included.
            self.road.limiter.overloaded(turn.started or 0.0, wait)
        else:
            await asyncio.sleep(wait)

    async def _trip(self, arguments: dict[str, Any], sent: str, turn: Turn) -> tuple[int, Any] | Trouble:
        """One call, from the reservation of its cost to its entry in the journal."""
        reserved = 0
        try:
            try:
                reserved = await self.road.books.reserve(self.request, batch=self.batcher is not None)
                reply = await self._call(arguments, sent, turn)
            finally:
                turn.leave()  # before the disk is waited for: the next call may start
            return await self._record(reply, sent), reply
        except (GaveUpError, SemiosisError):
            raise
        except Exception as error:  # noqa: BLE001  # any SDK's error: sort_out raises again what it does not know
            return sort_out(error, self.request.model)
        finally:
            self.road.books.settle(reserved)

    async def _call(self, arguments: dict[str, Any], sent: str, turn: Turn) -> Any:
        if self.batcher is not None:
            return await self.batcher.send(sent, arguments)
        TURN.set(turn)
        if not self.connection.takes_turns:
            await turn.enter()
        return await self.connection.create(**arguments)

    async def _record(self, reply: Any, sent: str) -> int:
        model = self.request.model
        usage = usage_of(reply)
        cost = self.road.books.prices.cost(model, usage, batch=self.batcher is not None)
        usage = usage.model_copy(update={"cost": cost})
        served = str(getattr(reply, "model", "") or "")
        call = Call(
            key=self.request.key,
            attempt=self.attempt,
            sent=sent,
            reply=_as_json(reply),
            model=model.full_name,
            served=served,
            usage=usage,
            versions=versions(),
        )
        number = await asyncio.wrap_future(self.road.journal.record(call))
        self.road.books.pay(model.full_name, usage)
        if self.batcher is not None:
            await asyncio.wrap_future(self.road.journal.collected(sent))
        return number


def _look(reply: Any) -> None:
    """Gives up on replies that hold no answer: asking again in the same words would not help."""
    why, said = ended(reply), reply_text(reply)
    reasons: tuple[tuple[bool, UnscoredReason, str], ...] = (
        (why in _REFUSED, "refusal", "the model refused to answer"),
        (why in _CUT_OFF, "cut-off", "the reply was cut off; a larger max_tokens may help"),
        (not said.strip(), "empty", "the reply was empty"),
    )
    for found, reason, detail in reasons:
        if found:
            raise GaveUpError(Unscored(reason=reason, detail=detail, raw=shortened(said)))


def _fingerprint(arguments: dict[str, Any], repeat: int, attempt: int) -> str:
    text = json.dumps([arguments, repeat, attempt], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def _as_json(reply: Any) -> str:
    dump: Callable[[], str] = getattr(reply, "model_dump_json", lambda: json.dumps(str(reply)))
    return dump()
