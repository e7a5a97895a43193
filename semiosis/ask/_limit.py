"""One limit for calls in flight: down when the provider says it is overloaded, up again when it is not."""

import asyncio
from collections import deque
from contextvars import ContextVar


class Limiter:
    """At most so many calls in flight, adapting between 1 and `most`.

    Each success widens the limit a little, each overload (HTTP 429, 529) halves it and stops new calls for as
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

    async def enter(self) -> float:
        """Waits for room and takes one place; gives the time the call starts."""
        loop = asyncio.get_running_loop()
        await self._turn(loop)
        return loop.time()

    def leave(self) -> None:
        """Gives the place back."""
        self.in_flight -= 1
        self._wake(asyncio.get_running_loop())

    def succeeded(self) -> None:
        """A call went through: a whole round of successes adds one place."""
        self.limit = min(float(self.most), self.limit + 1 / self.limit)

    def overloaded(self, started: float, wait: float) -> None:
        """The provider turned a call away that had started then, and asks to wait this many seconds."""
        loop = asyncio.get_running_loop()
        if started >= self._last_cut:
            self.limit = max(1.0, self.limit / 2)
            self._last_cut = loop.time()
        until = loop.time() + wait
        if until > self._closed_until:
            self._closed_until = until
            loop.call_at(until, self._reopen, loop, until)

    async def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._waiting and self._room(loop):
            self._take()
            return
        turn = loop.create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.in_flight -= 1
                self._wake(loop)
            raise

    def _reopen(self, loop: asyncio.AbstractEventLoop, until: float) -> None:
        if until == self._closed_until:
            self._closed_until = (
                0.0  # timers may fire a hair early, and then the clock would still say closed
            )
            self._wake(loop)

    def _room(self, loop: asyncio.AbstractEventLoop) -> bool:
        return self.in_flight < int(self.limit) and loop.time() >= self._closed_until

    def _take(self) -> None:
        self.in_flight += 1
        self.highest = max(self.highest, self.in_flight)

    def _wake(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting and self._room(loop):
            turn = self._waiting.popleft()
            if not turn.done():
                self._take()
                turn.set_result(None)


class Turn:
    """One call's place among those in flight: held while it is on the wire, not while it is made or read.

    Each call runs in a task of its own and finds its turn in `TURN`, so that the HTTP client, which alone
    knows when a request leaves and its reply is in, can take the place and give it back.
    """

    def __init__(self, limiter: Limiter) -> None:
        self.started: float | None = None
        self._limiter = limiter
        self._held = False

    async def enter(self) -> None:
        """Waits for room and takes the place; once is enough."""
        if self.started is None:
            self.started = await self._limiter.enter()
            self._held = True

    def leave(self) -> None:
        """Gives the place back; once is enough."""
        if self._held:
            self._held = False
            self._limiter.leave()


TURN: ContextVar[Turn | None] = ContextVar("TURN", default=None)
"""The turn of the call that this task makes; none for a batch's calls."""
