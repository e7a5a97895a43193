"""A limit on calls in flight: halved when the provider is overloaded, raised again by successes."""

import asyncio
from collections import deque


class Limiter:
    """At most so many calls in flight, adapting between 1 and `most`.

    Each success raises the limit a little, each overload (HTTP 429, 529) halves it and stops new calls for as
    long as the provider asks. A burst of overloads that were already in flight counts once.
    """

    def __init__(self, most: int = 16) -> None:
        self.most = most
        self.limit = float(most)
        self.in_flight = 0
        self.highest = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._closed_until = 0.0
        self._last_cut = float("-inf")

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
        turn = loop.create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.release()
            raise
        return loop.time()

    def release(self) -> None:
        """End a call."""
        self.in_flight -= 1
        self._wake(asyncio.get_running_loop())

    def succeeded(self) -> None:
        """Count a success: as many successes as the limit raise it by one."""
        self.limit = min(float(self.most), self.limit + 1 / self.limit)

    def overloaded(self, started: float, wait: float) -> None:
        """Count an overload of a call that started then; start nothing for this many seconds."""
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
            # Timers may fire a little early; the clock would then still say closed.
            self._closed_until = 0.0
            self._wake(loop)

    def _has_room(self, loop: asyncio.AbstractEventLoop) -> bool:
        return self.in_flight < int(self.limit) and loop.time() >= self._closed_until

    def _take(self) -> None:
        self.in_flight += 1
        self.highest = max(self.highest, self.in_flight)

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting and self._has_room(loop):
            turn = self._waiting.popleft()
            if not turn.done():
                self._take()
                turn.set_result(None)
