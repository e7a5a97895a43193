"""What a stand-in model does with one call: answers, refuses, is cut off, is busy, hangs up, sends bytes."""

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
    """One request as it arrived."""

    path: str
    """Such as `/v1/messages`."""
    headers: dict[str, str]
    """Names in lower case."""
    body: dict[str, Any]
    """The JSON that was sent."""

    @property
    def schema(self) -> dict[str, Any]:
        """The form asked for, however it was sent: as a tool, as `output_config` or as `response_format`."""
        if tools := self.body.get("tools"):
            return dict(tools[0].get("input_schema") or tools[0]["function"]["parameters"])
        if config := self.body.get("output_config"):
            return dict(config["format"]["schema"])
        return dict(self.body.get("response_format", {}).get("json_schema", {}).get("schema", {}))

    @cached_property
    def text(self) -> str:
        """All the words of the system prompt and the messages."""
        return "\n".join(_texts([self.body.get("system", ""), *self.body.get("messages", [])]))

    @cached_property
    def images(self) -> tuple[str, ...]:
        """SHA-256 of the pictures sent, in order."""
        return tuple(
            hashlib.sha256(base64.b64decode(data)).hexdigest() for data in _image_data(self.body["messages"])
        )

    @property
    def re_ask(self) -> bool:
        """Whether it complains of an earlier reply."""
        turns = [message for message in self.body["messages"] if message["role"] != "system"]
        return len(turns) > 1


@dataclass(frozen=True)
class Says:
    """An answer: a mapping in the form asked for, or plain words."""

    said: Any
    """What the model says."""
    ending: Ending = "done"
    """Why it stops."""
    delay: float = 0.0
    """Seconds before it answers."""
    changes: dict[str, Any] = field(default_factory=dict)
    """Fields of the provider's reply that differ from the usual: `{"usage": None}`."""

    @property
    def words(self) -> str:
        """The answer as text."""
        return self.said if isinstance(self.said, str) else json.dumps(self.said, ensure_ascii=False)


@dataclass(frozen=True)
class Fails:
    """An HTTP error."""

    status: int
    """Such as 429."""
    headers: dict[str, str] = field(default_factory=dict)
    """Such as `retry-after-ms`."""
    delay: float = 0.0
    """Seconds before it answers."""
    error: dict[str, Any] = field(default_factory=dict)
    """Fields of the error object that differ from the usual: `{"code": "insufficient_quota"}`."""


@dataclass(frozen=True)
class HangsUp:
    """Closes the connection without a word."""

    delay: float = 0.0
    """Seconds before it does."""


@dataclass(frozen=True)
class Sends:
    """A response of any bytes: HTML, half a reply, a body that drips."""

    body: bytes
    """What is sent."""
    status: int = 200
    """The HTTP status."""
    headers: dict[str, str] = field(default_factory=dict)
    """More headers, or others than the usual."""
    delay: float = 0.0
    """Seconds before it answers."""
    drip: float = 0.0
    """Seconds between one byte and the next; 0 to send all at once."""
    closes: bool = False
    """Whether the connection is closed after the body, which may be shorter than its `content-length`."""


Step = Says | Fails | HangsUp | Sends
Script = Callable[[Call], Step]
"""What the stand-in does with a call."""


def says(said: Any, *, delay: float = 0.0, **changes: Any) -> Says:
    """A good answer. Further arguments change fields of the provider's reply, such as `usage=None`."""
    return Says(said, delay=delay, changes=changes)


def refuses(words: str = "I would rather not.") -> Says:
    """A refusal."""
    return Says(words, "refusal")


def cut_off(words: str = '{"nodes": [{"id": "ro') -> Says:
    """An answer that ran into the token limit."""
    return Says(words, "cut-off")


def empty() -> Says:
    """An answer with nothing in it."""
    return Says("")


def busy(status: int = 429, *, retry_after_ms: int | None = 5) -> Fails:
    """Overload, asking to wait."""
    return Fails(status, {} if retry_after_ms is None else {"retry-after-ms": str(retry_after_ms)})


def scripted(steps: Iterable[Step]) -> Script:
    """One step after another; a call too many is a plain error 400."""
    left = iter(steps)
    return lambda _call: next(left, Fails(400))


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
