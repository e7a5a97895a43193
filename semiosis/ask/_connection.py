"""The connection to a model: its servers, each with an SDK client that returns the bytes of a reply."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
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
            if server.client is not None:
                await server.client.close()


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


def _refuse(model: Model, _in_flight: int, _timeout: float) -> ModelConnection:
    """Refuse a provider whose SDK would open its own connection: it follows redirects with the key."""
    raise UsageError(
        f"the provider {model.provider!r} is not supported: its SDK would send the key wherever the server "
        "redirects to",
        fix="reach the model through openrouter/…, or give the base URL of a server with OpenAI's chat "
        "completions (--base-url)",
    )


_OPENERS: dict[Api, Callable[[Model, int, float], ModelConnection]] = {
    "anthropic": _open_anthropic,
    "openai": _open_openai,
    "local": _open_local,
    "instructor": _refuse,
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
