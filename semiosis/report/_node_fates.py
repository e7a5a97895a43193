"""The fates of the prompt's nodes in artifacts a and b, as rows of the comparison page."""

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from semiosis.report._node_views import GraphView, NodeView
from semiosis.values import DOUBTFUL, FATES, MATCHED, MODES, Alignment, NodeFate, Shift

NOTICEABLE = 0.15
"""The smallest ground shift that is described in words. Smaller ones are only drawn."""

FateKind = Literal["matched", "changed", "lost"]
"""How a fate is drawn: a target node has the meaning, the sign recurs with another meaning, or neither."""


def fate_kind(fate: NodeFate) -> FateKind:
    """Return how a fate is drawn."""
    if fate.fate in MATCHED:
        return "matched"
    return "lost" if fate.fate == "lost" else "changed"


def fate_word(diff: Alignment, fate: NodeFate) -> str:
    """Return the fate as it is shown. The fate `kept` of an embedder is shown as `matched`."""
    return "matched" if diff.aligner == "embedder" and fate.fate == "kept" else fate.fate


@dataclass(frozen=True, slots=True)
class FateView:
    """The fate of one node of the prompt in one artifact."""

    letter: Literal["A", "B"]
    """The artifact."""
    diff: Alignment
    """The alignment that states it."""
    fate: NodeFate
    """The fate."""
    views: tuple[NodeView, ...]
    """The nodes of the artifact that the fate names."""

    @property
    def kind(self) -> FateKind:
        """How the fate is drawn."""
        return fate_kind(self.fate)

    @property
    def word(self) -> str:
        """The fate in one word."""
        return fate_word(self.diff, self.fate)

    @property
    def p(self) -> float | None:
        """The stated probability; None for a person, whose probabilities are 1 by convention."""
        return None if self.diff.aligner == "person" else self.fate.p

    @property
    def doubtful(self) -> bool:
        """Whether the fate is more likely wrong than right."""
        return self.p is not None and self.p < DOUBTFUL

    @property
    def shift_words(self) -> str:
        """The ground shift in words."""
        return shift_words(self.fate.links[0].ground_shift) if self.fate.links else ""


@dataclass(frozen=True, slots=True)
class NodeFates:
    """One node of the prompt with its fate in each artifact."""

    node: NodeView
    """The node of the prompt."""
    fates: tuple[FateView, FateView]
    """Its fate in a and its fate in b."""

    @property
    def lost_everywhere(self) -> bool:
        """Whether the node is lost in both artifacts."""
        return all(fate.kind == "lost" for fate in self.fates)


@dataclass(frozen=True, slots=True)
class ArtifactSummary:
    """The alignment of one artifact in numbers."""

    letter: Literal["A", "B"]
    """The artifact."""
    diff: Alignment
    """The alignment of the prompt with this artifact."""
    emergent: tuple[NodeView, ...]
    """The emergent nodes, in outline order."""

    @property
    def doubtful(self) -> int:
        """Number of matches that are more likely wrong than right."""
        return sum(match.p < DOUBTFUL for match in self.diff.matches)

    @property
    def counts(self) -> tuple[tuple[str, FateKind, int], ...]:
        """The fates that occur, each with how it is drawn and how often it occurs."""
        counts = Counter((fate_word(self.diff, fate), fate_kind(fate)) for fate in self.diff.fates)
        order = {word: position for position, word in enumerate(("matched", *FATES))}
        in_order = sorted(counts.items(), key=lambda item: order[item[0][0]])
        return tuple((word, kind, count) for (word, kind), count in in_order)


def node_fates(
    prompt: GraphView, a: GraphView, b: GraphView, diff_a: Alignment, diff_b: Alignment
) -> tuple[NodeFates, ...]:
    """Return every node of the prompt in outline order with its fate in both artifacts."""
    return tuple(
        NodeFates(view, (_fate("A", node, diff_a, a), _fate("B", node, diff_b, b)))
        for node, view in prompt.views.items()
    )


def artifact_summary(letter: Literal["A", "B"], graph: GraphView, diff: Alignment) -> ArtifactSummary:
    """Return the counts and emergent nodes of one artifact."""
    return ArtifactSummary(letter, diff, tuple(view for view in graph.views.values() if view.emergent))


def shift_words(shift: Shift) -> str:
    """Return a description of the grounds that changed noticeably.

    >>> shift_words(Shift(iconic=0.4, indexical=0.0, symbolic=-0.3))
    'more iconic, less symbolic'
    """
    shifts = {mode: getattr(shift, mode) for mode in MODES}
    noticeable = {mode: change for mode, change in shifts.items() if abs(change) >= NOTICEABLE}
    return ", ".join(f"{'more' if change > 0 else 'less'} {mode}" for mode, change in noticeable.items())


def _fate(letter: Literal["A", "B"], node: str, diff: Alignment, graph: GraphView) -> FateView:
    fate = diff.fate_of(node)
    return FateView(letter, diff, fate, tuple(graph.views[target] for target in fate.targets))
