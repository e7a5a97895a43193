"""Drift along a cascade: where each meaning was first seen, where it was last seen, and where it was lost."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import prod
from pathlib import Path

from semiosis.align._diff import diff_many
from semiosis.align._embedder import DEFAULT
from semiosis.values import Alignment, Cascade, Embedder, UsageError


@dataclass(frozen=True, slots=True)
class Trail:
    """One meaning on its way: a node and the nodes that match it, round after round."""

    first: int
    """The round it is first seen in, counted from 1."""
    nodes: tuple[str, ...]
    """Its node in each round, from the first it is seen in to the last."""
    steps: tuple[float, ...]
    """The probability of each match on the way; one fewer than the nodes."""
    lost: int | None
    """The round that has no match for it any more; None where it is seen to the end."""

    @property
    def last(self) -> int:
        """The round it is last seen in."""
        return self.first + len(self.nodes) - 1

    @property
    def p(self) -> float:
        """The product of the matches' probabilities: the chance that its last node still means its first.

        Matches are taken to err independently of one another. 1 where no match was needed.
        """
        return prod(self.steps)


@dataclass(frozen=True, slots=True)
class Drift:
    """What became of every node of a cascade (SemJudge, section 3.2). Each node is on exactly one trail."""

    alignments: tuple[Alignment, ...]
    """Each round with the next."""
    trails: tuple[Trail, ...]
    """By the round they start in, then in the order of that round's nodes."""

    @property
    def rounds(self) -> int:
        """How many HSGs the cascade has."""
        return len(self.alignments) + 1

    @property
    def kept(self) -> tuple[Trail, ...]:
        """Meanings of round 1 that are seen to the end."""
        return tuple(trail for trail in self.trails if trail.first == 1 and trail.lost is None)

    @property
    def lost(self) -> tuple[Trail, ...]:
        """Meanings of round 1 that were lost on the way."""
        return tuple(trail for trail in self.trails if trail.first == 1 and trail.lost is not None)

    @property
    def emergent(self) -> tuple[Trail, ...]:
        """Meanings that emerged on the way, lost again or not."""
        return tuple(trail for trail in self.trails if trail.first > 1)


def drift(
    cascade: Cascade,
    *,
    embedder: str | Embedder = DEFAULT,
    weights: Path | None = None,
    cache: Path | None = None,
) -> Drift:
    """Align each round of a cascade with the next, and follow every node.

    A meaning that is lost in one round and comes back in a later one is lost, and then emergent.
    """
    pairs = pairwise(cascade.hsgs)
    return follow(tuple(diff_many(pairs, embedder=embedder, weights=weights, cache=cache)))


def follow(alignments: Sequence[Alignment]) -> Drift:
    """The drift along alignments, each of which starts at the HSG where the one before it ends."""
    if not alignments:
        raise UsageError("there is no alignment to follow", fix="give those of each round with the next")
    for number, (before, after) in enumerate(pairwise(alignments), start=2):
        if before.target.hsg != after.source.hsg:
            raise UsageError(
                f"alignment {number} starts at HSG {after.source.hsg}, the one before it ends at "
                f"{before.target.hsg}",
                fix="give the alignments of each round with the next, in order",
            )
    starts = [(1, node) for node in alignments[0].source.nodes]
    starts += [(round_, node) for round_, step in enumerate(alignments, start=2) for node in _emergent(step)]
    onward = [{match.source: (match.target, match.p) for match in step.matches} for step in alignments]
    return Drift(tuple(alignments), tuple(_trail(first, node, onward) for first, node in starts))


def _emergent(step: Alignment) -> list[str]:
    added = set(step.emergent)
    return [node for node in step.target.nodes if node in added]


def _trail(first: int, node: str, onward: Sequence[dict[str, tuple[str, float]]]) -> Trail:
    nodes = [node]
    steps: list[float] = []
    for matches in onward[first - 1 :]:
        if nodes[-1] not in matches:
            return Trail(first, tuple(nodes), tuple(steps), first + len(nodes))
        found, p = matches[nodes[-1]]
        nodes.append(found)
        steps.append(p)
    return Trail(first, tuple(nodes), tuple(steps), None)
