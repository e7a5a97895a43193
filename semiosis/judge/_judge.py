"""The interface of judges: a case becomes tasks, and their verdicts become an outcome."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from semiosis.ask import Asker, Done, Model, NoAnswer, Runner, Task, on_loop, task_key, wait_for
from semiosis.values import (
    HSG,
    AnySign,
    ComparisonCase,
    Evaluator,
    Order,
    Outcome,
    Unscored,
    Usage,
    Verdict,
    resolve,
)

Presentation = tuple[Order, int]
"""The order in which the artifacts are shown, and the repeat."""


class Judge(ABC):
    """Prefers one artifact over another. Everything a judge says is a verdict.

    A subclass has an `evaluator` and turns a case into tasks. Comparing, running over a study, resuming and
    recording then work for it as for every other judge.
    """

    asker: Asker | None = None
    """Asks the model. None for a judge that computes its verdicts."""

    @property
    @abstractmethod
    def evaluator(self) -> Evaluator:
        """Who signs the verdicts."""

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that are asked."""
        return ()

    @property
    def presentations(self) -> tuple[Presentation, ...]:
        """The orders and repeats in which every comparison is judged."""
        return (("ab", 0),)

    @abstractmethod
    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return one task for each presentation of a case, in the order of `presentations`."""

    def compare(self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign) -> Outcome:
        """Return which artifact keeps more of the prompt's meaning, from all orders and repeats."""
        return wait_for(self.acompare(prompt, a, b))

    async def acompare(self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign) -> Outcome:
        """The same as a coroutine, from any loop."""
        return await on_loop(self._outcome(self.tasks(ComparisonCase.of(prompt, a, b))))

    async def _outcome(self, tasks: Sequence[Task[Verdict]]) -> Outcome:
        return await collect_outcome(tasks, Runner(self.asker).stream(tasks))


class HSGJudge(Judge):
    """A judge that computes its verdict from the HSGs of prompt, a and b."""

    @abstractmethod
    def judge_hsgs(self, prompt: HSG, a: HSG, b: HSG) -> Verdict:
        """Return the verdict."""

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return the task that computes the verdict; without readings it is unscored."""
        return (HSGVerdictTask(self, case),)


@dataclass(frozen=True)
class HSGVerdictTask:
    """Computes the verdict of an `HSGJudge`."""

    judge: HSGJudge
    """The judge."""
    case: ComparisonCase
    """What is compared."""

    @cached_property
    def key(self) -> str:
        """The hash of judge, comparison and readings."""
        used = sorted(hsg.id for hsg in self.case.readings.values())
        who = self.judge.evaluator.id
        return task_key("verdict", judge=who, comparison=self.case.comparison.id, used=used)

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """Nothing: the readings are part of the case."""
        return ()

    def request(self) -> None:
        """Ask nothing."""

    def finish(self, _reply: object) -> Verdict:
        """Return the verdict."""
        hsgs = self.case.hsgs()
        if isinstance(hsgs, Unscored):
            return unscored_verdict(self.judge.evaluator, self.case, ("ab", 0), hsgs)
        return self.judge.judge_hsgs(*hsgs)


def unscored_verdict(
    evaluator: Evaluator,
    case: ComparisonCase,
    presentation: Presentation,
    why: Unscored,
    used: tuple[str, ...] = (),
) -> Verdict:
    """Return the verdict that states why there is none, with what the attempt cost."""
    shown, repeat = presentation
    return Verdict(
        evaluator=evaluator,
        comparison=case.comparison.id,
        shown=shown,
        repeat=repeat,
        winner=Unscored(reason=why.reason, detail=why.detail, raw=why.raw),
        used=used,
        usage=usage_of(why),
    )


def usage_of(why: Unscored) -> Usage:
    """Return what a failed request cost; nothing if it was not asked."""
    return why.usage if isinstance(why, NoAnswer) else Usage(cost=0.0)


async def collect_outcome(tasks: Sequence[Task[Verdict]], results: AsyncIterator[Done[Any]]) -> Outcome:
    """Return the outcome of one comparison's tasks, with the readings that were made for it."""
    verdicts: dict[str, Verdict] = {}
    readings: list[HSG] = []
    async for done in results:
        if done.requested:
            verdicts[done.task.key] = done.result
        readings += hsgs_in(done.result)
    return replace(resolve(verdicts[task.key] for task in tasks), readings=tuple(readings))


def hsgs_in(result: object) -> list[HSG]:
    """Return the HSGs of a task's result: of one reading, or of a joint reading."""
    results = result if isinstance(result, tuple) else (result,)
    return [one for one in results if isinstance(one, HSG)]


def compare_many(
    judge: Judge, cases: Iterable[ComparisonCase], runner: Runner | None = None
) -> Iterator[Outcome]:
    """Yield the outcome of each case in order, as soon as it and those before it are there.

    Each outcome holds the readings that were made since the outcome before it.
    """
    waiting: deque[list[str]] = deque()
    verdicts: dict[str, Verdict] = {}
    readings: list[HSG] = []
    for done in (runner or Runner(judge.asker)).run(_listed(judge, cases, waiting)):
        readings += hsgs_in(done.result)
        if done.requested:
            verdicts[done.task.key] = done.result
        while waiting and all(key in verdicts for key in waiting[0]):
            keys = waiting.popleft()
            yield replace(resolve(verdicts[key] for key in keys), readings=tuple(readings))
            readings = []
            for key in keys:
                if not any(key in later for later in waiting):  # the same case may be listed twice
                    del verdicts[key]


def _listed(
    judge: Judge, cases: Iterable[ComparisonCase], waiting: deque[list[str]]
) -> Iterator[Task[Verdict]]:
    for case in cases:
        tasks = judge.tasks(case)
        waiting.append([task.key for task in tasks])
        yield from tasks
