"""Trivial judges. A judge's agreement with people means something only if it is higher than theirs."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from semiosis.ask import ComputedTask, Task, task_key
from semiosis.judge._judge import Judge
from semiosis.judge._score_judge import ScoreJudge
from semiosis.score import PICTURE_SCORERS
from semiosis.values import ComparisonCase, Evaluator, Verdict, Winner


@dataclass(frozen=True)
class RuleJudge(Judge):
    """Decides by the comparison's id, without looking at the prompt or the artifacts."""

    name: str
    """The judge's name in tables."""
    rule: Callable[[str], Winner]
    """The function that returns the winner for a comparison's id."""

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of the verdicts."""
        return Evaluator(kind="program", name=self.name)

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return one task, because no order is shown."""
        comparison = case.comparison.id
        key = task_key("verdict", judge=self.evaluator.id, comparison=comparison)
        return (ComputedTask(key, partial(self._verdict, comparison)),)

    def _verdict(self, comparison: str) -> Verdict:
        return Verdict(evaluator=self.evaluator, comparison=comparison, winner=self.rule(comparison))


def _coin(comparison: str) -> Winner:
    """Return a or b by a hash of the comparison's id, so that a rerun gives the same answer."""
    return "a" if hashlib.sha256(f"coin {comparison}".encode()).digest()[0] % 2 else "b"


def _first(_comparison: str) -> Winner:
    return "a"


BASELINES: dict[str, Judge] = {
    judge.evaluator.name: judge
    for judge in (
        RuleJudge("baseline:coin", _coin),
        RuleJudge("baseline:first", _first),
        *map(ScoreJudge, PICTURE_SCORERS.values()),
    )
}
"""Every trivial judge by name."""
