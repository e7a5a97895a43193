"""Decodes the bytes of a provider's reply: the model's text, stop reason, usage and served model.

No function here raises an error because of what a provider sends. A body that is not a reply of the API
becomes a `InvalidResponse`. Usage that is missing or implausible is None, never 0.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pydantic_core import from_json

from semiosis.ask._profile import Api
from semiosis.values import Usage

Stop = Literal["done", "cut-off", "refusal"]

_CUT_OFF = ("max_tokens", "length", "model_context_window_exceeded")
CUT_OFF_JSON = "EOF while parsing"
"""What the parser says about the beginning of a JSON text whose rest is missing."""
_MAX_TOKENS = 10_000_000
"""More tokens than any call can use. A larger number counts as unknown."""
_MAX_NAME_LENGTH = 200
"""Characters of a served model's name that are kept."""
_REFUSAL = ("refusal", "content_filter", "safety", "prohibited_content", "blocklist", "recitation")


@dataclass(frozen=True, slots=True)
class Token:
    """One token of an answer, with its probability, where the provider reports them."""

    text: str
    """The token."""
    log_probability: float
    """The natural logarithm of its probability."""
    alternatives: Mapping[str, float]
    """The most likely tokens at this position and their log probabilities."""


@dataclass(frozen=True, slots=True)
class DecodedReply:
    """A provider's reply in one form for all providers."""

    text: str
    """The JSON or other text that the model wrote."""
    stop: Stop
    """Why the model stopped."""
    usage: Usage | None
    """Tokens of this call; None if the provider reported none, or implausible ones."""
    served: str
    """The model that answered, as the provider named it."""
    tokens: tuple[Token, ...] = ()
    """Token probabilities, if they were asked for and the provider gives them."""
    message: Any = None
    """The reply as the provider's JSON, needed to ask again."""
    damaged: str = ""
    """Why the text cannot be trusted, such as a body that is not UTF-8; empty if it can."""
    batched: bool = False
    """Whether the body is a line of a batch's results."""


@dataclass(frozen=True, slots=True)
class InvalidResponse:
    """A successful HTTP response that is not a reply of the API, such as an HTML page or an error object."""

    detail: str
    """A description of the response."""
    cut_off: bool = False
    """Whether it is the beginning of a reply whose rest was lost on the way. The provider may bill it."""


def decode_reply(body: bytes, api: Api) -> DecodedReply | InvalidResponse:
    """Return the decoded reply, or why the body is not a reply."""
    tree, damaged = _parsed(body)
    if CUT_OFF_JSON in damaged and body.strip():
        return InvalidResponse(f"the reply is cut off after {len(body)} bytes", cut_off=True)
    if not isinstance(tree, dict):
        if _looks_paid(body):
            return DecodedReply("", "done", None, "", damaged=damaged or "the reply is not valid JSON")
        return InvalidResponse(f"the response is not JSON: {bytes_as_text(body, 120)!r}")
    message = _batched_message(tree)
    read, needed = _DECODERS[api]
    if needed and needed not in message:
        return InvalidResponse(f"the response is not a model's reply: {bytes_as_text(body, 300)}")
    answer = read(message)
    if _error_of(message) and not answer.text:  # some gateways add an empty reply to their error
        return InvalidResponse(f"the response is an error: {bytes_as_text(body, 300)}")
    return replace(answer, message=_resendable(message), damaged=damaged, batched=message is not tree)


def _error_of(message: dict[str, Any]) -> Any:
    """Return the error that a successful response reports or its first choice; None if none."""
    choices = message.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return message.get("error") or (first.get("error") if isinstance(first, dict) else None)


def bytes_as_text(body: bytes, max_bytes: int | None = None) -> str:
    """Return the bytes as text that can be stored and shown. Bytes that are not UTF-8 are escaped."""
    text = body[:max_bytes].decode("utf-8", "backslashreplace")
    return text + " […]" if max_bytes is not None and len(body) > max_bytes else text


def storable(text: str) -> str:
    """Return the text without lone surrogates, which no file and no database accepts."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _parsed(body: bytes) -> tuple[Any, str]:
    """Return the JSON of a body, and why it is damaged; empty if it is valid."""
    try:
        return from_json(_utf_8(body), allow_inf_nan=False), ""
    except ValueError as error:
        damaged = f"the reply is not valid JSON: {error}"
    try:  # only to learn what the reply cost
        return json.loads(body.decode("utf-8", "replace")), damaged
    except (ValueError, RecursionError):
        return None, damaged


def _utf_8(body: bytes) -> bytes:
    """Return the body in UTF-8 without a byte order mark; some gateways send UTF-16."""
    encoding = json.detect_encoding(body)
    return body if encoding == "utf-8" else body.decode(encoding).encode()


def _looks_paid(body: bytes) -> bool:
    """Return whether a body that is not JSON may be a model's reply: broken JSON, or bytes that are not text.

    HTML and plain text come from a proxy in front of the model and are not billed.
    """
    try:
        return body.decode().lstrip().startswith("{")
    except UnicodeDecodeError:
        return True


def _batched_message(tree: dict[str, Any]) -> dict[str, Any]:
    result = tree.get("result")
    message = result.get("message") if isinstance(result, dict) else None
    return message if isinstance(message, dict) else tree


def _decode_anthropic(message: dict[str, Any]) -> DecodedReply:
    content = message["content"]
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    inputs = [_as_json(block.get("input")) for block in blocks if block.get("type") == "tool_use"]
    texts = [block["text"] for block in blocks if isinstance(block.get("text"), str)]
    text = _distinct(inputs) or "".join(texts) or (content if isinstance(content, str) else "")
    stop = _stop(message.get("stop_reason"))
    return DecodedReply(storable(text), stop, _anthropic_usage(message.get("usage")), _served(message))


def _decode_openai(completion: dict[str, Any]) -> DecodedReply:
    choices = completion["choices"]
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = choice["message"] if isinstance(choice.get("message"), dict) else {}
    refused = isinstance(message.get("refusal"), str) and bool(message["refusal"])
    text = _tool_arguments(message.get("tool_calls")) or _content_text(message.get("content"))
    stop = "refusal" if refused else _stop(choice.get("finish_reason"))
    return DecodedReply(
        storable(text or (message["refusal"] if refused else "")),
        stop,
        _openai_usage(completion.get("usage")),
        _served(completion),
        _tokens(choice.get("logprobs")),
    )


_DECODERS: dict[Api, tuple[Callable[[dict[str, Any]], DecodedReply], str]] = {
    "anthropic": (_decode_anthropic, "content"),
    "openai": (_decode_openai, "choices"),
    "local": (_decode_openai, "choices"),
}
"""For each API: how a reply is read, and the field that every reply has."""


def _tool_arguments(calls: Any) -> str:
    """Return the arguments of the tool calls, those of custom tools included."""
    if not isinstance(calls, list):
        return ""
    parts = [call.get("function") or call.get("custom") for call in calls if isinstance(call, dict)]
    arguments = [part.get("arguments", part.get("input")) for part in parts if isinstance(part, dict)]
    return _distinct(
        [text if isinstance(text, str) else _as_json(text) for text in arguments if text is not None]
    )


def _distinct(calls: list[str]) -> str:
    """Return the arguments of the calls as one text. A repeated call counts once."""
    return "".join(dict.fromkeys(calls))


def _content_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "".join(text for text in texts if isinstance(text, str))


def _tokens(logprobs: Any) -> tuple[Token, ...]:
    listed = logprobs.get("content") if isinstance(logprobs, dict) else None
    tokens = [_token(item) for item in listed] if isinstance(listed, list) else []
    return tuple(token for token in tokens if token is not None)


def _token(item: Any) -> Token | None:
    pair = _token_pair(item)
    if pair is None:
        return None
    top = item.get("top_logprobs")
    alternatives = [_token_pair(entry) for entry in top] if isinstance(top, list) else []
    return Token(*pair, dict(alternative for alternative in alternatives if alternative is not None))


def _token_pair(item: Any) -> tuple[str, float] | None:
    if not isinstance(item, dict) or not isinstance(item.get("token"), str):
        return None
    number = item.get("logprob")
    if isinstance(number, bool) or not isinstance(number, int | float) or not number <= 0:
        return None
    return storable(item["token"]), float(number)


def _stop(reason: Any) -> Stop:
    word = reason.lower() if isinstance(reason, str) else ""  # gateways pass on Google's words in capitals
    return "cut-off" if word in _CUT_OFF else "refusal" if word in _REFUSAL else "done"


def _served(message: dict[str, Any]) -> str:
    served = message.get("model")
    return storable(served)[:_MAX_NAME_LENGTH] if isinstance(served, str) else ""


def _as_json(tree: Any) -> str:
    try:
        return json.dumps(tree, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""


def _resendable(message: Any) -> Any:
    """Return a message that can be sent again as part of a re-ask; None if it is nested too deeply."""
    try:
        return _storable_json(message)
    except RecursionError:
        return None


def _storable_json(tree: Any) -> Any:
    """Return the tree without lone surrogates, NaN and infinity."""
    if isinstance(tree, str):
        return storable(tree)
    if isinstance(tree, float):
        return tree if tree - tree == 0 else None
    if isinstance(tree, list):
        return [_storable_json(item) for item in tree]
    if isinstance(tree, dict):
        return {storable(key): _storable_json(item) for key, item in tree.items()}
    return tree


def _anthropic_usage(usage: Any) -> Usage | None:
    """Return the usage that an Anthropic reply reports."""
    if not isinstance(usage, dict):
        return None
    uncached, output = _count(usage.get("input_tokens")), _count(usage.get("output_tokens"))
    read = _count(usage.get("cache_read_input_tokens") or 0)
    written = _count(usage.get("cache_creation_input_tokens") or 0)
    if uncached is None or output is None or read is None or written is None:
        return None
    return _plausible(uncached + read + written, output, read, written)


def _openai_usage(usage: Any) -> Usage | None:
    """Return the usage that an OpenAI reply reports."""
    if not isinstance(usage, dict):
        return None
    prompt, output = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    total = _count(usage.get("total_tokens"))
    details = usage.get("prompt_tokens_details")
    read = _count(details.get("cached_tokens") or 0) if isinstance(details, dict) else 0
    if prompt is None or output is None or read is None or read > prompt:
        return None
    # Google counts the tokens of thoughts in the total alone, and bills them as output.
    return _plausible(prompt, max(output, (total or 0) - prompt), read, 0)


def _plausible(input_tokens: int, output: int, read: int, written: int) -> Usage | None:
    if not input_tokens + output:
        return None  # every call uses tokens, so the provider does not count them
    return Usage(
        calls=1,
        input_tokens=input_tokens,
        output_tokens=output,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


def _count(number: Any) -> int | None:
    whole = isinstance(number, int) and not isinstance(number, bool)
    return number if whole and 0 <= number <= _MAX_TOKENS else None
