"""The interface of scorers, which give an artifact a number, with or without its prompt."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal, get_args

from semiosis.ask import Asker, ComputedTask, Model, Task, task_key
from semiosis.values import AnySign, ArtifactCase, Evaluator, Primitive, Score, Unscored, Usage

Family = Literal[
    "cosine",
    "reward",
    "likelihood",
    "confidence",
    "choice",
    "structured",
    "alignment",
    "context-free",
    "recorded",
]
"""How a scorer arrives at its number. Scores of different families have no common scale."""

FAMILIES: tuple[Family, ...] = get_args(Family)
"""All families."""


class Scorer(ABC):
    """Gives an artifact a number; higher is better. Two scorers never share a scale.

    A subclass defines `family`, `evaluator` and `task`. Scoring a study, judging by scores, resuming and
    recording then work as for every other scorer.
    """

    family: Family
    """How it arrives at its number."""
    asker: Asker | None = None
    """Asks the model. None for a scorer that computes."""
    repeats: int = 1
    """How often each artifact is scored."""
    reads_prompt_only: bool = False
    """Whether the prompt's reading is enough for a scorer that needs readings."""

    @property
    @abstractmethod
    def evaluator(self) -> Evaluator:
        """The evaluator of the scores."""

    @property
    def models(self) -> tuple[Model, ...]:
        """The models that the scorer asks."""
        return ()

    @property
    def sees_prompt(self) -> bool:
        """Whether the score depends on the prompt (SemJudge, eq. 6) or not (eq. 7)."""
        return self.family != "context-free"

    @abstractmethod
    def task(self, case: ArtifactCase, *, repeat: int = 0) -> Task[Score]:
        """Return the task that scores an artifact."""

    def recorded(
        self,
        case: ArtifactCase,
        value: float | Unscored,
        *,
        repeat: int = 0,
        used: tuple[str, ...] = (),
        details: Mapping[str, Primitive] | None = None,
        usage: Usage | None = None,
    ) -> Score:
        """Return the score of an artifact by this scorer."""
        return Score(
            evaluator=self.evaluator,
            prompt=case.prompt.id if self.sees_prompt else None,
            artifact=case.artifact.id,
            value=value,
            used=used,
            repeat=repeat,
            details=dict(details or {}),
            usage=usage,
        )


class LocalScorer(Scorer):
    """A scorer that computes its scores, many at once."""

    @abstractmethod
    def score_many(self, cases: Sequence[ArtifactCase]) -> list[Score]:
        """Return the scores of these artifacts, in order."""

    def score(self, prompt: AnySign, artifact: AnySign) -> Score:
        """Return the score of one artifact."""
        return self.score_many([ArtifactCase(prompt, artifact)])[0]

    def task(self, case: ArtifactCase, *, repeat: int = 0) -> Task[Score]:
        """Return the task that computes one score. A study scores many cases at once with `score_many`."""
        signs = (case.prompt.id, case.artifact.id)
        used = [case.readings[sign].id for sign in signs if sign in case.readings]
        key = task_key("score", scorer=self.evaluator.id, signs=signs, used=used, repeat=repeat)
        return ComputedTask(key, partial(_only_score, self, case))


def _only_score(scorer: LocalScorer, case: ArtifactCase) -> Score:
    return scorer.score_many([case])[0]
