"""Progress of a run on standard error: a bar in a terminal, plain lines in a pipe or a file."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from semiosis.cli._output import remark

if TYPE_CHECKING:
    from semiosis.ask import Asker

_LINES = 20
"""The number of lines of a run, unless the times between lines limit it."""
_MIN_SECONDS, _MAX_SECONDS = 1.0, 30.0
"""The minimum and maximum time between two lines."""

Tick = Callable[..., None]
"""Called with `advance=1` for each finished item, `unscored=True` if it has no value, and with `advance=0` to
show calls in between."""


@contextmanager
def progress(what: str, total: int, asker: "Asker | None" = None) -> Iterator[Tick]:
    """Show how many items are done and unscored, the cost so far and the time left."""
    if sys.stderr.isatty():
        with _bar(what, total, asker) as tick:
            yield tick
        return
    lines = _Lines(what, total, asker)
    yield lines.tick


class _Lines:
    """Prints a line after each twentieth of the work, at most once a second and at least twice a minute."""

    def __init__(self, what: str, total: int, asker: "Asker | None") -> None:
        self._what, self._total, self._asker = what, total, asker
        self._done = self._unscored = self._shown = 0
        self._started = self._last = time.monotonic()

    def tick(self, advance: int = 1, *, unscored: bool = False) -> None:
        """Count finished items and print a line if it is time for one."""
        self._done += advance
        self._unscored += unscored
        since = time.monotonic() - self._last
        too_soon = self._shown and since < _MIN_SECONDS
        enough = advance and not too_soon and (self._done - self._shown) * _LINES >= self._total
        overdue = since >= _MAX_SECONDS
        if enough or overdue or (advance and self._done == self._total):
            self._print()

    def _print(self) -> None:
        self._shown, self._last = self._done, time.monotonic()
        spent = f"; {self._asker.budget}" if self._asker and self._asker.budget.used else ""
        left = ""
        if 0 < self._done < self._total:
            seconds = (self._last - self._started) * (self._total - self._done) / self._done
            left = f"; about {_duration(seconds)} left"
        unscored = f", {self._unscored} unscored" if self._unscored else ""
        remark(f"{self._what}: {self._done} of {self._total}{unscored}{spent}{left}")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def _bar(what: str, total: int, asker: "Asker | None") -> Iterator[Tick]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, TextColumn("{task.fields[notes]}"), console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=total, notes="")
        failed = 0

        def tick(advance: int = 1, *, unscored: bool = False) -> None:
            nonlocal failed
            failed += unscored
            notes = [f"{failed} unscored"] * bool(failed)
            notes += [str(asker.budget)] if asker and asker.budget.used else []
            bar.update(task, advance=advance, notes="; ".join(notes))

        yield tick
