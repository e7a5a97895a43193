"""Scorers by the likelihood of whole answers, which only models on this machine state."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from semiosis.ask import Model, Passage, log_likelihoods, render_sign
from semiosis.score._scorer import LocalScorer
from semiosis.values import (
    ArtifactCase,
    DataError,
    Evaluator,
    ImageSign,
    Primitive,
    Score,
    TextSign,
    Unscored,
    UsageError,
)

_DIGITS = 6


@dataclass(frozen=True)
class LikelihoodQuestion:
    """A question, and the weight of each possible answer."""

    name: str
    """The name of the scorer."""
    about: str
    """What the score is."""
    question: str
    """The question; `{text}` stands for the prompt."""
    answers: Mapping[str, float]
    """The weight of each answer. The score is the mean weight under the model's probabilities."""


LIKELIHOODS: dict[str, LikelihoodQuestion] = {
    row.name: row
    for row in (
        LikelihoodQuestion(
            "vqascore",
            "the likelihood of Yes against No, asked whether the picture shows the prompt (VQAScore)",
            'Does this picture show "{text}"? Answer with Yes or No.',
            {"Yes": 1.0, "No": 0.0},
        ),
        LikelihoodQuestion(
            "levels",
            "the mean of five levels, weighted by their likelihoods (the formula of Q-Align, on your model)",
            "How good is the quality of this picture: excellent, good, fair, poor or bad? One word.",
            {"excellent": 1.0, "good": 0.75, "fair": 0.5, "poor": 0.25, "bad": 0.0},
        ),
    )
}
"""The scorers by likelihood, by name."""


class LikelihoodScorer(LocalScorer):
    """Scores by the likelihoods of whole answer strings. A hosted model is refused: it states none."""

    family = "likelihood"

    def __init__(self, question: str, model: str | Model) -> None:
        self.question = LIKELIHOODS[question]
        self.model = Model.of(model)
        if self.model.provider != "local":
            raise UsageError(
                f"{question} needs likelihoods of whole answers, which {self.model.provider} does not state",
                fix="use a model on this machine, --model local/<folder or hub id>, or the scorer confidence",
            )

    @property
    def sees_prompt(self) -> bool:
        """Whether the question contains the prompt."""
        return "{text}" in self.question.question

    @cached_property
    def evaluator(self) -> Evaluator:
        """The evaluator, whose parameters are the model, the question and the answers."""
        parameters: dict[str, Primitive] = {
            "model": self.model.full_name,
            "question": self.question.question,
            "answers": ", ".join(f"{text} {weight:g}" for text, weight in self.question.answers.items()),
        }
        return Evaluator(
            kind="model", name=f"{self.question.name} {self.model.full_name}", parameters=parameters
        )

    def score_many(self, cases: Sequence[ArtifactCase]) -> list[Score]:
        """Return the mean weight of the answers for each picture."""
        return [self._score(case) for case in cases]

    def _score(self, case: ArtifactCase) -> Score:
        if not isinstance(case.artifact, ImageSign):
            return self.recorded(case, Unscored(reason="undefined", detail="the artifact is not a picture"))
        if self.sees_prompt and not isinstance(case.prompt, TextSign):
            return self.recorded(case, Unscored(reason="undefined", detail="the prompt is not a text"))
        text = case.prompt.text if isinstance(case.prompt, TextSign) else ""
        try:
            picture = render_sign(case.artifact, self.model.profile, "The picture")
        except DataError as error:
            return self.recorded(case, Unscored(reason="missing", detail=str(error)))
        parts = (*picture, Passage(self.question.question.replace("{text}", text)))
        logs = np.array(log_likelihoods(self.model, parts, list(self.question.answers)))
        shares = np.exp(logs - np.logaddexp.reduce(logs))
        weights = np.array(list(self.question.answers.values()))
        details = {
            f"log {name}": round(float(log), 4) for name, log in zip(self.question.answers, logs, strict=True)
        }
        return self.recorded(case, round(float(shares @ weights), _DIGITS), details=details)
