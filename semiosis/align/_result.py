"""From scored pairs of nodes to `Alignment`s."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from semiosis.align._match import Cell, Scored
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
        counts = [len(some) for some in cells]
        self._start = [0, *np.cumsum(counts).tolist()]
        rows, columns = np.array(list(chain.from_iterable(cells)), np.intp).reshape(-1, 2).T
        at = np.repeat(np.arange(len(cells)), counts), rows, columns
        self._p: list[float] = scored.p[at].round(_DIGITS).tolist()
        self._parts: list[list[float]] = _parts(scored, at).tolist()

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
            sign, object_, interpretant, ground, structure, iconic, indexical, symbolic = self._parts[at]
            yield _made(
                Match,
                {
                    "source": source.nodes[row],
                    "target": target.nodes[column],
                    "p": self._weights.adjudicated if cell in settled else self._p[at],
                    "parts": _made(
                        Parts,
                        {
                            "sign": sign,
                            "object": object_,
                            "interpretant": interpretant,
                            "ground": ground,
                            "structure": structure,
                        },
                    ),
                    "ground_shift": _made(
                        Shift, {"iconic": iconic, "indexical": indexical, "symbolic": symbolic}
                    ),
                    "adjudicated": cell in settled,
                    "spatial": _spatial(source.boxes[row], target.boxes[column]),
                },
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


def _parts(scored: Scored, at: tuple[Any, Any, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """For each match the five parts of `Parts` and the three of `Shift`."""
    evidence, (pair, row, column) = scored.evidence, at
    told = np.empty((len(pair), 8))
    told[:, :3] = evidence.likeness[:3, pair, row, column].T
    told[:, 3] = 1 - evidence.ground_distance[at] / 2
    leaf = evidence.source.leaf[pair, row] | evidence.target.leaf[pair, column]
    told[:, 4] = np.where(leaf, evidence.wholes[at], (evidence.wholes[at] + evidence.parts[at]) / 2)
    told[row == 0, 4] = 1.0
    told[:, :5].clip(0.0, 1.0, out=told[:, :5])
    told[:, 5:] = evidence.target.strengths[pair, column] - evidence.source.strengths[pair, row]
    return told.round(_DIGITS)


_FIELDS: dict[type[Value], set[str]] = {
    model: set(model.model_fields) for model in (Alignment, Match, Parts, Shift)
}
_set: Callable[[object, str, object], None] = object.__setattr__


def _made(model: type[V], fields: dict[str, Any]) -> V:
    """A value of fields that cannot be wrong. Checking them again would take most of `diff_many`'s time."""
    value = model.__new__(model)
    _set(value, "__dict__", fields)
    _set(value, "__pydantic_fields_set__", _FIELDS[model])
    _set(value, "__pydantic_extra__", None)
    _set(value, "__pydantic_private__", None)
    return value


def _spatial(before: Box | None, after: Box | None) -> str:
    """How the first boxes of two nodes compare, in words; empty unless both have one."""
    if before is None or after is None:
        return ""
    same = before.position == after.position
    where = before.position if same else f"{before.position} → {after.position}"
    return f"{where}, overlap {before.overlap(after):.2f}"
