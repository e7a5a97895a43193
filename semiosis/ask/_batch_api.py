"""Anthropic's Message Batches API: submit, wait for the end, fetch results, find a batch again."""

import asyncio
import math
import re
from collections.abc import AsyncIterator, Awaitable
from datetime import datetime
from typing import Any, TypeVar

from semiosis.ask._codec import Arguments
from semiosis.ask._decode import bytes_as_text
from semiosis.ask._failure import UnusableResponseError, classify_error
from semiosis.ask._model import Model
from semiosis.ask._secret import hide_keys_in

R = TypeVar("R")

_CLOCK_SKEW = 86_400.0
"""Seconds by which the provider's clock may be behind ours."""
_POLL_ERRORS = 10
"""The run stops after this many failed polls in a row. The next run polls again."""
_GONE = (404, 410)
_CUSTOM_ID = re.compile(rb'"custom_id"\s*:\s*"([0-9a-f]{64})"')


class BatchApi:
    """Calls the API of one endpoint. Every request has a deadline, however slowly its response arrives."""

    def __init__(self, model: Model, client: Any, *, poll: float, timeout: float) -> None:
        self.model = model
        self._client = client
        self._poll = poll
        self._timeout = timeout

    async def submit(self, calls: dict[str, Arguments]) -> str:
        """Submit calls as a batch and return the batch's name."""
        requests = [
            {"custom_id": fingerprint, "params": _request_body(arguments)}
            for fingerprint, arguments in calls.items()
        ]
        return _text_field(await self._timed(self._client.messages.batches.create(requests=requests)), "id")

    async def wait_for_end(self, batch: str) -> bool:
        """Wait until a batch has ended; return False if the provider no longer has it."""
        errors = 0
        while True:
            try:
                state = await self._timed(self._client.messages.batches.retrieve(batch))
                ended = _text_field(state, "processing_status") == "ended"
            except Exception as error:  # classified here
                if getattr(error, "status_code", None) in _GONE:
                    return False
                errors += 1
                if not classify_error(error, self.model).retry or errors >= _POLL_ERRORS:
                    raise
            else:
                errors = 0
                if ended:
                    return True
            await asyncio.sleep(self._poll)

    async def results(self, batch: str) -> list[tuple[str, bytes]] | None:
        """Return the calls and lines of a batch's results; None if the provider no longer has them.

        They are fetched from the endpoint itself, because a `results_url` may name another host, which must
        not receive the key.
        """
        try:
            body = await self._timed(self._fetch(f"/v1/messages/batches/{batch}/results"))
        except Exception as error:
            if getattr(error, "status_code", None) in _GONE:
                return None
            raise
        lines = [
            (found[1].decode(), line) for line in body.split(b"\n") if (found := _CUSTOM_ID.search(line))
        ]
        if not lines:  # the batch is not forgotten, because its replies are paid for
            raise UnusableResponseError(
                f"the results of batch {batch} cannot be read: {bytes_as_text(body, 120)!r}; without "
                "--batch its questions are asked again",
                retry=True,
            )
        return lines

    async def find(self, calls: set[str], submitted_at: float) -> str | None:
        """Return the name of the batch that consists of these calls; None if there is none."""
        async for batch in self._newest_first():
            if _created(batch) < submitted_at - _CLOCK_SKEW:
                break
            if await self._consists_of(batch, calls):
                return _text_field(batch, "id")
        return None

    async def _newest_first(self) -> AsyncIterator[Any]:
        page = await self._timed(self._client.messages.batches.list(limit=100))
        while True:
            batches = getattr(page, "data", None)
            if not isinstance(batches, list):
                raise UnusableResponseError(
                    f"the list of batches cannot be read: {str(page)[:120]!r}", retry=True
                )
            for batch in batches:
                yield batch
            if not page.has_next_page():
                return
            page = await self._timed(page.get_next_page())

    async def _consists_of(self, batch: Any, calls: set[str]) -> bool:
        """Return whether a batch consists of these calls. Only the results of an ended batch show this."""
        name, counts = _text_field(batch, "id"), getattr(batch, "request_counts", None)
        if counts is not None and sum(counts.model_dump().values()) != len(calls):
            return False
        lines = await self.results(name) if await self.wait_for_end(name) else None
        return bool(lines) and lines is not None and lines[0][0] in calls

    async def _fetch(self, path: str) -> bytes:
        import httpx2

        options = {"headers": {"accept": "application/binary"}}
        response = await self._client.get(path, cast_to=httpx2.Response, options=options)
        return hide_keys_in(await response.aread())

    async def _timed(self, work: Awaitable[R]) -> R:
        async with asyncio.timeout(self._timeout):
            return await work


def _request_body(arguments: Arguments) -> dict[str, Any]:
    """Return the arguments of a call as the body of its request."""
    named = {name: value for name, value in arguments.items() if name != "extra_body"}
    return {**named, **arguments.get("extra_body", {})}


def _created(batch: Any) -> float:
    """Return when a batch was created; infinity if that is unknown, so that the batch is examined."""
    created = getattr(batch, "created_at", None)
    return created.timestamp() if isinstance(created, datetime) else math.inf


def _text_field(response: Any, field: str) -> str:
    """Return a text field of the SDK's object; raise if a gateway sent something else."""
    value = getattr(response, field, None)
    if not isinstance(value, str):
        raise UnusableResponseError(
            f"the response about a batch has no {field}: {str(response)[:120]!r}", retry=True
        )
    return value
