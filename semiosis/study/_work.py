"""The work loop: a plan of what a run has to do, and the function that does it and records the results."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, Self, TypeVar, overload

from semiosis.ask import CHUNK, Asker, Runner, Task, map_chunks
from semiosis.files import append_record
from semiosis.study._manifest import PlannedEvaluator, RunLog
from semiosis.study._study import Study
from semiosis.values import Recorded, Unscored, brief_repr

R = TypeVar("R")

SETTLED = frozenset({"refusal", "cut-off", "empty", "malformed", "undefined"})
"""Failures that would most likely recur. A rerun does not ask again unless the user asks for a retry."""
NOT_RECORDED = frozenset({"budget"})
"""Reasons that do not depend on the evaluator. Such results are not recorded, so the next run asks again."""

_MAX_WAITING = 32
_MAX_SECONDS = 1.0
"""The number of waiting values, and the number of seconds, after which values are written."""


class LazyTasks(Sequence[Task[R]]):
    """Tasks that are made when they are needed, so that a long plan takes little memory."""

    def __init__(self, items: Sequence[Any], make: Callable[[Any], Task[R]]) -> None:
        self._items = items
        self._make = make

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Task[R]: ...
    @overload
    def __getitem__(self, index: slice) -> "LazyTasks[R]": ...
    def __getitem__(self, index: int | slice) -> "Task[R] | LazyTasks[R]":
        if isinstance(index, slice):
            return LazyTasks(self._items[index], self._make)
        return self._make(self._items[index])


@dataclass(frozen=True)
class Computation(Generic[R]):
    """Work that asks no model. It is computed in chunks, in this process or in others."""

    function: Callable[[Sequence[Any]], Sequence[R]]
    """Returns a result for each item. It and the items can be sent to another process."""
    items: Sequence[Any]
    """What to compute: plain values, such as the places of HSGs in files."""
    chunk: int = CHUNK
    """The number of items that are computed together."""


@dataclass(frozen=True)
class WorkPlan(Generic[R]):
    """What a run has to do: tasks for the runner, and work that is computed in chunks."""

    __repr__ = brief_repr

    tasks: Sequence[Task[R]] = ()
    """The tasks, in order."""
    computation: Computation[R] | None = None
    """The work that is computed in chunks."""
    missing: tuple[R, ...] = ()
    """Results that are unscored because something that they need is missing. They are recorded first."""
    settled: int = 0
    """The number of unscored results that are not asked again, because they would most likely fail again."""
    evaluators: tuple[PlannedEvaluator, ...] = ()
    """The evaluators that do the work."""
    asker: Asker | None = None
    """Asks the models; None if none is asked."""

    def __len__(self) -> int:
        return len(self.tasks) + len(self.missing) + (len(self.computation.items) if self.computation else 0)

    def first(self, n: int) -> Self:
        """Return the plan of the first n tasks, which a dry run estimates the others from."""
        return replace(self, tasks=self.tasks[:n])


def merged_plan(plans: Iterable[WorkPlan[R]]) -> WorkPlan[R]:
    """Return one plan of the tasks of several plans, in their order."""
    parts = list(plans)
    return WorkPlan(
        tasks=[task for plan in parts for task in plan.tasks],
        missing=tuple(result for plan in parts for result in plan.missing),
        settled=sum(plan.settled for plan in parts),
        evaluators=tuple(evaluator for plan in parts for evaluator in plan.evaluators),
        asker=next((plan.asker for plan in parts if plan.asker), None),
    )


class RunRecorder:
    """Appends new values to the record of one run.

    Each write needs a lock and a sync to disk, so values are collected for up to a second. A crash before the
    write loses no reply that was paid for, because replies are in the journal.
    """

    def __init__(self, study: Study, run: str, *, record: bool = True) -> None:
        self._folder: Path = study.folder
        self._run = run
        self._record = record
        self._recorded: dict[str, str] = {id_: _state(value) for id_, value in study.observations.items()}
        self._recorded |= dict.fromkeys((*study.hsgs, *study.alignments), "")
        self._waiting: list[Recorded] = []
        self._since = time.monotonic()

    def add(self, value: object) -> None:
        """Record a value, unless it is recorded as scored, or as unscored for the same reason."""
        if isinstance(value, tuple):
            for part in value:
                self.add(part)
        if not isinstance(value, Recorded):
            return
        state = _state(value)
        if state in NOT_RECORDED or self._recorded.get(value.id) in ("", state):
            return
        self._recorded[value.id] = state
        self._waiting.append(value)
        if len(self._waiting) >= _MAX_WAITING or time.monotonic() - self._since >= _MAX_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the values that are waiting."""
        if self._waiting and self._record:
            append_record(self._folder, self._waiting, self._run)
        self._waiting = []
        self._since = time.monotonic()


def run_plan(
    study: Study,
    plan: WorkPlan[R],
    *,
    run: str,
    runner: Runner | None = None,
    executor: Executor | None = None,
    record: bool = True,
    on_task: Callable[[], None] = lambda: None,
) -> Iterator[R]:
    """Do the work of a plan and yield the results as they arrive. Each is recorded before it is yielded.

    `runner` asks the models; runs that share one ask each question once. `executor` computes work that asks
    no model, in this process if it is None. `on_task` is called for every finished task, including those that
    the planned tasks need. Everything is written at the end, also after an error or Ctrl-C. The run's
    settings, evaluators and times are written to a manifest in the folder `runs`.
    """
    recorder = RunRecorder(study, run, record=record)
    runner = runner or Runner(plan.asker)
    log = RunLog(study.folder, run, plan.evaluators, len(plan), runner.asker)
    if record and len(plan):
        log.start()
    try:
        for result in _results(plan, recorder, runner, executor, on_task):
            log.count(_state(result))
            yield result
        log.completed = True
    finally:
        recorder.flush()
        log.end()


def _results(
    plan: WorkPlan[R],
    recorder: RunRecorder,
    runner: Runner,
    executor: Executor | None,
    on_task: Callable[[], None],
) -> Iterator[R]:
    for result in plan.missing:
        recorder.add(result)
    recorder.flush()
    yield from plan.missing
    if plan.computation is not None:
        for chunk in _computed(plan.computation, executor):
            for result in chunk:
                recorder.add(result)
            recorder.flush()
            for result in chunk:
                on_task()
                yield result
    with closing(runner.run(plan.tasks)) as executing:
        for done in executing:
            recorder.add(done.result)
            on_task()
            if done.requested:
                yield done.result


def _computed(computation: Computation[R], executor: Executor | None) -> Iterator[Sequence[R]]:
    return map_chunks(computation.function, computation.items, executor, size=computation.chunk)


def _state(value: object) -> str:
    """Return the reason why a value is unscored, or an empty text if it is scored."""
    if isinstance(value, Unscored):
        return value.reason
    for field in ("winner", "choice", "value"):
        content = getattr(value, field, None)
        if isinstance(content, Unscored):
            return content.reason
    return ""
