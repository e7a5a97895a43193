"""Records the results of a run as they arrive: each value once, in batches."""

import time
from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from semiosis.ask import Done, Runner, Task
from semiosis.files import append_record
from semiosis.study._study import Study
from semiosis.values import Recorded, Unscored

R = TypeVar("R")

_MAX_WAITING = 32
_MAX_SECONDS = 1.0
"""The number of waiting values, and the number of seconds, after which values are written."""
NOT_RECORDED = frozenset({"budget"})
"""Reasons that do not depend on the evaluator. Such results are not recorded, so the next run asks again."""


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


def run_recorded(
    recorder: RunRecorder, runner: Runner, tasks: Iterable[Task[R]]
) -> Generator[Done[R], None, None]:
    """Run tasks and yield their results as they arrive, each after the recorder has it.

    Everything is written at the end, also after an error or Ctrl-C.
    """
    try:
        with closing(runner.run(tasks)) as executing:
            for done in executing:
                recorder.add(done.result)
                yield done
    finally:
        recorder.flush()


def _state(value: object) -> str:
    """Return the reason why a value is unscored, or an empty text if it is scored."""
    for field in ("winner", "choice", "value"):
        content = getattr(value, field, None)
        if isinstance(content, Unscored):
            return content.reason
    return ""
