"""The alignment as a judge and a scorer: the artifact that keeps more of the prompt's meaning wins."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from semiosis.align import DEFAULT, Aligner, aligner_of
from semiosis.judge._judge import HSGJudge
from semiosis.judge._lift import LocalScorer
from semiosis.values import (
    HSG,
    Alignment,
    ArtifactCase,
    Citation,
    Comparison,
    Embedder,
    Evaluator,
    Score,
    Unscored,
    UsageError,
    Verdict,
    Winner,
)

_SAME = 1e-9
"""Scores closer than this are a tie: they differ by rounding only."""


class AlignmentJudge(HSGJudge, LocalScorer):
    """Prefers the artifact that keeps more of the prompt; as a scorer, says how much it keeps.

    No order is shown, so there is one verdict. It cites the nodes of the prompt that one artifact keeps and
    the other loses. HSGs that cannot be compared, such as two scripts, are unscored.
    """

    def __init__(
        self, embedder: str | Embedder = DEFAULT, *, name: str = "", cache: Path | None = None
    ) -> None:
        self.embedder, self._cache = embedder, cache
        title = embedder if isinstance(embedder, str) else embedder.name
        self._evaluator = Evaluator(
            kind="program", name=name or f"alignment ({title})", parameters={"embedder": title}
        )

    @property
    def evaluator(self) -> Evaluator:
        """Who signs verdicts and scores."""
        return self._evaluator

    @property
    def aligner(self) -> Aligner:
        """Who aligns."""
        return aligner_of(self.embedder, cache=self._cache)

    def judge_hsgs(self, prompt: HSG, a: HSG, b: HSG) -> Verdict:
        """Return which artifact keeps more of the prompt."""
        comparison = Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id)
        try:
            return self._verdict(comparison, prompt, a, b)
        except UsageError as error:
            return Verdict(
                evaluator=self.evaluator,
                comparison=comparison.id,
                winner=Unscored(reason="undefined", detail=str(error)),
                used=(prompt.id, a.id, b.id),
            )

    def score(self, case: ArtifactCase) -> Score:
        """Return how much of the prompt the artifact keeps, from 0 to 1."""
        hsgs = case.hsgs()
        return Score(
            evaluator=self.evaluator,
            prompt=case.prompt.id,
            artifact=case.artifact.id,
            value=hsgs if isinstance(hsgs, Unscored) else self._kept(*hsgs),
            used=() if isinstance(hsgs, Unscored) else tuple(hsg.id for hsg in hsgs),
        )

    def _kept(self, prompt: HSG, artifact: HSG) -> float | Unscored:
        try:
            return self.aligner.kept(prompt, artifact)
        except UsageError as error:
            return Unscored(reason="undefined", detail=str(error))

    def _verdict(self, comparison: Comparison, prompt: HSG, a: HSG, b: HSG) -> Verdict:
        aligner = self.aligner
        by_node = [list(aligner.kept_by_node(prompt, artifact).values()) for artifact in (a, b)]
        kept_a, kept_b = (sum(kept) / len(kept) for kept in by_node)
        winner: Winner = "tie" if abs(kept_a - kept_b) < _SAME else "a" if kept_a > kept_b else "b"
        return Verdict(
            evaluator=self.evaluator,
            comparison=comparison.id,
            winner=winner,
            p_a=0.5 if winner == "tie" else keeps_more(*by_node),
            citations=tuple(_citations(prompt, *aligner.diff_all([(prompt, a), (prompt, b)]))),
            used=(prompt.id, a.id, b.id),
            rationale=f"a keeps {kept_a:.2f} of the prompt, b keeps {kept_b:.2f}",
        )


def keeps_more(a: Sequence[float], b: Sequence[float]) -> float:
    """The probability that more of the prompt's nodes are kept by a than by b; ties count half.

    Each node is kept with the given probability, independently of the others.

    >>> keeps_more([1.0, 0.5], [1.0, 0.0])
    0.75
    """
    how_many_a, how_many_b = _distribution(a), _distribution(b)
    more = np.subtract.outer(range(len(how_many_a)), range(len(how_many_b)))
    wins = (more > 0) + 0.5 * (more == 0)
    return round(float(how_many_a @ wins @ how_many_b), 6)


def _distribution(kept: Sequence[float]) -> NDArray[np.float64]:
    """The probability that 0, 1, … of the nodes are kept."""
    distribution = np.ones(1)
    for p in kept:
        distribution = np.convolve(distribution, [1 - p, p])
    return distribution


def _citations(prompt: HSG, a: Alignment, b: Alignment) -> Iterator[Citation]:
    """The prompt's nodes that one artifact keeps and the other loses."""
    for node, semiosis in prompt.semioses.items():
        if (node in a.lost) != (node in b.lost):
            keeps, loses = ("b", "a") if node in a.lost else ("a", "b")
            yield Citation(
                hsg=prompt.id,
                node=node,
                stance="a" if keeps == "a" else "b",
                rationale=f"{keeps} keeps {semiosis.label} ({semiosis.object}), {loses} loses it",
            )
