"""One structured question: what is sent to a model, and the key under which its reply is kept."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Generic, TypeVar

from pydantic import BaseModel

from semiosis.ask._model import Model, check_settings
from semiosis.ask._picture import Picture
from semiosis.values import Primitive, UsageError

T = TypeVar("T", bound=BaseModel)

DEFAULT_MAX_TOKENS = 4096
"""The maximum length of an answer unless a request states one."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of text in a request."""

    text: str
    """The text."""
    shared: bool = False
    """Whether everything up to here is the same in many requests, so that the provider may cache it."""


@dataclass(frozen=True)
class Request(Generic[T]):
    """One structured question to one model."""

    model: Model
    """Which model to ask."""
    system: str
    """The instructions."""
    parts: tuple[Passage | Picture, ...]
    """The passages and pictures that the model is shown, in order."""
    answer: type[T]
    """The form of the answer. A reply that does not fit is sent back with the reason."""
    lenient: type[T] | None = None
    """A looser form of the same answer, taken only when the re-asks are used up."""
    placeholder: Callable[[], T] | None = None
    """Makes the answer that a dry run uses, so that the questions that depend on it can be counted."""
    repeat: int = 0
    """0 for the first time this is asked, 1 for an independent second time, and so on."""
    expected_tokens: int = 1000
    """How long an answer usually is; only for estimates."""
    parameters: Mapping[str, Primitive] = field(default_factory=dict)
    """Settings of the call, in addition to the model's: `temperature`, `max_tokens`."""

    def __post_init__(self) -> None:
        check_settings(self.settings)
        for text in (self.system, *(part.text for part in self.parts if isinstance(part, Passage))):
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise UsageError(
                    f"a text of the request contains half a character at position {error.start}",
                    fix="remove it; it comes from bytes that are not UTF-8 or from a text cut in an emoji",
                ) from None

    @cached_property
    def settings(self) -> dict[str, Primitive]:
        """Every setting of the call. Those of the request override those of the model."""
        return {"max_tokens": DEFAULT_MAX_TOKENS, **self.model.parameters, **self.parameters}

    @property
    def schema(self) -> dict[str, object]:
        """The JSON schema of the answer."""
        return _schema(self.answer)

    @cached_property
    def key(self) -> str:
        """SHA-256 of the request as sent.

        The versions of libraries and prompt files are not part of it, but the text of the prompt is.
        """
        sent = {
            "provider": self.model.provider,
            "endpoint": self.model.endpoint,
            "model": self.model.name,
            "structured": self.model.profile.structured,
            "parameters": self.settings,
            "system": self.system,
            "parts": [_hashed_part(part) for part in self.parts],
            "schema": _schema_text(self.answer),
            "repeat": self.repeat,
        }
        return hashlib.sha256(_canonical(sent).encode()).hexdigest()

    @property
    def record(self) -> str:
        """What is sent, as JSON for the log: the texts, and pictures by name and hash."""
        parts = [
            {"text": part.text}
            if isinstance(part, Passage)
            else {"picture": part.name or part.media_type, "sha256": part.sha256}
            for part in self.parts
        ]
        return _canonical({"system": self.system, "parts": parts, "settings": self.settings})

    @property
    def text(self) -> str:
        """All text that is sent, for estimates."""
        passages = [part.text for part in self.parts if isinstance(part, Passage)]
        return "\n".join([self.system, *passages, _schema_text(self.answer)])

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """The pictures sent, in order."""
        return tuple(part for part in self.parts if isinstance(part, Picture))


def _hashed_part(part: Passage | Picture) -> dict[str, str]:
    """Return what the request key hashes of a part."""
    return {"text": part.text} if isinstance(part, Passage) else {"image": part.sha256}


def _canonical(content: object) -> str:
    # Not RFC 8785 as for ids: requests are long, only their hash is kept, and this is faster.
    return json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=256)
def _schema(answer: type[BaseModel]) -> dict[str, object]:
    return answer.model_json_schema()


@lru_cache(maxsize=256)
def _schema_text(answer: type[BaseModel]) -> str:
    return _canonical(_schema(answer))
