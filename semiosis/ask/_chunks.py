"""Computes a stream of items in chunks, in this process or on the workers of an executor."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

CHUNK = 256
"""The number of items in a chunk. A chunk should take much longer than sending it to another process."""
_MAX_WAITING_CHUNKS = 8
"""The number of chunks that an executor has at a time, so that memory stays constant."""


def map_chunks(
    function: Callable[[Sequence[T]], Sequence[R]],
    items: Iterable[T],
    executor: Executor | None = None,
    *,
    size: int = CHUNK,
) -> Iterator[Sequence[R]]:
    """Yield the results of each chunk of items, in order.

    Without an executor, each chunk is computed when it is needed. For an executor of processes, `function`
    must be a function of a module, and the items must be plain values, such as paths and offsets: a worker
    that reads its values from files is faster than one that receives them.

    >>> [list(results) for results in map_chunks(sorted, [3, 1, 2], size=2)]
    [[1, 3], [2]]
    """
    chunks = _chunks(iter(items), size)
    if executor is None:
        yield from map(function, chunks)
        return
    waiting: deque[Future[Sequence[R]]] = deque()
    try:
        for chunk in chunks:
            waiting.append(executor.submit(function, chunk))
            if len(waiting) >= _MAX_WAITING_CHUNKS:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:  # the caller stopped early, or a chunk failed
            future.cancel()


def _chunks(items: Iterator[T], size: int) -> Iterator[Sequence[T]]:
    while chunk := list(islice(items, size)):
        yield chunk
