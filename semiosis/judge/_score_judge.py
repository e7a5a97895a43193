"""The judge that prefers the artifact with the higher score. Every scorer becomes a judge here."""

from collections.abc import MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from semiosis.ask import Asker, Model, Task, task_key
from semiosis.judge._judge import Judge, Presentation
from semiosis.score import ScoreKey, Scorer
from semiosis.values import ArtifactCase, ComparisonCase, Evaluator, Score, Unscored, Verdict, Winner


@dataclass(frozen=True)
class ScoreJudge(Judge):
    """Prefers the artifact with the higher score. Equal scores are a tie.

    Scores that exist are used; the others are computed or asked for. The judge signs as the scorer, because
    its verdicts follow from the scores. Only a margin for ties makes it another evaluator.
    """

    scorer: Scorer
    """The scorer."""
    tie_within: float = 0.0
    """The largest difference of two scores that is a tie."""
    scores: MutableMapping[ScoreKey, Score] = field(default_factory=dict)
    """The scores that exist."""

    @property
    def asker(self) -> Asker | None:  # type: ignore[override]  # a property, not a field
        """The scorer's asker."""
        return self.scorer.asker

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that the scorer asks."""
        return self.scorer.models

    @property
    def evaluator(self) -> Evaluator:
        """The scorer's evaluator. A margin for ties is one of its parameters."""
        scorer = self.scorer.evaluator
        if not self.tie_within:
            return scorer
        parameters = {**scorer.parameters, "tie_within": self.tie_within}
        return Evaluator(kind=scorer.kind, name=scorer.name, parameters=parameters)

    @property
    def presentations(self) -> tuple[Presentation, ...]:
        """One for each repeat: a scorer sees one artifact at a time, so no order is shown."""
        return tuple(("ab", repeat) for repeat in range(self.scorer.repeats))

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return one task for each repeat."""
        return [
            ScoreVerdictTask(
                self, case, tuple(self._source(artifact, repeat) for artifact in case.artifacts), repeat
            )
            for _, repeat in self.presentations
        ]

    def existing_score(self, case: ArtifactCase, repeat: int) -> Score | None:
        """Return the score that exists of an artifact, from the same readings; None if there is none."""
        prompt = case.prompt.id if self.scorer.sees_prompt else None
        score = self.scores.get(ScoreKey(prompt, case.artifact.id, repeat))
        if score is None or isinstance(score.value, Unscored):
            return None
        readings = {hsg.id for hsg in case.readings.values()}
        return score if set(score.used) <= readings else None

    def _source(self, case: ArtifactCase, repeat: int) -> Score | Task[Score]:
        return self.existing_score(case, repeat) or self.scorer.task(case, repeat=repeat)


@dataclass(frozen=True)
class ScoreVerdictTask:
    """Compares the scores of two artifacts."""

    judge: ScoreJudge
    """The judge."""
    case: ComparisonCase
    """The comparison and its readings."""
    sources: tuple[Score | Task[Score], ...]
    """The scores of a and b, or the tasks that give them."""
    repeat: int = 0
    """The number of the repeat."""

    @cached_property
    def key(self) -> str:
        """The hash of the judge, the comparison and the scores."""
        scores = [source.id if isinstance(source, Score) else source.key for source in self.sources]
        comparison = self.case.comparison.id
        return task_key("verdict", judge=self.judge.evaluator.id, comparison=comparison, scores=scores)

    @property
    def needs(self) -> tuple[Task[Any], ...]:
        """The tasks for the scores that do not exist yet."""
        return tuple(source for source in self.sources if not isinstance(source, Score))

    def request(self, *_scores: Score) -> None:
        """Return None, because no model is asked."""

    def finish(self, _reply: object, *results: Score) -> Verdict:
        """Return the verdict for the higher score."""
        new = iter(results)
        a, b = (source if isinstance(source, Score) else next(new) for source in self.sources)
        return Verdict(
            evaluator=self.judge.evaluator,
            comparison=self.case.comparison.id,
            repeat=self.repeat,
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
