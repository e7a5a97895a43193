"""From scored pairs of nodes to `Alignment`s."""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel

from semiosis.align._match import Cell, Scored
from semiosis.align._view import Floats
from semiosis.align._weights import Weights
from semiosis.values import HSG, Alignment, Box, Match, Parts, Shift, Value

HSGPair = tuple[HSG, HSG]
V = TypeVar("V", bound=Value)

_DIGITS = 6
"""Numbers are told to as many digits as ids keep."""
_NONE: frozenset[Cell] = frozenset()


class Builder:
    """Builds the alignments of HSG pairs of one size, each when it is asked for."""

    def __init__(self, scored: Scored, cells: Sequence[Sequence[Cell]], weights: Weights) -> None:
        self._pairs = scored.evidence.pairs
        self._cells = cells
        self._weights = weights
        self._start = [0, *accumulate(map(len, cells))]
        at = [(index, *cell) for index, some in enumerate(cells) for cell in some]
        told = _told(scored)[:, *np.array(at, np.intp).reshape(-1, 3).T]
        self._told: list[list[float]] = told.T.round(_DIGITS).tolist()

    def build(self, index: int, pair: HSGPair) -> Alignment:
        """The alignment of the pair that stands at this index."""
        return self._alignment(index, pair, _NONE, self._weights.method)

    def build_settled(
        self, index: int, pair: HSGPair, settled: frozenset[Cell], adjudicator: str
    ) -> Alignment:
        """The same, where an adjudicator of this name settled some matches."""
        method = f"{self._weights.method}; adjudicated by {adjudicator}"
        return self._alignment(index, pair, settled, method)

    def _alignment(self, index: int, pair: HSGPair, settled: frozenset[Cell], method: str) -> Alignment:
        (source, target), (rows, columns) = pair, self._pairs[index]
        matches = {match.source: match for match in self._matches(index, settled)}
        found = {match.target for match in matches.values()}
        return _made(
            Alignment,
            {
                "kind": "alignment",
                "source": rows.side,
                "target": columns.side,
                "matches": tuple(matches[node] for node in source.semioses if node in matches),
                "lost": tuple(node for node in source.semioses if node not in matches),
                "emergent": tuple(node for node in target.semioses if node not in found),
                "distance": distance([match.p for match in matches.values()], len(rows), len(columns)),
                "method": method,
                "embedder": self._weights.embedder,
                "weights": self._weights.version,
            },
        )

    def _matches(self, index: int, settled: frozenset[Cell]) -> Iterator[Match]:
        source, target = self._pairs[index]
        for at, cell in enumerate(self._cells[index], start=self._start[index]):
            row, column = cell
            p, sign, object_, interpretant, ground, structure, iconic, indexical, symbolic = self._told[at]
            parts = {
                "sign": sign,
                "object": object_,
                "interpretant": interpretant,
                "ground": ground,
                "structure": structure,
            }
            shift = {"iconic": iconic, "indexical": indexical, "symbolic": symbolic}
            match = {
                "source": source.nodes[row],
                "target": target.nodes[column],
                "p": self._weights.adjudicated if cell in settled else p,
                "parts": _made(Parts, parts),
                "ground_shift": _made(Shift, shift),
                "adjudicated": cell in settled,
                "spatial": _spatial(source.boxes[row], target.boxes[column]),
            }
            yield _made(Match, match)


def distance(probabilities: Sequence[float], source: int, target: int) -> float:
    """Δo: 1 minus the share of nodes that survive, each match counted with its probability.

    It is symmetric, 0 for identical graphs and 1 where nothing matches.

    >>> distance([1.0, 1.0], source=2, target=2)
    0.0
    >>> distance([0.5], source=1, target=3)
    0.75
    """
    return min(max(1 - 2 * sum(probabilities) / (source + target), 0.0), 1.0)


def _told(scored: Scored) -> Floats:
    """For every pair of nodes its probability, the five of `Parts` and the three of `Shift`."""
    evidence, source, target = scored.evidence, scored.evidence.source, scored.evidence.target
    told = np.empty((9, *scored.p.shape))
    told[0] = scored.p
    told[1:4] = evidence.likeness[:3]
    np.subtract(1, evidence.ground_distance / 2, out=told[4])
    inner = source.inner[:, :, None] * target.inner[:, None]
    np.add(evidence.wholes, inner * (evidence.structure[2] - evidence.wholes), out=told[5])
    told[5, :, 0] = 1.0
    told.clip(0.0, 1.0, out=told)
    np.subtract(target.strengths[:, :, None], source.strengths[:, :, :, None], out=told[6:])
    return told


_FIELDS: dict[type[Value], set[str]] = {
    model: set(model.model_fields) for model in (Alignment, Match, Parts, Shift)
}
_new = object.__new__
_write, _write_set, _write_extra, _write_private = (
    vars(BaseModel)[slot].__set__
    for slot in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)


def _made(model: type[V], fields: dict[str, Any]) -> V:
    """A value of fields that cannot be wrong. Checking them again would take most of `diff_many`'s time."""
    value = _new(model)
    _write(value, fields)
    _write_set(value, _FIELDS[model])
    _write_extra(value, None)
    _write_private(value, None)
    return value


def _spatial(before: Box | None, after: Box | None) -> str:
    """How the first boxes of two nodes compare, in words; empty unless both have one."""
    if before is None or after is None:
        return ""
    same = before.position == after.position
    where = before.position if same else f"{before.position} → {after.position}"
    return f"{where}, overlap {before.overlap(after):.2f}"
