"""The limit on calls in flight: overloads halve it, successes raise it, and a provider can pause it."""

import asyncio
import datetime
import email.utils

import pytest

from semiosis.ask import wait_for
from semiosis.ask._failure import requested_wait
from semiosis.ask._limit import Limiter


async def _run(work: int, limiter: Limiter) -> int:
    """Return the highest number of calls that were in flight at the same time."""
    in_flight: list[int] = []

    async def one() -> None:
        await limiter.acquire()
        in_flight.append(limiter.in_flight)
        await asyncio.sleep(0)
        limiter.release()

    await asyncio.gather(*(one() for _ in range(work)))
    return max(in_flight)


def test_no_more_than_the_limit_are_in_flight() -> None:
    limiter = Limiter(4)
    assert wait_for(_run(50, limiter)) == 4
    assert limiter.in_flight == 0


def test_overloads_of_one_burst_halve_the_limit_once() -> None:
    async def burst(limiter: Limiter) -> None:
        started = [await limiter.acquire() for _ in range(8)]
        for time in started:
            limiter.overloaded(time, 0)
            limiter.release()

    limiter = Limiter(8)
    wait_for(burst(limiter))
    assert limiter.limit == 4


def test_the_limit_never_falls_below_one_and_climbs_back() -> None:
    async def always_overloaded(limiter: Limiter) -> None:
        for _ in range(10):
            limiter.overloaded(await limiter.acquire(), 0)
            limiter.release()

    limiter = Limiter(4)
    wait_for(always_overloaded(limiter))
    assert limiter.limit == 1
    for _ in range(100):
        limiter.succeeded()
    assert limiter.limit == 4


def test_no_call_starts_before_the_time_the_provider_asked_for() -> None:
    async def started_after(limiter: Limiter) -> float:
        loop = asyncio.get_running_loop()
        limiter.overloaded(await limiter.acquire(), 0.05)
        limiter.release()
        asked = loop.time()
        return await limiter.acquire() - asked

    assert wait_for(started_after(Limiter(4))) >= 0.049


def test_a_call_that_is_cancelled_while_waiting_takes_no_slot() -> None:
    async def cancelled(limiter: Limiter) -> None:
        await limiter.acquire()
        waiting = asyncio.create_task(limiter.acquire())
        await asyncio.sleep(0)
        limiter.release()  # the waiting call gets its slot, and is cancelled before it can use it
        waiting.cancel()
        await asyncio.wait([waiting])

    limiter = Limiter(1)
    wait_for(cancelled(limiter))
    assert limiter.in_flight == 0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "5"}, 0.005),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "20", "retry-after": "9"}, 0.02),
        ({"retry-after": "soon"}, None),
        ({}, None),
    ],
)
def test_the_wait_asked_for_is_read_from_the_headers(headers: dict[str, str], seconds: float | None) -> None:
    assert requested_wait(headers) == seconds


def test_the_wait_may_be_a_date() -> None:
    date = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=60)
    wait = requested_wait({"retry-after": email.utils.format_datetime(date)})
    assert wait is not None
    assert 50 < wait <= 60
