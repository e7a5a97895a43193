"""One private loop thread, so that plain functions work in scripts, in notebooks and inside other loops."""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import lru_cache
from typing import Any, TypeVar

R = TypeVar("R")


@lru_cache(maxsize=1)
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="semiosis-loop", daemon=True).start()
    return loop


# A forked process has the loop but not its thread, so that it would wait for ever.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_loop.cache_clear)


def start_on_loop(work: Coroutine[Any, Any, R]) -> Future[R]:
    """Start a coroutine on the private loop."""
    return asyncio.run_coroutine_threadsafe(work, _loop())


def wait_for(work: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine on the private loop and wait for it. Ctrl-C cancels it; calls in flight are kept."""
    future = start_on_loop(work)
    try:
        return future.result()
    except KeyboardInterrupt:
        future.cancel()
        raise


async def on_loop(work: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine on the private loop, called from any loop."""
    if asyncio.get_running_loop() is _loop():
        return await work
    return await asyncio.wrap_future(start_on_loop(work))
