"""The scorer that repeats the scores that a study has, such as those that another program computed."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from semiosis.ask import ComputedTask, Task, task_key
from semiosis.score._scorer import LocalScorer
from semiosis.values import ArtifactCase, Evaluator, Score, Unscored


class ScoreKey(NamedTuple):
    """What a score is about."""

    prompt: str | None
    """The id of the prompt; None for a scorer that does not see it."""
    artifact: str
    """The id of the artifact."""
    repeat: int
    """The number of the repeat."""

    @classmethod
    def of(cls, score: Score) -> "ScoreKey":
        """Return what a score is about."""
        return cls(score.prompt, score.artifact, score.repeat)


class RecordedScorer(LocalScorer):
    """Repeats the recorded scores of one evaluator. It signs with that evaluator, because nothing is new."""

    family = "recorded"

    def __init__(self, evaluator: Evaluator, scores: Iterable[Score]) -> None:
        self._evaluator = evaluator
        self._scores: Mapping[ScoreKey, Score] = {ScoreKey.of(score): score for score in scores}
        self.repeats = 1 + max((key.repeat for key in self._scores), default=0)

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of the recorded scores."""
        return self._evaluator

    def task(self, case: ArtifactCase, *, repeat: int = 0) -> Task[Score]:
        """Return the task that looks a score up."""
        key = task_key("recorded score", scorer=self.evaluator.id, artifact=case.artifact.id, repeat=repeat)
        return ComputedTask(key, partial(self.recorded_score, case, repeat))

    def score_many(self, cases: Sequence[ArtifactCase]) -> list[Score]:
        """Return the first recorded score of each artifact; an artifact without one is unscored."""
        return [self.recorded_score(case, 0) for case in cases]

    def recorded_score(self, case: ArtifactCase, repeat: int) -> Score:
        """Return the recorded score of an artifact, unscored if there is none."""
        for prompt in (case.prompt.id, None):
            if score := self._scores.get(ScoreKey(prompt, case.artifact.id, repeat)):
                return score
        detail = (
            f"the study has no score of this picture by {self.evaluator.name}; "
            "add it with: semiosis import scores STUDY FILE.csv"
        )
        missing = Unscored(reason="missing", detail=detail)
        return Score(evaluator=self.evaluator, artifact=case.artifact.id, value=missing, repeat=repeat)
