"""The names, colours and hierarchy of the nodes on the comparison page.

A node of the prompt and the nodes of both artifacts that its fates name form a group. The nodes of a group
have one colour, and the page highlights them together.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from semiosis.values import FATES, HSG, Alignment, Match, Relation, Semiosis

GROUP_COLOURS = 8
"""The number of group colours in the style sheet. The ninth group has the first colour again."""

Letter = Literal["P", "A", "B"]
"""Prompt, artifact a, artifact b: the same letters as in judgments (P.root, A.n2)."""


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node with its name and colour on the page."""

    letter: Letter
    """The graph that the node belongs to."""
    node: str
    """The id of the node in that graph."""
    number: int
    """The position of the node in the outline; the root is 0."""
    group: int
    """The number of the node's group."""
    emergent: bool
    """Whether the node is emergent: no fate of the prompt's nodes names it."""
    semiosis: Semiosis
    """The node itself."""

    @property
    def key(self) -> str:
        """The anchor of the node on the page."""
        return f"{self.letter.lower()}-{self.node}"

    @property
    def badge(self) -> str:
        """The short name of the node: the letter, followed by a number except for the root."""
        return f"{self.letter}{self.number or ''}"

    @property
    def colour(self) -> str:
        """The CSS classes of the node's group."""
        return f"g g{self.group} {'emergent' if self.emergent else f'h{self.group % GROUP_COLOURS}'}"


@dataclass(frozen=True, slots=True)
class Branch:
    """A node with the branches below it."""

    view: NodeView
    """The node."""
    relation: Relation | None
    """Its relation to its parent; None for the root."""
    parts: tuple["Branch", ...]
    """Its children."""


@dataclass(frozen=True, slots=True)
class GraphView:
    """One HSG of the page with its node views."""

    letter: Letter
    """Prompt, a or b."""
    hsg: HSG
    """The graph."""
    views: dict[str, NodeView]
    """Its nodes by id, parents before children."""

    @property
    def tree(self) -> Branch:
        """The hierarchy, from the root."""
        return _branch(self, self.hsg.root, None)

    @property
    def free(self) -> tuple[tuple[NodeView, Relation, NodeView], ...]:
        """The relations outside the hierarchy, as (part, relation, whole)."""
        return tuple(
            (self.views[r.part], r, self.views[r.whole]) for r in self.hsg.relations if not r.hierarchy
        )


def graphs(
    prompt: HSG, a: HSG, b: HSG, diff_a: Alignment, diff_b: Alignment
) -> tuple[GraphView, GraphView, GraphView]:
    """Return the graphs of prompt, a and b, with a name and a group for every node."""
    prompt_groups = {node: group for group, (_, node) in enumerate(prompt.outline())}
    graph_a, added_a = _artifact("A", a, diff_a, prompt_groups, len(prompt_groups))
    graph_b, _ = _artifact("B", b, diff_b, prompt_groups, len(prompt_groups) + added_a)
    return GraphView("P", prompt, dict(_views("P", prompt, prompt_groups, frozenset()))), graph_a, graph_b


def reading_graph(hsg: HSG) -> GraphView:
    """Return the graph of a single HSG, in which every node has a group of its own."""
    groups = {node: group for group, (_, node) in enumerate(hsg.outline())}
    return GraphView("P", hsg, dict(_views("P", hsg, groups, frozenset())))


def separate_graphs(hsgs: Mapping[Letter, HSG]) -> list[GraphView]:
    """Return the graphs of several HSGs without alignments, in which every node has a group of its own."""
    views, first = [], 0
    for letter, hsg in hsgs.items():
        groups = {node: first + number for number, (_, node) in enumerate(hsg.outline())}
        views.append(GraphView(letter, hsg, dict(_views(letter, hsg, groups, frozenset()))))
        first += len(groups)
    return views


def matches_by_source(diff: Alignment) -> dict[str, Match]:
    """Return the match of each matched source node; the first match if the node is split."""
    return {match.source: match for match in reversed(diff.matches)}


def _artifact(
    letter: Letter, hsg: HSG, diff: Alignment, prompt_groups: dict[str, int], free_group: int
) -> tuple[GraphView, int]:
    groups: dict[str, int] = {}
    # The node that fits best decides the colour of a target that several nodes name.
    for fate in sorted(diff.fates, key=lambda fate: FATES.index(fate.fate)):
        for target in fate.targets:
            groups.setdefault(target, prompt_groups[fate.node])
    groups |= {node: free_group + index for index, node in enumerate(diff.emergent)}
    views = dict(_views(letter, hsg, groups, frozenset(diff.emergent)))
    return GraphView(letter, hsg, views), len(diff.emergent)


def _views(
    letter: Letter, hsg: HSG, groups: dict[str, int], emergent: frozenset[str]
) -> Iterator[tuple[str, NodeView]]:
    for number, (_, node) in enumerate(hsg.outline()):
        yield (
            node,
            NodeView(letter, node, number, groups[node], node in emergent, hsg.semioses[node]),
        )


def _branch(graph: GraphView, node: str, relation: Relation | None) -> Branch:
    below = {r.part: r for r in graph.hsg.relations if r.hierarchy and r.whole == node}
    ordered = [part for part in graph.views if part in below]
    return Branch(graph.views[node], relation, tuple(_branch(graph, part, below[part]) for part in ordered))
