"""The interface of judges, which turn a case into tasks whose verdicts are resolved to an outcome."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from semiosis.ask import (
    Asker,
    ComputedTask,
    Done,
    Model,
    Runner,
    Task,
    UnansweredRequest,
    on_loop,
    task_key,
    wait_for,
)
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
    """Prefers one artifact over another, and states this in verdicts.

    A subclass defines `evaluator` and `tasks`. Comparing, running over a study, resuming and recording then
    work as for every other judge.
    """

    asker: Asker | None = None
    """Asks the model. None for a judge that computes its verdicts."""

    @property
    @abstractmethod
    def evaluator(self) -> Evaluator:
        """The evaluator of the verdicts."""

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that the judge asks."""
        return ()

    @property
    def presentations(self) -> tuple[Presentation, ...]:
        """The orders and repeats in which every comparison is judged."""
        return (("ab", 0),)

    @abstractmethod
    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return one task for each presentation of a case, in the order of `presentations`."""

    def compare(self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign) -> Outcome:
        """Return the outcome of all orders and repeats: which artifact keeps more of the prompt's meaning."""
        return wait_for(self.acompare(prompt, a, b))

    async def acompare(self, prompt: HSG | AnySign, a: HSG | AnySign, b: HSG | AnySign) -> Outcome:
        """Return the outcome, as `compare` does, from any event loop."""
        return await on_loop(self._outcome(self.tasks(ComparisonCase.of(prompt, a, b))))

    async def _outcome(self, tasks: Sequence[Task[Verdict]]) -> Outcome:
        return await collect_outcome(tasks, Runner(self.asker).stream(tasks))


class HSGJudge(Judge):
    """A judge that computes its verdict from the HSGs of prompt, a and b."""

    @abstractmethod
    def judge_hsgs(self, prompt: HSG, a: HSG, b: HSG) -> Verdict:
        """Return the verdict."""

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return the task that computes the verdict, which is unscored if a reading is missing."""
        used = sorted(hsg.id for hsg in case.readings.values())
        key = task_key("verdict", judge=self.evaluator.id, comparison=case.comparison.id, used=used)
        return (ComputedTask(key, partial(self._judge_case, case)),)

    def _judge_case(self, case: ComparisonCase) -> Verdict:
        hsgs = case.hsgs()
        if isinstance(hsgs, Unscored):
            return unscored_verdict(self.evaluator, case, ("ab", 0), hsgs)
        return self.judge_hsgs(*hsgs)


def unscored_verdict(
    evaluator: Evaluator,
    case: ComparisonCase,
    presentation: Presentation,
    why: Unscored,
    used: tuple[str, ...] = (),
) -> Verdict:
    """Return a verdict that is unscored for this reason, with the cost of the attempt."""
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
    """Return the cost of a failed request, which is 0 if it was not sent."""
    return why.usage if isinstance(why, UnansweredRequest) else Usage(cost=0.0)


async def collect_outcome(tasks: Sequence[Task[Verdict]], results: AsyncIterator[Done[Any]]) -> Outcome:
    """Return the outcome of the tasks of one comparison, with the readings that were made for it."""
    verdicts: dict[str, Verdict] = {}
    readings: list[HSG] = []
    async for done in results:
        if done.requested:
            verdicts[done.task.key] = done.result
        readings += hsgs_in(done.result)
    return replace(resolve(verdicts[task.key] for task in tasks), readings=tuple(readings))


def hsgs_in(result: object) -> list[HSG]:
    """Return the HSGs in a task's result: one for a reading, two for a joint reading, otherwise none."""
    results = result if isinstance(result, tuple) else (result,)
    return [hsg for hsg in results if isinstance(hsg, HSG)]
