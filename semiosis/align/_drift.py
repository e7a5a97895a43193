"""Drift along a cascade: the round in which each meaning emerged and the round in which it was lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from semiosis.align._aligner import aligner_of
from semiosis.align._embedder import DEFAULT_EMBEDDER
from semiosis.values import Alignment, Cascade, Embedder, UsageError, brief_repr


@dataclass(frozen=True, slots=True)
class TracedMeaning:
    """One meaning, from the round in which it emerged to the last round that has it."""

    start: int
    """The round in which it emerged, counted from 1. The meanings of the first sign start in round 1."""
    nodes: tuple[str, ...]
    """Its node in each round, from `start` on."""
    p: float
    """The probability that the last node still has the first meaning: the product over the steps."""
    survives: bool
    """Whether the last round has it."""

    @property
    def last(self) -> int:
        """The last round that has it."""
        return self.start + len(self.nodes) - 1

    @property
    def lost_in(self) -> int | None:
        """The round that lost it; None if it survives."""
        return None if self.survives else self.start + len(self.nodes)


@dataclass(frozen=True, slots=True)
class Drift:
    """How meaning moves along a cascade C(N) (SemJudge, section 3.2)."""

    __repr__ = brief_repr

    cascade: Cascade
    """The HSGs of the rounds."""
    steps: tuple[Alignment, ...]
    """Each round against the next."""
    whole: Alignment
    """The first round against the last, compared directly: Δo(ô(1), ô(N))."""
    meanings: tuple[TracedMeaning, ...]
    """Every meaning: those of the first round, then those that emerged, round by round. Each node of each
    round belongs to exactly one meaning."""

    @property
    def kept(self) -> tuple[TracedMeaning, ...]:
        """Meanings of the first round that the last round still has."""
        return tuple(meaning for meaning in self.meanings if meaning.start == 1 and meaning.survives)

    @property
    def lost(self) -> tuple[TracedMeaning, ...]:
        """Meanings of the first round that were lost."""
        return tuple(meaning for meaning in self.meanings if meaning.start == 1 and not meaning.survives)

    @property
    def emergent(self) -> tuple[TracedMeaning, ...]:
        """Meanings that emerged after the first round, whether they were lost again or not."""
        return tuple(meaning for meaning in self.meanings if meaning.start > 1)


def drift(
    cascade: Cascade,
    *,
    embedder: str | Embedder = DEFAULT_EMBEDDER,
    weights: Path | None = None,
    cache: Path | None = None,
) -> Drift:
    """Return the drift of a cascade, which follows every meaning through the rounds.

    A meaning that is lost in one round and returns in a later one counts as lost, and then as emergent.
    """
    aligner = aligner_of(embedder, weights=weights, cache=cache)
    hsgs = cascade.hsgs
    *steps, whole = aligner.diff_all([*pairwise(hsgs), (hsgs[0], hsgs[-1])])
    return drift_of_alignments(cascade, steps, whole)


def drift_of_alignments(cascade: Cascade, steps: Sequence[Alignment], whole: Alignment) -> Drift:
    """Return the drift, given the alignments of each round with the next and of the first with the last."""
    hsgs = cascade.hsgs
    for step, (before, after) in zip([*steps, whole], [*pairwise(hsgs), (hsgs[0], hsgs[-1])], strict=True):
        if (step.source.hsg, step.target.hsg) != (before.id, after.id):
            raise UsageError(
                f"alignment {step.id} does not align HSG {before.id} with HSG {after.id}",
                fix="give each round with the next, in order, then the first with the last",
            )
    return Drift(cascade, tuple(steps), whole, tuple(_meanings(cascade, steps)))


def _meanings(cascade: Cascade, steps: Sequence[Alignment]) -> list[TracedMeaning]:
    meanings = [_trace(1, node, steps) for node in cascade.hsgs[0].semioses]
    for start, step in enumerate(steps, start=2):
        meanings += [_trace(start, node, steps[start - 1 :]) for node in step.emergent]
    return meanings


def _trace(start: int, node: str, steps: Sequence[Alignment]) -> TracedMeaning:
    nodes, p = [node], 1.0
    for step in steps:
        match = next((match for match in step.matches if match.source == nodes[-1]), None)
        if match is None:
            return TracedMeaning(start, tuple(nodes), p, survives=False)
        nodes.append(match.target)
        p *= match.p
    return TracedMeaning(start, tuple(nodes), p, survives=True)
