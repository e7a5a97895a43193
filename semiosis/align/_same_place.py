"""Pairs of nodes at the same place of a sign that two readers say different things about."""

from typing import Final

from semiosis.align._overlap import NodePair, PreparedReading, box_overlap, span_overlap
from semiosis.values import HSG, Alignment, UsageError

SAME_PLACE: Final = 0.5
"""The overlap of the boxes or spans of two nodes, from 0 to 1, from which they are at the same place."""


def same_place_pairs(alignment: Alignment, first: HSG, second: HSG) -> tuple[NodePair, ...]:
    """Return the pairs of a lost and an emergent node at the same place, for two readings of one sign.

    Each node is in at most one pair; the pairs that overlap most come first. Nodes with the same object
    are not paired. Readings of two signs have no pairs, because their places cannot be compared.
    """
    if (alignment.source.hsg, alignment.target.hsg) != (first.id, second.id):
        raise UsageError(
            f"alignment {alignment.id} does not align HSG {first.id} with {second.id}",
            fix="pass the alignment of these two HSGs",
        )
    if first.sign.id != second.sign.id:
        return ()
    prepared = PreparedReading(first), PreparedReading(second)
    lost = [fate.node for fate in alignment.fates if fate.fate == "lost"]
    overlaps = {
        (source, target): _overlap(*prepared, (source, target))
        for source in lost
        for target in alignment.emergent
        if first.semioses[source].object.casefold() != second.semioses[target].object.casefold()
    }
    pairs: list[NodePair] = []
    for pair in sorted(overlaps, key=lambda pair: -overlaps[pair]):
        is_new = all(pair[side] not in {earlier[side] for earlier in pairs} for side in (0, 1))
        if overlaps[pair] >= SAME_PLACE and is_new:
            pairs.append(pair)
    return tuple(pairs)


def _overlap(first: PreparedReading, second: PreparedReading, pair: NodePair) -> float:
    return max(box_overlap(first, second, pair) or 0, span_overlap(first, second, pair) or 0)
