"""Records replies: first their bytes in the journal, then their state, usage and cost."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from semiosis.ask._budget import Budget
from semiosis.ask._codec import Arguments, fingerprint, versions
from semiosis.ask._decode import DecodedReply, InvalidResponse, decode_reply, storable
from semiosis.ask._failure import Failure
from semiosis.ask._journal import Claimed, Journal, JournalEntry, result_of
from semiosis.ask._request import Request
from semiosis.ask._secret import hide_keys


@dataclass
class OutgoingCall:
    """One call of one question."""

    request: Request[Any]
    attempt: int
    """1 for the first time it is asked, 2 for the first re-ask."""
    encode: Callable[[], Arguments]
    """Makes the arguments. It is called when the call may start, because each copy contains the pictures."""
    complaint: str = ""
    """What a re-ask says is wrong with the reply before it."""
    batch: bool = False
    """Whether it is sent in a batch."""
    history_tokens: int = 0
    """The most tokens that a re-ask adds to the request."""
    tries: int = 0
    """How often it was sent."""
    seconds: float = 0.0
    """The duration of its tries and of the waits between them, without the time spent waiting for a slot."""

    def fingerprint(self, arguments: Arguments) -> str:
        """Return the SHA-256 of this call."""
        return fingerprint(arguments, self.request.repeat, self.attempt)


@dataclass(frozen=True, slots=True)
class PaidReply:
    """A reply that is on disk and decoded."""

    call: int
    """Its number in the journal."""
    arguments: Arguments
    """The arguments of the call."""
    answer: DecodedReply
    """The decoded reply."""
    body: bytes
    """The reply as it arrived."""


@dataclass(frozen=True)
class Recorder:
    """Writes replies to disk and adds them to the totals of a run."""

    journal: Journal
    budget: Budget

    async def record(self, outgoing: OutgoingCall, arguments: Arguments, body: bytes) -> PaidReply | Failure:
        """Put a reply on disk, then decode it; return a failure if it is not a reply of the API."""
        number = await result_of(self.journal.record(_entry(outgoing, arguments, body)))
        request = outgoing.request
        answer = decode_reply(body, request.model.profile.api)
        if isinstance(answer, InvalidResponse):
            await result_of(self.journal.set_error(number))
            if answer.cut_off:
                self.budget.add_unanswered(request, outgoing.history_tokens, batch=outgoing.batch)
            return Failure(
                "provider", answer.detail, retry=not outgoing.batch, sent=answer.cut_off, resumable=True
            )
        is_estimate = answer.usage is None
        usage = self.budget.price(request, answer.usage, outgoing.history_tokens, batch=outgoing.batch)
        # There is no need to wait: the next job of this question is in the same or a later transaction.
        self.journal.set_price(number, answer.served, usage, is_estimate=is_estimate)
        self.budget.add_paid(request.model, usage, is_estimate=is_estimate)
        if answer.usage is not None:
            self.budget.check_usage(request, answer.usage, outgoing.history_tokens)
        return PaidReply(number, arguments, answer, body)

    def restore(self, outgoing: OutgoingCall, claim: Claimed) -> PaidReply | None:
        """Return the reply that an interrupted run received to this call; None if there is none."""
        if not any(attempt == outgoing.attempt for attempt, _ in claim.paid):
            return None
        arguments = outgoing.encode()
        paid = claim.paid.get((outgoing.attempt, outgoing.fingerprint(arguments)))
        if paid is None:
            return None
        number, body = paid
        answer = decode_reply(body, outgoing.request.model.profile.api)
        if isinstance(answer, InvalidResponse):
            self.journal.set_error(number)
            return None
        usage = self.budget.price(
            outgoing.request, answer.usage, outgoing.history_tokens, batch=answer.batched
        )
        self.journal.set_price(number, answer.served, usage, is_estimate=answer.usage is None)
        return PaidReply(number, arguments, answer, body)


def _entry(outgoing: OutgoingCall, arguments: Arguments, body: bytes) -> JournalEntry:
    request = outgoing.request
    return JournalEntry(
        key=request.key,
        attempt=outgoing.attempt,
        fingerprint=outgoing.fingerprint(arguments),
        reply=body,
        model=request.model.full_name,
        versions=versions(),
        batch=outgoing.batch,
        request=hide_keys(storable(request.record)),
        complaint=hide_keys(storable(outgoing.complaint)) if outgoing.complaint else "",
    )
