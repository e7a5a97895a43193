"""A call holds its slot until its reply is on disk: a crash loses no more than the calls in flight."""

import asyncio
import threading
from typing import Any

import pytest

from semiosis.ask import Asker, wait_for
from semiosis.ask._journal import Journal
from semiosis.ask._limit import Limiter
from semiosis.testing import AnswerStep, StandIn, says
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, question

IN_FLIGHT, QUESTIONS = 2, 10
DEADLINE = 60
"""Seconds until a failing test ends."""


class SlowDisk:
    """Blocks the journal's thread once all slots have a reply to write."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.replies = 0
        self.full = asyncio.Event()
        self.free = threading.Event()
        record = Journal.record

        def held(journal: Journal, call: Any) -> Any:
            self.replies += 1
            if self.replies == IN_FLIGHT:
                self.full.set()
            journal._file.submit(lambda _db: self.free.wait())
            return record(journal, call)

        monkeypatch.setattr(Journal, "record", held)


def test_no_call_starts_while_replies_wait_for_the_disk(
    make_asker: MakeAsker, limiters: list[Limiter], monkeypatch: pytest.MonkeyPatch
) -> None:
    all_wait = threading.Event()

    def answer(_: object) -> AnswerStep:
        all_wait.wait()
        return says(LILY)

    with StandIn(answer) as provider:
        asker, disk = make_asker(in_flight=IN_FLIGHT), SlowDisk(monkeypatch)
        waiting = wait_for(_waiting_calls(asker, limiters, provider, disk, all_wait))
    assert waiting == QUESTIONS - IN_FLIGHT
    assert len(provider.calls) == QUESTIONS


async def _waiting_calls(
    asker: Asker, limiters: list[Limiter], provider: StandIn, disk: SlowDisk, all_wait: threading.Event
) -> float:
    """Return how many calls waited for a slot while the first replies waited for the disk."""
    questions = [
        asyncio.create_task(asker.ask(question(provider, words=f"Flower {n}"))) for n in range(QUESTIONS)
    ]
    try:
        async with asyncio.timeout(DEADLINE):
            while sum(map(_calls, limiters)) < QUESTIONS:
                await asyncio.sleep(0)
            all_wait.set()
            await disk.full.wait()
        return _calls(limiters[0]) - limiters[0].in_flight
    finally:
        all_wait.set()
        disk.free.set()
        await asyncio.gather(*questions)


def _calls(limiter: Limiter) -> float:
    """Return the number of calls that have a slot or wait for one."""
    return limiter.load * limiter.limit
