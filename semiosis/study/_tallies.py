"""Counts how far the two readings of a pair agree, and how far they agree with readings of other signs."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from semiosis.align import (
    Aligner,
    PreparedReading,
    SharedNodes,
    box_overlap,
    rating_sums,
    same_place_pairs,
    same_relation,
    same_whole,
    shared_nodes,
    span_overlap,
)
from semiosis.stats import FloatArray
from semiosis.study._reading_pairs import ReadingPair
from semiosis.values import HSG, MODES, Alignment, ImageSign, Mode, TextSign, parts_of

NodePair = tuple[str, str]

PLACED = ("boxes", "spans", "relations", "wholes")
"""The measures of matched nodes that are means: overlap of boxes and spans, same relation, same whole."""
_CHUNK = 256


@dataclass
class Mean:
    """The sum and number of agreements in [0, 1], and the number of cases that could not be compared."""

    total: float = 0.0
    n: int = 0
    unscored: int = 0

    def add(self, values: Iterable[float | None]) -> None:
        for value in values:
            self.total += value or 0.0
            self.n += value is not None
            self.unscored += value is None

    @property
    def value(self) -> float:
        """The mean; NaN if there is no agreement to average."""
        return self.total / self.n if self.n else np.nan


@dataclass
class Tally:
    """The counts of one pair of readings, and of unrelated pairs for chance."""

    pair: ReadingPair
    shared: SharedNodes
    chance_shared: list[SharedNodes] = field(default_factory=list)
    observed: dict[str, Mean] = field(default_factory=lambda: {name: Mean() for name in PLACED})
    chance: dict[str, Mean] = field(default_factory=lambda: {name: Mean() for name in PLACED})
    grounds: dict[Mode, FloatArray] = field(default_factory=dict)
    chance_grounds: dict[Mode, FloatArray] = field(default_factory=dict)
    matched: int = 0
    same_place: int = 0


def applies(name: str, hsg: HSG) -> bool:
    """Return whether a measure applies to a sign: boxes need an image, spans a text."""
    needed = {"boxes": ImageSign, "spans": TextSign}.get(name)
    return needed is None or any(isinstance(part, needed) for part in parts_of(hsg.sign))


def tallies(
    pairs: Sequence[ReadingPair], unrelated: dict[tuple[str, str], list[ReadingPair]], aligner: Aligner
) -> Iterator[Tally]:
    """Yield the tally of each pair. Alignments are made in chunks, so that memory stays bounded."""
    prepared_by_id: dict[str, PreparedReading] = {}

    def prepared(hsg: HSG) -> PreparedReading:
        if hsg.id not in prepared_by_id:
            prepared_by_id[hsg.id] = PreparedReading(hsg)
        return prepared_by_id[hsg.id]

    for start in range(0, len(pairs), _CHUNK):
        chunk = pairs[start : start + _CHUNK]
        own = list(aligner.diff_all([(pair.first, pair.second) for pair in chunk]))
        crossed = [
            hsgs for pair in chunk for other in unrelated[pair.key] for hsgs in _crossed_readings(pair, other)
        ]
        aligned = iter(list(aligner.diff_all(crossed)) if crossed else [])
        for pair, alignment in zip(chunk, own, strict=True):
            cross = [
                (hsgs, next(aligned))
                for other in unrelated[pair.key]
                for hsgs in _crossed_readings(pair, other)
            ]
            yield _tally(pair, alignment, cross, prepared)


def _crossed_readings(pair: ReadingPair, other: ReadingPair) -> tuple[tuple[HSG, HSG], tuple[HSG, HSG]]:
    """Return the first reader of each sign with the second reader of the other sign."""
    return (pair.first, other.second), (other.first, pair.second)


def _tally(
    pair: ReadingPair,
    alignment: Alignment,
    cross: Sequence[tuple[tuple[HSG, HSG], Alignment]],
    prepared: Callable[[HSG], PreparedReading],
) -> Tally:
    found = Tally(pair, shared_nodes(alignment))
    matched = [(match.source, match.target) for match in alignment.matches]
    found.matched = len(matched)
    found.same_place = len(same_place_pairs(alignment, pair.first, pair.second))
    _compare(found.observed, prepared(pair.first), prepared(pair.second), matched, frozenset(matched))
    strengths = [_strengths(pair.first, pair.second, nodes) for nodes in matched]
    found.grounds = {mode: _sums(strengths, index) for index, mode in enumerate(MODES)}
    chance: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
    for (first, second), unrelated in cross:
        found.chance_shared.append(shared_nodes(unrelated))
        unrelated_matches = frozenset((match.source, match.target) for match in unrelated.matches)
        one, other = prepared(first), prepared(second)
        partners = list(_partners(pair, matched, one, other))
        _compare(found.chance, one, other, partners, unrelated_matches)
        chance += [_strengths(first, second, nodes) for nodes in partners]
    for index, mode in enumerate(MODES):
        sums = _sums(chance, index)
        # The chance pairs together have the same weight as the matched nodes of the pair.
        found.chance_grounds[mode] = sums * (len(matched) / sums[0]) if sums[0] else sums
    return found


def _partners(
    pair: ReadingPair, matched: Iterable[NodePair], one: PreparedReading, other: PreparedReading
) -> Iterator[NodePair]:
    """Yield each matched node with every node of the other sign's reading that it might have matched."""
    for first, second in matched:
        if one.hsg is pair.first:
            yield from ((first, node) for node in other.same_rank(first == pair.first.root))
        else:
            yield from ((node, second) for node in one.same_rank(second == pair.second.root))


def _compare(
    means: dict[str, Mean],
    one: PreparedReading,
    other: PreparedReading,
    nodes: Sequence[NodePair],
    matched: frozenset[NodePair],
) -> None:
    means["boxes"].add(box_overlap(one, other, pair) for pair in nodes)
    means["spans"].add(span_overlap(one, other, pair) for pair in nodes)
    means["relations"].add(same_relation(one, other, pair) for pair in nodes)
    means["wholes"].add(same_whole(one, other, pair, matched) for pair in nodes)


def _strengths(first: HSG, second: HSG, nodes: NodePair) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return first.semioses[nodes[0]].grounds.strengths, second.semioses[nodes[1]].grounds.strengths


def _sums(strengths: Sequence[tuple[tuple[float, ...], tuple[float, ...]]], mode: int) -> FloatArray:
    return rating_sums([one[mode] for one, _ in strengths], [other[mode] for _, other in strengths])
