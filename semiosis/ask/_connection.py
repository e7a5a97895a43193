"""The connection to a model: its servers, each with an SDK client that returns the bytes of a reply."""

import asyncio
import inspect
import json
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from typing import Any

from semiosis.ask._codec import Arguments, Codec
from semiosis.ask._http import http_client, read_body, timeouts
from semiosis.ask._limit import Limiter
from semiosis.ask._model import Model, check_url
from semiosis.ask._profile import Api
from semiosis.ask._secret import hide_keys_in, key_for
from semiosis.values import UsageError

_COOL_DOWN = 15.0
"""Seconds for which a server that failed is used only if no other is left."""


@dataclass(frozen=True, slots=True)
class ReceivedReply:
    """A reply as it arrived."""

    body: bytes
    """The bytes of its body."""
    reply: Any = None
    """The SDK's object, for providers whose SDK does not give the bytes."""


Send = Callable[[Arguments], Awaitable[ReceivedReply]]


@dataclass
class Server:
    """One server."""

    url: str
    """The URL; empty for the provider's own server and for a model in this process."""
    send: Send
    """Sends one call and returns the reply's bytes."""
    limiter: Limiter
    """The limit on calls in flight to it."""
    deadline: float | None = None
    """Seconds that one call may take, from sending it to the last byte of its reply; None for no limit."""
    client: Any = None
    """The SDK's client, if there is one."""
    answered: bool = False
    """Whether it has ever sent a response."""
    cool_until: float = 0.0
    """The time until which other servers are preferred."""

    @property
    def paused(self) -> bool:
        """Whether it failed recently or asked to wait."""
        return self.limiter.closed or self.cool_until > asyncio.get_running_loop().time()

    def cool_down(self) -> None:
        """Prefer other servers for a while."""
        self.cool_until = asyncio.get_running_loop().time() + _COOL_DOWN


@dataclass
class ModelConnection:
    """The servers of one model, and the codec that encodes requests to it."""

    model: Model
    codec: Codec
    servers: list[Server]

    def choose(self) -> Server:
        """Return the least busy server among those that did not fail recently."""
        return min(self.servers, key=lambda server: (server.paused, server.limiter.load))

    def has_another(self, failed: Server) -> bool:
        """Return whether there is another server that did not fail recently."""
        return any(server is not failed and not server.paused for server in self.servers)

    @property
    def answered(self) -> bool:
        """Whether one of the servers has ever sent a response."""
        return any(server.answered for server in self.servers)

    async def close(self) -> None:
        """Close the connections."""
        for server in self.servers:
            await _close(server.client)


def open_connection(model: Model, in_flight: int, timeout: float) -> ModelConnection:
    """Return the connection to a model. Raises if its SDK or its key is missing."""
    return _OPENERS[model.profile.api](model, model.in_flight or in_flight, timeout)


def _open_anthropic(model: Model, in_flight: int, timeout: float) -> ModelConnection:
    import anthropic

    urls = _urls(model)

    def server(url: str) -> Server:
        client = anthropic.AsyncAnthropic(
            base_url=url or None,
            api_key=key_for(model),
            max_retries=0,
            timeout=timeouts(anthropic, timeout),
            http_client=http_client(anthropic, model, urls, "x-api-key", timeout),
        )
        send = _bytes_sender(client.messages.with_streaming_response.create)
        return Server(url, send, Limiter(in_flight), timeout, client)

    accepted = frozenset(inspect.signature(anthropic.resources.AsyncMessages.create).parameters)
    return ModelConnection(model, Codec(model, accepted), [server(url) for url in urls])


def _open_openai(model: Model, in_flight: int, timeout: float) -> ModelConnection:
    import openai
    from openai.resources.chat import AsyncCompletions

    urls = _urls(model)

    def server(url: str) -> Server:
        client = openai.AsyncOpenAI(
            base_url=url or None,
            api_key=key_for(model),
            max_retries=0,
            timeout=timeouts(openai, timeout),
            http_client=http_client(openai, model, urls, "authorization", timeout),
        )
        send = _bytes_sender(client.chat.completions.with_streaming_response.create)
        return Server(url, send, Limiter(in_flight), timeout, client)

    accepted = frozenset(inspect.signature(AsyncCompletions.create).parameters)
    return ModelConnection(model, Codec(model, accepted), [server(url) for url in urls])


def _open_local(model: Model, _in_flight: int, _timeout: float) -> ModelConnection:
    """Use a model in this process: one call at a time, without a deadline, because its thread cannot stop."""
    from semiosis.ask._local import local_model

    async def send(arguments: Arguments) -> ReceivedReply:
        return ReceivedReply(await local_model(model.name).complete(**arguments))

    return ModelConnection(model, Codec(model, None), [Server("", send, Limiter(1))])


def _open_any(model: Model, in_flight: int, timeout: float) -> ModelConnection:
    """Let instructor choose the SDK. If the SDK does not return bytes, the JSON of its object is recorded."""
    import instructor
    from instructor.core.exceptions import ConfigurationError

    try:
        with _without_variables("OPENAI_CUSTOM_HEADERS", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
            client: Any = instructor.from_provider(model.full_name, async_client=True)
    except (ConfigurationError, ImportError, ValueError) as error:
        raise UsageError(
            f"{model.full_name} cannot be reached: {error}",
            fix="install the provider's SDK and set its key",
        ) from error
    client.client.max_retries = 0  # retries are made and counted here; some SDKs ignore this
    create = client.create_fn.__wrapped__  # functools.wraps keeps the SDK's own call
    resource = getattr(create, "__self__", None)
    raw = getattr(resource, "with_streaming_response", None)
    send = _bytes_sender(raw.create) if raw is not None else _object_sender(create)
    codec = Codec(model, None, client.provider, client.mode)
    return ModelConnection(model, codec, [Server("", send, Limiter(in_flight), timeout, client.client)])


async def _close(client: Any) -> None:
    """Close an SDK's client. Google's has a separate object for asynchronous calls."""
    for part in (getattr(client, "aio", None), client):
        close = getattr(part, "aclose", None) or getattr(part, "close", None)
        if close is not None and inspect.isawaitable(closing := close()):
            await closing


@contextmanager
def _without_variables(*names: str) -> Iterator[None]:
    """Remove variables from the environment while OpenAI's SDK makes a client for another provider."""
    removed = {name: os.environ.pop(name) for name in names if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(removed)


def _object_sender(create: Callable[..., Awaitable[Any]]) -> Send:
    """Return a function that makes the call of an SDK that does not return the bytes of a reply."""

    async def send(arguments: Arguments) -> ReceivedReply:
        reply = await create(**arguments)
        return ReceivedReply(hide_keys_in(_object_json(reply)), reply)

    return send


def _object_json(reply: Any) -> bytes:
    """Return an SDK's reply as JSON. Text that pydantic refuses, such as lone surrogates, is escaped."""
    try:
        return bytes(reply.model_dump_json().encode())
    except (AttributeError, ValueError):
        fields = getattr(reply, "model_dump", lambda: str(reply))()
        return json.dumps(fields, default=str).encode()


_OPENERS: dict[Api, Callable[[Model, int, float], ModelConnection]] = {
    "anthropic": _open_anthropic,
    "openai": _open_openai,
    "local": _open_local,
    "instructor": _open_any,
}


def _urls(model: Model) -> list[str]:
    urls = [model.base_url, *model.replicas] if model.base_url else [model.endpoint or model.profile.url]
    for url in filter(None, urls):
        check_url(url)  # also URLs from the environment
    return urls


def _bytes_sender(create: Callable[..., AbstractAsyncContextManager[Any]]) -> Send:
    """Return a function that makes an SDK's call and returns the bytes of the reply."""

    async def send(arguments: Arguments) -> ReceivedReply:
        async with create(**arguments) as response:
            return ReceivedReply(hide_keys_in(await read_body(response.http_response)))

    return send
