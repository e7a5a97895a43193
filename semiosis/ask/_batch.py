"""Sends calls in batches, which cost less, and collects the replies when a batch has ended."""

import asyncio
import logging
import uuid
from collections.abc import Callable, Iterable

from semiosis.ask._batch_api import BatchApi, EndedBatch, result_type
from semiosis.ask._codec import Arguments
from semiosis.ask._decode import bytes_as_text
from semiosis.ask._failure import Failure, classify_error
from semiosis.ask._journal import Journal, result_of

logger = logging.getLogger("semiosis.ask")

MAX_BATCH_CALLS = 10_000
MAX_BATCH_BYTES = 100_000_000
_UNNAMED = "submitted after "
"""The beginning of the name under which the journal records a batch until the provider has named it. The
batch that is the newest at that time follows."""
_FETCHES = 5
"""How often the results of a batch are fetched if some of them are missing."""

BatchResult = bytes | Failure


class Batcher:
    """Collects calls until none arrives for a while, submits them, and delivers the replies.

    The journal records which call is in which batch, so that after a crash the same run waits for the same
    batches instead of paying again. A batch is recorded before it is submitted. If a crash prevents its name
    from being recorded, the batch is looked up in the provider's list.
    """

    def __init__(self, api: BatchApi, journal: Journal, *, quiet: float) -> None:
        self._api = api
        self._journal = journal
        self._quiet = quiet
        self._waiting: dict[str, asyncio.Future[BatchResult]] = {}
        self._pending: dict[str, Arguments] = {}
        self._bytes = 0
        self._timer: asyncio.TimerHandle | None = None
        self._submissions: set[asyncio.Task[None]] = set()
        self._expected: dict[str, set[str]] = {}
        self._watches: dict[str, asyncio.Task[None]] = {}
        self._searches: dict[str, asyncio.Task[str | None]] = {}

    async def send(self, fingerprint: str, arguments: Arguments) -> BatchResult:
        """Return the reply to one call, through a batch. A cancellation does not stop the batch."""
        try:
            batch = await self._batch_of(fingerprint)
            if isinstance(batch, Failure):
                return batch
            if batch is not None:
                outcome = await self._reply(fingerprint, lambda: self._watch(batch, [fingerprint]))
                if not isinstance(outcome, _BatchDeleted):
                    return outcome
            return await self._reply(fingerprint, lambda: self._gather(fingerprint, arguments))
        finally:
            self._waiting.pop(fingerprint, None)
            self._pending.pop(fingerprint, None)

    async def close(self) -> None:
        """Finish submissions, so that every batch is in the journal, and stop polling."""
        if self._timer:
            self._timer.cancel()
        if self._submissions:
            await asyncio.wait(self._submissions)
        tasks = [*self._watches.values(), *self._searches.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    # Before submission: find the batch of an earlier run, collect calls, submit them.

    async def _batch_of(self, fingerprint: str) -> str | Failure | None:
        """Return the batch in which an earlier run submitted this call; None if there is none."""
        batch = await result_of(self._journal.batch_of(fingerprint))
        if batch is None or not batch.startswith(_UNNAMED):
            return batch
        if batch not in self._searches:
            self._searches[batch] = asyncio.create_task(self._search(batch))
        try:
            return await asyncio.shield(self._searches[batch])
        except Exception as error:  # noqa: BLE001  # any SDK's error; unknown ones are raised again
            return classify_error(error, self._api.model)

    async def _search(self, unnamed: str) -> str | None:
        """Return the name of a batch that is recorded without it; None if the provider does not have it."""
        try:
            calls = set(await result_of(self._journal.calls_in(unnamed)))
            after = unnamed.removeprefix(_UNNAMED).partition(" ")[0]
            name = await self._api.find(calls, after)
            if name is None:
                await result_of(self._journal.forget_batch(unnamed))
            else:
                await result_of(self._journal.record_batch(name, calls))
            return name
        finally:
            del self._searches[unnamed]

    def _gather(self, fingerprint: str, arguments: Arguments) -> None:
        self._pending[fingerprint] = arguments
        self._bytes += len(str(arguments.get("messages", "")))
        if self._timer:
            self._timer.cancel()
        full = len(self._pending) >= MAX_BATCH_CALLS or self._bytes >= MAX_BATCH_BYTES
        self._timer = asyncio.get_running_loop().call_later(0 if full else self._quiet, self._start)

    def _start(self) -> None:
        pending, self._pending, self._bytes, self._timer = self._pending, {}, 0, None
        if not pending:
            return
        task = asyncio.get_running_loop().create_task(self._submit(pending))
        self._submissions.add(task)
        task.add_done_callback(self._submissions.discard)

    async def _submit(self, pending: dict[str, Arguments]) -> None:
        unnamed = ""
        try:
            unnamed = f"{_UNNAMED}{await self._api.newest()} {uuid.uuid4().hex}"
            await result_of(self._journal.record_batch(unnamed, pending))
            batch = await self._api.submit(pending)
            await result_of(self._journal.record_batch(batch, pending))
        except Exception as error:  # noqa: BLE001  # passed to every waiting question
            status = getattr(error, "status_code", None) or 0
            if 400 <= status < 500:  # refused: there is no batch to look for
                self._journal.forget_batch(unnamed)
            self._fail(pending, error)
            return
        self._watch(batch, pending)

    # After submission: wait for the end of a batch, deliver its results.

    def _watch(self, batch: str, fingerprints: Iterable[str]) -> None:
        self._expected.setdefault(batch, set()).update(fingerprints)
        if batch not in self._watches:
            self._watches[batch] = asyncio.create_task(self._collect(batch))

    async def _collect(self, batch: str) -> None:
        expected: set[str] = set()
        try:
            ended = await self._api.wait_for_end(batch)
            fetches = 0
            while ended is not None and (expected := self._still_expected(batch)):
                # More calls of this batch may be asked for while its results are read.
                lines = await self._api.results(ended)
                if lines is None:
                    ended = None
                    break
                missing = self._deliver(lines, expected)
                if missing and ended.size is not None and len(lines) >= ended.size:
                    await self._settle_missing(missing)
                elif missing and (fetches := fetches + 1) >= _FETCHES:
                    self._resolve(missing, _incomplete(ended, len(lines)))
                elif missing:
                    self._expected.setdefault(batch, set()).update(missing)
                    await self._api.pause()
            if ended is None:
                await self._forget(batch, expected | self._expected.pop(batch, set()))
        except Exception as error:  # noqa: BLE001  # passed to every waiting question
            self._fail(expected | self._expected.pop(batch, set()), error)
        finally:
            del self._watches[batch]

    def _still_expected(self, batch: str) -> set[str]:
        waiting = {fingerprint for fingerprint, reply in self._waiting.items() if not reply.done()}
        return self._expected.pop(batch, set()) & waiting

    def _deliver(self, lines: dict[str, bytes], expected: set[str]) -> set[str]:
        """Deliver the results of the expected calls; return the calls that have none."""
        for fingerprint in expected & lines.keys():
            outcome = _batch_result(lines[fingerprint])
            self._resolve([fingerprint], outcome)
            if isinstance(outcome, Failure):
                self._journal.forget_call(fingerprint)
        return expected - lines.keys()

    async def _settle_missing(self, missing: set[str]) -> None:
        """Give up calls that a complete list of results leaves out. The next run may submit them again."""
        for fingerprint in missing:
            await result_of(self._journal.forget_call(fingerprint))
        detail = "the batch has no result for this question"
        self._resolve(missing, Failure("provider", detail, resumable=True))

    async def _forget(self, batch: str, gone: set[str]) -> None:
        """Forget a batch that the provider deleted, and let its questions be submitted again."""
        await result_of(self._journal.forget_batch(batch))
        logger.warning(
            "the provider no longer has batch %s; its %d questions are submitted again",
            batch,
            len(gone),
        )
        self._resolve(gone, _BatchDeleted("provider", "the provider no longer has the batch"))

    async def _reply(self, fingerprint: str, begin: Callable[[], None]) -> BatchResult:
        reply: asyncio.Future[BatchResult] = asyncio.get_running_loop().create_future()
        self._waiting[fingerprint] = reply
        begin()
        return await reply

    def _resolve(self, fingerprints: Iterable[str], outcome: BatchResult) -> None:
        for fingerprint in list(fingerprints):
            reply = self._waiting.get(fingerprint)
            if reply is not None and not reply.done():
                reply.set_result(outcome)

    def _fail(self, fingerprints: Iterable[str], error: Exception) -> None:
        """Give the failure to every waiting question, or raise the error in them if the user must fix it."""
        try:
            self._resolve(fingerprints, classify_error(error, self._api.model))
        except Exception as problem:  # noqa: BLE001  # raised again in every waiting question
            for fingerprint in list(fingerprints):
                reply = self._waiting.get(fingerprint)
                if reply is not None and not reply.done():
                    reply.set_exception(problem)


class _BatchDeleted(Failure):
    """The provider has deleted the batch."""


def _batch_result(line: bytes) -> BatchResult:
    """Return the result of a call, given its line in the results of a batch."""
    kind = result_type(line)
    if kind in ("succeeded", ""):  # a line that cannot be read may hold a paid reply
        return line
    detail = f"the result of this question in the batch is {kind!r}: {bytes_as_text(line, 300)}"
    return Failure("provider", detail, sent=False, resumable=True)


def _incomplete(batch: EndedBatch, lines: int) -> Failure:
    """Return the failure of calls whose results did not arrive. The batch stays recorded: it is paid for."""
    size = "an unknown number" if batch.size is None else batch.size
    detail = f"only {lines} of {size} results of batch {batch.name} arrived; the next run fetches them again"
    return Failure("provider", detail, resumable=True)
