"""The stand-in provider with Anthropic's Message Batches, and with a proxy's tunnel, for our own tests."""

import asyncio
import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from semiosis.testing import (
    Call,
    DisconnectStep,
    HTTPErrorStep,
    RawResponseStep,
    Script,
    StandIn,
    Step,
)
from semiosis.testing._standin import json_response, write_response
from semiosis.testing._wire import anthropic_message, error_body


class FullStandIn(StandIn):
    """A stand-in that also takes batches, which end after `polls` requests for their state."""

    def __init__(self, script: Script | Iterable[Step], *, polls: int = 1, port: int = 0) -> None:
        super().__init__(script, port=port)
        self.batches: dict[str, list[dict[str, Any]]] = {}
        """The requests of each submitted batch."""
        self.polled: dict[str, int] = {}
        """How often the state of each batch was requested."""
        self.batch_state: dict[str, Any] = {}
        """Fields that replace those of every batch's state, such as `{"results_url": None}`."""
        self.batch_failures: list[HTTPErrorStep | RawResponseStep | None] = []
        """Responses to the next requests about batches; None for the normal response."""
        self.lost_submissions: list[HTTPErrorStep | RawResponseStep] = []
        """Responses to the next submissions, which succeed although the client is not told."""
        self.tunnel_status = 502
        """The response to a client that takes this for a proxy and asks for a tunnel."""
        self._polls = polls

    def finish_batches(self) -> None:
        """End every batch now."""
        self._polls = 0

    def delete_batches(self) -> None:
        """Delete every batch, so that requests about it get a 404."""
        self.batches.clear()

    async def respond(self, method: str, call: Call, writer: asyncio.StreamWriter, arrived: float) -> bool:
        """Answer requests about batches and tunnels here, and model calls as the public stand-in does."""
        if method == "CONNECT":
            await write_response(writer, json_response(self.tunnel_status, {}), 0.0)
            return False
        if "/batches" not in call.path:
            return await super().respond(method, call, writer, arrived)
        failure = self.batch_failures.pop(0) if self.batch_failures else None
        if method == "POST" and self.lost_submissions:
            self._batch(method, call)
            failure = self.lost_submissions.pop(0)
        drip = failure.drip if isinstance(failure, RawResponseStep) else 0.0
        await write_response(writer, self._batch_response(method, call, failure), drip)
        return not (isinstance(failure, RawResponseStep) and failure.closes)

    def _batch_response(
        self, method: str, call: Call, failure: HTTPErrorStep | RawResponseStep | None
    ) -> bytes:
        if failure is not None:
            return self.reply(call, failure)
        _, _, rest = call.path.partition("/batches/")
        if rest and rest.partition("/")[0] not in self.batches:
            return json_response(404, error_body(HTTPErrorStep(404)))
        return json_response(200, self._batch(method, call))

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
        step = self.step(inner)
        if isinstance(step, RawResponseStep):
            return {"custom_id": item["custom_id"], "result": json.loads(step.body)}
        if isinstance(step, HTTPErrorStep | DisconnectStep):
            result: dict[str, Any] = {
                "type": "errored",
                "error": error_body(step if isinstance(step, HTTPErrorStep) else HTTPErrorStep(500)),
            }
        else:
            result = {"type": "succeeded", "message": anthropic_message(inner, step, self._cached)}
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
