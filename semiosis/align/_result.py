"""From scored pairs of nodes to an `Alignment`."""

from collections.abc import Sequence

import numpy as np

from semiosis.align._adjudicate import Settled
from semiosis.align._match import Scored, assign
from semiosis.align._measures import Cell
from semiosis.align._weights import Weights
from semiosis.values import HSG, Alignment, Box, Match, Parts, Semiosis, Shift


def alignment_of(pair: tuple[HSG, HSG], scored: Scored, cells: Sequence[Cell], weights: Weights) -> Alignment:
    """The alignment in which these cells are matches."""
    return _alignment(pair, scored, [_match(pair, scored, cell) for cell in cells], weights, weights.method)


def settled_alignment(
    pair: tuple[HSG, HSG], scored: Scored, settled: Settled, weights: Weights, adjudicator: str
) -> Alignment:
    """The alignment of odds in which an adjudicator settled some nodes."""
    sure = {"p": weights.adjudicated, "adjudicated": True}
    matches = [
        _match(pair, scored, cell).model_copy(update=sure if cell in settled.cells else {})
        for cell in assign(settled.odds)
    ]
    return _alignment(pair, scored, matches, weights, f"{weights.method}; adjudicated by {adjudicator}")


def _alignment(
    pair: tuple[HSG, HSG], scored: Scored, matches: Sequence[Match], weights: Weights, method: str
) -> Alignment:
    source, target = pair
    by_source = {match.source: match for match in matches}
    found = {match.target for match in matches}
    return Alignment(
        source=scored.source.side,
        target=scored.target.side,
        matches=tuple(by_source[node] for node in source.semioses if node in by_source),
        lost=tuple(node for node in source.semioses if node not in by_source),
        emergent=tuple(node for node in target.semioses if node not in found),
        distance=distance([match.p for match in matches], len(source), len(target)),
        method=method,
        embedder=weights.embedder,
        weights=weights.version,
    )


def distance(probabilities: Sequence[float], source: int, target: int) -> float:
    """Δo: 1 minus the share of nodes that survive, each match counted with its probability.

    It is symmetric, 0 for identical graphs and 1 where nothing matches.

    >>> distance([1.0, 1.0], source=2, target=2)
    0.0
    >>> distance([0.5], source=1, target=3)
    0.75
    """
    return min(max(1 - 2 * sum(probabilities) / (source + target), 0.0), 1.0)


def _match(pair: tuple[HSG, HSG], scored: Scored, cell: Cell) -> Match:
    node, other = scored.source.nodes[cell[0]], scored.target.nodes[cell[1]]
    before, after = pair[0].semioses[node], pair[1].semioses[other]
    likeness = np.clip([*scored.cosines[:, *cell], scored.grounds[cell], scored.structure[cell]], 0.0, 1.0)
    return Match(
        source=node,
        target=other,
        p=scored.p[cell],
        parts=Parts(**dict(zip(Parts.model_fields, map(float, likeness), strict=True))),
        ground_shift=_shift(before, after),
        spatial=_spatial(before, after),
    )


def _shift(before: Semiosis, after: Semiosis) -> Shift:
    moved = np.subtract(after.grounds.strengths, before.grounds.strengths)
    return Shift(iconic=float(moved[0]), indexical=float(moved[1]), symbolic=float(moved[2]))


def _spatial(before: Semiosis, after: Semiosis) -> str:
    """How the first boxes of two nodes compare, in words; empty unless both have one."""
    boxes = [next((p for p in node.places if isinstance(p, Box)), None) for node in (before, after)]
    one, two = boxes
    if one is None or two is None:
        return ""
    where = one.position if one.position == two.position else f"{one.position} → {two.position}"
    return f"{where}, overlap {one.overlap(two):.2f}"
