"""Scorers and citations as judges."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from semiosis.ask import Asker, Model, Task, task_key
from semiosis.judge._judge import Judge, Presentation
from semiosis.values import (
    ArtifactCase,
    Citation,
    ComparisonCase,
    Evaluator,
    Score,
    Unscored,
    Verdict,
    Winner,
)


class Scorer(Protocol):
    """Puts a number on an artifact, with or without its prompt."""

    @property
    def evaluator(self) -> Evaluator:
        """Who signs the scores."""
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
    """Nothing is asked."""

    @property
    @abstractmethod
    def evaluator(self) -> Evaluator:
        """Who signs the scores."""

    @abstractmethod
    def score(self, case: ArtifactCase) -> Score:
        """Return the score of an artifact; higher is better."""

    def score_task(self, case: ArtifactCase) -> Task[Score]:
        """Return the task that computes the score."""
        return ScoreTask(self, case)


@dataclass(frozen=True)
class ScoreTask:
    """Computes the score of a `LocalScorer`."""

    scorer: LocalScorer
    """The scorer."""
    case: ArtifactCase
    """What is scored."""

    @cached_property
    def key(self) -> str:
        """The hash of scorer, signs and readings."""
        signs = (self.case.prompt.id, self.case.artifact.id)
        used = [self.case.readings[sign].id for sign in signs if sign in self.case.readings]
        return task_key("score", scorer=self.scorer.evaluator.id, signs=signs, used=used)

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """Nothing: the readings are part of the case."""
        return ()

    def request(self) -> None:
        """Ask nothing."""

    def finish(self, _reply: object) -> Score:
        """Return the score."""
        return self.scorer.score(self.case)


@dataclass(frozen=True)
class ScoreJudge(Judge):
    """A scorer as a judge: the artifact with the higher score wins, equal scores tie."""

    scorer: Scorer
    """The scorer."""
    tie_within: float = 0.0
    """Scores no further apart than this are a tie."""

    @property
    def asker(self) -> Asker | None:  # type: ignore[override]  # the scorer's
        """The scorer's asker."""
        return self.scorer.asker

    @property
    def evaluator(self) -> Evaluator:
        """The scorer's name; the margin for a tie is a setting of the judge."""
        scorer = self.scorer.evaluator
        parameters = {**scorer.parameters, "tie_within": self.tie_within}
        return Evaluator(kind=scorer.kind, name=scorer.name, parameters=parameters)

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return one task: a scorer sees one artifact at a time, so no order is shown."""
        scores = tuple(self.scorer.score_task(artifact) for artifact in case.artifacts)
        return (ScoreVerdictTask(self, case, scores),)


@dataclass(frozen=True)
class ScoreVerdictTask:
    """Compares the scores of two artifacts."""

    judge: ScoreJudge
    """The judge."""
    case: ComparisonCase
    """What is compared."""
    needs: tuple[Task[Score], ...]
    """The tasks that score a and b."""

    @cached_property
    def key(self) -> str:
        """The hash of judge, comparison and scores."""
        scores = [need.key for need in self.needs]
        return task_key("verdict", judge=self.judge.evaluator.id, scores=scores)

    def request(self, *_scores: Score) -> None:
        """Ask nothing."""

    def finish(self, _reply: object, a: Score, b: Score) -> Verdict:
        """Return the verdict for the higher score."""
        return Verdict(
            evaluator=self.judge.evaluator,
            comparison=self.case.comparison.id,
            winner=higher_score(a, b, self.judge.tie_within),
            used=tuple(dict.fromkeys((*a.used, *b.used))),
        )


@dataclass(frozen=True)
class CitationJudge(Judge):
    """The citations of another judge as a judge: the artifact that more of them support.

    What a judge says and what it cites may differ; this judge shows by how much (SemJudge, eq. 10).
    """

    judge: Judge
    """The judge whose citations are counted."""

    @property
    def asker(self) -> Asker | None:  # type: ignore[override]  # the other judge's
        """The other judge's asker."""
        return self.judge.asker

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that the other judge asks."""
        return self.judge.models

    @property
    def evaluator(self) -> Evaluator:
        """The other judge's name with `citations of` before it."""
        cited = self.judge.evaluator
        return Evaluator(kind=cited.kind, name=f"citations of {cited.name}", parameters=cited.parameters)

    @property
    def presentations(self) -> tuple[Presentation, ...]:
        """The other judge's orders and repeats."""
        return self.judge.presentations

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return one task for each verdict of the other judge."""
        return [CitationTask(self.evaluator, (task,)) for task in self.judge.tasks(case)]


@dataclass(frozen=True)
class CitationTask:
    """Counts the citations of a verdict."""

    evaluator: Evaluator
    """Who signs the new verdict."""
    needs: tuple[Task[Verdict], ...]
    """The task that gives the verdict."""

    @cached_property
    def key(self) -> str:
        """The hash of judge and verdict."""
        return task_key("verdict", judge=self.evaluator.id, of=self.needs[0].key)

    def request(self, _verdict: Verdict) -> None:
        """Ask nothing."""

    def finish(self, _reply: object, verdict: Verdict) -> Verdict:
        """Return the verdict of the citations."""
        return favoured(verdict, self.evaluator)


def favoured(verdict: Verdict, evaluator: Evaluator) -> Verdict:
    """Return the verdict of a verdict's citations; without any for a or b it is unscored."""
    winner = verdict.winner if isinstance(verdict.winner, Unscored) else _majority(verdict.citations)
    return Verdict(
        evaluator=evaluator,
        comparison=verdict.comparison,
        shown=verdict.shown,
        repeat=verdict.repeat,
        winner=winner,
        citations=verdict.citations,
        dropped=verdict.dropped,
        used=verdict.used,
    )


def _majority(citations: tuple[Citation, ...]) -> Winner | Unscored:
    stances = [citation.stance for citation in citations]
    a, b = stances.count("a"), stances.count("b")
    if not a and not b:
        return Unscored(reason="undefined", detail="no citation supports a or b")
    if a == b:
        return "tie"
    return "a" if a > b else "b"


def higher_score(one: Score, two: Score, tie_within: float = 0.0) -> Winner | Unscored:
    """Return which of two scores is higher; unscored if one of them is."""
    if isinstance(one.value, Unscored):
        return one.value
    if isinstance(two.value, Unscored):
        return two.value
    if abs(one.value - two.value) <= tie_within:
        return "tie"
    return "a" if one.value > two.value else "b"
