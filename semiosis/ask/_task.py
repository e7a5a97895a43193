"""Tasks: the units of work that the runner executes, and the templates their requests are made from."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from semiosis.ask._model import Model
from semiosis.ask._picture import Picture
from semiosis.ask._request import Passage, Request
from semiosis.values import Primitive

T = TypeVar("T", bound=BaseModel)
R_co = TypeVar("R_co", covariant=True)

_DIGEST_LENGTH = 16


class Task(Protocol[R_co]):
    """One unit of work: a reading, an alignment, a verdict, an answer, a score."""

    @property
    def key(self) -> str:
        """Tasks with the same key do the same work. A run executes each key once."""
        ...

    @property
    def needs(self) -> "tuple[Task[Any], ...]":
        """The tasks whose results this one takes, in this order."""
        ...

    def request(self, *results: Any) -> Request[Any] | None:
        """Return what to ask a model, or None if the result is computed locally.

        It is called in a thread, because loading pictures takes time. A `DataError` raised here, such as for
        a missing image, reaches `finish` as `Unscored("missing")`.
        """
        ...

    def finish(self, reply: Any, *results: Any) -> R_co:
        """Return the result: a value, or `Unscored`.

        `reply` is a `Reply`, or `Unscored` if the request failed or if a needed task did. It is None if
        `request` returned None.
        """
        ...


@dataclass(frozen=True)
class ComputedTask(Generic[R_co]):
    """A task that computes its result. It asks no model and needs no other task."""

    key: str
    """Tasks with the same key do the same work."""
    compute: Callable[[], R_co]
    """Returns the result."""
    needs: tuple[Task[Any], ...] = ()
    """No other task."""

    def request(self) -> None:
        """Return None, because no model is asked."""

    def finish(self, _reply: object) -> R_co:
        """Return the result."""
        return self.compute()


@dataclass(frozen=True)
class RequestTemplate(Generic[T]):
    """Everything about a request except the material it shows.

    The identity of an evaluator comes from the templates it asks with, so that no setting of a request can
    change without changing the evaluator's id.
    """

    model: Model
    """The model to ask."""
    prompt: str
    """Name and version of the prompt file."""
    system: str
    """The instructions, with every setting filled in."""
    answer: type[T]
    """The form of the answer."""
    lenient: type[T] | None = None
    """A looser form, accepted when the re-asks are used up."""
    placeholder: Callable[[], T] | None = None
    """Makes the answer that a dry run assumes."""
    expected_tokens: int = 1000
    """The usual length of an answer, for estimates."""
    parameters: Mapping[str, Primitive] = field(default_factory=dict)
    """Settings of the call that the model's own do not include."""

    def request(
        self, parts: tuple[Passage | Picture, ...], *, repeat: int = 0, answer: type[T] | None = None
    ) -> Request[T]:
        """Return the request that shows these parts. `answer` is a checked form with the same schema."""
        return Request(
            model=self.model,
            system=self.system,
            parts=parts,
            answer=answer or self.answer,
            lenient=self.lenient,
            placeholder=self.placeholder,
            repeat=repeat,
            expected_tokens=self.expected_tokens,
            parameters=self.parameters,
        )

    @property
    def identity(self) -> dict[str, Primitive]:
        """What distinguishes requests of this template from others, as parameters of an evaluator."""
        request = self.request(())
        return {
            "model": self.model.full_name,
            "prompt": self.prompt,
            "structured": self.model.profile.structured,
            **request.settings,
            "instructions": _digest(self.system),
            "schema": _digest(json.dumps(request.schema, sort_keys=True)),
        }


def task_key(kind: str, **settings: object) -> str:
    """Return the key of a task of this kind with these settings.

    >>> task_key("score", sign="1f") == task_key("score", sign="1f")
    True
    """
    return hashlib.sha256(json.dumps([kind, settings], sort_keys=True, default=str).encode()).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_LENGTH]
