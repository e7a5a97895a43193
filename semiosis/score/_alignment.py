"""The scorer that aligns: how much of the prompt's meaning the artifact keeps, by an embedder."""

from collections.abc import Sequence

from semiosis.align import DEFAULT_EMBEDDER, Aligner, aligner_of
from semiosis.score._scorer import LocalScorer
from semiosis.values import ArtifactCase, Embedder, Evaluator, Score, Unscored, UsageError


class AlignmentScorer(LocalScorer):
    """Scores an artifact by 1 - Δo, from readings that exist. HSGs that cannot be compared are unscored."""

    family = "alignment"

    def __init__(self, embedder: str | Embedder = DEFAULT_EMBEDDER, *, name: str = "") -> None:
        self.embedder = embedder
        self._name = name

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of the scores."""
        title = self.embedder if isinstance(self.embedder, str) else self.embedder.name
        return Evaluator(
            kind="program", name=self._name or f"alignment ({title})", parameters={"embedder": title}
        )

    @property
    def aligner(self) -> Aligner:
        """The embedder's aligner."""
        return aligner_of(self.embedder)

    def score_many(self, cases: Sequence[ArtifactCase]) -> list[Score]:
        """Return how much of each prompt its artifact keeps, from 0 to 1."""
        return [self._score(case) for case in cases]

    def _score(self, case: ArtifactCase) -> Score:
        hsgs = case.hsgs()
        if isinstance(hsgs, Unscored):
            return self.recorded(case, hsgs)
        used = tuple(hsg.id for hsg in hsgs)
        try:
            distance = self.aligner.diff(hsgs).distance
        except UsageError as error:
            return self.recorded(case, Unscored(reason="undefined", detail=str(error)), used=used)
        return self.recorded(case, round(1 - distance, 6), used=used)
