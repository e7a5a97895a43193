"""The nodes of a page: their names, the colour of their meaning, and the tree they stand in.

A meaning keeps one colour on its way: the prompt's node and the nodes of both artifacts that realise it
share a group, and everything in a group lights up together.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from semiosis.values import HSG, Alignment, Match, Relation, Semiosis

HUES = 8
"""Colours of meanings in the style sheet; a ninth meaning takes the first colour again."""

Letter = Literal["P", "A", "B"]
"""Prompt, artifact a, artifact b: as judgments name them (P.root, A.n2)."""


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node as the page names and colours it."""

    letter: Letter
    """Whose graph it belongs to."""
    node: str
    """Its id in that graph."""
    number: int
    """Its place in the outline; the root is 0."""
    group: int
    """The meaning it belongs to."""
    emergent: bool
    """Whether it has no match in the prompt."""
    semiosis: Semiosis
    """The node itself."""

    @property
    def key(self) -> str:
        """Its anchor on the page."""
        return f"{self.letter.lower()}-{self.node}"

    @property
    def badge(self) -> str:
        """Its short name: the letter alone for the root, with a number for a part."""
        return f"{self.letter}{self.number or ''}"

    @property
    def colour(self) -> str:
        """The style classes of its meaning."""
        return f"g g{self.group} {'emergent' if self.emergent else f'h{self.group % HUES}'}"


@dataclass(frozen=True, slots=True)
class Branch:
    """A node with the branches below it."""

    view: NodeView
    """The node."""
    relation: Relation | None
    """How it bears on its whole; None for the root."""
    parts: tuple["Branch", ...]
    """What stands below it."""


@dataclass(frozen=True, slots=True)
class Graph:
    """One HSG of the page with its nodes named."""

    letter: Letter
    """Prompt, a or b."""
    hsg: HSG
    """The graph."""
    views: dict[str, NodeView]
    """Its nodes by id, whole before part."""

    @property
    def tree(self) -> Branch:
        """The hierarchy, from the root."""
        return _branch(self, self.hsg.root, None)

    @property
    def free(self) -> tuple[tuple[NodeView, Relation, NodeView], ...]:
        """Relations outside the hierarchy: part, relation, whole."""
        return tuple(
            (self.views[r.part], r, self.views[r.whole]) for r in self.hsg.relations if not r.hierarchy
        )


def graphs(prompt: HSG, a: HSG, b: HSG, diff_a: Alignment, diff_b: Alignment) -> tuple[Graph, Graph, Graph]:
    """The three graphs with every node named and every meaning given its group."""
    meant = {node: group for group, (_, node) in enumerate(prompt.outline())}
    seen_a, added_a = _artifact("A", a, diff_a, meant, len(meant))
    seen_b, _ = _artifact("B", b, diff_b, meant, len(meant) + added_a)
    return Graph("P", prompt, dict(_views("P", prompt, meant, frozenset()))), seen_a, seen_b


def matches_by_source(diff: Alignment) -> dict[str, Match]:
    """Each matched source node's match."""
    return {match.source: match for match in diff.matches}


def _artifact(
    letter: Letter, hsg: HSG, diff: Alignment, meant: dict[str, int], free_group: int
) -> tuple[Graph, int]:
    groups = {match.target: meant[match.source] for match in diff.matches}
    groups |= {node: free_group + index for index, node in enumerate(diff.emergent)}
    views = dict(_views(letter, hsg, groups, frozenset(diff.emergent)))
    return Graph(letter, hsg, views), len(diff.emergent)


def _views(
    letter: Letter, hsg: HSG, groups: dict[str, int], emergent: frozenset[str]
) -> Iterator[tuple[str, NodeView]]:
    for number, (_, node) in enumerate(hsg.outline()):
        yield (
            node,
            NodeView(letter, node, number, groups[node], node in emergent, hsg.semioses[node]),
        )


def _branch(graph: Graph, node: str, relation: Relation | None) -> Branch:
    below = {r.part: r for r in graph.hsg.relations if r.hierarchy and r.whole == node}
    ordered = [part for part in graph.views if part in below]
    return Branch(graph.views[node], relation, tuple(_branch(graph, part, below[part]) for part in ordered))
