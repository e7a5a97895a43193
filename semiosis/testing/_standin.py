"""A stand-in model provider on loopback. Real SDKs send their requests to it, and it costs nothing."""

import asyncio
import http.client
import json
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from semiosis.testing._step import Call, Fails, HangsUp, Says, Script, Sends, Step, scripted
from semiosis.testing._wire import anthropic_message, error_body, openai_completion

_MAX_BYTES = 300_000_000


class StandIn:
    """A server for Anthropic's Messages API (including batches) and OpenAI's chat completions.

        with StandIn([says({"winner": "a"}), busy(), refuses()]) as provider:
            sm.Reader(sm.Model("anthropic/stand-in", base_url=provider.url))

    The script is a list of steps, or a function from the call to a step.
    """

    def __init__(self, script: Script | Iterable[Step], *, polls: int = 1, port: int = 0) -> None:
        self.calls: list[Call] = []
        """Every model call that arrived, including those in batches."""
        self.most_at_once = 0
        """The most calls that ran at the same time."""
        self.batches: dict[str, list[dict[str, Any]]] = {}
        """The requests of each submitted batch."""
        self.polled: dict[str, int] = {}
        """How often the state of each batch was requested."""
        self.batch_state: dict[str, Any] = {}
        """Fields that replace those of every batch's state, such as `{"results_url": None}`."""
        self.batch_failures: list[Fails | Sends | None] = []
        """Responses to the next requests about batches; None for the normal response."""
        self.lost_submissions: list[Fails | Sends] = []
        """Responses to the next submissions, which succeed although the client is not told."""
        self.tunnel_status = 502
        """The response to a client that takes this for a proxy and asks for a tunnel."""
        self._script = script if callable(script) else scripted(script)
        self._polls = polls
        self._port = port
        self._running = 0
        self._seen: set[str] = set()
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

    def finish_batches(self) -> None:
        """End every batch now."""
        self._polls = 0

    def delete_batches(self) -> None:
        """Delete every batch, so that requests about it get a 404."""
        self.batches.clear()

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
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
        except asyncio.IncompleteReadError:
            return False
        arrived = self._loop.time()
        request, *lines = head.split("\r\n")
        method, path, _ = request.split(" ", 2)
        if method == "CONNECT":
            await _write(writer, _response(self.tunnel_status, {}), 0.0)
            return False
        pairs = (line.partition(":") for line in lines if line)
        headers = {name.lower(): value.strip() for name, _, value in pairs}
        length = min(int(headers.get("content-length", 0)), _MAX_BYTES)
        body = json.loads(await reader.readexactly(length)) if length else {}
        call = Call(path.partition("?")[0], headers, body)
        if "/batches" in call.path:
            failure = self.batch_failures.pop(0) if self.batch_failures else None
            if method == "POST" and self.lost_submissions:
                self._batch(method, call)
                failure = self.lost_submissions.pop(0)
            drip = failure.drip if isinstance(failure, Sends) else 0.0
            await _write(writer, self._batch_response(method, call, failure), drip)
            return not (isinstance(failure, Sends) and failure.closes)
        return await self._answer(call, writer, arrived)

    async def _answer(self, call: Call, writer: asyncio.StreamWriter, arrived: float) -> bool:
        """Send the step's response. Its delay counts from the arrival of the call."""
        self._running += 1
        self.most_at_once = max(self.most_at_once, self._running)
        try:
            step = self._step(call)
            response = None if isinstance(step, HangsUp) else self._reply(call, step)
            await asyncio.sleep(arrived + step.delay - self._loop.time())
            if response is None:
                writer.transport.abort()
                return False
            await _write(writer, response, step.drip if isinstance(step, Sends) else 0.0)
        finally:
            self._running -= 1
        return not (isinstance(step, Sends) and step.closes)

    def _reply(self, call: Call, step: Says | Fails | Sends) -> bytes:
        if isinstance(step, Sends):
            return _http(step.status, step.body, {"content-type": "application/json", **step.headers})
        if isinstance(step, Fails):
            return _response(step.status, error_body(step), step.headers)
        if call.path.endswith("/chat/completions"):
            return _response(200, openai_completion(call, step))
        return _response(200, anthropic_message(call, step, self._seen))

    def _step(self, call: Call) -> Step:
        self.calls.append(call)
        return self._script(call)

    def _batch_response(self, method: str, call: Call, failure: Fails | Sends | None) -> bytes:
        if failure is not None:
            return self._reply(call, failure)
        _, _, rest = call.path.partition("/batches/")
        if rest and rest.partition("/")[0] not in self.batches:
            return _response(404, error_body(Fails(404)))
        return _response(200, self._batch(method, call))

    def _batch(self, method: str, call: Call) -> Any:
        if method == "POST":
            name = f"msgbatch_{len(self.batches)}"
            self.batches[name], self.polled[name] = call.body["requests"], 0
            return self._batch_state(name)
        if call.path.endswith("/batches"):
            newest_first = [self._batch_state(name) for name in reversed(self.batches)]
            return {"data": newest_first, "has_more": False, "first_id": None, "last_id": None}
        name = call.path.split("/batches/")[1].partition("/")[0]
        if call.path.endswith("/results"):
            return [self._batch_result(call, item) for item in self.batches[name]]
        self.polled[name] += 1
        return self._batch_state(name)

    def _batch_state(self, name: str) -> dict[str, Any]:
        results = f"{self.url}/v1/messages/batches/{name}/results"
        done = self.polled[name] > self._polls
        return {**_batch_state(name, len(self.batches[name]), results if done else None), **self.batch_state}

    def _batch_result(self, call: Call, item: dict[str, Any]) -> dict[str, Any]:
        inner = Call("/v1/messages", call.headers, item["params"])
        step = self._step(inner)
        if isinstance(step, Sends):
            return {"custom_id": item["custom_id"], "result": json.loads(step.body)}
        if isinstance(step, Fails | HangsUp):
            result: dict[str, Any] = {
                "type": "errored",
                "error": error_body(step if isinstance(step, Fails) else Fails(500)),
            }
        else:
            result = {"type": "succeeded", "message": anthropic_message(inner, step, self._seen)}
        return {"custom_id": item["custom_id"], "result": result}


def _batch_state(name: str, size: int, url: str | None) -> dict[str, Any]:
    now = datetime.now(UTC).isoformat()
    counts = dict.fromkeys(("canceled", "errored", "expired", "processing", "succeeded"), 0)
    return {
        "id": name,
        "type": "message_batch",
        "processing_status": "ended" if url else "in_progress",
        "request_counts": counts | {"succeeded" if url else "processing": size},
        "created_at": now,
        "expires_at": now,
        "ended_at": now if url else None,
        "archived_at": None,
        "cancel_initiated_at": None,
        "results_url": url,
    }


def _response(status: int, body: Any, headers: dict[str, str] | None = None) -> bytes:
    lines = "\n".join(json.dumps(item) for item in body) if isinstance(body, list) else json.dumps(body)
    kind = "application/x-jsonl" if isinstance(body, list) else "application/json"
    return _http(status, lines.encode(), {"content-type": kind, **(headers or {})})


def _http(status: int, payload: bytes, headers: dict[str, str]) -> bytes:
    sent = {"content-length": str(len(payload)), "request-id": "req_standin", **headers}
    phrase = http.client.responses.get(status, "Overloaded")
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.items() if value)
    return f"HTTP/1.1 {status} {phrase}\r\n{head}\r\n".encode() + payload


async def _write(writer: asyncio.StreamWriter, response: bytes, drip: float) -> None:
    """Write a response, with its body byte by byte if `drip` is set."""
    head, gap, body = response.partition(b"\r\n\r\n")
    writer.write(head + gap if drip else response)
    for byte in body if drip else b"":
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(drip)
    await writer.drain()
