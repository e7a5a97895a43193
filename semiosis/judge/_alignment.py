"""The alignment as a judge: the artifact that keeps more of the prompt's meaning wins."""

from semiosis.align import DEFAULT, diff
from semiosis.values import (
    HSG,
    Alignment,
    Comparison,
    Evaluator,
    Outcome,
    Score,
    Verdict,
    Winner,
    resolve,
)

_SAME = 1e-9
"""Scores closer than this are a tie: they differ by rounding only."""


def survival(alignment: Alignment) -> float:
    """Share of the source's nodes that survive, each match counted with its probability."""
    return sum(match.p for match in alignment.matches) / len(alignment.source.nodes)


class AlignmentJudge:
    """Prefers the artifact in which more of the prompt's nodes survive; no order is shown."""

    def __init__(self, embedder: str = DEFAULT, *, name: str = "") -> None:
        self.embedder = embedder
        self.evaluator = Evaluator(
            kind="program", name=name or f"alignment ({embedder})", parameters={"embedder": embedder}
        )

    def compare(self, prompt: HSG, a: HSG, b: HSG) -> Outcome:
        """Which artifact keeps more of the prompt."""
        kept_a, kept_b = (survival(diff(prompt, artifact, embedder=self.embedder)) for artifact in (a, b))
        winner: Winner = "tie" if abs(kept_a - kept_b) < _SAME else "a" if kept_a > kept_b else "b"
        comparison = Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id)
        verdict = Verdict(
            evaluator=self.evaluator,
            comparison=comparison.id,
            winner=winner,
            used=(prompt.id, a.id, b.id),
            rationale=f"a keeps {kept_a:.2f} of the prompt's nodes, b keeps {kept_b:.2f}",
        )
        return resolve([verdict])

    def score(self, prompt: HSG, artifact: HSG) -> Score:
        """How much of the prompt survives in the artifact, from 0 to 1."""
        return Score(
            evaluator=self.evaluator,
            prompt=prompt.sign.id,
            artifact=artifact.sign.id,
            value=survival(diff(prompt, artifact, embedder=self.embedder)),
            used=(prompt.id, artifact.id),
        )
