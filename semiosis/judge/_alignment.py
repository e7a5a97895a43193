"""The alignment as a judge and a scorer: the artifact that keeps more of the prompt's meaning wins."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from semiosis.align import DEFAULT, Aligner, aligner_of
from semiosis.judge._judge import HSGJudge
from semiosis.judge._score_judge import LocalScorer
from semiosis.values import (
    CREDIT,
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

_SAME = 2e-6
"""Distances closer than this are a tie: they differ by rounding only."""


class AlignmentJudge(HSGJudge, LocalScorer):
    """Prefers the artifact that keeps more of the prompt; as a scorer, says how much it keeps: 1 - Δo.

    An embedder aligns by default. With `alignments`, nothing is aligned: the judge uses these, such as a
    study's alignments by one model or one person. No order is shown, so there is one verdict. It cites the
    prompt's nodes whose fates differ. HSGs that cannot be compared, such as two in different scripts, are
    unscored.
    """

    def __init__(
        self,
        embedder: str | Embedder = DEFAULT,
        *,
        alignments: Iterable[Alignment] | None = None,
        name: str = "",
        cache: Path | None = None,
    ) -> None:
        self.embedder, self._cache = embedder, cache
        self._known = None if alignments is None else _by_sides(alignments)
        self._evaluator = _sign(embedder, self._known, name)

    @property
    def evaluator(self) -> Evaluator:
        """Who signs verdicts and scores."""
        return self._evaluator

    @property
    def aligner(self) -> Aligner:
        """The embedder's aligner."""
        return aligner_of(self.embedder, cache=self._cache)

    def judge_hsgs(self, prompt: HSG, a: HSG, b: HSG) -> Verdict:
        """Return which artifact keeps more of the prompt."""
        comparison = Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id)
        used = (prompt.id, a.id, b.id)
        in_a, in_b = self._align(prompt, a), self._align(prompt, b)
        for found in (in_a, in_b):
            if isinstance(found, Unscored):
                return Verdict(evaluator=self.evaluator, comparison=comparison.id, winner=found, used=used)
        assert isinstance(in_a, Alignment)  # noqa: S101  # the loop returned otherwise
        assert isinstance(in_b, Alignment)  # noqa: S101  # the loop returned otherwise
        p_a = None if self._known is not None else self._p_a(prompt, a, b)
        return verdict_of(self.evaluator, prompt, in_a, in_b, p_a)

    def score(self, case: ArtifactCase) -> Score:
        """Return how much of the prompt the artifact keeps, from 0 to 1."""
        hsgs = case.hsgs()
        found = hsgs if isinstance(hsgs, Unscored) else self._align(*hsgs)
        return Score(
            evaluator=self.evaluator,
            prompt=case.prompt.id,
            artifact=case.artifact.id,
            value=found if isinstance(found, Unscored) else round(1 - found.distance, 6),
            used=() if isinstance(hsgs, Unscored) else tuple(hsg.id for hsg in hsgs),
        )

    def _align(self, prompt: HSG, artifact: HSG) -> Alignment | Unscored:
        if self._known is not None:
            detail = f"there is no alignment of HSG {prompt.id} with {artifact.id}; run: semiosis align STUDY"
            known = self._known.get((prompt.id, artifact.id))
            return Unscored(reason="missing", detail=detail) if known is None else known
        try:
            return self.aligner.diff((prompt, artifact))
        except UsageError as error:
            return Unscored(reason="undefined", detail=str(error))

    def _p_a(self, prompt: HSG, a: HSG, b: HSG) -> float:
        """The embedder's probability that a keeps more."""
        by_node = [list(self.aligner.kept_by_node(prompt, artifact).values()) for artifact in (a, b)]
        return keeps_more(*by_node)


def _sign(embedder: str | Embedder, known: dict[tuple[str, str], Alignment] | None, name: str) -> Evaluator:
    if known is None:
        title = embedder if isinstance(embedder, str) else embedder.name
        settings = {"embedder": title}
    else:
        first = next(iter(known.values()))
        return aligned_evaluator(first.aligned_by, first.procedure, name)
    return Evaluator(kind="program", name=name or f"alignment ({title})", parameters=settings)


def aligned_evaluator(aligned_by: str, procedure: str, name: str = "") -> Evaluator:
    """Who judges by the alignments of one model or one person."""
    return Evaluator(
        kind="program", name=name or f"alignment ({aligned_by})", parameters={"procedure": procedure}
    )


def _by_sides(alignments: Iterable[Alignment]) -> dict[tuple[str, str], Alignment]:
    known = {(found.source.hsg, found.target.hsg): found for found in alignments}
    procedures = sorted({found.procedure for found in known.values()})
    if len(procedures) != 1:
        listed = "; ".join(procedures) or "none"
        raise UsageError(
            f"a judge uses alignments of one procedure, not {len(procedures)}: {listed}",
            fix="pass the alignments of one aligner",
        )
    return known


def verdict_of(
    evaluator: Evaluator, prompt: HSG, a: Alignment, b: Alignment, p_a: float | None = None
) -> Verdict:
    """Return the verdict of two alignments of one prompt: the artifact with the smaller Δo wins."""
    comparison = Comparison(prompt=prompt.sign.id, a=a.target.sign, b=b.target.sign)
    winner = _winner(a, b)
    return Verdict(
        evaluator=evaluator,
        comparison=comparison.id,
        winner=winner,
        p_a=0.5 if winner == "tie" else p_a,
        citations=tuple(_citations(prompt, a, b)),
        used=(prompt.id, a.target.hsg, b.target.hsg),
        rationale=f"Δo {a.distance:.2f} for a, {b.distance:.2f} for b; by {a.aligned_by}",
    )


def _winner(a: Alignment, b: Alignment) -> Winner:
    if abs(a.distance - b.distance) < _SAME:
        return "tie"
    return "a" if a.distance < b.distance else "b"


def keeps_more(a: Sequence[float], b: Sequence[float]) -> float:
    """Return the probability that more of the prompt's nodes are kept by a than by b; ties count half.

    Each node is kept with the given probability, independently of the others.

    >>> keeps_more([1.0, 0.5], [1.0, 0.0])
    0.75
    """
    how_many_a, how_many_b = _distribution(a), _distribution(b)
    more = np.subtract.outer(range(len(how_many_a)), range(len(how_many_b)))
    wins = (more > 0) + 0.5 * (more == 0)
    return round(float(how_many_a @ wins @ how_many_b), 6)


def _distribution(kept: Sequence[float]) -> NDArray[np.float64]:
    """Return the probability that 0, 1, … of the nodes are kept."""
    distribution = np.ones(1)
    for p in kept:
        distribution = np.convolve(distribution, [1 - p, p])
    return distribution


def _citations(prompt: HSG, a: Alignment, b: Alignment) -> Iterator[Citation]:
    """Yield a citation of each node of the prompt that one artifact keeps better than the other."""
    for node, semiosis in prompt.semioses.items():
        fates = {"a": a.fate_of(node), "b": b.fate_of(node)}
        credit = {name: CREDIT[fate.fate] for name, fate in fates.items()}
        if credit["a"] != credit["b"]:
            said = [
                f"{fate.fate} in {name}" + (f" ({fate.why})" if fate.why else "")
                for name, fate in fates.items()
            ]
            yield Citation(
                hsg=prompt.id,
                node=node,
                stance="a" if credit["a"] > credit["b"] else "b",
                rationale=f"{semiosis.label} ({semiosis.object}): {', '.join(said)}",
            )
