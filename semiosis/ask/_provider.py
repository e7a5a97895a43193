"""The providers' own SDKs, with instructor between them and us: structured answers and re-asks for all."""

import asyncio
import base64
import importlib.metadata
import inspect
import json
import logging
import os
import ssl
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel

from semiosis.ask._limit import TURN
from semiosis.ask._model import OWN_KEY, Model
from semiosis.ask._picture import Picture
from semiosis.ask._profile import Structured
from semiosis.ask._request import Passage, Request
from semiosis.values import Usage, UsageError

T = TypeVar("T", bound=BaseModel)
Create = Callable[..., Awaitable[Any]]
"""An SDK's own call, from keyword arguments to its reply."""

_CREATE: ContextVar[Create] = ContextVar("_CREATE")

CALL_TIMEOUT = 600.0
_EPHEMERAL = {"type": "ephemeral"}
_MODES: dict[Structured, str] = {"tools": "TOOLS", "schema": "JSON_SCHEMA", "native": "JSON"}
_OPENAI_LIKE = ("openai", "ollama", "local")
_NO_KEY = "not-needed"
_OLLAMA = "http://localhost:11434/v1"


class Connection:
    """How to reach one model: the SDK's call, and what instructor needs to know."""

    def __init__(self, model: Model, timeout: float = CALL_TIMEOUT) -> None:
        logging.getLogger("instructor").addHandler(logging.NullHandler())  # it logs every failure as an error
        self.model = model
        self.client: Any = None
        self.takes_turns = False
        """Whether the HTTP client takes a call's turn; where it does not, the turn is the whole call."""
        if model.provider == "anthropic":
            self._anthropic(timeout)
        elif model.provider == "local":
            self._local()
        elif model.provider in _OPENAI_LIKE or model.base_url:
            self._openai(timeout)
        else:
            self._any_provider()

    @cached_property
    def _named_settings(self) -> frozenset[str]:
        return frozenset(inspect.signature(self.create).parameters)

    @cached_property
    def _patched(self) -> Create:
        """Instructor around whatever `_CREATE` holds: to patch anew would add a twentieth to every call."""
        import instructor

        async def create(**arguments: Any) -> Any:
            return await _CREATE.get()(**arguments)

        patched: Create = instructor.patch(create=create, mode=self.mode, provider=self.provider)
        return patched

    async def structured(self, create: Create, request: Request[T], answer: type[T], re_asks: int) -> T:
        """The answer in its form, asked through `create`, with at most so many re-asks."""
        before = _CREATE.set(create)
        try:
            value: T = await self._patched(
                response_model=_prepared(answer),
                max_retries=re_asks,
                messages=self._messages(request),
                **self._arguments(request),
            )
        finally:
            _CREATE.reset(before)
        return value

    def restored(self, reply: str) -> Any:
        """An SDK's reply from the JSON it was kept as; None where the type is not one of ours."""
        return None if self._reply_type is None else self._reply_type.model_validate_json(reply)

    def _anthropic(self, timeout: float) -> None:
        import anthropic
        from instructor import Mode, Provider

        own = self.model.base_url
        self.client = anthropic.AsyncAnthropic(
            base_url=own or None,
            api_key=_own_key() if own else None,
            max_retries=0,
            timeout=timeout,
            http_client=self._http_client(anthropic, own, timeout),
        )
        self.create: Create = self.client.messages.create
        self.provider, self.mode = Provider.ANTHROPIC, Mode[_MODES[self.model.profile.structured]]
        self._reply_type: type[BaseModel] | None = anthropic.types.Message

    def _openai(self, timeout: float) -> None:
        import openai
        from instructor import Mode, Provider

        own = self.model.base_url or (_OLLAMA if self.model.provider == "ollama" else None)
        key = _own_key() if own else os.environ.get("OPENAI_API_KEY")
        if not (own or key or os.environ.get("OPENAI_BASE_URL")):
            raise UsageError(
                "no key for openai", fix="set OPENAI_API_KEY, or give the base_url of your own server"
            )
        self.client = openai.AsyncOpenAI(
            base_url=own,
            api_key=key or _NO_KEY,
            max_retries=0,
            timeout=timeout,
            http_client=self._http_client(openai, own or "", timeout),
        )
        self.create = self.client.chat.completions.create
        structured = self.model.profile.structured
        self.provider, self.mode = Provider.OPENAI, Mode[_MODES.get(structured, "TOOLS")]
        self._reply_type = openai.types.chat.ChatCompletion

    def _local(self) -> None:
        import openai
        from instructor import Mode, Provider

        from semiosis.ask._local import local_model

        self.create = local_model(self.model).create
        self.provider, self.mode = Provider.OPENAI, Mode.JSON_SCHEMA
        self._reply_type = openai.types.chat.ChatCompletion

    def _any_provider(self) -> None:
        import instructor
        from instructor.core.exceptions import ConfigurationError

        try:
            client = instructor.from_provider(self.model.full_name, async_client=True)
        except (ConfigurationError, ImportError, ValueError) as error:
            raise UsageError(
                f"{self.model.full_name} cannot be reached: {error}",
                fix="install the provider's SDK and set its key",
            ) from error
        self.create = client.create_fn.__wrapped__  # type: ignore[attr-defined]  # functools.wraps keeps the SDK's own call
        self.provider, self.mode, self._reply_type = client.provider, client.mode, None

    def _http_client(self, sdk: Any, base_url: str, timeout: float) -> Any:
        """The SDK's client on aiohttp, which takes a fifth less processor time per call than its default.

        A plain http endpoint needs no certificates, and reading the system's takes a quarter of a second.
        """
        self.takes_turns = True
        plain = {"verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)} if base_url.startswith("http://") else {}
        hooks = {"request": [_leaves], "response": [_arrived]}
        return sdk.DefaultAioHttpClient(timeout=timeout, event_hooks=hooks, **plain)

    def _messages(self, request: Request[T]) -> list[dict[str, Any]]:
        system: Any = request.system
        if self.model.profile.caches:
            system = [{"type": "text", "text": request.system, "cache_control": _EPHEMERAL}]
        content = [self._block(part) for part in request.parts]
        return [{"role": "system", "content": system}, {"role": "user", "content": content}]

    def _block(self, part: Passage | Picture) -> Any:
        if isinstance(part, Picture):
            import instructor

            return instructor.Image(
                source="memory", media_type=part.media_type, data=base64.b64encode(part.data).decode()
            )
        block: dict[str, Any] = {"type": "text", "text": part.text}
        if part.shared and self.model.profile.caches:
            block["cache_control"] = _EPHEMERAL
        return block

    def _arguments(self, request: Request[T]) -> dict[str, Any]:
        arguments = {"model": self.model.name, **self._settings(request)}
        if self.model.provider == "anthropic" and self.model.profile.structured == "native":
            import anthropic

            schema = anthropic.transform_schema(request.answer)
            arguments["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        if self.model.provider == "local":
            arguments["seed"] = int(arguments.get("seed", 0)) + request.repeat  # or a repeat would only echo
        return arguments

    def _settings(self, request: Request[T]) -> dict[str, Any]:
        """The settings as arguments of the SDK's call; those it has no name for go into the body."""
        settings = dict(request.settings)
        if self.client is None:
            return settings
        if self.model.provider == "openai" and not self.model.base_url:
            settings["max_completion_tokens"] = settings.pop("max_tokens")  # OpenAI's newer models insist
        known = self._named_settings
        named = {name: value for name, value in settings.items() if name in known}
        others = {name: value for name, value in settings.items() if name not in known}
        return {**named, "extra_body": others} if others else named


def reply_text(reply: Any) -> str:
    """What the model said, as text: the tool's input or the words, whichever SDK the reply comes from."""
    if blocks := getattr(reply, "content", None):
        return "".join(_said(block) for block in blocks)
    if choices := getattr(reply, "choices", None):
        message = choices[0].message
        calls = "".join(call.function.arguments for call in message.tool_calls or [])
        return calls or message.content or message.refusal or ""
    return str(getattr(reply, "text", "") or "")


def ended(reply: Any) -> str:
    """Why the model stopped, in the provider's word."""
    if choices := getattr(reply, "choices", None):
        return "refusal" if choices[0].message.refusal else str(choices[0].finish_reason)
    return str(getattr(reply, "stop_reason", ""))


def usage_of(reply: Any) -> Usage:
    """Tokens of one reply; input tokens include those of the provider's cache."""
    spent: Any = getattr(reply, "usage", None)
    if hasattr(spent, "prompt_tokens"):
        details = getattr(spent, "prompt_tokens_details", None)
        cached = getattr(details, "cached_tokens", 0) or 0
        return Usage(
            calls=1,
            input_tokens=spent.prompt_tokens or 0,
            output_tokens=spent.completion_tokens or 0,
            cache_read_tokens=cached,
        )
    read = getattr(spent, "cache_read_input_tokens", 0) or 0
    written = getattr(spent, "cache_creation_input_tokens", 0) or 0
    return Usage(
        calls=1,
        input_tokens=(getattr(spent, "input_tokens", 0) or 0) + read + written,
        output_tokens=getattr(spent, "output_tokens", 0) or 0,
        cache_read_tokens=read,
        cache_write_tokens=written,
    )


@lru_cache(maxsize=1)
def versions() -> str:
    """Versions of the libraries a reply came through, as JSON: metadata, not part of the key."""
    names = ("semiosis", "instructor", "anthropic", "openai")
    return json.dumps({name: importlib.metadata.version(name) for name in names})


def _own_key() -> str:
    return os.environ.get(OWN_KEY) or _NO_KEY


async def _leaves(_: object) -> None:
    if turn := TURN.get():
        await turn.enter()


async def _arrived(response: Any) -> None:
    """Lets the next call go as soon as a reply is in. A refused one keeps its turn until it is understood."""
    if (turn := TURN.get()) and response.is_success:
        await response.aread()
        turn.leave()
        # Two rounds of the loop: every waiting request goes first, then the work on the replies.
        for _ in range(2):
            await asyncio.sleep(0)


def _said(block: Any) -> str:
    return (
        json.dumps(block.input, ensure_ascii=False)
        if block.type == "tool_use"
        else getattr(block, "text", "")
    )


@lru_cache(maxsize=256)
def _prepared(answer: type[T]) -> type[T]:
    """The form as instructor wants it; making it takes milliseconds, so it is made once."""
    from instructor.processing.function_calls import response_schema

    return response_schema(answer)
