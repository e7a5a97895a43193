"""Trivial judges. A judge's agreement with people means something only if it is higher than theirs."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from semiosis.ask import ComputedTask, Task, task_key
from semiosis.files import decode_sign, image_bytes
from semiosis.judge._judge import Judge
from semiosis.judge._score_judge import LocalScorer, ScoreJudge
from semiosis.values import (
    ArtifactCase,
    ComparisonCase,
    DataError,
    Evaluator,
    ImageSign,
    Score,
    Unscored,
    UsageError,
    Verdict,
    Winner,
)


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


class PictureScorer(LocalScorer):
    """Scores a picture by one measure of its file, without the prompt."""

    def __init__(self, name: str, measure: Callable[[ImageSign], float]) -> None:
        self._name = name
        self._measure = measure

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of the scores."""
        return Evaluator(kind="program", name=self._name)

    def score(self, case: ArtifactCase) -> Score:
        """Return the measure of the artifact. A text is unscored."""
        return Score(evaluator=self.evaluator, artifact=case.artifact.id, value=self._value(case))

    def _value(self, case: ArtifactCase) -> float | Unscored:
        if not isinstance(case.artifact, ImageSign):
            return Unscored(reason="undefined", detail="the artifact is not a picture")
        try:
            return round(self._measure(case.artifact), 6)
        except (DataError, UsageError) as error:
            return Unscored(reason="missing", detail=str(error))


def colourfulness(sign: ImageSign) -> float:
    """Return the colourfulness of a picture, M3 of Hasler and Süsstrunk (2003).

    Transparent parts count as they are stored. A grey picture has 0.
    """
    pixels = decode_sign(sign, image_bytes(sign)).pixels.convert("RGB")
    red, green, blue = np.moveaxis(np.asarray(pixels, dtype=np.float64), -1, 0)
    opponents = np.stack([red - green, (red + green) / 2 - blue])
    spread = np.hypot(*opponents.std(axis=(1, 2)))
    return float(spread + 0.3 * np.hypot(*opponents.mean(axis=(1, 2))))


def _coin(comparison: str) -> Winner:
    """Return a or b by a hash of the comparison's id, so that a rerun gives the same answer."""
    return "a" if hashlib.sha256(f"coin {comparison}".encode()).digest()[0] % 2 else "b"


def _first(_comparison: str) -> Winner:
    return "a"


def _file_size(sign: ImageSign) -> float:
    return float(len(image_bytes(sign)))


BASELINES: dict[str, Judge] = {
    judge.evaluator.name: judge
    for judge in (
        RuleJudge("baseline:coin", _coin),
        RuleJudge("baseline:first", _first),
        ScoreJudge(PictureScorer("baseline:size", _file_size)),
        ScoreJudge(PictureScorer("baseline:colour", colourfulness)),
    )
}
"""Every trivial judge by name."""
