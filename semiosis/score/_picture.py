"""Trivial scorers of pictures. A scorer's agreement with people means little unless it is higher."""

from collections.abc import Callable, Sequence

import numpy as np

from semiosis.files import decode_sign, image_bytes
from semiosis.score._scorer import LocalScorer
from semiosis.values import ArtifactCase, DataError, Evaluator, ImageSign, Score, Unscored, UsageError


class PictureScorer(LocalScorer):
    """Scores a picture by one measure of its file, without the prompt."""

    family = "context-free"

    def __init__(self, name: str, measure: Callable[[ImageSign], float]) -> None:
        self._name = name
        self._measure = measure

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of the scores."""
        return Evaluator(kind="program", name=self._name)

    def score_many(self, cases: Sequence[ArtifactCase]) -> list[Score]:
        """Return the measure of each artifact. A text is unscored."""
        return [self.recorded(case, self._value(case)) for case in cases]

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


def _file_size(sign: ImageSign) -> float:
    return float(len(image_bytes(sign)))


PICTURE_SCORERS: dict[str, PictureScorer] = {
    "baseline:size": PictureScorer("baseline:size", _file_size),
    "baseline:colour": PictureScorer("baseline:colour", colourfulness),
}
"""The trivial scorers by name."""
