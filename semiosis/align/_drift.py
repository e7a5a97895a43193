"""Drift along a cascade: in which round each meaning was lost, and in which it came up."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from semiosis.align._aligner import aligner_of
from semiosis.align._embedder import DEFAULT
from semiosis.values import Alignment, Cascade, Embedder, UsageError


@dataclass(frozen=True, slots=True)
class TracedMeaning:
    """One meaning, from the round it came up in to the last round that carries it."""

    start: int
    """Round in which it came up, counted from 1; 1 for what the first sign meant."""
    nodes: tuple[str, ...]
    """Its node in each round, from `start` on."""
    p: float
    """Probability that the last node still is the first meaning: the product along the way."""
    survives: bool
    """Whether the last round carries it."""

    @property
    def last(self) -> int:
        """The last round that carries it."""
        return self.start + len(self.nodes) - 1

    @property
    def lost_in(self) -> int | None:
        """The round that lost it; None if it survives."""
        return None if self.survives else self.start + len(self.nodes)


@dataclass(frozen=True, slots=True)
class Drift:
    """How meaning moves along a cascade C(N) (SemJudge, section 3.2)."""

    cascade: Cascade
    """The rounds."""
    steps: tuple[Alignment, ...]
    """Each round against the next."""
    whole: Alignment
    """The first round against the last, compared directly: Δo(ô(1), ô(N))."""
    meanings: tuple[TracedMeaning, ...]
    """Every meaning: those of the first round first, then what emerged, round by round. Each node of each
    round is on exactly one."""

    @property
    def kept(self) -> tuple[TracedMeaning, ...]:
        """Meanings of the first round that the last one carries."""
        return tuple(meaning for meaning in self.meanings if meaning.start == 1 and meaning.survives)

    @property
    def lost(self) -> tuple[TracedMeaning, ...]:
        """Meanings of the first round that were lost on the way."""
        return tuple(meaning for meaning in self.meanings if meaning.start == 1 and not meaning.survives)

    @property
    def emergent(self) -> tuple[TracedMeaning, ...]:
        """Meanings that came up on the way, lost again or not."""
        return tuple(meaning for meaning in self.meanings if meaning.start > 1)


def drift(
    cascade: Cascade,
    *,
    embedder: str | Embedder = DEFAULT,
    weights: Path | None = None,
    cache: Path | None = None,
) -> Drift:
    """Follow every meaning along a cascade.

    A meaning that is lost in one round and comes back in a later one is lost, and then emergent.
    """
    aligner = aligner_of(embedder, weights=weights, cache=cache)
    hsgs = cascade.hsgs
    *steps, whole = aligner.diff_all([*pairwise(hsgs), (hsgs[0], hsgs[-1])])
    return follow(cascade, steps, whole)


def follow(cascade: Cascade, steps: Sequence[Alignment], whole: Alignment) -> Drift:
    """The drift along known alignments: each round with the next, and the first with the last."""
    hsgs = cascade.hsgs
    for step, (before, after) in zip([*steps, whole], [*pairwise(hsgs), (hsgs[0], hsgs[-1])], strict=True):
        if (step.source.hsg, step.target.hsg) != (before.id, after.id):
            raise UsageError(
                f"alignment {step.id} is not that of HSG {before.id} with {after.id}",
                fix="give each round with the next, in order, then the first with the last",
            )
    return Drift(cascade, tuple(steps), whole, tuple(_meanings(cascade, steps)))


def _meanings(cascade: Cascade, steps: Sequence[Alignment]) -> list[TracedMeaning]:
    meanings = [_follow(1, node, steps) for node in cascade.hsgs[0].semioses]
    for at, step in enumerate(steps, start=2):
        meanings += [_follow(at, node, steps[at - 1 :]) for node in step.emergent]
    return meanings


def _follow(start: int, node: str, steps: Sequence[Alignment]) -> TracedMeaning:
    nodes, p = [node], 1.0
    for step in steps:
        match = next((match for match in step.matches if match.source == nodes[-1]), None)
        if match is None:
            return TracedMeaning(start, tuple(nodes), p, survives=False)
        nodes.append(match.target)
        p *= match.p
    return TracedMeaning(start, tuple(nodes), p, survives=True)
