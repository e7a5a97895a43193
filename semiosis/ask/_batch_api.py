"""Anthropic's Message Batches API: submit, wait for the end, fetch results, find a batch again."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic_core import from_json

from semiosis.ask._codec import Arguments
from semiosis.ask._decode import CUT_OFF_JSON, bytes_as_text
from semiosis.ask._failure import UnusableResponseError, classify_error
from semiosis.ask._model import Model
from semiosis.ask._secret import hide_keys_in

R = TypeVar("R")

_POLL_ERRORS = 10
"""The run stops after this many failed polls in a row. The next run polls again."""
_GONE = (404, 410)
_CUSTOM_ID = re.compile(rb'"custom_id"\s*:\s*"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class EndedBatch:
    """A batch whose results can be fetched."""

    name: str
    """Its name."""
    size: int | None
    """The number of its calls; None if unknown."""


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

    async def newest(self) -> str:
        """Return the name of the newest batch; empty if there is none."""
        async for batch in self._newest_first():
            return _text_field(batch, "id")
        return ""

    async def wait_for_end(self, batch: str) -> EndedBatch | None:
        """Wait until a batch has ended; return None if the provider no longer has it."""
        errors = 0
        while True:
            try:
                state = await self._timed(self._client.messages.batches.retrieve(batch))
                has_ended = _text_field(state, "processing_status") == "ended"
            except Exception as error:  # classified here
                if getattr(error, "status_code", None) in _GONE:
                    return None
                errors += 1
                if not classify_error(error, self.model).retry or errors >= _POLL_ERRORS:
                    raise
            else:
                errors = 0
                if has_ended:
                    return EndedBatch(batch, _size(state))
            await self.pause()

    async def pause(self) -> None:
        """Wait between two requests about the same batch."""
        await asyncio.sleep(self._poll)

    async def results(self, batch: EndedBatch) -> dict[str, bytes] | None:
        """Return the lines of a batch's results by call; None if the provider no longer has them.

        A line that is cut off is left out. Of two lines for one call, the one with a reply counts. They are
        fetched from the endpoint itself, because a `results_url` may name another host, which must not
        receive the key.
        """
        try:
            body = await self._timed(self._fetch(f"/v1/messages/batches/{batch.name}/results"))
        except Exception as error:
            if getattr(error, "status_code", None) in _GONE:
                return None
            raise
        lines: dict[str, bytes] = {}
        for line in body.split(b"\n"):
            custom_id = _CUSTOM_ID.search(line)
            if custom_id and not _is_cut_off(line):
                call = custom_id[1].decode()
                if result_type(lines.get(call, b"")) != "succeeded":
                    lines[call] = line
        if not lines and batch.size != 0:  # the batch is not forgotten, because its replies are paid for
            raise UnusableResponseError(
                f"the results of batch {batch.name} cannot be read: {bytes_as_text(body, 120)!r}; without "
                "--batch its questions are asked again",
                retry=True,
            )
        return lines

    async def find(self, calls: set[str], after: str) -> str | None:
        """Return the name of the batch that consists of these calls; None if there is none.

        `after` is the batch that was the newest before these calls were submitted, so that no clock matters.
        """
        async for batch in self._newest_first():
            name = _text_field(batch, "id")
            if name == after:
                break
            if _size(batch) in (None, len(calls)) and await self._contains(name, calls):
                return name
        return None

    async def _newest_first(self) -> AsyncIterator[Any]:
        try:
            page = await self._timed(self._client.messages.batches.list(limit=100))
        except AttributeError as error:  # the SDK trips over a response that is no object
            raise UnusableResponseError("the list of batches cannot be read", retry=True) from error
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

    async def _contains(self, name: str, calls: set[str]) -> bool:
        """Return whether a batch contains these calls. Only the results of an ended batch show this."""
        ended = await self.wait_for_end(name)
        lines = await self.results(ended) if ended is not None else None
        return lines is not None and not calls.isdisjoint(lines)

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
    standard = {name: value for name, value in arguments.items() if name != "extra_body"}
    return {**standard, **arguments.get("extra_body", {})}


def result_type(line: bytes) -> str:
    """Return the type of a result, such as `succeeded` or `expired`; empty if the line cannot be read."""
    try:
        kind = from_json(line).get("result").get("type")
    except (ValueError, AttributeError):
        return ""
    return kind if isinstance(kind, str) else ""


def _is_cut_off(line: bytes) -> bool:
    try:
        from_json(line)
    except ValueError as error:
        return CUT_OFF_JSON in str(error)
    return False


def _size(state: Any) -> int | None:
    """Return the number of calls in a batch; None if the provider does not say it."""
    counts = getattr(state, "request_counts", None)
    return None if counts is None else sum(counts.model_dump().values())


def _text_field(response: Any, field: str) -> str:
    """Return a text field of the SDK's object; raise if a gateway sent something else."""
    value = getattr(response, field, None)
    if not isinstance(value, str):
        raise UnusableResponseError(
            f"the response about a batch has no {field}: {str(response)[:120]!r}", retry=True
        )
    return value
