"""kill -9 at every step of a batch, then the same run: the batch is found and nothing is paid for twice."""

import asyncio
import os
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from semiosis.ask import Asker, Reply, Request, wait_for
from semiosis.ask._batch_api import BatchApi
from semiosis.ask._recorder import Recorder
from semiosis.testing import says
from tests.ask.flowers import LILY, Flower, question
from tests.processes import forked
from tests.stand_in import FullStandIn

QUESTIONS = 5
STEPS = {
    "before it is submitted": (BatchApi, "submit", False),
    "before the journal knows its name": (BatchApi, "submit", True),
    "while it is polled": (BatchApi, "wait_for_end", False),
    "before its results are recorded": (BatchApi, "results", True),
    "while its results are recorded": (Recorder, "record", True),
}


def _run(url: str, journal: Path, step: str | None) -> None:
    """Ask all questions through a batch, in a separate process that is killed at this step."""
    if step is not None:
        _die_at(*STEPS[step])
    os.environ["ANTHROPIC_API_KEY"] = "test-key"
    asker = Asker(journal, batch=True, batch_quiet=0.02, batch_poll=0.01)
    replies = wait_for(_ask_all(asker, [_question(url, number) for number in range(QUESTIONS)]))
    wait_for(asker.close())
    assert all(isinstance(reply, Reply) for reply in replies)


def _die_at(owner: type, name: str, is_done_first: bool) -> None:
    step = getattr(owner, name)

    async def die(*arguments: Any, **named: Any) -> None:
        if is_done_first:
            await step(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    setattr(owner, name, die)


class _Url:
    def __init__(self, url: str) -> None:
        self.url = self.openai_url = url


def _question(url: str, number: int) -> Request[Flower]:
    return question(_Url(url), words=f"Which is flower {number}?")  # type: ignore[arg-type]  # only its URL


async def _ask_all(asker: Asker, requests: list[Request[Flower]]) -> list[object]:
    return list(await asyncio.gather(*(asker.ask(request) for request in requests)))


@pytest.fixture
def start() -> Iterator[Any]:
    """Return a function that starts a run in a process forked from one that has done the slow imports."""
    with forked(_run, ["tests.judge.preloaded", "tests.ask.test_batch_kill"]) as start:
        yield start


def _accounts(journal: Path) -> tuple[int, int, int]:
    """Return the replies, the questions they answer, and the calls that are still in a batch."""
    db = sqlite3.connect(journal)
    replies = db.execute("SELECT count(*), count(DISTINCT key) FROM calls WHERE state = 'valid'").fetchone()
    waiting = db.execute("SELECT count(*) FROM batches").fetchone()
    db.close()
    return (*replies, *waiting)


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_a_killed_batch_is_found_again(step: str, start: Any, tmp_path: Path) -> None:
    journal = tmp_path / "replies.sqlite"
    with FullStandIn(lambda _: says(LILY)) as provider:
        killed = start(provider.url, journal, step)
        killed.join()
        assert killed.exitcode == -signal.SIGKILL
        second = start(provider.url, journal, None)
        second.join()
        assert second.exitcode == 0
    assert sum(len(requests) for requests in provider.batches.values()) == QUESTIONS
    assert _accounts(journal) == (QUESTIONS, QUESTIONS, 0)


@pytest.mark.slow
def test_two_processes_share_a_batch(start: Any, tmp_path: Path) -> None:
    journal = tmp_path / "replies.sqlite"
    with FullStandIn(lambda _: says(LILY), polls=5) as provider:
        both = [start(provider.url, journal, None) for _ in range(2)]
        for process in both:
            process.join()
        assert [process.exitcode for process in both] == [0, 0]
    assert sum(len(requests) for requests in provider.batches.values()) == QUESTIONS
    assert _accounts(journal) == (QUESTIONS, QUESTIONS, 0)
