"""Runs tasks in the order of their dependencies: each key once, and nothing new after a cancellation."""

import asyncio
import threading
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Generator, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from semiosis.ask._asker import Asker
from semiosis.ask._loop import on_loop, start_on_loop, wait_for
from semiosis.ask._task import Task
from semiosis.values import DataError, Unscored

R = TypeVar("R")

MAX_OPEN_TASKS = 2048
"""The maximum number of unfinished tasks. A task that waits for another counts here, but uses no slot."""
MAX_RESULTS = 1024
"""The maximum number of results that are kept. Older ones are computed again from the journal."""
MAX_LOCAL_TASKS = 64
"""The maximum number of running tasks if no model is asked."""
_REFILL_SECONDS = 0.5
"""Seconds between checks whether more tasks may start. More may start while another run asks the questions of
this one, even if no task has ended."""
_RAW_LENGTH = 500
_MISSING: Any = object()
_END: Any = object()


@dataclass(frozen=True, slots=True)
class Done(Generic[R]):
    """A finished task."""

    task: Task[R]
    """The task."""
    result: R
    """Its result."""
    requested: bool
    """Whether the caller listed this task; otherwise a listed task needed it."""


@dataclass(eq=False)
class _OpenTask:
    """An unfinished task."""

    task: Task[Any]
    requested: bool
    results: list[Any]
    """The results of the tasks that it needs, in their order; None for one that has not finished."""
    waiting: int
    """The number of needed tasks that have not finished."""
    dependents: "list[tuple[_OpenTask, int]]" = field(default_factory=list)
    """The tasks that need this one, each with the position of this one's result among its results."""


class Runner:
    """Executes tasks and keeps their results by key, failures included.

    Failures are kept as long as the runner exists, so that a failed task is not run again. Of the other
    results, only the latest are kept. Local tasks run in `executor`; without one, they run one at a time.
    """

    def __init__(
        self,
        asker: Asker | None = None,
        *,
        executor: Executor | None = None,
        max_open_tasks: int = MAX_OPEN_TASKS,
        max_results: int = MAX_RESULTS,
    ) -> None:
        self.asker = asker
        self._executor = executor
        self._own_executor: ThreadPoolExecutor | None = None
        self._max_open_tasks = max_open_tasks
        self._max_results = max_results
        self._failures: dict[str, Unscored] = {}
        self._latest: OrderedDict[str, Any] = OrderedDict()

    async def stream(self, tasks: Iterable[Task[R]]) -> AsyncIterator[Done[Any]]:
        """Yield every task when it has finished, including the needed ones.

        Call this on the private loop. `tasks` is read only as fast as tasks can start, so it may be a long
        generator.
        """
        run = _Run(self)
        try:
            source = iter(tasks)
            while True:
                run.fill(source)
                while run.finished:
                    yield run.finished.popleft()
                if not run.running:
                    break
                await asyncio.wait(run.running, timeout=_REFILL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
                run.collect()
        finally:
            await run.cancel()
            self._close_executor()

    def run(self, tasks: Iterable[Task[R]]) -> Generator[Done[Any], None, None]:
        """Yield what `stream` yields, in synchronous code.

        Leaving the loop early, or Ctrl-C, cancels the running tasks.
        """
        pull, thread = _IteratorBridge(self.stream(tasks)), threading.get_ident()
        try:
            while (done := wait_for(pull.next())) is not _END:
                yield done
        finally:
            # The garbage collector may close an abandoned iterator in any thread, even in that of the loop or
            # of the journal. Waiting there would block the work that is waited for.
            close = wait_for if threading.get_ident() == thread else start_on_loop
            close(pull.close())

    def results(self, tasks: Iterable[Task[R]]) -> Iterator[R]:
        """Yield the results of the listed tasks in their order."""
        order: deque[str] = deque()
        early: dict[str, R] = {}
        for done in self.run(_listing_keys(tasks, order)):
            if done.requested:
                early[done.task.key] = done.result
            while order and order[0] in early:
                key = order.popleft()
                yield early[key] if key in order else early.pop(key)

    def keep_result(self, key: str, result: Any) -> None:
        """Keep a result for later tasks with the same key."""
        if isinstance(result, Unscored):
            self._failures[key] = result.model_copy(update={"raw": result.raw[:_RAW_LENGTH]})
            return
        self._latest[key] = result
        if len(self._latest) > self._max_results:
            self._latest.popitem(last=False)

    def kept_result(self, key: str) -> Any:
        """Return the result that is kept under a key, or the marker for none."""
        if key in self._failures:
            return self._failures[key]
        if key in self._latest:
            self._latest.move_to_end(key)
            return self._latest[key]
        return _MISSING

    async def execute(self, task: Task[R], results: list[Any]) -> R:
        """Return the result of a task, given the results of the tasks that it needs."""
        failed = next((result for result in results if isinstance(result, Unscored)), None)
        if failed is not None:
            return task.finish(failed, *results)
        try:
            request = await asyncio.to_thread(task.request, *results)
        except DataError as error:
            return task.finish(Unscored(reason="missing", detail=str(error)), *results)
        if request is None:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._local_executor(), task.finish, None, *results)
        if self.asker is None:
            raise TypeError("a task asks a model, but the runner has no asker; pass one to Runner")
        return task.finish(await self.asker.ask(request), *results)

    @property
    def limits(self) -> tuple[float, float]:
        """How many tasks may run, and how many may be open. In a batch there is no limit."""
        if self.asker is None:
            return MAX_LOCAL_TASKS, self._max_open_tasks
        running = self.asker.max_running
        return (float("inf"),) * 2 if running is None else (running, max(running, self._max_open_tasks))

    def _local_executor(self) -> Executor:
        if self._executor is not None:
            return self._executor
        if self._own_executor is None:
            self._own_executor = ThreadPoolExecutor(1, thread_name_prefix="semiosis-local")
        return self._own_executor

    def _close_executor(self) -> None:
        if self._own_executor is not None:
            self._own_executor.shutdown(wait=False, cancel_futures=True)
            self._own_executor = None


class _Run:
    """The state of one call of `Runner.stream`."""

    def __init__(self, runner: Runner) -> None:
        self.finished: deque[Done[Any]] = deque()
        self.running: dict[asyncio.Task[Any], _OpenTask] = {}
        self._runner = runner
        self._open: dict[str, _OpenTask] = {}

    def fill(self, source: Iterator[Task[Any]]) -> None:
        """Open tasks until enough are running. Tasks that wait for others do not count as running."""
        max_running, max_open = self._runner.limits
        while len(self.running) < max_running and len(self._open) < max_open:
            task = next(source, None)
            if task is None:
                return
            self._add(task, requested=True)

    def collect(self) -> None:
        """Take the results of tasks that have ended, and start those that waited for them."""
        ended = [future for future in self.running if future.done()]
        for future in ended:
            opened = self.running.pop(future)
            result = future.result()
            self._runner.keep_result(opened.task.key, result)
            del self._open[opened.task.key]
            self.finished.append(Done(opened.task, result, opened.requested))
            for dependent, position in opened.dependents:
                dependent.results[position] = result
                dependent.waiting -= 1
                if not dependent.waiting:
                    self._start(dependent)

    async def cancel(self) -> None:
        """Cancel the running tasks and wait until they have ended."""
        for future in self.running:
            future.cancel()
        if self.running:
            await asyncio.wait(self.running)
            for future in self.running:
                if not future.cancelled():
                    future.exception()  # retrieved, so that asyncio does not report it
        self.running.clear()

    def _add(self, task: Task[Any], *, requested: bool = False) -> Any:
        """Return a task's result if it is kept; otherwise open the task and return it."""
        result = self._runner.kept_result(task.key)
        if result is not _MISSING:
            if requested:
                self.finished.append(Done(task, result, requested))
            return result
        opened = self._open.get(task.key)
        if opened is None:
            opened = self._open_task(task)
        opened.requested |= requested
        return opened

    def _open_task(self, task: Task[Any]) -> _OpenTask:
        needs = task.needs
        opened = self._open[task.key] = _OpenTask(task, False, [None] * len(needs), 0)
        for position, need in enumerate(needs):
            need_or_result = self._add(need)
            if isinstance(need_or_result, _OpenTask):
                need_or_result.dependents.append((opened, position))
                opened.waiting += 1
            else:
                opened.results[position] = need_or_result
        if not opened.waiting:
            self._start(opened)
        return opened

    def _start(self, opened: _OpenTask) -> None:
        future = asyncio.create_task(self._runner.execute(opened.task, opened.results))
        self.running[future] = opened


class _IteratorBridge:
    """Takes the items of an asynchronous iterator one by one from another thread."""

    def __init__(self, items: AsyncIterator[Any]) -> None:
        self._items = items
        self._step: asyncio.Task[Any] | None = None

    async def next(self) -> Any:
        """Return the next item, or the end marker."""
        self._step = asyncio.current_task()
        return await anext(self._items, _END)

    async def close(self) -> None:
        """Cancel the current step, if there is one, and close the iterator."""
        if self._step is not None and not self._step.done():
            self._step.cancel()
            await asyncio.wait([self._step])
        await self._items.aclose()  # type: ignore[attr-defined]  # an asynchronous generator


async def run_task(task: Task[R], asker: Asker) -> R:
    """Return the result of one task. It can be awaited on any loop."""
    return await on_loop(_result(task, Runner(asker)))


async def _result(task: Task[R], runner: Runner) -> R:
    results: list[R] = [done.result async for done in runner.stream([task]) if done.requested]
    return results[0]


def _listing_keys(tasks: Iterable[Task[R]], order: deque[str]) -> Iterator[Task[R]]:
    """Yield the tasks, and add the key of each to `order`."""
    for task in tasks:
        order.append(task.key)
        yield task
