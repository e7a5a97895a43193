"""An adaptive limit on calls in flight: overload halves it, and successes raise it again."""

import asyncio
from collections import deque


class Limiter:
    """Limits the calls in flight to a number between 1 and `max_limit`.

    Each success raises the limit a little. Each overload (HTTP 429, 529) halves it and stops new calls for as
    long as the provider asks. Overloads of calls that were already in flight count once.
    """

    def __init__(self, max_limit: int = 16) -> None:
        self.max_limit = max_limit
        self.limit = float(max_limit)
        self.in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._closed_until = 0.0
        self._last_cut = float("-inf")

    def lower(self, max_limit: int) -> None:
        """Lower the limit for the sake of another model on the same server."""
        self.max_limit = min(self.max_limit, max_limit)
        self.limit = min(self.limit, float(self.max_limit))

    @property
    def load(self) -> float:
        """Calls in flight and waiting, as a share of the limit."""
        return (self.in_flight + len(self._waiting)) / self.limit

    @property
    def closed(self) -> bool:
        """Whether the provider asked to wait."""
        return asyncio.get_running_loop().time() < self._closed_until

    async def acquire(self) -> float:
        """Wait until another call may start; return the time at which it starts."""
        loop = asyncio.get_running_loop()
        if not self._waiting and self._has_room(loop):
            self._take()
            return loop.time()
        waiter = loop.create_future()
        self._waiting.append(waiter)
        try:
            await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                self.release()
            raise
        return loop.time()

    def release(self) -> None:
        """End a call."""
        self.in_flight -= 1
        self._wake(asyncio.get_running_loop())

    def succeeded(self) -> None:
        """Count a success. At a limit of n, about n successes raise the limit by one."""
        self.limit = min(float(self.max_limit), self.limit + 1 / self.limit)

    def overloaded(self, started: float, wait: float) -> None:
        """Count an overload of a call that began at `started`, and start no call for `wait` seconds."""
        loop = asyncio.get_running_loop()
        if started >= self._last_cut:
            self.limit = max(1.0, self.limit / 2)
            self._last_cut = loop.time()
        until = loop.time() + wait
        if until > self._closed_until:
            self._closed_until = until
            loop.call_at(until, self._reopen, loop, until)

    def _reopen(self, loop: asyncio.AbstractEventLoop, until: float) -> None:
        if until == self._closed_until:
            # A timer may fire slightly early, when the clock still shows a time before the end of the wait.
            self._closed_until = 0.0
            self._wake(loop)

    def _has_room(self, loop: asyncio.AbstractEventLoop) -> bool:
        return self.in_flight < int(self.limit) and loop.time() >= self._closed_until

    def _take(self) -> None:
        self.in_flight += 1

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting and self._has_room(loop):
            waiter = self._waiting.popleft()
            if not waiter.done():
                self._take()
                waiter.set_result(None)
