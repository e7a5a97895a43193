"""Scorers, and the judge that prefers the artifact with the higher score."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Protocol

from semiosis.ask import Asker, ComputedTask, Task, task_key
from semiosis.judge._judge import Judge
from semiosis.values import (
    ArtifactCase,
    ComparisonCase,
    Evaluator,
    Score,
    Unscored,
    Verdict,
    Winner,
)


class Scorer(Protocol):
    """Scores an artifact, with or without its prompt."""

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of the scores."""
        ...

    @property
    def asker(self) -> Asker | None:
        """Asks the model. None for a scorer that computes."""
        ...

    def score_task(self, case: ArtifactCase) -> Task[Score]:
        """Return the task that scores an artifact; higher is better."""
        ...


class LocalScorer(ABC):
    """A scorer that computes its score."""

    asker: Asker | None = None
    """None, because no model is asked."""

    @property
    @abstractmethod
    def evaluator(self) -> Evaluator:
        """The evaluator of the scores."""

    @abstractmethod
    def score(self, case: ArtifactCase) -> Score:
        """Return the score of an artifact; higher is better."""

    def score_task(self, case: ArtifactCase) -> Task[Score]:
        """Return the task that computes the score."""
        signs = (case.prompt.id, case.artifact.id)
        used = [case.readings[sign].id for sign in signs if sign in case.readings]
        key = task_key("score", scorer=self.evaluator.id, signs=signs, used=used)
        return ComputedTask(key, partial(self.score, case))


@dataclass(frozen=True)
class ScoreJudge(Judge):
    """Prefers the artifact with the higher score. Equal scores are a tie."""

    scorer: Scorer
    """The scorer."""
    tie_within: float = 0.0
    """The largest difference of two scores that is a tie."""

    @property
    def asker(self) -> Asker | None:  # type: ignore[override]  # a property, not a field
        """The scorer's asker."""
        return self.scorer.asker

    @property
    def evaluator(self) -> Evaluator:
        """The scorer's evaluator, with the judge's margin for ties as a parameter."""
        scorer = self.scorer.evaluator
        parameters = {**scorer.parameters, "tie_within": self.tie_within}
        return Evaluator(kind=scorer.kind, name=scorer.name, parameters=parameters)

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return one task, because a scorer sees one artifact at a time and no order is shown."""
        scores = tuple(self.scorer.score_task(artifact) for artifact in case.artifacts)
        return (ScoreVerdictTask(self, case, scores),)


@dataclass(frozen=True)
class ScoreVerdictTask:
    """Compares the scores of two artifacts."""

    judge: ScoreJudge
    """The judge."""
    case: ComparisonCase
    """The comparison and its readings."""
    needs: tuple[Task[Score], ...]
    """The tasks that score a and b."""

    @cached_property
    def key(self) -> str:
        """The hash of the judge, the comparison and the scores."""
        scores = [task.key for task in self.needs]
        return task_key("verdict", judge=self.judge.evaluator.id, scores=scores)

    def request(self, *_scores: Score) -> None:
        """Return None, because no model is asked."""

    def finish(self, _reply: object, a: Score, b: Score) -> Verdict:
        """Return the verdict for the higher score."""
        return Verdict(
            evaluator=self.judge.evaluator,
            comparison=self.case.comparison.id,
            winner=higher_score(a, b, self.judge.tie_within),
            used=tuple(dict.fromkeys((*a.used, *b.used))),
        )


def higher_score(a: Score, b: Score, tie_within: float = 0.0) -> Winner | Unscored:
    """Return the artifact with the higher score. The result is unscored if one of the scores is unscored."""
    if isinstance(a.value, Unscored):
        return a.value
    if isinstance(b.value, Unscored):
        return b.value
    if abs(a.value - b.value) <= tie_within:
        return "tie"
    return "a" if a.value > b.value else "b"
