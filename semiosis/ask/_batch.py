"""Anthropic Message Batches: many calls at once at a lower price, collected when they are done."""

import asyncio
import math
import re
import time
import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from pydantic_core import from_json

from semiosis.ask._answer import printable
from semiosis.ask._codec import Arguments
from semiosis.ask._endpoint import Received
from semiosis.ask._failure import Failure, OddResponseError, classify_error
from semiosis.ask._journal import Journal
from semiosis.ask._log import logger
from semiosis.ask._model import Model
from semiosis.ask._secret import hide_keys_in

MOST_IN_A_BATCH = 10_000
MOST_BYTES = 100_000_000
_UNNAMED = "handed in at "
"""What the journal calls a batch until the provider has named it."""
_CLOCK_SKEW = 600.0
"""Seconds by which the provider's clock may be behind ours."""
_POLL_ERRORS = 10
"""After so many failed polls in a row the run gives up; the next one polls again."""
_GONE = (404, 410)
_CUSTOM_ID = re.compile(rb'"custom_id"\s*:\s*"([0-9a-f]{64})"')

Outcome = Received | Failure


class Batcher:
    """Gathers calls until none has come for a while, submits them, and polls for the replies.

    The journal knows which call is in which batch, so that after a crash the same run waits for the same
    batches instead of paying again. It learns of a batch before the batch is submitted; if a crash kept the
    batch's name from it, the batch is looked for in the provider's list.
    """

    def __init__(
        self, model: Model, client: Any, journal: Journal, *, quiet: float = 2.0, poll: float = 20.0
    ) -> None:
        self._model = model
        self._client = client
        self._journal = journal
        self._quiet = quiet
        self._poll = poll
        self._waiting: dict[str, asyncio.Future[Outcome]] = {}
        self._pending: dict[str, Arguments] = {}
        self._bytes = 0
        self._expected: dict[str, set[str]] = {}
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._searches: dict[str, asyncio.Task[str | None]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._submissions: set[asyncio.Task[None]] = set()

    async def send(self, sent: str, arguments: Arguments) -> Outcome:
        """Return the reply to one call, through a batch. Cancelling it leaves the batch under way."""
        reply = self._waiting[sent] = asyncio.get_running_loop().create_future()
        try:
            batch = await asyncio.wrap_future(self._journal.batch_of(sent))
            if batch and batch.startswith(_UNNAMED):
                try:
                    batch = await self._find_name(batch)
                except Exception as error:  # noqa: BLE001  # any SDK's error: the unknown ones are raised again
                    return classify_error(error, self._model)
            if batch:
                self._watch(batch, [sent])
                outcome: Outcome = await reply
                if not isinstance(outcome, _BatchGone):
                    return outcome
                reply = self._waiting[sent] = asyncio.get_running_loop().create_future()
            self._gather(sent, arguments)
            submitted: Outcome = await reply
            return submitted
        finally:
            self._waiting.pop(sent, None)
            self._pending.pop(sent, None)

    async def close(self) -> None:
        """Finish submissions, so that the journal knows every batch; stop polling."""
        if self._timer:
            self._timer.cancel()
        if self._submissions:
            await asyncio.wait(self._submissions)
        tasks = [*self._watches.values(), *self._searches.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _gather(self, sent: str, arguments: Arguments) -> None:
        self._pending[sent] = arguments
        self._bytes += len(str(arguments.get("messages", "")))
        if self._timer:
            self._timer.cancel()
        full = len(self._pending) >= MOST_IN_A_BATCH or self._bytes >= MOST_BYTES
        self._timer = asyncio.get_running_loop().call_later(0 if full else self._quiet, self._start)

    def _start(self) -> None:
        pending, self._pending, self._bytes, self._timer = self._pending, {}, 0, None
        if not pending:
            return
        task = asyncio.get_running_loop().create_task(self._submit(pending))
        self._submissions.add(task)
        task.add_done_callback(self._submissions.discard)

    async def _submit(self, pending: dict[str, Arguments]) -> None:
        requests = [{"custom_id": sent, "params": _body(arguments)} for sent, arguments in pending.items()]
        unnamed = f"{_UNNAMED}{time.time():.0f} {uuid.uuid4().hex}"
        try:
            await asyncio.wrap_future(self._journal.batched(unnamed, pending))
            batch = _text(await self._client.messages.batches.create(requests=requests), "id")
            await asyncio.wrap_future(self._journal.batched(batch, pending))
        except Exception as error:  # noqa: BLE001  # handed to every question that waits
            if getattr(error, "status_code", None) is not None:  # refused: there is no batch to look for
                self._journal.forget_batch(unnamed)
            self._fail(pending, error)
            return
        self._watch(batch, pending)

    def _watch(self, batch: str, sent: Iterable[str]) -> None:
        self._expected.setdefault(batch, set()).update(sent)
        if batch not in self._watches:
            self._watches[batch] = asyncio.create_task(self._collect(batch))

    async def _collect(self, batch: str) -> None:
        expected: set[str] = set()
        try:
            if not await self._has_ended(batch):
                await self._forget(batch)
                return
            while expected := self._still_expected(batch):  # more may come while the results are read
                lines = await self._results(batch)
                if lines is None:
                    self._expected[batch] = expected
                    await self._forget(batch)
                    return
                for sent, line in lines:
                    self._deliver(sent, line)
                    expected.discard(sent)
                self._resolve(expected, Failure("provider", "the batch has no result for this question"))
                for sent in expected:
                    self._journal.forget_call(sent)
        except Exception as error:  # noqa: BLE001  # handed to every question that waits
            self._fail(expected | self._expected.pop(batch, set()), error)
        finally:
            del self._watches[batch]

    async def _has_ended(self, batch: str) -> bool:
        """Wait until a batch has ended; False if the provider does not know it any more."""
        errors = 0
        while True:
            try:
                state = await self._client.messages.batches.retrieve(batch)
                status = _text(state, "processing_status")
            except Exception as error:  # classified here
                if getattr(error, "status_code", None) in _GONE:
                    return False
                errors += 1
                if not classify_error(error, self._model).retry or errors >= _POLL_ERRORS:
                    raise
            else:
                errors = 0
                if status == "ended":
                    return True
            await asyncio.sleep(self._poll)

    async def _results(self, batch: str) -> list[tuple[str, bytes]] | None:
        """Return the lines of a batch's results; None if the provider does not have them any more.

        They are fetched from the endpoint itself. A `results_url` may name another host, which must not
        receive the key.
        """
        import httpx2

        try:
            response = await self._client.get(
                f"/v1/messages/batches/{batch}/results",
                cast_to=httpx2.Response,
                options={"headers": {"accept": "application/binary"}},
            )
        except Exception as error:
            if getattr(error, "status_code", None) in _GONE:
                return None
            raise
        body = hide_keys_in(await response.aread())
        lines = [
            (found[1].decode(), line) for line in body.split(b"\n") if (found := _CUSTOM_ID.search(line))
        ]
        if not lines:  # not forgotten: its replies are paid for
            raise OddResponseError(
                f"the results of batch {batch} cannot be read: {printable(body, 120)!r}; without --batch its "
                "questions are asked again",
                retry=True,
            )
        return lines

    async def _forget(self, batch: str) -> None:
        """Forget a batch that the provider deleted, and let its questions be submitted again."""
        await asyncio.wrap_future(self._journal.forget_batch(batch))
        gone = self._expected.pop(batch, set())
        logger.warning(
            "the provider does not have batch %s any more; its %d questions are submitted again",
            batch,
            len(gone),
        )
        self._resolve(gone, _BatchGone("provider", "the provider does not have the batch any more"))

    async def _find_name(self, unnamed: str) -> str | None:
        """Return the name of a batch that the journal does not know; None if the provider never got it."""
        if unnamed not in self._searches:
            self._searches[unnamed] = asyncio.create_task(self._search(unnamed))
        return await asyncio.shield(self._searches[unnamed])

    async def _search(self, unnamed: str) -> str | None:
        sent = await asyncio.wrap_future(self._journal.sent_in(unnamed))
        calls = set(sent)
        since = float(unnamed.removeprefix(_UNNAMED).split()[0]) - _CLOCK_SKEW
        try:
            async for batch in self._client.messages.batches.list(limit=100):  # the newest first
                if _created(batch) < since:
                    break
                if await self._holds(batch, calls):
                    await asyncio.wrap_future(self._journal.batched(_text(batch, "id"), calls))
                    return _text(batch, "id")
            await asyncio.wrap_future(self._journal.forget_batch(unnamed))
            return None
        finally:
            del self._searches[unnamed]

    async def _holds(self, batch: Any, calls: set[str]) -> bool:
        """Whether a batch consists of these calls. Only its results say so, so its end is waited for."""
        name, counts = _text(batch, "id"), getattr(batch, "request_counts", None)
        if counts is not None and sum(counts.model_dump().values()) != len(calls):
            return False
        lines = await self._results(name) if await self._has_ended(name) else None
        return bool(lines) and lines is not None and lines[0][0] in calls

    def _still_expected(self, batch: str) -> set[str]:
        waiting = {sent for sent, reply in self._waiting.items() if not reply.done()}
        return self._expected.pop(batch, set()) & waiting

    def _deliver(self, sent: str, line: bytes) -> None:
        kind = _result_type(line)
        if kind in ("succeeded", ""):  # a line that cannot be read may hold a paid reply
            self._resolve([sent], Received(line))
            return
        detail = f"the batch {kind} this question: {printable(line, 300)}"
        self._resolve([sent], Failure("provider", detail, sent=False, resumable=True))
        self._journal.forget_call(sent)

    def _resolve(self, sent: Iterable[str], outcome: Outcome) -> None:
        for one in list(sent):
            reply = self._waiting.get(one)
            if reply is not None and not reply.done():
                reply.set_result(outcome)

    def _fail(self, sent: Iterable[str], error: Exception) -> None:
        """Give every waiting question the failure, or the error that only the user can fix."""
        try:
            self._resolve(sent, classify_error(error, self._model))
        except Exception as problem:  # noqa: BLE001  # raised again in every question that waits
            for one in list(sent):
                reply = self._waiting.get(one)
                if reply is not None and not reply.done():
                    reply.set_exception(problem)


class _BatchGone(Failure):
    """The batch was deleted."""


def _created(batch: Any) -> float:
    """Return when a batch was created; a batch that does not say so may be any."""
    created = getattr(batch, "created_at", None)
    return created.timestamp() if isinstance(created, datetime) else math.inf


def _text(response: Any, field: str) -> str:
    """Return a text field of the SDK's object, which is something else if a gateway answered instead."""
    value = getattr(response, field, None)
    if not isinstance(value, str):
        raise OddResponseError(
            f"the response about a batch has no {field}: {str(response)[:120]!r}", retry=True
        )
    return value


def _result_type(line: bytes) -> str:
    """Return the type of a result, such as `succeeded` or `expired`; empty if the line cannot be read."""
    try:
        result = from_json(line).get("result")
        kind = result.get("type")
    except (ValueError, AttributeError):
        return ""
    return kind if isinstance(kind, str) else ""


def _body(arguments: Arguments) -> dict[str, Any]:
    """Return the arguments of a call as the body of its request."""
    named = {name: value for name, value in arguments.items() if name != "extra_body"}
    return {**named, **arguments.get("extra_body", {})}
