"""The HTTP clients of the SDKs: no redirects, bounded bodies, and no header that a server may not receive."""

import ssl
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

from semiosis.ask._failure import OddResponseError
from semiosis.ask._model import Model
from semiosis.ask._secret import is_foreign_server, key_for
from semiosis.values import UsageError

MOST_BYTES = 64 * 2**20
"""A longer reply is given up: no answer is as long, and a body without an end would fill the memory."""
MOST_RESULT_BYTES = 2**30
"""The same for the results of a batch."""
MOST_ERROR_BYTES = 2**16
"""How much of an error's body is read."""
CONNECT_SECONDS = 30.0
"""How long connecting may take. A machine that was switched off refuses nothing and never answers."""

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
"""What another server than the SDK's own receives beside its key: SDKs add headers from the environment."""

Hook = Callable[[Any], Awaitable[None]]


def http_client(sdk: Any, model: Model, urls: list[str], key_header: str, timeout: float) -> Any:
    """Return an HTTP client that follows no redirect: the next host would receive the key."""
    # Reading the system's certificates takes a quarter of a second. Plain HTTP needs none of them, and with
    # none of them HTTPS would fail.
    plain = all(url.startswith("http://") for url in urls)
    verify = {"verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)} if plain else {}
    requests = [_only_ordinary_headers(key_header, key_for(model) or "")] if is_foreign_server(model) else []
    try:
        return sdk.DefaultAsyncHttpxClient(
            timeout=timeouts(sdk, timeout),
            follow_redirects=False,
            event_hooks={"request": requests, "response": [_bound_body]},
            headers={"accept-encoding": "identity"},  # so that the bytes on the wire are the reply
            **verify,
        )
    except (ImportError, OSError, ValueError) as error:  # a SOCKS proxy, certificates that do not exist
        raise UsageError(
            f"no connection to {model.full_name} can be prepared: {error}",
            fix="check the variables ALL_PROXY, HTTP_PROXY, HTTPS_PROXY and SSL_CERT_FILE",
        ) from error


def timeouts(sdk: Any, timeout: float) -> Any:
    """Return the SDK's timeouts for a call that may take so many seconds."""
    return sdk.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS))


def _only_ordinary_headers(key_header: str, key: str) -> Hook:
    """Return a hook that removes what an SDK adds from the environment: custom headers, organisations."""

    async def clean(request: Any) -> None:
        for name in list(request.headers):
            if name.lower() not in _ORDINARY_HEADERS and not name.lower().startswith("x-stainless-"):
                del request.headers[name]
        request.headers[key_header] = f"Bearer {key}" if key_header == "authorization" else key

    return clean


async def _bound_body(response: Any) -> None:
    """Replace the body of a response with the bytes that `read_body` returns.

    SDKs read the bodies of errors themselves, without a limit, and fail on broken compression.
    """
    import httpx2

    response.stream = httpx2.ByteStream(await read_body(response))
    response.headers.pop("content-encoding", None)


async def read_body(response: Any) -> bytes:
    """Return the body of a response, decompressed; raise if it is longer than the limit.

    Of an error's body only the beginning is returned.
    """
    limit = MOST_RESULT_BYTES if response.url.path.endswith("/results") else MOST_BYTES
    limit = MOST_ERROR_BYTES if response.is_error else limit
    body = await _read(response.stream, limit)
    if any(kind in response.headers.get("content-encoding", "").lower() for kind in ("gzip", "deflate")):
        body = _decompressed(body, limit)
    if len(body) > limit and not response.is_error:
        raise OddResponseError(f"the reply is longer than {limit // 2**20} MB")
    return body[:limit]


async def _read(stream: Any, limit: int) -> bytes:
    """Return the bytes of a stream, at most one part more than the limit."""
    body = bytearray()
    try:
        async for part in stream:
            body += part
            if len(body) > limit:
                break
    finally:
        await stream.aclose()
    return bytes(body)


def _decompressed(body: bytes, limit: int) -> bytes:
    """Return the body without its compression, at most one byte more than the limit.

    What cannot be decompressed stays as it came.
    """
    try:
        return zlib.decompressobj(_AUTOMATIC).decompress(body, limit + 1)
    except zlib.error:
        return body
