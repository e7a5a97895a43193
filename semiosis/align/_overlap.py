"""Measures of how far two readings agree about matched nodes: their places, relations and wholes."""

from collections.abc import Iterable
from typing import NamedTuple

import shapely

from semiosis.values import HSG, Alignment, Box, Relation, Span, TextSign, parts_of

NodePair = tuple[str, str]
"""A node of the first reading and a node of the second."""
TextRange = tuple[int, float, float]
"""A part of the sign, with start and end as shares of its length."""


class SharedNodes(NamedTuple):
    """Counts of the nodes that two readings share."""

    matched_first: int
    """Nodes of the first reading that match a node of the second."""
    first: int
    """Nodes of the first reading."""
    matched_second: int
    """Nodes of the second reading that match a node of the first."""
    second: int
    """Nodes of the second reading."""

    @property
    def share(self) -> float:
        """The share of all nodes of both readings that match."""
        return (self.matched_first + self.matched_second) / (self.first + self.second)


def shared_nodes(alignment: Alignment) -> SharedNodes:
    """Return how many nodes of each reading match a node of the other."""
    targets = {match.target for match in alignment.matches}
    sizes = len(alignment.source.nodes), len(alignment.target.nodes)
    return SharedNodes(len(alignment.matched), sizes[0], len(targets), sizes[1])


class PreparedReading:
    """A reading with the boxes, spans and wholes of its nodes, prepared for comparisons."""

    def __init__(self, hsg: HSG) -> None:
        self.hsg = hsg
        self.boxes = {node: _boxes(semiosis.places) for node, semiosis in hsg.semioses.items()}
        self.spans = {node: _text_ranges(hsg, node) for node in hsg.semioses}
        self.whole_relations: dict[str, Relation] = {r.part: r for r in hsg.relations if r.hierarchy}

    def same_rank(self, node_is_root: bool) -> list[str]:
        """Return the root, or all other nodes. Alignments match roots only with roots."""
        return [node for node in self.hsg.semioses if (node == self.hsg.root) == node_is_root]


def box_overlap(first: PreparedReading, second: PreparedReading, pair: NodePair) -> float | None:
    """Return intersection over union of all boxes of two nodes; None unless both have boxes."""
    one, other = first.boxes[pair[0]], second.boxes[pair[1]]
    if not one or not other:
        return None
    if len(one) == len(other) == 1 and one[0].part == other[0].part:
        return one[0].overlap(other[0])
    shared = union = 0.0
    for part in {box.part for box in (*one, *other)}:
        first_shape, second_shape = (
            shapely.union_all([b.shape for b in side if b.part == part]) for side in (one, other)
        )
        shared += float(first_shape.intersection(second_shape).area)
        union += float(first_shape.union(second_shape).area)
    return shared / union if union else float(one == other)  # too thin to have an area


def span_overlap(first: PreparedReading, second: PreparedReading, pair: NodePair) -> float | None:
    """Return the share of characters that the spans of two nodes have in common; None unless both have spans.

    Spans are compared as shares of the length of their text, so that nodes of different texts have an overlap
    by chance. In one text this changes nothing.
    """
    one, other = first.spans[pair[0]], second.spans[pair[1]]
    if not one or not other:
        return None
    union = _length([*one, *other])
    return (_length(one) + _length(other) - union) / union


def same_relation(first: PreparedReading, second: PreparedReading, pair: NodePair) -> float | None:
    """Return whether two nodes relate to their wholes by the same word; None for a root."""
    one, other = first.whole_relations.get(pair[0]), second.whole_relations.get(pair[1])
    return None if one is None or other is None else float(one.relation == other.relation)


def same_whole(
    first: PreparedReading, second: PreparedReading, pair: NodePair, matched: frozenset[NodePair]
) -> float | None:
    """Return whether the wholes of two nodes match; None for a root. Two roots count as matching wholes."""
    one, other = first.whole_relations.get(pair[0]), second.whole_relations.get(pair[1])
    if one is None or other is None:
        return None
    roots = one.whole == first.hsg.root and other.whole == second.hsg.root
    return float(roots or (one.whole, other.whole) in matched)


def _boxes(places: Iterable[object]) -> list[Box]:
    return [place for place in places if isinstance(place, Box)]


def _text_ranges(hsg: HSG, node: str) -> list[TextRange]:
    parts = parts_of(hsg.sign)
    return [
        (place.part, place.start / len(part.text), place.end / len(part.text))
        for place in hsg.semioses[node].places
        if isinstance(place, Span) and isinstance(part := parts[place.part], TextSign)
    ]


def _length(ranges: Iterable[TextRange]) -> float:
    """Return the length of the union of ranges."""
    total, at = 0.0, (-1, 0.0)
    for part, start, end in sorted(ranges):
        begin = max(start, at[1]) if part == at[0] else start
        total += max(0.0, end - begin)
        at = (part, max(end, at[1]) if part == at[0] else end)
    return total
