"""Processes that a test starts and may kill."""

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def forked(target: Callable[..., None], preloaded: list[str]) -> Iterator[Callable[..., Any]]:
    """Yield a function that starts a process, forked from one that has imported the modules already.

    Processes that still run at the end are killed.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(preloaded)
    started: list[Any] = []

    def start(*arguments: Any) -> Any:
        process = context.Process(target=target, args=arguments)
        process.start()
        started.append(process)
        return process

    yield start
    for process in started:
        if process.is_alive():
            process.kill()
        process.join()
