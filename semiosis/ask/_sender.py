"""Sends one call and tries again after errors; every reply is journaled before it is decoded."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from semiosis.ask._answer import Answer, NotAReply, decode, storable
from semiosis.ask._batch import Batcher
from semiosis.ask._budget import Budget
from semiosis.ask._codec import Arguments, fingerprint, versions
from semiosis.ask._endpoint import Endpoint, Endpoints, Received
from semiosis.ask._failure import Failure, classify_error
from semiosis.ask._journal import Call, Journal
from semiosis.ask._log import logger
from semiosis.ask._model import Model
from semiosis.ask._request import Request
from semiosis.ask._secret import hide_keys
from semiosis.values import ProviderError, SemiosisError

R = TypeVar("R")

_LONGEST_BACKOFF = 60.0
_QUIET_WAIT = 2.0
"""Shorter waits are not worth a line on the screen."""
_UNREACHABLE_TRIES = 3
"""A server that never answered is given up after so many refused connections."""


@dataclass(frozen=True)
class Patience:
    """How long to wait for a provider, and how often to try again."""

    tries: int = 10
    """Calls for one attempt, the first included."""
    first_wait: float = 0.5
    """Seconds before the second try; each further wait is twice as long, with jitter."""
    timeout: float = 600.0
    """Seconds that one call may take, from sending it to the last byte of its reply."""
    total_timeout: float = 1800.0
    """Seconds that all tries of one call may take together."""
    longest_wait: float = 120.0
    """The longest wait that a provider may ask for."""
    stop_after: int = 10
    """The run stops after so many questions in a row that failed with the same error."""


@dataclass
class Outgoing:
    """One call of one question."""

    request: Request[Any]
    attempt: int
    """1 for the first time it is asked, 2 for the first re-ask."""
    encode: Callable[[], Arguments]
    """Makes the arguments: only when the call may start, because each copy holds its pictures."""
    tries: int = 0
    """How often it was sent."""

    def fingerprint(self, arguments: Arguments) -> str:
        """Return the SHA-256 of this call."""
        return fingerprint(arguments, self.request.repeat, self.attempt)


@dataclass(frozen=True, slots=True)
class Paid:
    """A reply that is on disk and decoded."""

    call: int
    """Its number in the journal."""
    arguments: Arguments
    """What was sent."""
    answer: Answer
    """What came back."""
    received: Received
    """The bytes."""


@dataclass
class Sender:
    """Sends calls for one asker."""

    journal: Journal
    budget: Budget
    patience: Patience
    in_flight: set[asyncio.Task[Any]] = field(default_factory=set)
    _jitter: random.Random = field(default_factory=random.Random)
    _streaks: dict[Model, tuple[str, int]] = field(default_factory=dict)

    async def send(
        self, endpoints: Endpoints, outgoing: Outgoing, batcher: Batcher | None = None
    ) -> Paid | Failure:
        """Send a call until it is answered, or return why it was not."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while True:
            outgoing.tries += 1
            server = endpoints.choose()
            outcome = await self._try(endpoints, server, outgoing, batcher)
            if isinstance(outcome, Paid):
                self._streaks.pop(endpoints.model, None)
                return outcome
            wait = self._wait(outcome, outgoing.tries)
            if wait is None or loop.time() + wait - began > self.patience.total_timeout:
                return self._given_up(endpoints.model, outcome, batcher)
            _stop_if_unreachable(endpoints, server, outcome, outgoing.tries)
            await self._pause(endpoints, server, outcome, wait, outgoing.tries)
            self.budget.retries += 1

    async def restore(
        self, endpoints: Endpoints, outgoing: Outgoing, paid: dict[tuple[int, str], tuple[int, bytes]]
    ) -> Paid | None:
        """Return the reply of an interrupted run to this call, if the journal holds one."""
        if not any(attempt == outgoing.attempt for attempt, _ in paid):
            return None
        arguments = outgoing.encode()
        found = paid.get((outgoing.attempt, outgoing.fingerprint(arguments)))
        answer = decode(found[1], endpoints.model.profile.api) if found else None
        if found is None or not isinstance(answer, Answer):
            return None
        usage = self.budget.price(outgoing.request, answer.usage, batch=False)
        self.journal.set_price(found[0], answer.served, usage, is_estimate=answer.usage is None)
        return Paid(found[0], arguments, answer, Received(found[1]))

    async def _try(
        self, endpoints: Endpoints, server: Endpoint, outgoing: Outgoing, batcher: Batcher | None
    ) -> Paid | Failure:
        reserved = await self.budget.reserve(outgoing.request, batch=batcher is not None)
        if isinstance(reserved, Failure):
            return reserved
        try:
            if batcher is not None:
                return await self._through_a_batch(endpoints, outgoing, batcher)
            started = await server.limiter.acquire()
            return await self._uninterrupted(self._call(endpoints, server, started, outgoing))
        finally:
            self.budget.settle(reserved)

    async def _call(
        self, endpoints: Endpoints, server: Endpoint, started: float, outgoing: Outgoing
    ) -> Paid | Failure:
        """Send a call that has a slot, and release the slot when its reply is on disk.

        A process that is killed then loses no more replies than calls may be in flight.
        """
        try:
            arguments = outgoing.encode()
            received = await self._received(endpoints, server, started, outgoing, arguments)
            if isinstance(received, Failure):
                return received
            number = await self._write(outgoing, arguments, received, batch=False)
        finally:
            server.limiter.release()
        outcome = await self._decoded(endpoints, outgoing, arguments, received, number, batch=False)
        if isinstance(outcome, Paid):
            server.limiter.succeeded()
        return outcome

    async def _received(
        self,
        endpoints: Endpoints,
        server: Endpoint,
        started: float,
        outgoing: Outgoing,
        arguments: Arguments,
    ) -> Received | Failure:
        """Return the reply's bytes, or why there are none."""
        try:
            async with asyncio.timeout(server.deadline):
                received = await server.send(arguments)
        except SemiosisError:
            raise
        except Exception as error:  # noqa: BLE001  # any SDK's error: the unknown ones are raised again
            failure = classify_error(error, endpoints.model)
            server.answered = server.answered or not failure.unreachable
            if failure.sent:
                self.budget.lose(outgoing.request, batch=False)
            if failure.overloaded:
                # Before the slot is released: no waiting call may start in between.
                server.limiter.overloaded(started, self._wait(failure, outgoing.tries) or 0.0)
            return failure
        server.answered = True
        return received

    async def _through_a_batch(
        self, endpoints: Endpoints, outgoing: Outgoing, batcher: Batcher
    ) -> Paid | Failure:
        arguments = outgoing.encode()
        outcome = await batcher.send(outgoing.fingerprint(arguments), arguments)
        if isinstance(outcome, Failure):
            return outcome
        return await self._uninterrupted(self._collected(endpoints, outgoing, arguments, outcome))

    async def _collected(
        self, endpoints: Endpoints, outgoing: Outgoing, arguments: Arguments, received: Received
    ) -> Paid | Failure:
        number = await self._write(outgoing, arguments, received, batch=True)
        return await self._decoded(endpoints, outgoing, arguments, received, number, batch=True)

    async def _write(
        self, outgoing: Outgoing, arguments: Arguments, received: Received, *, batch: bool
    ) -> int:
        """Put the reply's bytes on disk; return their number in the journal."""
        request = outgoing.request
        call = Call(
            key=request.key,
            attempt=outgoing.attempt,
            sent=outgoing.fingerprint(arguments),
            reply=received.body,
            model=request.model.full_name,
            versions=versions(),
            batch=batch,
            request=hide_keys(storable(request.record)),
        )
        return await asyncio.wrap_future(self.journal.record(call))

    async def _decoded(
        self,
        endpoints: Endpoints,
        outgoing: Outgoing,
        arguments: Arguments,
        received: Received,
        number: int,
        *,
        batch: bool,
    ) -> Paid | Failure:
        """Decode a reply that is on disk, and add it to the totals."""
        answer = decode(received.body, endpoints.model.profile.api)
        if isinstance(answer, NotAReply):
            await asyncio.wrap_future(self.journal.set_error(number))
            return Failure("provider", answer.detail, retry=not batch, sent=False, resumable=True)
        usage = self.budget.price(outgoing.request, answer.usage, batch=batch)
        # Not waited for: the next entry of this question is in the same or a later transaction.
        self.journal.set_price(number, answer.served, usage, is_estimate=answer.usage is None)
        self.budget.pay(outgoing.request.model, usage, is_estimate=answer.usage is None)
        return Paid(number, arguments, answer, received)

    async def _uninterrupted(self, work: Coroutine[Any, Any, R]) -> R:
        """Run work that must not be lost: a cancellation waits until a call on the wire is recorded."""
        task = asyncio.create_task(work)
        self.in_flight.add(task)
        task.add_done_callback(self.in_flight.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            if not task.cancelled():
                task.exception()  # seen, so that asyncio does not report it
            raise

    def _wait(self, failure: Failure, number: int) -> float | None:
        """Return the seconds to wait before the next try; None if there is none."""
        patience = self.patience
        if not failure.retry or number >= patience.tries or (failure.wait or 0) > patience.longest_wait:
            return None
        backoff = min(_LONGEST_BACKOFF, patience.first_wait * 2.0 ** (number - 1))
        # A provider that asks for no wait at all would use up all tries in a moment.
        return max(failure.wait or 0.0, backoff * self._jitter.uniform(0.5, 1.0))

    async def _pause(
        self, endpoints: Endpoints, server: Endpoint, failure: Failure, wait: float, number: int
    ) -> None:
        if not failure.overloaded and endpoints.has_another(server):
            server.cool_down()
            return
        if wait >= _QUIET_WAIT:
            logger.warning(
                "%s: %s; trying again in %.0f s (try %d of %d)",
                endpoints.model.full_name,
                failure.detail,
                wait,
                number + 1,
                self.patience.tries,
            )
        if not failure.overloaded:  # else the limiter holds the server's calls back
            await asyncio.sleep(wait)

    def _given_up(self, model: Model, failure: Failure, batcher: Batcher | None) -> Failure:
        """Return the failure; raise if the same one ended many questions in a row."""
        longest = self.patience.longest_wait
        if failure.wait is not None and failure.wait > longest:
            asked = f"the provider asks to wait {failure.wait:.0f} s, longer than {longest:g} s"
            failure = Failure("provider", f"{asked}: {failure.detail}", sent=False, resumable=True)
        if failure.reason not in ("provider", "timeout") or batcher is not None:
            return failure
        last, count = self._streaks.get(model, ("", 0))
        count = count + 1 if last == failure.signature else 1
        self._streaks[model] = (failure.signature, count)
        if count >= self.patience.stop_after:
            raise ProviderError(
                f"{count} questions in a row failed with the same error: {failure.detail}",
                where=model.full_name,
                fix="check your credit and the endpoint, then run the same command again; what was paid "
                "for is kept",
            )
        return failure


def _stop_if_unreachable(endpoints: Endpoints, server: Endpoint, failure: Failure, number: int) -> None:
    if failure.unreachable and not endpoints.answered and number >= _UNREACHABLE_TRIES:
        raise ProviderError(
            f"no connection to {server.url or endpoints.model.provider}: {failure.detail}",
            fix="start the server or check the address and the network",
        )
