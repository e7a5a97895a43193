"""Sends a call until it is answered or fails for good. Every reply is recorded before it is used."""

import asyncio
import random
from collections.abc import Coroutine
from typing import Any, TypeVar

from semiosis.ask._batch import Batcher
from semiosis.ask._budget import Budget
from semiosis.ask._codec import Arguments
from semiosis.ask._connection import ModelConnection, Server
from semiosis.ask._failure import Failure, classify_error
from semiosis.ask._journal import Journal
from semiosis.ask._log import logger
from semiosis.ask._recorder import OutgoingCall, PaidReply, Recorder
from semiosis.ask._retry import FailureStreaks, RetryLimits
from semiosis.values import ProviderError, SemiosisError

R = TypeVar("R")

_MIN_LOGGED_WAIT = 2.0
"""Seconds. Shorter waits are not logged."""
_UNREACHABLE_TRIES = 3
"""The run stops after this many refused connections to a server that has never answered."""


class Sender:
    """Sends calls for one asker."""

    def __init__(self, journal: Journal, budget: Budget, retry_limits: RetryLimits) -> None:
        self.recorder = Recorder(journal, budget)
        self.in_flight: set[asyncio.Task[Any]] = set()
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
        """Send a call once, as soon as the budget allows it and a slot is free."""
        reserved = await self._budget.reserve(outgoing.request, batch=batcher is not None)
        if isinstance(reserved, Failure):
            return reserved
        try:
            if batcher is not None:
                return await self._send_in_batch(outgoing, batcher)
            started = await server.limiter.acquire()
            return await self._shielded(self._call(connection, server, outgoing, started))
        finally:
            self._budget.release(reserved)

    async def _call(
        self, connection: ModelConnection, server: Server, outgoing: OutgoingCall, started: float
    ) -> PaidReply | Failure:
        """Send a call that has a slot, and release the slot when its reply is on disk.

        A process that is killed therefore loses no more replies than the limit on calls in flight.
        """
        try:
            arguments = outgoing.encode()
            received = await self._receive(connection, server, outgoing, arguments)
            if isinstance(received, Failure):
                if received.overloaded:  # before the slot is released, so that no call starts in between
                    server.limiter.overloaded(started, self._wait(received, outgoing) or 0.0)
                return received
            outcome = await self.recorder.record(outgoing, arguments, received, batch=False)
            if isinstance(outcome, PaidReply):
                server.limiter.succeeded()
            return outcome
        finally:
            outgoing.seconds += asyncio.get_running_loop().time() - started
            server.limiter.release()

    async def _receive(
        self, connection: ModelConnection, server: Server, outgoing: OutgoingCall, arguments: Arguments
    ) -> bytes | Failure:
        """Return the reply's bytes, or why there are none."""
        seconds_left = self._retry.total_timeout - outgoing.seconds
        deadline = None if server.deadline is None else min(server.deadline, seconds_left)
        try:
            async with asyncio.timeout(deadline):
                received = await server.send(arguments)
        except SemiosisError:
            raise
        except Exception as error:  # noqa: BLE001  # any SDK's error; unknown ones are raised again
            failure = classify_error(error, connection.model)
            server.answered = server.answered or not failure.unreachable
            if failure.sent:
                self._budget.add_unanswered(outgoing.request, batch=False)
            return failure
        server.answered = True
        return received

    async def _send_in_batch(self, outgoing: OutgoingCall, batcher: Batcher) -> PaidReply | Failure:
        arguments = outgoing.encode()
        received = await batcher.send(outgoing.fingerprint(arguments), arguments)
        if isinstance(received, Failure):
            return received
        return await self._shielded(self.recorder.record(outgoing, arguments, received, batch=True))

    async def _shielded(self, work: Coroutine[Any, Any, R]) -> R:
        """Run work that must not be lost. A cancellation waits until the call in flight is recorded."""
        task = asyncio.create_task(work)
        self.in_flight.add(task)
        task.add_done_callback(self.in_flight.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            if not task.cancelled():
                task.exception()  # retrieved, so that asyncio does not report it
            raise

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
