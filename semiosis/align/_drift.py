"""Drift along a cascade: in which round each meaning was lost, and in which it came up."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from semiosis.align._diff import aligner_of
from semiosis.align._embedder import DEFAULT
from semiosis.values import Alignment, Cascade, Embedder


@dataclass(frozen=True, slots=True)
class Thread:
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
    threads: tuple[Thread, ...]
    """Every meaning: those of the first round first, then what emerged, round by round."""


def drift(cascade: Cascade, *, embedder: str | Embedder = DEFAULT, cache: Path | None = None) -> Drift:
    """Follow every meaning along a cascade."""
    aligner = aligner_of(embedder, cache=cache)
    hsgs = cascade.hsgs
    *steps, whole = aligner.diff_all([*pairwise(hsgs), (hsgs[0], hsgs[-1])])
    return Drift(cascade, tuple(steps), whole, tuple(_threads(cascade, steps)))


def _threads(cascade: Cascade, steps: list[Alignment]) -> list[Thread]:
    threads = [_follow(1, node, steps) for node in cascade.hsgs[0].semioses]
    for at, step in enumerate(steps, start=2):
        threads += [_follow(at, node, steps[at - 1 :]) for node in step.emergent]
    return threads


def _follow(start: int, node: str, steps: list[Alignment]) -> Thread:
    nodes, p = [node], 1.0
    for step in steps:
        match = next((match for match in step.matches if match.source == nodes[-1]), None)
        if match is None:
            return Thread(start, tuple(nodes), p, survives=False)
        nodes.append(match.target)
        p *= match.p
    return Thread(start, tuple(nodes), p, survives=True)
