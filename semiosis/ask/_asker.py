"""Asks: the journal first, then the provider, under one limit and one budget."""

import asyncio
import contextlib
import gc
import json
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from semiosis.ask._batch import Batcher
from semiosis.ask._books import Books
from semiosis.ask._courier import Courier, Road
from semiosis.ask._failure import GaveUpError, shortened
from semiosis.ask._journal import LEASE_SECONDS, Busy, Claimed, Journal, Kept
from semiosis.ask._limit import Limiter
from semiosis.ask._model import Model
from semiosis.ask._price import Prices
from semiosis.ask._provider import CALL_TIMEOUT, Connection, reply_text
from semiosis.ask._request import Request
from semiosis.files import cache_folder
from semiosis.values import Unscored, Usage, UsageError

T = TypeVar("T", bound=BaseModel)
R = TypeVar("R")

RE_ASKS = 2
TRIES = 10
FIRST_WAIT = 0.5
IN_FLIGHT = 16
_POLL = (0.02, 0.5)


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """A valid answer."""

    answer: T
    """What the model said, in the form asked for."""
    served: str
    """The model that answered, as the provider named it."""
    usage: Usage
    """What it cost, failed attempts included."""
    kept: bool = False
    """Whether it came from the journal."""


class Asker:
    """Asks structured questions. Readers and judges of one run share one asker: one limit, one budget.

    Its coroutines belong to the private loop (`wait_for`, `on_loop`). With `own_process` the process is there
    for this asker alone: what lives when calls begin is left out of garbage collection, which would else walk
    the SDKs' 300,000 objects in the midst of a run, a quarter of a second each time.
    """

    def __init__(
        self,
        journal: str | Path | None = None,
        *,
        in_flight: int = IN_FLIGHT,
        re_asks: int = RE_ASKS,
        tries: int = TRIES,
        first_wait: float = FIRST_WAIT,
        timeout: float = CALL_TIMEOUT,
        max_cost: float | None = None,
        prices: str | Path | None = None,
        batch: bool = False,
        batch_quiet: float = 2.0,
        batch_poll: float = 20.0,
        dry_run: bool = False,
        own_process: bool = False,
    ) -> None:
        self.books = Books(prices=Prices(prices), max_cost=max_cost)
        self.limiter = Limiter(in_flight)
        self.dry_run = dry_run
        self.batch = batch
        self._path = Path(journal) if journal else default_journal()
        self._journal: Journal | None = None
        self._re_asks, self._tries, self._first_wait, self._timeout = re_asks, tries, first_wait, timeout
        self._batch_pace = {"quiet": batch_quiet, "poll": batch_poll}
        self._connections: dict[Model, Connection] = {}
        self._batchers: dict[Model, Batcher] = {}
        self._asking: dict[str, asyncio.Future[Any]] = {}
        self._own_process = own_process
        self._planned: set[str] = set()
        self._heart: asyncio.Task[None] | None = None
        self._road: Road | None = None
        self._preparing = asyncio.Semaphore(in_flight + in_flight // 2)

    @property
    def journal(self) -> Journal:
        """The reply journal, opened when first needed."""
        if self._journal is None:
            self._journal = Journal(self._path)
        return self._journal

    @property
    def ahead(self) -> int | None:
        """How many questions to have under way so that none waits for its turn; all of them for a batch."""
        return None if self.batch else 4 * self.limiter.most

    async def ask(self, request: Request[T]) -> Reply[T] | Unscored:
        """The answer to one question, or why there is none. Asking the same at the same time asks once."""
        # Only a few more are prepared than can be in flight: each holds its pictures, and the replies that
        # arrive would have to wait behind the preparation of all the others. A batch wants them all.
        async with contextlib.nullcontext() if self.batch else self._preparing:
            return await self._ask_once(request)

    async def _ask_once(self, request: Request[T]) -> Reply[T] | Unscored:
        while (asking := self._asking.get(request.key)) is not None:
            await asyncio.wait([asking])
            if not asking.cancelled():
                return asking.result()  # type: ignore[no-any-return]  # the key holds the answer's schema
        mine = self._asking[request.key] = asyncio.get_running_loop().create_future()
        try:
            outcome = await self._ask(request)
            mine.set_result(outcome)
        finally:
            del self._asking[request.key]
            if not mine.done():
                mine.cancel()
        return outcome

    async def close(self) -> None:
        """Waits for the calls in flight, so that everything paid for is on disk, and closes all."""
        if self._heart:
            self._heart.cancel()
        if self._road and self._road.in_flight:
            await asyncio.wait(self._road.in_flight)
        for connection in self._connections.values():
            if connection.client is not None:
                await connection.client.close()
        if self._journal is not None:
            await asyncio.to_thread(self._journal.close)
            self._journal = None

    async def _ask(self, request: Request[T]) -> Reply[T] | Unscored:
        if self.dry_run:
            return await self._rehearse(request)
        self._beat()
        claim = await self._claim(request.key)
        while isinstance(claim, Kept):
            if reply := _from_kept(request, claim):
                self.books.kept += 1
                return reply
            await _done(self.journal.reject(request.key))  # it does not fit the form any more
            claim = await self._claim(request.key)
        try:
            return await self._fetch(request, claim)
        except BaseException:
            await asyncio.shield(_done(self.journal.release(request.key)))
            raise

    async def _claim(self, key: str) -> Kept | Claimed:
        wait, longest = _POLL
        while isinstance(claim := await _done(self.journal.claim(key)), Busy):
            await asyncio.sleep(wait)
            wait = min(2 * wait, longest)
        return claim

    async def _fetch(self, request: Request[T], claim: Claimed) -> Reply[T] | Unscored:
        connection = self._connection(request.model)
        courier = Courier(
            self._shared_road(), connection, request, claim.paid, self._batcher(request.model, connection)
        )
        try:
            answer = await self._structured(connection, courier, request)
        except GaveUpError as error:
            self.books.unscored += 1
            await _done(self.journal.reject(request.key))
            return error.unscored
        kept = await _done(self.journal.conclude(request.key, courier.call, answer.model_dump_json()))
        return Reply(answer, kept.served if kept else "", kept.usage if kept else Usage())

    async def _structured(self, connection: Connection, courier: Courier, request: Request[T]) -> T:
        """The answer through instructor, which sends replies that do not fit back with the reason."""
        from instructor.core.exceptions import InstructorRetryException

        try:
            return await connection.structured(courier.create, request, request.answer, self._re_asks)
        except InstructorRetryException as error:
            if not _misfit(error.__cause__):
                raise error.__cause__ or error from None
            if request.lenient is None:
                raise _malformed(courier, error.__cause__) from error
        return await self._leniently(connection, courier, request, request.lenient)

    async def _leniently(
        self, connection: Connection, courier: Courier, request: Request[T], form: type[T]
    ) -> T:
        from instructor.core.exceptions import InstructorRetryException

        async def last_reply(**_: object) -> object:
            return courier.reply

        try:
            return await connection.structured(last_reply, request, form, 0)
        except InstructorRetryException as error:
            raise _malformed(courier, error.__cause__) from error

    async def _rehearse(self, request: Request[T]) -> Reply[T] | Unscored:
        """A dry run's answer: the kept one, or a placeholder, entered in the books as planned."""
        kept = await _done(self.journal.peek(request.key)) if self._path.exists() else None
        if kept and (reply := _from_kept(request, kept)):
            self.books.kept += 1
            return reply
        if request.key not in self._planned:
            self._planned.add(request.key)
            self.books.plan(request)
        if request.placeholder is None:
            return Unscored(reason="missing", detail="a dry run asks nothing")
        return Reply(request.placeholder(), "dry-run", Usage())

    def _connection(self, model: Model) -> Connection:
        if model not in self._connections:
            self._connections[model] = Connection(model, self._timeout)
            if self._own_process:
                gc.freeze()
        return self._connections[model]

    def _batcher(self, model: Model, connection: Connection) -> Batcher | None:
        if not self.batch:
            return None
        if not model.profile.batches:
            raise UsageError(f"{model.provider} takes no batches here", fix="leave --batch out")
        if model not in self._batchers:
            self._batchers[model] = Batcher(connection.client, self.journal, **self._batch_pace)
        return self._batchers[model]

    def _shared_road(self) -> Road:
        if self._road is None:
            self._road = Road(self.journal, self.limiter, self.books, self._tries, self._first_wait)
        return self._road

    def _beat(self) -> None:
        if self._heart is None or self._heart.done():
            self._heart = asyncio.create_task(self._renew())

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(LEASE_SECONDS / 4)
            await _done(self.journal.renew())


def default_journal() -> Path:
    """Where replies are kept when no study is at hand: `$SEMIOSIS_CACHE`, else the user's cache folder."""
    return cache_folder() / "replies.sqlite"


def _from_kept(request: Request[T], kept: Kept) -> Reply[T] | None:
    """The kept answer in today's form; None where it does not fit any more."""
    for form in (request.answer, request.lenient):
        if form is not None:
            try:
                return Reply(form.model_validate_json(kept.answer), kept.served, kept.usage, kept=True)
            except ValidationError:
                continue
    return None


def _misfit(cause: BaseException | None) -> bool:
    """Whether instructor gave up because the replies did not fit, not because a call failed."""
    from instructor.core.exceptions import ResponseParsingError

    return isinstance(cause, ValidationError | json.JSONDecodeError | ResponseParsingError)


def _malformed(courier: Courier, cause: BaseException | None) -> GaveUpError:
    detail = f"the reply does not fit the form after {courier.attempt} attempts: {cause}"[:2000]
    return GaveUpError(Unscored(reason="malformed", detail=detail, raw=shortened(reply_text(courier.reply))))


async def _done(future: Future[R]) -> R:
    return await asyncio.wrap_future(future)
