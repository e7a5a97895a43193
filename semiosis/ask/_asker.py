"""Asks structured questions: looks in the journal first, then asks the provider within budget and limits."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel

from semiosis.ask._batch import Batcher
from semiosis.ask._batch_api import BatchApi
from semiosis.ask._budget import MAX_COMPLAINT_CHARACTERS, Budget, history_tokens
from semiosis.ask._connection import ModelConnection, open_connection, require_supported
from semiosis.ask._database import default_journal
from semiosis.ask._dry_run import DryRun, earlier_failure
from semiosis.ask._failure import Failure
from semiosis.ask._journal import Claimed, ClaimedElsewhere, Journal, RecordedAnswer, result_of
from semiosis.ask._limit import Limiter
from semiosis.ask._model import Model, normalized_url
from semiosis.ask._prices import Prices
from semiosis.ask._recorder import OutgoingCall, PaidReply
from semiosis.ask._reply import Reply, check_reply, malformed_failure, reply_from_journal
from semiosis.ask._request import Request
from semiosis.ask._sender import RetryLimits, Sender
from semiosis.values import SemiosisError, Unscored, Usage, UsageError

T = TypeVar("T", bound=BaseModel)

logger = logging.getLogger("semiosis.ask")

RE_ASKS = 2
IN_FLIGHT = 16
_TASKS_PER_SLOT = 4
"""Tasks that run for each slot, so that every slot is used while other tasks wait for the journal."""
_MAX_TASKS_PER_SLOT = 20
"""The limit if other runs ask some of the questions. With it, about five runs can share a study."""
_FIRST_POLL, _MAX_POLL, _MAX_BATCH_POLL = 0.02, 0.5, 5.0
"""Seconds between checks on a question that another run is asking. Batches take minutes and are checked less
often."""


@dataclass
class _Question:
    """A question that is being asked, and the number of callers that wait for its answer."""

    task: asyncio.Task[Any]
    callers: int = 0
    cancelled: bool = False

    def cancel(self) -> None:
        """Cancel the question, once: a second cancellation would interrupt the recording of its last call."""
        if not self.cancelled:
            self.cancelled = True
            self.task.cancel()


class Asker:
    """Asks structured questions. Readers and judges of one run share one asker: one budget, one journal.

    Its coroutines belong to the private loop (`wait_for`, `on_loop`). The asker owns the running questions,
    and each question its call in flight: a cancelled question ends after its call, and `close` waits for all.
    """

    def __init__(
        self,
        journal: str | Path | None = None,
        *,
        in_flight: int = IN_FLIGHT,
        re_asks: int = RE_ASKS,
        tries: int = RetryLimits.tries,
        first_wait: float = RetryLimits.first_wait,
        timeout: float = RetryLimits.timeout,
        total_timeout: float = RetryLimits.total_timeout,
        longest_wait: float = RetryLimits.longest_wait,
        stop_after: int = RetryLimits.stop_after,
        max_cost: float | None = None,
        prices: str | Path | None = None,
        batch: bool = False,
        batch_quiet: float = 2.0,
        batch_poll: float = 20.0,
        dry_run: bool = False,
        retry_unscored: bool = True,
    ) -> None:
        """Prepare a run. Without `retry_unscored`, questions that failed earlier are not asked again."""
        self.budget = Budget(prices=Prices(prices), max_cost=max_cost)
        self.in_flight = in_flight
        self.batch = batch
        self.retry_unscored = retry_unscored
        self._path = Path(journal) if journal else default_journal()
        self._journal: Journal | None = None
        self._re_asks = re_asks
        self._retry = RetryLimits(tries, first_wait, timeout, total_timeout, longest_wait, stop_after)
        self._batch_pace = (batch_quiet, batch_poll)
        self._connections: dict[tuple[Model, str], ModelConnection] = {}
        self._limiters: dict[str, Limiter] = {}
        self._batchers: dict[tuple[Model, str], Batcher] = {}
        self._questions: dict[str, _Question] = {}
        self._sender: Sender | None = None
        self._is_waiting_announced = False
        self._asked_elsewhere = 0
        self._dry_run = (
            DryRun(self._path, lambda: self.journal, self.budget, re_asks, batch, retry_unscored)
            if dry_run
            else None
        )

    @property
    def dry_run(self) -> bool:
        """Whether nothing is asked and calls are only counted."""
        return self._dry_run is not None

    @property
    def journal(self) -> Journal:
        """The reply journal, opened when first needed."""
        if self._journal is None:
            self._journal = Journal(self._path)
        return self._journal

    @property
    def max_running(self) -> int | None:
        """The number of tasks that may run at the same time; None for no limit, in a batch.

        A question that another run asks uses no slot, so this run starts another one: the runs share the
        work.
        """
        if self.batch:
            return None
        running = _TASKS_PER_SLOT * self.in_flight + self._asked_elsewhere
        return min(running, _MAX_TASKS_PER_SLOT * self.in_flight)

    def check(self, *models: Model) -> None:
        """Raise the errors that would stop the run later: an unsupported provider, a missing key or price."""
        for model in models:
            require_supported(model)
        self.budget.require_prices(models)
        for model in models if not self.dry_run else ():
            self._connect(model)

    async def ask(self, request: Request[T]) -> Reply[T] | Unscored:
        """Return the answer to one question, or why there is none (an `UnansweredRequest`, with its cost).

        A question that several callers ask at the same time is sent once. It is cancelled when no caller is
        left.
        """
        while (question := self._questions.get(request.key)) is not None and question.cancelled:
            await asyncio.wait([question.task])  # it is about to record its last call
        if question is None:
            question = self._start(request)
        question.callers += 1
        try:
            await asyncio.wait([question.task])  # which does not cancel the task with its caller
        finally:
            question.callers -= 1
            if not question.callers:
                question.cancel()
        outcome: Reply[T] | Unscored = question.task.result()
        return outcome

    async def close(self) -> None:
        """Wait until the calls in flight are on disk, then close the journal and all connections."""
        questions = list(self._questions.values())
        for question in questions:
            question.cancel()
        if questions:
            await asyncio.wait([question.task for question in questions])
        for batcher in self._batchers.values():
            await batcher.close()
        for connection in self._connections.values():
            await connection.close()
        self._batchers, self._connections, self._sender = {}, {}, None
        journal, self._journal = self._journal, None
        if journal is not None:
            await asyncio.to_thread(journal.close)

    def _start(self, request: Request[T]) -> _Question:
        work = self._answer(request) if self._dry_run is None else self._dry_run.ask(request)
        question = self._questions[request.key] = _Question(asyncio.create_task(work))

        def end(task: asyncio.Task[Any]) -> None:
            del self._questions[request.key]
            if not task.cancelled():
                task.exception()  # retrieved, so that asyncio does not report it if no caller is left

        question.task.add_done_callback(end)
        return question

    async def _answer(self, request: Request[T]) -> Reply[T] | Unscored:
        journal = self.journal
        if not self.retry_unscored:
            failure = await earlier_failure(journal, self.budget, request.key)
            if failure is not None:
                return failure
        try:
            claim = await self._claim(request.key)
            while isinstance(claim, RecordedAnswer):
                if reply := reply_from_journal(request, claim):
                    self.budget.kept += 1
                    return reply
                await result_of(journal.reject(request.key))  # the answer no longer fits the form
                claim = await self._claim(request.key)
            return await self._ask_until_valid(self._connect(request.model), request, claim)
        except BaseException:
            with suppress(SemiosisError):  # the journal may be what failed
                await result_of(journal.release(request.key))
            raise

    async def _ask_until_valid(
        self, connection: ModelConnection, request: Request[T], claim: Claimed
    ) -> Reply[T] | Unscored:
        """Ask until a reply is valid, the re-asks are used up, or asking again would not help.

        A call ends in one of three ways: with a valid answer; with a reply that does not fit, which is sent
        back with the reason; or with a failure, such as a refusal, a provider that stays down, or a used-up
        budget.
        """
        sender, batcher = self._shared_sender(), self._batcher(connection)
        outgoing = OutgoingCall(request, 1, lambda: connection.codec.encode(request), batch=self.batch)
        rejected_replies: list[PaidReply] = []
        failure = Failure("malformed", "")
        retries = 0
        while outgoing.attempt <= 1 + self._re_asks:
            restored = sender.recorder.restore(outgoing, claim)
            outcome = restored or await sender.send(connection, outgoing, batcher)
            retries += max(0, outgoing.tries - 1)
            if isinstance(outcome, Failure):
                failure = outcome
                break
            checked = check_reply(connection.codec, outcome, request.answer)
            if isinstance(checked, Failure):
                failure = checked
                break
            if not isinstance(checked, ValueError):
                return await self._conclude(request, outcome, checked, retries)
            rejected_replies.append(outcome)
            failure = malformed_failure(outcome, checked, outgoing.attempt)
            outgoing = _re_ask(connection, outgoing, outcome, checked)
        return await self._end_without_answer(connection, request, rejected_replies, failure, retries)

    async def _end_without_answer(
        self,
        connection: ModelConnection,
        request: Request[T],
        rejected_replies: list[PaidReply],
        failure: Failure,
        retries: int,
    ) -> Reply[T] | Unscored:
        """End a question without a valid reply: with a reply that fits the lenient form, or unscored.

        After a failure of the provider or of the budget the replies stay as they are, so that the next run
        continues from them instead of paying again.
        """
        for paid in reversed(rejected_replies) if request.lenient else ():
            checked = check_reply(connection.codec, paid, request.lenient or request.answer)
            if not isinstance(checked, Failure | ValueError):
                return await self._conclude(request, paid, checked, retries)
        self.budget.unscored += 1
        if failure.resumable:
            return failure.unscored(await result_of(self.journal.release(request.key)), retries)
        reason = failure.unscored(Usage(), 0).model_dump_json()
        return failure.unscored(await result_of(self.journal.reject(request.key, reason)), retries)

    async def _conclude(self, request: Request[T], paid: PaidReply, answer: T, retries: int) -> Reply[T]:
        concluded = await result_of(self.journal.conclude(request.key, paid.call, answer.model_dump_json()))
        usage = concluded.usage if concluded else Usage()
        return Reply(answer, paid.answer.served, usage, retries=retries, tokens=paid.answer.tokens)

    async def _claim(self, key: str) -> RecordedAnswer | Claimed:
        """Return the kept answer or a claim. While another run asks the question, wait for its answer."""
        claim = await result_of(self.journal.claim(key))
        if not isinstance(claim, ClaimedElsewhere):
            return claim
        self._asked_elsewhere += 1
        try:
            return await self._wait_for_claim(key, claim)
        finally:
            self._asked_elsewhere -= 1

    async def _wait_for_claim(self, key: str, elsewhere: ClaimedElsewhere) -> RecordedAnswer | Claimed:
        wait = _FIRST_POLL
        while True:
            if wait >= _MAX_POLL:
                self._announce(elsewhere)
            await asyncio.sleep(wait)
            claim = await result_of(self.journal.claim(key))
            if not isinstance(claim, ClaimedElsewhere):
                return claim
            wait = min(2 * wait, _MAX_BATCH_POLL if self.batch else _MAX_POLL)

    def _announce(self, elsewhere: ClaimedElsewhere) -> None:
        """Log once that this run waits for another one."""
        if not self._is_waiting_announced:
            self._is_waiting_announced = True
            where = f"process {elsewhere.process}"
            logger.warning("another run (%s) is asking the same questions; waiting for its answers", where)

    def _connect(self, model: Model) -> ModelConnection:
        model = replace(model, parameters={})  # models that differ only in settings share servers
        key = (model, model.endpoint)
        if key not in self._connections:
            limit = model.in_flight or self.in_flight
            self._connections[key] = open_connection(
                model, lambda url: self._limiter(url, limit), self._retry.timeout
            )
        return self._connections[key]

    def _limiter(self, url: str, limit: int) -> Limiter:
        """Return the limiter of a server. All its models share one; the lowest of their limits applies."""
        server = urlsplit(normalized_url(url)).netloc
        if server not in self._limiters:
            self._limiters[server] = Limiter(limit)
        self._limiters[server].lower(limit)
        return self._limiters[server]

    def _batcher(self, connection: ModelConnection) -> Batcher | None:
        if not self.batch:
            return None
        model = connection.model
        if not model.profile.batches:
            raise UsageError(f"{model.provider} accepts no batches at this endpoint", fix="omit --batch")
        key = (model, model.endpoint)
        if key not in self._batchers:
            quiet, poll = self._batch_pace
            client = connection.servers[0].client
            api = BatchApi(model, client, poll=poll, timeout=self._retry.timeout)
            self._batchers[key] = Batcher(api, self.journal, quiet=quiet)
        return self._batchers[key]

    def _shared_sender(self) -> Sender:
        if self._sender is None:
            self._sender = Sender(self.journal, self.budget, self._retry)
        return self._sender


def _re_ask(
    connection: ModelConnection, outgoing: OutgoingCall, paid: PaidReply, error: ValueError
) -> OutgoingCall:
    """Return the call that sends a reply back with the reason why it does not fit."""
    complaint = str(error)
    if len(complaint) > MAX_COMPLAINT_CHARACTERS:
        complaint = complaint[:MAX_COMPLAINT_CHARACTERS] + " […]"
        error = ValueError(complaint)
    arguments = connection.codec.re_ask(paid.arguments, paid.answer, error)
    added = arguments["messages"][len(paid.arguments["messages"]) :]
    return OutgoingCall(
        outgoing.request,
        outgoing.attempt + 1,
        lambda: arguments,
        complaint,
        outgoing.batch,
        outgoing.history_tokens + history_tokens(added),
    )


@lru_cache(maxsize=1)
def shared_asker() -> Asker:
    """Return the asker that readers and judges share unless they are given one of their own.

    It has one journal in the user's cache folder and one limit.
    """
    return Asker()
