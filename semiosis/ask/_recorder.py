"""Records replies: first their bytes in the journal, then what they say and what they cost."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from semiosis.ask._answer import Answer, NotAReply, decode, storable
from semiosis.ask._budget import Budget
from semiosis.ask._codec import Arguments, fingerprint, versions
from semiosis.ask._endpoint import Received
from semiosis.ask._failure import Failure
from semiosis.ask._journal import Call, Claimed, Journal
from semiosis.ask._request import Request
from semiosis.ask._secret import hide_keys


@dataclass
class Outgoing:
    """One call of one question."""

    request: Request[Any]
    attempt: int
    """1 for the first time it is asked, 2 for the first re-ask."""
    encode: Callable[[], Arguments]
    """Makes the arguments: only when the call may start, because each copy holds its pictures."""
    tries: int = 0
    """How often it was sent."""
    seconds: float = 0.0
    """How long its tries and the waits between them took, without waiting for a slot."""

    def fingerprint(self, arguments: Arguments) -> str:
        """Return the SHA-256 of this call."""
        return fingerprint(arguments, self.request.repeat, self.attempt)


@dataclass(frozen=True, slots=True)
class Paid:
    """A reply that is on disk and decoded."""

    call: int
    """Its number in the journal."""
    arguments: Arguments
    """What was sent."""
    answer: Answer
    """What came back."""
    received: Received
    """The bytes."""


@dataclass(frozen=True)
class Recorder:
    """Puts replies on disk and into the totals of a run."""

    journal: Journal
    budget: Budget

    async def record(
        self, outgoing: Outgoing, arguments: Arguments, received: Received, *, batch: bool
    ) -> Paid | Failure:
        """Put a reply on disk, then decode it; a failure if it is no reply of the API."""
        number = await asyncio.wrap_future(self.journal.record(_call(outgoing, arguments, received, batch)))
        request = outgoing.request
        answer = decode(received.body, request.model.profile.api)
        if isinstance(answer, NotAReply):
            await asyncio.wrap_future(self.journal.set_error(number))
            return Failure("provider", answer.detail, retry=not batch, sent=False, resumable=True)
        is_estimate = answer.usage is None
        usage = self.budget.price(request, answer.usage, batch=batch)
        # Not waited for: the next entry of this question is in the same or a later transaction.
        self.journal.set_price(number, answer.served, usage, is_estimate=is_estimate)
        self.budget.pay(request.model, usage, is_estimate=is_estimate)
        return Paid(number, arguments, answer, received)

    def restore(self, outgoing: Outgoing, claim: Claimed) -> Paid | None:
        """Return the reply of an interrupted run to this call, if the journal holds one."""
        if not any(attempt == outgoing.attempt for attempt, _ in claim.paid):
            return None
        arguments = outgoing.encode()
        found = claim.paid.get((outgoing.attempt, outgoing.fingerprint(arguments)))
        if found is None:
            return None
        number, body = found
        answer = decode(body, outgoing.request.model.profile.api)
        if isinstance(answer, NotAReply):
            self.journal.set_error(number)
            return None
        usage = self.budget.price(outgoing.request, answer.usage, batch=answer.batched)
        self.journal.set_price(number, answer.served, usage, is_estimate=answer.usage is None)
        return Paid(number, arguments, answer, Received(body))


def _call(outgoing: Outgoing, arguments: Arguments, received: Received, batch: bool) -> Call:
    request = outgoing.request
    return Call(
        key=request.key,
        attempt=outgoing.attempt,
        sent=outgoing.fingerprint(arguments),
        reply=received.body,
        model=request.model.full_name,
        versions=versions(),
        batch=batch,
        request=hide_keys(storable(request.record)),
    )
