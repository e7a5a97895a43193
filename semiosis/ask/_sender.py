"""Sends a call until it is answered or fails for good. Every reply is recorded before it is used."""

import asyncio
import logging
import random
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from semiosis.ask._batch import Batcher
from semiosis.ask._budget import Budget
from semiosis.ask._codec import Arguments
from semiosis.ask._connection import ModelConnection, Server
from semiosis.ask._failure import Failure, classify_error
from semiosis.ask._journal import Journal
from semiosis.ask._model import Model
from semiosis.ask._recorder import OutgoingCall, PaidReply, Recorder
from semiosis.values import ProviderError, SemiosisError

R = TypeVar("R")

logger = logging.getLogger("semiosis.ask")

_MIN_LOGGED_WAIT = 2.0
"""Seconds. Shorter waits are not logged."""
_UNREACHABLE_TRIES = 3
"""The run stops after this many refused connections to a server that has never answered."""
_MAX_BACKOFF = 60.0


@dataclass(frozen=True)
class RetryLimits:
    """How often and how long a call is tried again."""

    tries: int = 10
    """Calls for one attempt, the first included."""
    first_wait: float = 0.5
    """Seconds before the second try; each further wait is twice as long, with jitter."""
    timeout: float = 600.0
    """Seconds that one call may take, from sending it to the last byte of its reply."""
    total_timeout: float = 1800.0
    """Seconds that all tries of one call, and the waits between them, may take together."""
    longest_wait: float = 120.0
    """The longest wait that a provider may ask for."""
    stop_after: int = 10
    """The run stops when this many questions in a row have failed with the same error."""

    def wait(self, failure: Failure, tries: int, jitter: random.Random) -> float | None:
        """Return the seconds to wait before the next try; None if there is none."""
        if not failure.retry or tries >= self.tries or (failure.wait or 0) > self.longest_wait:
            return None
        backoff = min(_MAX_BACKOFF, self.first_wait * 2.0 ** (tries - 1))
        # If a provider asks for a wait of 0, the tries must not all be used up at once.
        return max(failure.wait or 0.0, backoff * jitter.uniform(0.5, 1.0))


@dataclass
class FailureStreaks:
    """Counts, for each model, the questions in a row that failed with the same error."""

    stop_after: int
    _last: dict[Model, tuple[str, int]] = field(default_factory=dict)

    def succeeded(self, model: Model) -> None:
        """Record a reply."""
        self._last.pop(model, None)

    def failed(self, model: Model, failure: Failure) -> None:
        """Record a failed question; raise if too many in a row failed with the same error."""
        if failure.reason not in ("provider", "timeout"):
            return
        last, count = self._last.get(model, ("", 0))
        count = count + 1 if last == failure.signature else 1
        self._last[model] = (failure.signature, count)
        if count >= self.stop_after:
            raise ProviderError(
                f"{count} questions in a row failed with the same error: {failure.detail}",
                where=model.full_name,
                fix="check your credit and the endpoint, then run the same command again; what was paid "
                "for is kept",
            )


class Sender:
    """Sends calls for one asker."""

    def __init__(self, journal: Journal, budget: Budget, retry_limits: RetryLimits) -> None:
        self.recorder = Recorder(journal, budget)
        self._journal = journal
        self._budget = budget
        self._retry = retry_limits
        self._streaks = FailureStreaks(retry_limits.stop_after)
        self._jitter = random.Random()  # noqa: S311  # it only spreads waits

    async def send(
        self, connection: ModelConnection, outgoing: OutgoingCall, batcher: Batcher | None = None
    ) -> PaidReply | Failure:
        """Send a call until it is answered, or return why it was not."""
        while True:
            outgoing.tries += 1
            server = connection.choose()
            outcome = await self._try(connection, server, outgoing, batcher)
            if isinstance(outcome, PaidReply):
                self._streaks.succeeded(connection.model)
                return outcome
            wait = self._wait(outcome, outgoing)
            if wait is None:
                return self._final_failure(connection, outcome, batcher)
            _stop_if_unreachable(connection, server, outcome, outgoing.tries)
            await self._pause(connection, server, outgoing, outcome, wait)
            self._budget.retries += 1

    async def _try(
        self, connection: ModelConnection, server: Server, outgoing: OutgoingCall, batcher: Batcher | None
    ) -> PaidReply | Failure:
        """Send a call once, as soon as a slot is free and the budget allows it.

        The slot comes first, so that only the calls in flight were allowed before a reply that costs more
        than expected. It is kept until the reply is on disk: a process that is killed loses no more replies.
        """
        if batcher is not None:
            return await self._within_budget(outgoing, lambda: self._send_in_batch(outgoing, batcher))
        await server.limiter.acquire()
        try:
            return await self._within_budget(
                outgoing, lambda: _to_its_end(self._call(connection, server, outgoing))
            )
        finally:
            server.limiter.release()

    async def _within_budget(
        self, outgoing: OutgoingCall, send: Callable[[], Coroutine[Any, Any, PaidReply | Failure]]
    ) -> PaidReply | Failure:
        """Reserve the most that a call can cost while it is sent; return a failure above the limit."""
        history = outgoing.history_tokens
        reserved = await self._budget.reserve(outgoing.request, history, batch=outgoing.batch)
        if isinstance(reserved, Failure):
            return reserved
        try:
            return await send()
        finally:
            self._budget.release(reserved)

    async def _call(
        self, connection: ModelConnection, server: Server, outgoing: OutgoingCall
    ) -> PaidReply | Failure:
        """Send a call that has a slot."""
        started = asyncio.get_running_loop().time()
        try:
            if self._journal.failure is not None:  # its reply would be lost
                raise self._journal.failure
            arguments = outgoing.encode()
            body = await self._receive(connection, server, outgoing, arguments)
            if isinstance(body, Failure):
                if body.overloaded:  # before the slot is released, so that no call starts in between
                    server.limiter.overloaded(started, self._wait(body, outgoing) or 0.0)
                return body
            outcome = await self.recorder.record(outgoing, arguments, body)
            if isinstance(outcome, PaidReply):
                server.limiter.succeeded()
            return outcome
        finally:
            outgoing.seconds += asyncio.get_running_loop().time() - started

    async def _receive(
        self, connection: ModelConnection, server: Server, outgoing: OutgoingCall, arguments: Arguments
    ) -> bytes | Failure:
        """Return the reply's bytes, or why there are none."""
        seconds_left = self._retry.total_timeout - outgoing.seconds
        deadline = None if server.deadline is None else min(server.deadline, seconds_left)
        try:
            async with asyncio.timeout(deadline):
                body = await server.send(arguments)
        except SemiosisError:
            raise
        except Exception as error:  # noqa: BLE001  # any SDK's error; unknown ones are raised again
            failure = classify_error(error, connection.model)
            server.answered = server.answered or not failure.unreachable
            if failure.sent:
                self._budget.add_unanswered(outgoing.request, outgoing.history_tokens, batch=False)
            return failure
        server.answered = True
        return body

    async def _send_in_batch(self, outgoing: OutgoingCall, batcher: Batcher) -> PaidReply | Failure:
        arguments = outgoing.encode()
        body = await batcher.send(outgoing.fingerprint(arguments), arguments)
        if isinstance(body, Failure):
            return body
        return await _to_its_end(self.recorder.record(outgoing, arguments, body))

    def _wait(self, failure: Failure, outgoing: OutgoingCall) -> float | None:
        """Return the seconds to wait before the next try; None if there is none."""
        wait = self._retry.wait(failure, outgoing.tries, self._jitter)
        in_time = wait is not None and outgoing.seconds + wait < self._retry.total_timeout
        return wait if in_time else None

    async def _pause(
        self,
        connection: ModelConnection,
        server: Server,
        outgoing: OutgoingCall,
        failure: Failure,
        wait: float,
    ) -> None:
        """Wait before the next try, unless another server can take over at once."""
        if not failure.overloaded and connection.has_another(server):
            server.cool_down()
            return
        if wait >= _MIN_LOGGED_WAIT:
            _announce(connection, outgoing, failure, wait, self._retry.tries)
        outgoing.seconds += wait
        if not failure.overloaded:  # otherwise the limiter delays the server's calls
            await asyncio.sleep(wait)

    def _final_failure(
        self, connection: ModelConnection, failure: Failure, batcher: Batcher | None
    ) -> Failure:
        """Return the failure; raise if many questions in a row failed with it."""
        longest = self._retry.longest_wait
        if failure.wait is not None and failure.wait > longest:
            reason = f"the provider asks to wait {failure.wait:.0f} s, longer than {longest:g} s"
            failure = Failure("provider", f"{reason}: {failure.detail}", sent=False, resumable=True)
        if batcher is None:
            self._streaks.failed(connection.model, failure)
        return failure


async def _to_its_end(work: Coroutine[Any, Any, R]) -> R:
    """Return the result of a call that must not be lost: a cancellation waits until it has ended.

    The asker cancels each question at most once, so nothing interrupts the second wait.
    """
    call = asyncio.create_task(work)
    try:
        await asyncio.wait([call])
    except asyncio.CancelledError:
        await asyncio.wait([call])
        call.exception()  # retrieved, so that asyncio does not report it
        raise
    return call.result()


def _announce(
    connection: ModelConnection, outgoing: OutgoingCall, failure: Failure, wait: float, tries: int
) -> None:
    logger.warning(
        "%s: %s; trying again in %.0f s (try %d of %d)",
        connection.model.full_name,
        failure.detail,
        wait,
        outgoing.tries + 1,
        tries,
    )


def _stop_if_unreachable(connection: ModelConnection, server: Server, failure: Failure, tries: int) -> None:
    if failure.unreachable and not connection.answered and tries >= _UNREACHABLE_TRIES:
        raise ProviderError(
            f"no connection to {server.url or connection.model.provider}: {failure.detail}",
            fix="start the server or check the address and the network",
        )
