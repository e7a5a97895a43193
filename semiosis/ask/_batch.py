"""Anthropic Message Batches: many questions at once for half the price, collected when done."""

import asyncio
import time
import uuid
from collections.abc import Iterable
from typing import Any

from semiosis.ask._failure import GaveUpError
from semiosis.ask._journal import Journal
from semiosis.values import Unscored

MOST_IN_A_BATCH = 10_000
MOST_BYTES = 100_000_000
_UNNAMED = "handed in at "
"""What the journal calls a batch until the provider has named it."""
_CLOCKS_DIFFER = 600.0
"""Seconds by which the provider's clock may be behind ours."""


class Batcher:
    """Gathers questions until none has come for a while, hands them in, and polls for the replies.

    The journal knows which request went into which batch, so that after a crash the same run waits for the
    same batches instead of paying again. It is told before a batch is handed in; where a crash kept the name
    from it, the batch is looked for among the provider's.
    """

    def __init__(self, client: Any, journal: Journal, *, quiet: float = 2.0, poll: float = 20.0) -> None:
        self._client = client
        self._journal = journal
        self._quiet = quiet
        self._poll = poll
        self._replies: dict[str, asyncio.Future[Any]] = {}
        self._pending: dict[str, dict[str, Any]] = {}
        self._bytes = 0
        self._expected: dict[str, set[str]] = {}
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._searches: dict[str, asyncio.Task[str | None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def send(self, sent: str, arguments: dict[str, Any]) -> Any:
        """The reply to one request, through a batch."""
        reply = self._replies[sent] = asyncio.get_running_loop().create_future()
        try:
            batch = await asyncio.wrap_future(self._journal.batch_of(sent))
            if batch and batch.startswith(_UNNAMED):
                batch = await self._named(batch)
            if batch:
                self._watch(batch, [sent])
            else:
                self._gather(sent, arguments)
            return await reply
        finally:
            self._replies.pop(sent, None)

    def _gather(self, sent: str, arguments: dict[str, Any]) -> None:
        self._pending[sent] = arguments
        self._bytes += len(str(arguments.get("messages", "")))
        if self._timer:
            self._timer.cancel()
        full = len(self._pending) >= MOST_IN_A_BATCH or self._bytes >= MOST_BYTES
        self._timer = asyncio.get_running_loop().call_later(0 if full else self._quiet, self._start)

    def _start(self) -> None:
        pending, self._pending, self._bytes, self._timer = self._pending, {}, 0, None
        task = asyncio.get_running_loop().create_task(self._submit(pending))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _submit(self, pending: dict[str, dict[str, Any]]) -> None:
        requests = [{"custom_id": sent, "params": _body(arguments)} for sent, arguments in pending.items()]
        unnamed = f"{_UNNAMED}{time.time():.0f} {uuid.uuid4().hex}"
        try:
            await asyncio.wrap_future(self._journal.batched(unnamed, pending))
            batch = await self._client.messages.batches.create(requests=requests)
            await asyncio.wrap_future(self._journal.batched(batch.id, pending))
        except Exception as error:  # noqa: BLE001  # handed to every courier that waits, which sorts it out
            self._fail(pending, error)
            return
        self._watch(batch.id, pending)

    def _watch(self, batch: str, sent: Iterable[str]) -> None:
        self._expected.setdefault(batch, set()).update(sent)
        if batch not in self._watches:
            self._watches[batch] = asyncio.create_task(self._collect(batch))

    async def _named(self, unnamed: str) -> str | None:
        """The name of a batch that the journal does not know, or None where the provider never got it."""
        if unnamed not in self._searches:
            self._searches[unnamed] = asyncio.create_task(self._search(unnamed))
        return await asyncio.shield(self._searches[unnamed])

    async def _search(self, unnamed: str) -> str | None:
        sent = await asyncio.wrap_future(self._journal.sent_in(unnamed))
        requests = set(sent)
        since = float(unnamed.removeprefix(_UNNAMED).split()[0]) - _CLOCKS_DIFFER
        try:
            async for batch in self._client.messages.batches.list(limit=100):  # the newest first
                if batch.created_at.timestamp() < since:
                    break
                if await self._holds(batch, requests):
                    await asyncio.wrap_future(self._journal.batched(batch.id, requests))
                    return str(batch.id)
            return None
        finally:
            del self._searches[unnamed]

    async def _holds(self, batch: Any, requests: set[str]) -> bool:
        """Whether a batch is made of these requests; only its results tell, so its end is waited for."""
        if sum(batch.request_counts.model_dump().values()) != len(requests):
            return False
        await self._ended(batch.id)
        async for item in await self._client.messages.batches.results(batch.id):
            return item.custom_id in requests
        return False

    async def _ended(self, batch: str) -> None:
        while (await self._client.messages.batches.retrieve(batch)).processing_status != "ended":
            await asyncio.sleep(self._poll)

    async def _collect(self, batch: str) -> None:
        expected: set[str] = set()
        try:
            await self._ended(batch)
            while expected := self._still_expected(batch):  # more may come while the results are read
                async for item in await self._client.messages.batches.results(batch):
                    self._hand_over(item.custom_id, item.result)
                    expected.discard(item.custom_id)
                self._fail(expected, GaveUpError(Unscored(reason="provider", detail="the batch left it out")))
                for sent in expected:
                    self._journal.collected(sent)
        except Exception as error:  # noqa: BLE001  # handed to every courier that waits, which sorts it out
            self._fail(expected | self._expected.pop(batch, set()), error)
        finally:
            del self._watches[batch]

    def _still_expected(self, batch: str) -> set[str]:
        waiting = {sent for sent, reply in self._replies.items() if not reply.done()}
        return self._expected.pop(batch, set()) & waiting

    def _hand_over(self, sent: str, result: Any) -> None:
        reply = self._replies.get(sent)
        if reply is None or reply.done():
            return
        if result.type == "succeeded":
            reply.set_result(result.message)
            return
        detail = f"the batch {result.type} this question: {getattr(result, 'error', '')}"
        reply.set_exception(GaveUpError(Unscored(reason="provider", detail=detail)))
        self._journal.collected(sent)

    def _fail(self, sent: Any, error: Exception) -> None:
        for one in sent:
            reply = self._replies.get(one)
            if reply is not None and not reply.done():
                reply.set_exception(error)


def _body(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a call as the body of its request."""
    return {
        **{name: value for name, value in arguments.items() if name != "extra_body"},
        **arguments.get("extra_body", {}),
    }
