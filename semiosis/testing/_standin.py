"""A stand-in model provider on loopback. Real SDKs send their requests to it, and it costs nothing."""

import asyncio
import http.client
import json
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from semiosis.testing._step import (
    AnswerStep,
    Call,
    DisconnectStep,
    HTTPErrorStep,
    RawResponseStep,
    Script,
    Step,
    scripted,
)
from semiosis.testing._wire import anthropic_message, error_body, openai_completion

_MAX_BYTES = 300_000_000


class StandIn:
    """A server for Anthropic's Messages API and OpenAI's chat completions.

        with StandIn([says({"winner": "a"}), busy(), refuses()]) as provider:
            sm.Reader(sm.Model("anthropic/stand-in", base_url=provider.url))

    The script is a list of steps, or a function from the call to a step.
    """

    def __init__(self, script: Script | Iterable[Step], *, port: int = 0) -> None:
        self.calls: list[Call] = []
        """Every model call that arrived."""
        self.most_at_once = 0
        """The most calls that ran at the same time."""
        self._script = script if callable(script) else scripted(script)
        self._port = port
        self._running = 0
        self._cached: set[str] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="stand-in", daemon=True)
        self._writers: set[asyncio.StreamWriter] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._serve, "127.0.0.1", self._port)).result()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._run(self._stop()).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def url(self) -> str:
        """The base URL for Anthropic's SDK."""
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def openai_url(self) -> str:
        """The base URL for OpenAI's SDK."""
        return f"{self.url}/v1"

    def _run(self, work: Any) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _stop(self) -> None:
        self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while await self._exchange(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client disconnected, or the stand-in is closing
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether the connection stays open."""
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except asyncio.IncompleteReadError:
            return False
        arrived = self._loop.time()
        request, *lines = head.split("\r\n")
        method, path, _ = request.split(" ", 2)
        pairs = (line.partition(":") for line in lines if line)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        length = min(int(headers.get("content-length", 0)), _MAX_BYTES)
        body = json.loads(await reader.readexactly(length)) if length else {}
        return await self.respond(method, Call(path.partition("?")[0], headers, body), writer, arrived)

    async def respond(self, _method: str, call: Call, writer: asyncio.StreamWriter, arrived: float) -> bool:
        """Send the step's response. Its delay counts from the arrival of the call."""
        self._running += 1
        self.most_at_once = max(self.most_at_once, self._running)
        try:
            step = self.step(call)
            response = None if isinstance(step, DisconnectStep) else self.reply(call, step)
            await asyncio.sleep(arrived + step.delay - self._loop.time())
            if response is None:
                writer.transport.abort()
                return False
            await write_response(writer, response, step.drip if isinstance(step, RawResponseStep) else 0.0)
        finally:
            self._running -= 1
        return not (isinstance(step, RawResponseStep) and step.closes)

    def step(self, call: Call) -> Step:
        """Return the next step of the script, and record the call."""
        self.calls.append(call)
        return self._script(call)

    def reply(self, call: Call, step: AnswerStep | HTTPErrorStep | RawResponseStep) -> bytes:
        """Return the bytes of a step's response."""
        if isinstance(step, RawResponseStep):
            return http_response(step.status, step.body, {"content-type": "application/json", **step.headers})
        if isinstance(step, HTTPErrorStep):
            return json_response(step.status, error_body(step), step.headers)
        if call.path.endswith("/chat/completions"):
            return json_response(200, openai_completion(call, step))
        return json_response(200, anthropic_message(call, step, self._cached))


def json_response(status: int, body: Any, headers: dict[str, str] | None = None) -> bytes:
    """Return a response with JSON, or with a line of JSON for each item of a list."""
    lines = "\n".join(json.dumps(item) for item in body) if isinstance(body, list) else json.dumps(body)
    kind = "application/x-jsonl" if isinstance(body, list) else "application/json"
    return http_response(status, lines.encode(), {"content-type": kind, **(headers or {})})


def http_response(status: int, payload: bytes, headers: dict[str, str]) -> bytes:
    """Return the bytes of a response."""
    sent = {"content-length": str(len(payload)), "request-id": "req_standin", **headers}
    phrase = http.client.responses.get(status, "Overloaded")
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value)
    return f"HTTP/1.1 {status} {phrase}\r\n{head}\r\n".encode() + payload


async def write_response(writer: asyncio.StreamWriter, response: bytes, drip: float) -> None:
    """Write a response, with its body byte by byte if `drip` is set."""
    head, gap, body = response.partition(b"\r\n\r\n")
    writer.write(head + gap if drip else response)
    for byte in body if drip else b"":
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(drip)
    await writer.drain()
