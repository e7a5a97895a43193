"""The alignment as a judge and a scorer: the artifact that keeps more of the prompt's meaning wins."""

import math
from collections.abc import Iterator
from pathlib import Path

from semiosis.align import DEFAULT, Aligner, aligner_of
from semiosis.values import (
    HSG,
    Alignment,
    Citation,
    Comparison,
    Embedder,
    Evaluator,
    Outcome,
    Score,
    Unscored,
    UsageError,
    Verdict,
    Winner,
    resolve,
)

_SAME = 1e-9
"""Scores closer than this are a tie: they differ by rounding only."""


class AlignmentJudge:
    """Prefers the artifact that keeps more of the prompt; as a scorer, says how much it keeps.

    No order is shown, so there is one verdict. It cites the nodes of the prompt that one artifact keeps and
    the other loses. HSGs that cannot be compared, such as two scripts, are unscored.
    """

    def __init__(
        self, embedder: str | Embedder = DEFAULT, *, name: str = "", cache: Path | None = None
    ) -> None:
        self._embedder, self._cache = embedder, cache
        title = embedder if isinstance(embedder, str) else embedder.name
        self.evaluator = Evaluator(
            kind="program", name=name or f"alignment ({title})", parameters={"embedder": title}
        )

    @property
    def aligner(self) -> Aligner:
        """Who aligns."""
        return aligner_of(self._embedder, cache=self._cache)

    def compare(self, prompt: HSG, a: HSG, b: HSG) -> Outcome:
        """Which artifact keeps more of the prompt."""
        comparison = Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id)
        try:
            verdict = self._verdict(comparison, prompt, a, b)
        except UsageError as error:
            verdict = Verdict(
                evaluator=self.evaluator,
                comparison=comparison.id,
                winner=Unscored(reason="undefined", detail=str(error)),
                used=(prompt.id, a.id, b.id),
            )
        return resolve([verdict])

    def score(self, prompt: HSG, artifact: HSG) -> Score:
        """How much of the prompt the artifact keeps, from 0 to 1."""
        value: float | Unscored
        try:
            value = self.aligner.kept(prompt, artifact)
        except UsageError as error:
            value = Unscored(reason="undefined", detail=str(error))
        return Score(
            evaluator=self.evaluator,
            prompt=prompt.sign.id,
            artifact=artifact.sign.id,
            value=value,
            used=(prompt.id, artifact.id),
        )

    def _verdict(self, comparison: Comparison, prompt: HSG, a: HSG, b: HSG) -> Verdict:
        aligner = self.aligner
        kept_a, kept_b = aligner.kept(prompt, a), aligner.kept(prompt, b)
        ahead = (kept_a - kept_b) * sum(aligner.weights.kept.values())
        winner: Winner = "tie" if abs(kept_a - kept_b) < _SAME else "a" if kept_a > kept_b else "b"
        return Verdict(
            evaluator=self.evaluator,
            comparison=comparison.id,
            winner=winner,
            p_a=1 / (1 + math.exp(-ahead)),
            citations=tuple(_citations(prompt, *aligner.diff_all([(prompt, a), (prompt, b)]))),
            used=(prompt.id, a.id, b.id),
            rationale=f"a keeps {kept_a:.2f} of the prompt, b keeps {kept_b:.2f}",
        )


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
