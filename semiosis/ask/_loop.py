"""One private loop thread, so that plain functions work in scripts, in notebooks and inside other loops."""

import asyncio
import threading
from collections import deque
from collections.abc import Coroutine, Iterable, Iterator
from concurrent.futures import Future
from functools import lru_cache
from typing import Any, TypeVar

R = TypeVar("R")


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="semiosis-loop", daemon=True).start()
    return loop


def start(work: Coroutine[Any, Any, R]) -> Future[R]:
    """Start a coroutine on the private loop."""
    return asyncio.run_coroutine_threadsafe(work, _loop())


def wait_for(work: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine on the private loop and wait for it. Ctrl-C cancels it; calls in flight are kept."""
    future = start(work)
    try:
        return future.result()
    except KeyboardInterrupt:
        future.cancel()
        raise


async def on_loop(work: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine on the private loop, called from any loop."""
    if asyncio.get_running_loop() is _loop():
        return await work
    return await asyncio.wrap_future(start(work))


def stream(work: Iterable[Coroutine[Any, Any, R]], ahead: int | None) -> Iterator[R]:
    """Yield results in order, with at most so many coroutines started at a time."""
    started: deque[Future[R]] = deque()
    try:
        for coroutine in work:
            started.append(start(coroutine))
            if ahead is not None and len(started) >= ahead:
                yield started.popleft().result()
        while started:
            yield started.popleft().result()
    finally:
        for future in started:
            future.cancel()
