"""What became of each node of the prompt in artifacts a and b, as rows of the comparison page."""

from dataclasses import dataclass
from typing import Literal

from semiosis.report._nodes import GraphView, NodeView, matches_by_source
from semiosis.values import MODES, Alignment, Match, Shift

DOUBTFUL = 0.5
"""A match with a lower probability is more likely wrong than right. The page marks it as doubtful."""
NOTICEABLE = 0.15
"""Smaller ground shifts are drawn but not described in words."""


@dataclass(frozen=True, slots=True)
class NodeFate:
    """What became of one node of the prompt in one artifact."""

    letter: Literal["A", "B"]
    """Which artifact."""
    match: Match | None
    """The match, or None if the node was lost."""
    view: NodeView | None
    """The matched node of the artifact, or None."""

    @property
    def doubtful(self) -> bool:
        """Whether the match is more likely wrong than right."""
        return self.match is not None and self.match.p < DOUBTFUL

    @property
    def shift_words(self) -> str:
        """The ground shift in words."""
        return shift_words(self.match.ground_shift) if self.match else ""


@dataclass(frozen=True, slots=True)
class NodeFates:
    """One node of the prompt with its fate in each artifact."""

    node: NodeView
    """The node of the prompt."""
    fates: tuple[NodeFate, NodeFate]
    """Its fate in a and its fate in b."""

    @property
    def lost_everywhere(self) -> bool:
        """Whether it was lost in both artifacts."""
        return all(fate.match is None for fate in self.fates)


@dataclass(frozen=True, slots=True)
class ArtifactSummary:
    """The alignment of one artifact in numbers."""

    letter: Literal["A", "B"]
    """Which artifact."""
    diff: Alignment
    """The alignment of the prompt with this artifact."""
    emergent: tuple[NodeView, ...]
    """The emergent nodes, in outline order."""

    @property
    def doubtful(self) -> int:
        """Number of matches that are more likely wrong than right."""
        return sum(match.p < DOUBTFUL for match in self.diff.matches)

    @property
    def shares(self) -> tuple[tuple[str, int], ...]:
        """The number of matched, lost and emergent nodes."""
        diff = self.diff
        return ("matched", len(diff.matches)), ("lost", len(diff.lost)), ("emergent", len(diff.emergent))


def node_fates(
    prompt: GraphView, a: GraphView, b: GraphView, diff_a: Alignment, diff_b: Alignment
) -> tuple[NodeFates, ...]:
    """Return every node of the prompt in outline order with its fate in both artifacts."""
    in_a, in_b = matches_by_source(diff_a), matches_by_source(diff_b)
    return tuple(
        NodeFates(view, (_fate("A", in_a.get(node), a), _fate("B", in_b.get(node), b)))
        for node, view in prompt.views.items()
    )


def artifact_summary(letter: Literal["A", "B"], graph: GraphView, diff: Alignment) -> ArtifactSummary:
    """Return the counts and emergent nodes of one artifact."""
    return ArtifactSummary(letter, diff, tuple(view for view in graph.views.values() if view.emergent))


def shift_words(shift: Shift) -> str:
    """Describe the grounds that moved noticeably.

    >>> shift_words(Shift(iconic=0.4, indexical=0.0, symbolic=-0.3))
    'more iconic, less symbolic'
    """
    moved = [(mode, getattr(shift, mode)) for mode in MODES]
    return ", ".join(f"{'more' if by > 0 else 'less'} {mode}" for mode, by in moved if abs(by) >= NOTICEABLE)


def _fate(letter: Literal["A", "B"], match: Match | None, graph: GraphView) -> NodeFate:
    return NodeFate(letter, match, graph.views[match.target] if match else None)
