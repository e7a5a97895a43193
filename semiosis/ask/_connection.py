"""The connection to a model: its servers, each with an SDK client that returns the bytes of a reply.

Every client gets the HTTP client that is made here, whatever the provider: it follows no redirect, sends only
headers that the server may receive, and reads bodies up to a limit.
"""

import asyncio
import inspect
import ssl
import zlib
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from semiosis.ask._codec import Arguments, Codec
from semiosis.ask._failure import UnusableResponseError
from semiosis.ask._limit import Limiter
from semiosis.ask._model import Model, check_url
from semiosis.ask._profile import PROVIDERS, Api
from semiosis.ask._secret import hide_keys, hide_keys_in, is_foreign_server, key_for
from semiosis.values import UsageError

_COOL_DOWN = 15.0
"""Seconds for which a server that failed is used only if no other is left."""
MAX_REPLY_BYTES = 64 * 2**20
"""The longest reply that is read. No answer is this long, and an endless body would fill the memory."""
MAX_RESULT_BYTES = 2**30
"""The longest results of a batch that are read."""
MAX_ERROR_BYTES = 2**16
"""Bytes of an error's body that are read."""
CONNECT_SECONDS = 30.0
"""The time limit for connecting. A machine that is switched off neither accepts nor refuses a connection."""

_AUTOMATIC = 47
"""zlib's window size that detects gzip and deflate automatically."""
_RAW_DEFLATE = -15
"""zlib's window size for deflate without a header."""

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
"""The headers that a foreign server receives in addition to its key. SDKs add more from the environment."""

Hook = Callable[[Any], Awaitable[None]]
Send = Callable[[Arguments], Awaitable[bytes]]


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


def open_connection(model: Model, limiter_of: Callable[[str], Limiter], timeout: float) -> ModelConnection:
    """Return the connection to a model. Raises if the provider is not supported or its key is missing.

    `limiter_of` returns the limiter of the server at a URL, which the models of one server share.
    """
    return _OPENERS[model.profile.api](model, limiter_of, timeout)


def _open_anthropic(model: Model, limiter_of: Callable[[str], Limiter], timeout: float) -> ModelConnection:
    import anthropic

    def server(url: str) -> Server:
        client = anthropic.AsyncAnthropic(
            base_url=url,
            api_key=key_for(model),
            max_retries=0,
            timeout=_timeouts(anthropic, timeout),
            http_client=_http_client(anthropic, model, url, timeout),
        )
        send = _bytes_sender(client.messages.with_streaming_response.create)
        return Server(url, send, limiter_of(url), timeout, client)

    accepted = frozenset(inspect.signature(anthropic.resources.AsyncMessages.create).parameters)
    return ModelConnection(model, Codec(model, accepted), [server(url) for url in _urls(model)])


def _open_openai(model: Model, limiter_of: Callable[[str], Limiter], timeout: float) -> ModelConnection:
    import openai
    from openai.resources.chat import AsyncCompletions

    def server(url: str) -> Server:
        client = openai.AsyncOpenAI(
            base_url=url,
            api_key=key_for(model),
            max_retries=0,
            timeout=_timeouts(openai, timeout),
            http_client=_http_client(openai, model, url, timeout),
        )
        send = _bytes_sender(client.chat.completions.with_streaming_response.create)
        return Server(url, send, limiter_of(url), timeout, client)

    accepted = frozenset(inspect.signature(AsyncCompletions.create).parameters)
    return ModelConnection(model, Codec(model, accepted), [server(url) for url in _urls(model)])


def _open_local(model: Model, _limiter_of: Callable[[str], Limiter], _timeout: float) -> ModelConnection:
    """Use a model in this process: one call at a time, without a deadline, because its thread cannot stop."""
    from semiosis.ask._local import local_model

    async def send(arguments: Arguments) -> bytes:
        return await local_model(model.name).complete(**arguments)

    return ModelConnection(model, Codec(model, None), [Server("", send, Limiter(1))])


_OPENERS: dict[Api, Callable[[Model, Callable[[str], Limiter], float], ModelConnection]] = {
    "anthropic": _open_anthropic,
    "openai": _open_openai,
    "local": _open_local,
}


def require_supported(model: Model) -> None:
    """Raise if there is no address for a model that this package can send its own connection to."""
    profile = model.profile
    if profile.api == "local" or all(model.urls):
        return
    if profile.url_variable:
        raise UsageError(f"there is no endpoint for {model.provider}", fix=f"set {profile.url_variable}")
    raise UsageError(
        f"the provider {model.provider!r} is not supported",
        fix=f"choose one of {PROVIDERS}; or give the base URL of a server with OpenAI's chat completions "
        "(--base-url)",
    )


def _urls(model: Model) -> tuple[str, ...]:
    require_supported(model)
    for url in model.urls:
        check_url(url)  # also URLs from the environment
    return model.urls


def _bytes_sender(create: Callable[..., AbstractAsyncContextManager[Any]]) -> Send:
    """Return a function that makes an SDK's call and returns the bytes of the reply."""

    async def send(arguments: Arguments) -> bytes:
        async with create(**arguments) as response:
            return hide_keys_in(await read_body(response.http_response))

    return send


def _http_client(sdk: Any, model: Model, url: str, timeout: float) -> Any:
    """Return an HTTP client that follows no redirect: the next host would receive the key."""
    # Reading the system's certificates takes a quarter of a second. Plain HTTP needs none. HTTPS without
    # certificates fails.
    verify = {"verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)} if url.startswith("http://") else {}
    requests = [_only_ordinary_headers(model)] if is_foreign_server(model) else []
    import httpx2

    try:
        return sdk.DefaultAsyncHttpxClient(
            timeout=_timeouts(sdk, timeout),
            follow_redirects=False,
            event_hooks={"request": requests, "response": [_limit_body]},
            headers={"accept-encoding": "identity"},  # so that the bytes on the wire are the reply
            **verify,
        )
    except (ImportError, OSError, ValueError, httpx2.InvalidURL) as error:
        # A SOCKS proxy, certificates that do not exist, or a proxy whose URL cannot be read. Its message may
        # show a part of the URL, which may be a password.
        detail = hide_keys(str(error)) if isinstance(error, ImportError | OSError) else type(error).__name__
        raise UsageError(
            f"the connection to {model.full_name} cannot be set up: {detail}",
            fix="check the variables ALL_PROXY, HTTP_PROXY, HTTPS_PROXY and SSL_CERT_FILE",
        ) from None


def _timeouts(sdk: Any, timeout: float) -> Any:
    """Return the SDK's timeouts for a call that may take `timeout` seconds."""
    return sdk.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS))


def _only_ordinary_headers(model: Model) -> Hook:
    """Return a hook that removes headers that an SDK adds from the environment, such as an organisation."""
    header, key = model.profile.key_header, key_for(model) or ""
    if model.base_url:
        header = "x-api-key" if model.profile.api == "anthropic" else "authorization"

    async def clean(request: Any) -> None:
        for name in list(request.headers):
            if name.lower() not in _ORDINARY_HEADERS and not name.lower().startswith("x-stainless-"):
                del request.headers[name]
        request.headers[header] = f"Bearer {key}" if header == "authorization" else key

    return clean


async def _limit_body(response: Any) -> None:
    """Replace the body of a response with the bytes that `read_body` returns.

    SDKs read the bodies of errors themselves, without a limit, and fail on broken compression.
    """
    import httpx2

    response.stream = httpx2.ByteStream(await read_body(response))
    response.headers.pop("content-encoding", None)


async def read_body(response: Any) -> bytes:
    """Return the body of a response, decompressed; raise if it is longer than the limit or cut off.

    For an error, only the beginning of the body is returned.
    """
    limit = MAX_RESULT_BYTES if response.url.path.endswith("/results") else MAX_REPLY_BYTES
    limit = MAX_ERROR_BYTES if response.is_error else limit
    body = await _read(response.stream, limit)
    coding = response.headers.get("content-encoding", "").lower()
    if any(kind in coding for kind in ("gzip", "deflate")) and len(body) <= limit:
        decompressed = _decompressed(body, limit)
        if decompressed is None and not response.is_error:
            raise UnusableResponseError("the compressed reply is damaged or cut off", retry=True)
        body = body if decompressed is None else decompressed
    if len(body) > limit and not response.is_error:
        raise UnusableResponseError(f"the reply is longer than {limit // 2**20} MB")
    return body[:limit]


async def _read(stream: Any, limit: int) -> bytes:
    """Return the bytes of a stream up to the limit, or slightly more."""
    body = bytearray()
    try:
        async for part in stream:
            body += part
            if len(body) > limit:
                break
    finally:
        await stream.aclose()
    return bytes(body)


def _decompressed(body: bytes, limit: int) -> bytes | None:
    """Return the decompressed body, at most one byte more than the limit; None if it is damaged or cut off.

    gzip allows several members in a row, and some servers send deflate without the header of zlib.
    """
    for window in (_AUTOMATIC, _RAW_DEFLATE):
        rest, parts = body, bytearray()
        try:
            while rest and len(parts) <= limit:
                member = zlib.decompressobj(window)
                parts += member.decompress(rest, limit + 1 - len(parts))
                if not member.eof and len(parts) <= limit:
                    break
                rest = member.unused_data
            else:
                return bytes(parts)
        except zlib.error:
            continue
    return body if body.lstrip().startswith(b"{") else None  # some gateways only say that they compressed it
