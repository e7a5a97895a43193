"""The diff as a ledger: what became of each meaning of the prompt in a and in b."""

from dataclasses import dataclass
from typing import Literal

from semiosis.report._nodes import Graph, NodeView, matches_by_source
from semiosis.values import MODES, Alignment, Match, Shift

DOUBTFUL = 0.5
"""A match of a lower probability is more likely wrong than right; the page says so."""
NOTICEABLE = 0.15
"""A ground that moves by less is drawn but not put into words."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one meaning of the prompt in one artifact."""

    letter: Literal["A", "B"]
    """Which artifact."""
    match: Match | None
    """The match, or None where the meaning was lost."""
    view: NodeView | None
    """The node that realises it, or None."""

    @property
    def doubtful(self) -> bool:
        """Whether the match is more likely wrong than right."""
        return self.match is not None and self.match.p < DOUBTFUL

    @property
    def shift_words(self) -> str:
        """How the grounds moved, in words."""
        return shift_words(self.match.ground_shift) if self.match else ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One meaning of the prompt and its two fates."""

    meant: NodeView
    """The prompt's node."""
    fates: tuple[Fate, Fate]
    """In a and in b."""

    @property
    def lost_everywhere(self) -> bool:
        """Whether neither artifact realises it."""
        return all(fate.match is None for fate in self.fates)


@dataclass(frozen=True, slots=True)
class Balance:
    """One artifact's side of the ledger in numbers."""

    letter: Literal["A", "B"]
    """Which artifact."""
    diff: Alignment
    """The alignment it sums up."""
    emergent: tuple[NodeView, ...]
    """The nodes it added."""

    @property
    def doubtful(self) -> int:
        """How many of its matches are more likely wrong than right."""
        return sum(match.p < DOUBTFUL for match in self.diff.matches)

    @property
    def shares(self) -> tuple[tuple[str, int], ...]:
        """Matched, lost and emergent, with their counts."""
        diff = self.diff
        return ("matched", len(diff.matches)), ("lost", len(diff.lost)), ("emergent", len(diff.emergent))


def entries(prompt: Graph, a: Graph, b: Graph, diff_a: Alignment, diff_b: Alignment) -> tuple[Entry, ...]:
    """Every meaning of the prompt, whole before part, with what became of it."""
    in_a, in_b = matches_by_source(diff_a), matches_by_source(diff_b)
    return tuple(
        Entry(view, (_fate("A", in_a.get(node), a), _fate("B", in_b.get(node), b)))
        for node, view in prompt.views.items()
    )


def balance(letter: Literal["A", "B"], graph: Graph, diff: Alignment) -> Balance:
    """One artifact's side in numbers, its added nodes in the order of its outline."""
    return Balance(letter, diff, tuple(view for view in graph.views.values() if view.emergent))


def shift_words(shift: Shift) -> str:
    """The grounds that moved noticeably.

    >>> shift_words(Shift(iconic=0.4, indexical=0.0, symbolic=-0.3))
    'more iconic, less symbolic'
    """
    moved = [(mode, getattr(shift, mode)) for mode in MODES]
    return ", ".join(f"{'more' if by > 0 else 'less'} {mode}" for mode, by in moved if abs(by) >= NOTICEABLE)


def _fate(letter: Literal["A", "B"], match: Match | None, graph: Graph) -> Fate:
    return Fate(letter, match, graph.views[match.target] if match else None)
