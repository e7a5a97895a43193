"""Checks a recorded reply: returns the answer in its form, or the reason why the reply is not valid."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from semiosis.ask._codec import Codec
from semiosis.ask._decode import DecodedReply, Token, bytes_as_text, decode_reply
from semiosis.ask._failure import Failure
from semiosis.ask._journal import RecordedAnswer
from semiosis.ask._model import Model
from semiosis.ask._recorder import PaidReply
from semiosis.ask._request import Request
from semiosis.values import Usage

T = TypeVar("T", bound=BaseModel)


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
    retries: int = 0
    """How many calls were repeated after an error of the provider."""
    tokens: tuple[Token, ...] = ()
    """Token probabilities, if they were asked for and the provider gives them."""


def reply_from_journal(request: Request[T], recorded: RecordedAnswer) -> Reply[T] | None:
    """Return the kept answer in the current form; None if it no longer fits."""
    for form in (request.answer, request.lenient):
        if form is not None:
            try:
                answer = form.model_validate_json(recorded.answer)
            except ValidationError:
                continue
            tokens = _tokens_of(recorded, request.model)
            return Reply(answer, recorded.served, recorded.usage, kept=True, tokens=tokens)
    return None


def _tokens_of(recorded: RecordedAnswer, model: Model) -> tuple[Token, ...]:
    if b'"logprobs"' not in recorded.reply:
        return ()
    decoded = decode_reply(recorded.reply, model.profile.api)
    return decoded.tokens if isinstance(decoded, DecodedReply) else ()


def check_reply(codec: Codec, paid: PaidReply, form: type[T]) -> T | ValueError | Failure:
    """Return the answer in its form, the reason why it does not fit, or why asking again would not help."""
    answer = paid.answer
    raw = answer.text or ("" if not answer.damaged else bytes_as_text(paid.body))
    if answer.stop == "refusal":
        return Failure("refusal", "the model refused to answer", raw=raw)
    if answer.stop == "cut-off":
        return Failure("cut-off", "the reply was cut off; a larger max_tokens may help", raw=raw)
    if not raw.strip():
        return Failure("empty", "the reply was empty", raw=raw)
    try:
        return codec.parse(answer, form)
    except ValueError as error:
        return error


def malformed_failure(paid: PaidReply, error: ValueError, attempts: int) -> Failure:
    """Return the failure of a question whose replies do not fit after this many attempts."""
    raw = bytes_as_text(paid.body) if paid.answer.damaged else paid.answer.text
    return Failure(
        "malformed", f"the reply does not fit the form after {attempts} attempts: {error}", raw=raw
    )
