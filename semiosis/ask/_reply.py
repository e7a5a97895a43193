"""From a reply on disk to the answer of a question, or to the reason why it is none."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from semiosis.ask._answer import Answer, Token, decode, printable
from semiosis.ask._codec import Codec
from semiosis.ask._failure import Failure
from semiosis.ask._journal import Kept
from semiosis.ask._model import Model
from semiosis.ask._recorder import Paid
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


def from_kept(request: Request[T], kept: Kept) -> Reply[T] | None:
    """Return the kept answer in today's form; None if it does not fit any more."""
    for form in (request.answer, request.lenient):
        if form is not None:
            try:
                answer = form.model_validate_json(kept.answer)
            except ValidationError:
                continue
            tokens = _tokens_of(kept, request.model)
            return Reply(answer, kept.served, kept.usage, kept=True, tokens=tokens)
    return None


def _tokens_of(kept: Kept, model: Model) -> tuple[Token, ...]:
    if b'"logprobs"' not in kept.reply:
        return ()
    decoded = decode(kept.reply, model.profile.api)
    return decoded.tokens if isinstance(decoded, Answer) else ()


def checked(codec: Codec, paid: Paid, form: type[T]) -> T | ValueError | Failure:
    """Return the answer in its form, the reason why it does not fit, or why asking again would not help."""
    answer = paid.answer
    said = answer.text or ("" if not answer.damaged else printable(paid.received.body))
    if answer.stop == "refusal":
        return Failure("refusal", "the model refused to answer", raw=said)
    if answer.stop == "cut-off":
        return Failure("cut-off", "the reply was cut off; a larger max_tokens may help", raw=said)
    if not said.strip():
        return Failure("empty", "the reply was empty", raw=said)
    try:
        return codec.parse(answer, form, paid.received.reply)
    except ValueError as error:
        return error


def malformed(paid: Paid, error: ValueError, attempts: int) -> Failure:
    """Return the failure of a question whose replies do not fit after so many attempts."""
    raw = printable(paid.received.body) if paid.answer.damaged else paid.answer.text
    return Failure(
        "malformed", f"the reply does not fit the form after {attempts} attempts: {error}", raw=raw
    )
