"""The judge that uses alignments: the artifact that keeps more of the prompt's meaning wins."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from semiosis.align import DEFAULT_EMBEDDER, Aligner, aligner_of
from semiosis.judge._judge import HSGJudge
from semiosis.values import (
    CREDIT,
    HSG,
    WEIGHTED,
    AlignedHSG,
    Alignment,
    Citation,
    Comparison,
    Embedder,
    Evaluator,
    Unscored,
    UsageError,
    Verdict,
    Winner,
)

_STEPS = 100
"""Steps of weight in 1. Models state importance in hundredths."""
_TIE_WITHIN = 2e-6
"""Distances that differ by less than this are a tie, because they differ only by rounding."""


class AlignmentJudge(HSGJudge):
    """Prefers the artifact that keeps more of the prompt. `AlignmentScorer` is its scorer.

    By default an embedder aligns the HSGs. If `alignments` are given, the judge uses them instead, such as a
    study's alignments by one model or one person. No order is shown, so there is one verdict. It cites the
    prompt's nodes whose fates differ. HSGs that cannot be compared, such as two in different scripts, are
    unscored.
    """

    def __init__(
        self,
        embedder: str | Embedder = DEFAULT_EMBEDDER,
        *,
        alignments: Iterable[Alignment] | None = None,
        name: str = "",
        cache: Path | None = None,
    ) -> None:
        self.embedder, self._cache = embedder, cache
        self._known = None if alignments is None else _by_hsgs(alignments)
        self._evaluator = _evaluator_of(embedder, self._known, name)

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator of the verdicts."""
        return self._evaluator

    @property
    def aligner(self) -> Aligner:
        """The embedder's aligner."""
        return aligner_of(self.embedder, cache=self._cache)

    def judge_hsgs(self, prompt: HSG, a: HSG, b: HSG) -> Verdict:
        """Return the verdict for the artifact that keeps more of the prompt."""
        comparison = Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id)
        used = (prompt.id, a.id, b.id)
        in_a, in_b = self._align(prompt, a), self._align(prompt, b)
        if isinstance(in_a, Unscored) or isinstance(in_b, Unscored):
            why = in_a if isinstance(in_a, Unscored) else in_b
            assert isinstance(why, Unscored)  # noqa: S101  # one of the two is Unscored
            return Verdict(evaluator=self.evaluator, comparison=comparison.id, winner=why, used=used)
        p_a = None if self._known is not None else self._p_a(prompt, a, b)
        return verdict_of(self.evaluator, prompt, in_a, in_b, p_a)

    def _align(self, prompt: HSG, artifact: HSG) -> Alignment | Unscored:
        if self._known is not None:
            detail = f"there is no alignment of HSG {prompt.id} with {artifact.id}; run: semiosis align STUDY"
            alignment = self._known.get((prompt.id, artifact.id))
            return Unscored(reason="missing", detail=detail) if alignment is None else alignment
        try:
            return self.aligner.diff((prompt, artifact))
        except UsageError as error:
            return Unscored(reason="undefined", detail=str(error))

    def _p_a(self, prompt: HSG, a: HSG, b: HSG) -> float:
        """Return the embedder's probability that a keeps more of the prompt's nodes than b."""
        weights = AlignedHSG.of(prompt).weights
        in_a, in_b = (self.aligner.match_strengths(prompt, artifact) for artifact in (a, b))
        by_node = [(in_a[node], in_b[node], weight) for node, weight in weights.items()]
        return probability_a_keeps_more(*zip(*by_node, strict=True))


def _evaluator_of(
    embedder: str | Embedder, known: dict[tuple[str, str], Alignment] | None, name: str
) -> Evaluator:
    if known is not None:
        first = next(iter(known.values()))
        return aligned_evaluator(first.aligned_by, first.procedure, name)
    title = embedder if isinstance(embedder, str) else embedder.name
    return Evaluator(kind="program", name=name or f"alignment ({title})", parameters={"embedder": title})


def aligned_evaluator(aligned_by: str, procedure: str, name: str = "") -> Evaluator:
    """Return the evaluator that judges by the alignments of one model or one person."""
    return Evaluator(
        kind="program", name=name or f"alignment ({aligned_by})", parameters={"procedure": procedure}
    )


def _by_hsgs(alignments: Iterable[Alignment]) -> dict[tuple[str, str], Alignment]:
    known = {(alignment.source.hsg, alignment.target.hsg): alignment for alignment in alignments}
    procedures = sorted({alignment.procedure for alignment in known.values()})
    if len(procedures) != 1:
        raise UsageError(
            f"a judge needs alignments by one procedure, not {len(procedures)}: "
            f"{'; '.join(procedures) or 'none'}",
            fix="pass the alignments of one aligner",
        )
    return known


def verdict_of(
    evaluator: Evaluator, prompt: HSG, a: Alignment, b: Alignment, p_a: float | None = None
) -> Verdict:
    """Return the verdict that follows from two alignments of one prompt: the smaller Δo wins."""
    comparison = Comparison(prompt=prompt.sign.id, a=a.target.sign, b=b.target.sign)
    winner = _winner(a, b)
    weighted = f"; {WEIGHTED}" if a.source.states_importance else ""
    return Verdict(
        evaluator=evaluator,
        comparison=comparison.id,
        winner=winner,
        p_a=0.5 if winner == "tie" else p_a,
        citations=tuple(_citations(prompt, a, b)),
        used=(prompt.id, a.target.hsg, b.target.hsg),
        rationale=f"Δo {a.distance:.2f} for a, {b.distance:.2f} for b; by {a.aligned_by}{weighted}",
    )


def _winner(a: Alignment, b: Alignment) -> Winner:
    if abs(a.distance - b.distance) < _TIE_WITHIN:
        return "tie"
    return "a" if a.distance < b.distance else "b"


def probability_a_keeps_more(
    a: Sequence[float], b: Sequence[float], weights: Sequence[float] | None = None
) -> float:
    """Return the probability that a keeps more of the prompt's nodes than b; ties count half.

    Each node is kept with the given probability, independently of the others, and counts by its weight, which
    is rounded to hundredths.

    >>> probability_a_keeps_more([1.0, 0.5], [1.0, 0.0])
    0.75
    >>> probability_a_keeps_more([1.0, 0.0], [0.0, 1.0], [0.9, 0.3])
    1.0
    """
    steps = [round(_STEPS * weight) for weight in weights or [1.0] * len(a)]
    kept_by_a, kept_by_b = _distribution(a, steps), _distribution(b, steps)
    less_in_b = np.cumsum(kept_by_b) - kept_by_b
    return round(float(kept_by_a @ (less_in_b + 0.5 * kept_by_b)), 6)


def _distribution(kept: Sequence[float], steps: Sequence[int]) -> NDArray[np.float64]:
    """Return the probabilities that nodes with 0, 1, … steps of weight in sum are kept."""
    distribution = np.zeros(sum(steps) + 1)
    distribution[0] = 1.0
    for p, step in zip(kept, steps, strict=True):
        shifted = np.roll(distribution, step)  # the end is still zero, so that nothing wraps round
        distribution = (1 - p) * distribution + p * shifted
    return distribution


def _citations(prompt: HSG, a: Alignment, b: Alignment) -> Iterator[Citation]:
    """Yield a citation of each node of the prompt that one artifact keeps better than the other."""
    for node, semiosis in prompt.semioses.items():
        fates = {"a": a.fate_of(node), "b": b.fate_of(node)}
        credit = {name: CREDIT[fate.fate] for name, fate in fates.items()}
        if credit["a"] != credit["b"]:
            reasons = [
                f"{fate.fate} in {name}" + (f" ({fate.why})" if fate.why else "")
                for name, fate in fates.items()
            ]
            yield Citation(
                hsg=prompt.id,
                node=node,
                stance="a" if credit["a"] > credit["b"] else "b",
                rationale=f"{semiosis.label} ({semiosis.object}): {', '.join(reasons)}",
            )
