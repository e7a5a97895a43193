"""A call holds its slot until its reply is on disk: a crash loses no more than the calls in flight."""

import asyncio
import threading
from typing import Any

import pytest

from semiosis.ask import Asker, wait_for
from semiosis.ask._journal import Journal
from semiosis.ask._limit import Limiter
from semiosis.testing import StandIn, says
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, question

IN_FLIGHT, QUESTIONS = 2, 10


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
    with StandIn(lambda _: says(LILY)) as provider:
        asker, disk = make_asker(in_flight=IN_FLIGHT), SlowDisk(monkeypatch)
        waiting = wait_for(_waiting_calls(asker, limiters, provider, disk))
    assert waiting == QUESTIONS - IN_FLIGHT
    assert len(provider.calls) == QUESTIONS


async def _waiting_calls(asker: Asker, limiters: list[Limiter], provider: StandIn, disk: SlowDisk) -> float:
    """Return how many calls waited for a slot while the first replies waited for the disk."""
    questions = [
        asyncio.create_task(asker.ask(question(provider, words=f"Flower {n}"))) for n in range(QUESTIONS)
    ]
    await disk.full.wait()
    [limiter] = limiters
    waiting = limiter.load * limiter.limit - limiter.in_flight
    disk.free.set()
    await asyncio.gather(*questions)
    return waiting
