"""The servers of one model: SDK clients that return the bytes of a reply, one limit for each."""

import asyncio
import inspect
import json
import ssl
import zlib
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from semiosis.ask._codec import Arguments, Codec
from semiosis.ask._failure import OddResponseError
from semiosis.ask._limit import Limiter
from semiosis.ask._model import Model, check_url
from semiosis.ask._profile import Api
from semiosis.ask._secret import hide_keys_in, key_for, uses_own_key
from semiosis.values import UsageError

_COOL_DOWN = 15.0
"""Seconds for which a server that failed is used only if no other is left."""

MOST_BYTES = 64 * 2**20
"""A longer reply is given up: no answer is as long, and a body without an end would fill the memory."""

_AUTOMATIC = 47
"""zlib's argument to recognise gzip and deflate by themselves."""

_ORDINARY_HEADERS = (
    "accept",
    "accept-encoding",
    "anthropic-beta",
    "anthropic-version",
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
)
"""What a server of the user's own receives beside its key: SDKs add headers from the environment."""


@dataclass(frozen=True, slots=True)
class Received:
    """A reply as it arrived."""

    body: bytes
    """Its bytes."""
    reply: Any = None
    """The SDK's object, for providers whose SDK does not give the bytes."""


Send = Callable[[Arguments], Awaitable[Received]]


@dataclass
class Endpoint:
    """One server."""

    url: str
    """Where it is; empty for the provider's own or for a model in this process."""
    send: Send
    """Sends one call and returns the reply's bytes."""
    limiter: Limiter
    """The limit on calls in flight to it."""
    deadline: float | None = None
    """Seconds that one call may take, from sending it to the last byte of its reply; None for no limit."""
    client: Any = None
    """The SDK's client, if there is one."""
    answered: bool = False
    """Whether it ever sent a response."""
    cool_until: float = 0.0
    """The time until which other servers are preferred."""

    @property
    def resting(self) -> bool:
        """Whether it failed lately or asked to wait."""
        return self.limiter.closed or self.cool_until > asyncio.get_running_loop().time()

    def cool_down(self) -> None:
        """Prefer other servers for a while."""
        self.cool_until = asyncio.get_running_loop().time() + _COOL_DOWN


@dataclass
class Endpoints:
    """The servers of one model, and how requests to it are encoded."""

    model: Model
    codec: Codec
    servers: list[Endpoint]

    def choose(self) -> Endpoint:
        """Return the least busy server among those that did not fail lately."""
        return min(self.servers, key=lambda server: (server.resting, server.limiter.load))

    def has_another(self, failed: Endpoint) -> bool:
        """Whether a server other than this one did not fail lately."""
        return any(server is not failed and not server.resting for server in self.servers)

    @property
    def answered(self) -> bool:
        """Whether one of the servers ever sent a response."""
        return any(server.answered for server in self.servers)

    async def close(self) -> None:
        """Close the connections."""
        for server in self.servers:
            if server.client is not None:
                await server.client.close()


def open_endpoints(model: Model, in_flight: int, timeout: float) -> Endpoints:
    """Return the servers of a model. Raises if its SDK or its key is missing."""
    return _OPENERS[model.profile.api](model, model.in_flight or in_flight, timeout)


def _anthropic(model: Model, in_flight: int, timeout: float) -> Endpoints:
    import anthropic

    def opened(url: str) -> Endpoint:
        client = anthropic.AsyncAnthropic(
            base_url=url or None,
            api_key=key_for(model),
            max_retries=0,
            timeout=timeout,
            http_client=_http_client(anthropic, model, "x-api-key", timeout),
        )
        send = _sender(client.messages.with_streaming_response.create)
        return Endpoint(url, send, Limiter(in_flight), timeout, client)

    named = frozenset(inspect.signature(anthropic.resources.AsyncMessages.create).parameters)
    return Endpoints(model, Codec(model, named), [opened(url) for url in _urls(model)])


def _openai(model: Model, in_flight: int, timeout: float) -> Endpoints:
    import openai
    from openai.resources.chat import AsyncCompletions

    def opened(url: str) -> Endpoint:
        client = openai.AsyncOpenAI(
            base_url=url or None,
            api_key=key_for(model),
            max_retries=0,
            timeout=timeout,
            http_client=_http_client(openai, model, "authorization", timeout),
        )
        send = _sender(client.chat.completions.with_streaming_response.create)
        return Endpoint(url, send, Limiter(in_flight), timeout, client)

    named = frozenset(inspect.signature(AsyncCompletions.create).parameters)
    return Endpoints(model, Codec(model, named), [opened(url) for url in _urls(model)])


def _local(model: Model, _in_flight: int, _timeout: float) -> Endpoints:
    """Load a model into this process: one call at a time, and no deadline, because its thread cannot stop."""
    from semiosis.ask._local import local_model

    async def send(arguments: Arguments) -> Received:
        return Received(await local_model(model).complete(**arguments))

    return Endpoints(model, Codec(model, None), [Endpoint("", send, Limiter(1))])


def _any_provider(model: Model, in_flight: int, timeout: float) -> Endpoints:
    """Let instructor select the SDK. Its reply is journaled as the JSON of the SDK's object."""
    import instructor
    from instructor.core.exceptions import ConfigurationError

    try:
        client: Any = instructor.from_provider(model.full_name, async_client=True)
    except (ConfigurationError, ImportError, ValueError) as error:
        raise UsageError(
            f"{model.full_name} cannot be reached: {error}",
            fix="install the provider's SDK and set its key",
        ) from error
    create = client.create_fn.__wrapped__  # functools.wraps keeps the SDK's own call

    async def send(arguments: Arguments) -> Received:
        reply = await create(**arguments)
        dump = getattr(reply, "model_dump_json", lambda: json.dumps(str(reply)))
        return Received(hide_keys_in(dump().encode("utf-8", "replace")), reply)

    codec = Codec(model, None, client.provider, client.mode)
    return Endpoints(model, codec, [Endpoint("", send, Limiter(in_flight), timeout)])


_OPENERS: dict[Api, Callable[[Model, int, float], Endpoints]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "local": _local,
    "instructor": _any_provider,
}


def _urls(model: Model) -> list[str]:
    urls = [model.base_url, *model.replicas] if model.base_url else [model.endpoint or model.profile.url]
    for url in filter(None, urls):
        check_url(url)  # those of the environment too
    return urls


def _sender(create: Callable[..., AbstractAsyncContextManager[Any]]) -> Send:
    """Return a function that makes an SDK's call and leaves the reply's bytes as they are."""

    async def send(arguments: Arguments) -> Received:
        async with create(**arguments) as response:
            return Received(hide_keys_in(await read_body(response.http_response)))

    return send


async def read_body(response: Any) -> bytes:
    """Return the bytes of a body, at most `MOST_BYTES`. What cannot be decompressed stays as it came."""
    body = bytearray()
    async for part in response.aiter_raw():
        body += part
        if len(body) > MOST_BYTES:
            raise OddResponseError(f"the reply is longer than {MOST_BYTES // 2**20} MB")
    if response.headers.get("content-encoding", "identity") not in ("gzip", "deflate"):
        return bytes(body)
    try:
        return zlib.decompressobj(_AUTOMATIC).decompress(body, MOST_BYTES)
    except zlib.error:
        return bytes(body)


def _http_client(sdk: Any, model: Model, key_header: str, timeout: float) -> Any:
    """Return an HTTP client that follows no redirect: the next host would receive the key."""
    own = uses_own_key(model)
    hooks = {"request": [_own_headers_only(key_header, key_for(model) or "")]} if own else {}
    # Reading the system's certificates takes a quarter of a second. Plain HTTP needs none of them, and with
    # none of them HTTPS would fail.
    plain = all(url.startswith("http://") for url in _urls(model))
    verify = {"verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)} if plain else {}
    try:
        return sdk.DefaultAsyncHttpxClient(
            timeout=timeout,
            follow_redirects=False,
            event_hooks=hooks,
            headers={"accept-encoding": "identity"},  # so that the bytes on the wire are the reply
            **verify,
        )
    except (ImportError, OSError, ValueError) as error:  # a SOCKS proxy, certificates that do not exist
        raise UsageError(
            f"no connection to {model.full_name} can be prepared: {error}",
            fix="check the variables ALL_PROXY, HTTP_PROXY, HTTPS_PROXY and SSL_CERT_FILE",
        ) from error


def _own_headers_only(key_header: str, key: str) -> Callable[[Any], Awaitable[None]]:
    """Return a hook that removes what an SDK adds from the environment: custom headers, organisations."""

    async def clean(request: Any) -> None:
        for name in list(request.headers):
            if name.lower() not in _ORDINARY_HEADERS and not name.lower().startswith("x-stainless-"):
                del request.headers[name]
        request.headers[key_header] = f"Bearer {key}" if key_header == "authorization" else key

    return clean
