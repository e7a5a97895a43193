"""The steps of a script: how a stand-in provider responds to one call."""

import base64
import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

Ending = Literal["done", "cut-off", "refusal"]


@dataclass(frozen=True)
class Call:
    """A request to the stand-in provider."""

    path: str
    """The path, such as `/v1/messages`."""
    headers: dict[str, str]
    """The headers, with names in lower case."""
    body: dict[str, Any]
    """The JSON that was sent."""

    @property
    def schema(self) -> dict[str, Any]:
        """The schema of the answer, which is sent as a tool, `output_config` or `response_format`."""
        if tools := self.body.get("tools"):
            return dict(tools[0].get("input_schema") or tools[0]["function"]["parameters"])
        if config := self.body.get("output_config"):
            return dict(config["format"]["schema"])
        return dict(self.body.get("response_format", {}).get("json_schema", {}).get("schema", {}))

    @cached_property
    def text(self) -> str:
        """All text of the system prompt and the messages."""
        return "\n".join(_texts([self.body.get("system", ""), *self.body.get("messages", [])]))

    @cached_property
    def images(self) -> tuple[str, ...]:
        """The SHA-256 of each picture sent, in order."""
        return tuple(
            hashlib.sha256(base64.b64decode(data)).hexdigest() for data in _image_data(self.body["messages"])
        )

    @property
    def re_ask(self) -> bool:
        """Whether it is a re-ask, which contains an earlier reply."""
        turns = [message for message in self.body["messages"] if message["role"] != "system"]
        return len(turns) > 1


@dataclass(frozen=True)
class AnswerStep:
    """Answer with a mapping that fits the schema, or with text."""

    answer: Any
    """The mapping or the text."""
    ending: Ending = "done"
    """Why the answer ends."""
    delay: float = 0.0
    """Seconds before the response."""
    changes: dict[str, Any] = field(default_factory=dict)
    """Fields that replace those of the provider's reply, such as `{"usage": None}`."""

    @property
    def text(self) -> str:
        """The answer as text."""
        return self.answer if isinstance(self.answer, str) else json.dumps(self.answer, ensure_ascii=False)


@dataclass(frozen=True)
class HTTPErrorStep:
    """Respond with an HTTP error."""

    status: int
    """The HTTP status, such as 429."""
    headers: dict[str, str] = field(default_factory=dict)
    """Additional headers, such as `retry-after-ms`."""
    delay: float = 0.0
    """Seconds before the response."""
    error: dict[str, Any] = field(default_factory=dict)
    """Fields that replace those of the error object, such as `{"code": "insufficient_quota"}`."""


@dataclass(frozen=True)
class DisconnectStep:
    """Close the connection without a response."""

    delay: float = 0.0
    """Seconds before the connection is closed."""


@dataclass(frozen=True)
class RawResponseStep:
    """Respond with any bytes, such as HTML or half a reply."""

    body: bytes
    """The body of the response."""
    status: int = 200
    """The HTTP status."""
    headers: dict[str, str] = field(default_factory=dict)
    """Headers to add or replace. One without a value is left out, such as `content-length`."""
    delay: float = 0.0
    """Seconds before the response."""
    drip: float = 0.0
    """Seconds between one byte and the next; 0 to send all bytes at once."""
    closes: bool = False
    """Whether the connection is closed after the body, which may be shorter than its `content-length`."""


Step = AnswerStep | HTTPErrorStep | DisconnectStep | RawResponseStep
"""The response to one call."""
Script = Callable[[Call], Step]
"""A function that returns the response to a call."""


def says(answer: Any, *, delay: float = 0.0, **changes: Any) -> AnswerStep:
    """Return a valid answer. `changes` replace fields of the provider's reply, such as `usage=None`."""
    return AnswerStep(answer, delay=delay, changes=changes)


def refuses(words: str = "I would rather not.") -> AnswerStep:
    """Return a refusal."""
    return AnswerStep(words, "refusal")


def cut_off(words: str = '{"nodes": [{"id": "ro') -> AnswerStep:
    """Return an answer that was cut off at the token limit."""
    return AnswerStep(words, "cut-off")


def empty() -> AnswerStep:
    """Return an empty answer."""
    return AnswerStep("")


def busy(status: int = 429, *, retry_after_ms: int | None = 5) -> HTTPErrorStep:
    """Return an error that reports overload and asks the client to wait."""
    return HTTPErrorStep(status, {} if retry_after_ms is None else {"retry-after-ms": str(retry_after_ms)})


def scripted(steps: Iterable[Step]) -> Script:
    """Return a script of steps, one for each call. Further calls get an error 400."""
    remaining = iter(steps)
    return lambda _call: next(remaining, HTTPErrorStep(400))


def _texts(node: Any) -> list[str]:
    if isinstance(node, str):
        return [node]
    if isinstance(node, list):
        return [word for item in node for word in _texts(item)]
    if isinstance(node, dict):
        return [
            word for key in ("text", "content", "function", "arguments") for word in _texts(node.get(key, []))
        ]
    return []


def _image_data(node: Any) -> list[str]:
    if isinstance(node, list):
        return [data for item in node for data in _image_data(item)]
    if not isinstance(node, dict):
        return []
    if node.get("type") == "image":
        return [node["source"]["data"]]
    if node.get("type") == "image_url":
        return [node["image_url"]["url"].partition(",")[2]]
    return _image_data(node.get("content", []))
