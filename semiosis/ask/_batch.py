"""Anthropic Message Batches: many questions at once for half the price, collected when done."""

import asyncio
from typing import Any

from semiosis.ask._failure import GaveUpError
from semiosis.ask._journal import Journal
from semiosis.values import Unscored

MOST_IN_A_BATCH = 10_000
MOST_BYTES = 100_000_000


class Batcher:
    """Gathers questions until none has come for a while, hands them in, and polls for the replies.

    The journal knows which request went into which batch, so that after a crash the same run waits for the
    same batches instead of paying again.
    """

    def __init__(self, client: Any, journal: Journal, *, quiet: float = 2.0, poll: float = 20.0) -> None:
        self._client = client
        self._journal = journal
        self._quiet = quiet
        self._poll = poll
        self._replies: dict[str, asyncio.Future[Any]] = {}
        self._pending: dict[str, dict[str, Any]] = {}
        self._bytes = 0
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def send(self, sent: str, arguments: dict[str, Any]) -> Any:
        """The reply to one request, through a batch."""
        reply = self._replies[sent] = asyncio.get_running_loop().create_future()
        batch = await asyncio.wrap_future(self._journal.batch_of(sent))
        if batch:
            self._watch(batch)
        else:
            self._gather(sent, arguments)
        try:
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
        try:
            batch = await self._client.messages.batches.create(requests=requests)
        except Exception as error:  # noqa: BLE001  # handed to every courier that waits, which sorts it out
            self._fail(pending, error)
            return
        await asyncio.wrap_future(self._journal.batched(batch.id, pending))
        self._watch(batch.id)

    def _watch(self, batch: str) -> None:
        if batch not in self._watches:
            self._watches[batch] = asyncio.create_task(self._collect(batch))

    async def _collect(self, batch: str) -> None:
        try:
            while (await self._client.messages.batches.retrieve(batch)).processing_status != "ended":
                await asyncio.sleep(self._poll)
            async for item in await self._client.messages.batches.results(batch):
                self._hand_over(item.custom_id, item.result)
        except Exception as error:  # noqa: BLE001  # handed to every courier that waits, which sorts it out
            self._fail(list(self._replies), error)
        finally:
            del self._watches[batch]

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
