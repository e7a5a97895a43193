"""Makes the HTTP clients of the SDKs: no redirects, limited bodies, and only headers a server may receive."""

import ssl
import zlib
from collections.abc import Awaitable, Callable
from typing import Any

from semiosis.ask._failure import UnusableResponseError
from semiosis.ask._model import Model
from semiosis.ask._secret import is_foreign_server, key_for
from semiosis.values import UsageError

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


def http_client(sdk: Any, model: Model, urls: list[str], key_header: str, timeout: float) -> Any:
    """Return an HTTP client that follows no redirect: the next host would receive the key."""
    # Reading the system's certificates takes a quarter of a second. Plain HTTP needs none. HTTPS without
    # certificates fails.
    plain = all(url.startswith("http://") for url in urls)
    verify = {"verify": ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)} if plain else {}
    requests = [_only_ordinary_headers(key_header, key_for(model) or "")] if is_foreign_server(model) else []
    try:
        return sdk.DefaultAsyncHttpxClient(
            timeout=timeouts(sdk, timeout),
            follow_redirects=False,
            event_hooks={"request": requests, "response": [_limit_body]},
            headers={"accept-encoding": "identity"},  # so that the bytes on the wire are the reply
            **verify,
        )
    except (ImportError, OSError, ValueError) as error:  # a SOCKS proxy, certificates that do not exist
        raise UsageError(
            f"the connection to {model.full_name} cannot be set up: {error}",
            fix="check the variables ALL_PROXY, HTTP_PROXY, HTTPS_PROXY and SSL_CERT_FILE",
        ) from error


def timeouts(sdk: Any, timeout: float) -> Any:
    """Return the SDK's timeouts for a call that may take `timeout` seconds."""
    return sdk.Timeout(timeout, connect=min(timeout, CONNECT_SECONDS))


def _only_ordinary_headers(key_header: str, key: str) -> Hook:
    """Return a hook that removes headers that an SDK adds from the environment, such as an organisation."""

    async def clean(request: Any) -> None:
        for name in list(request.headers):
            if name.lower() not in _ORDINARY_HEADERS and not name.lower().startswith("x-stainless-"):
                del request.headers[name]
        request.headers[key_header] = f"Bearer {key}" if key_header == "authorization" else key

    return clean


async def _limit_body(response: Any) -> None:
    """Replace the body of a response with the bytes that `read_body` returns.

    SDKs read the bodies of errors themselves, without a limit, and fail on broken compression.
    """
    import httpx2

    response.stream = httpx2.ByteStream(await read_body(response))
    response.headers.pop("content-encoding", None)


async def read_body(response: Any) -> bytes:
    """Return the body of a response, decompressed; raise if it is longer than the limit.

    For an error, only the beginning of the body is returned.
    """
    limit = MAX_RESULT_BYTES if response.url.path.endswith("/results") else MAX_REPLY_BYTES
    limit = MAX_ERROR_BYTES if response.is_error else limit
    body = await _read(response.stream, limit)
    if any(kind in response.headers.get("content-encoding", "").lower() for kind in ("gzip", "deflate")):
        body = _decompressed(body, limit)
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


def _decompressed(body: bytes, limit: int) -> bytes:
    """Return the decompressed body, at most one byte more than the limit.

    A body that cannot be decompressed is returned unchanged.
    """
    try:
        return zlib.decompressobj(_AUTOMATIC).decompress(body, limit + 1)
    except zlib.error:
        return body
