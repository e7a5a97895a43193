"""From scored pairs of nodes to `Alignment`s."""

from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from semiosis.align._match import Cell, Scored
from semiosis.align._view import View
from semiosis.align._weights import Weights
from semiosis.values import HSG, Alignment, Box, Match, Parts, Shift, Value

V = TypeVar("V", bound=Value)
_PARTS = tuple(Parts.model_fields)
_SHIFT = tuple(Shift.model_fields)
_NONE: frozenset[Cell] = frozenset()


def alignments(
    pairs: Sequence[tuple[HSG, HSG]], scored: Scored, cells: Sequence[Sequence[Cell]], weights: Weights
) -> Iterator[Alignment]:
    """The alignments of HSG pairs of one size in which these cells are matches."""
    for index, matched in enumerate(cells):
        matches = _matches(scored, index, matched, _NONE, weights)
        yield _alignment(pairs[index], scored.views[index], matches, weights, weights.method)


def settled_alignment(
    pair: tuple[HSG, HSG],
    scored: Scored,
    cells: Sequence[Cell],
    settled: frozenset[Cell],
    told: tuple[Weights, str],
) -> Alignment:
    """The alignment in which these cells are matches, some of them settled by an adjudicator of this name."""
    weights, adjudicator = told
    matches = _matches(scored, 0, cells, settled, weights)
    method = f"{weights.method}; adjudicated by {adjudicator}"
    return _alignment(pair, scored.views[0], matches, weights, method)


def distance(probabilities: Sequence[float], source: int, target: int) -> float:
    """Δo: 1 minus the share of nodes that survive, each match counted with its probability.

    It is symmetric, 0 for identical graphs and 1 where nothing matches.

    >>> distance([1.0, 1.0], source=2, target=2)
    0.0
    >>> distance([0.5], source=1, target=3)
    0.75
    """
    return min(max(1 - 2 * sum(probabilities) / (source + target), 0.0), 1.0)


def _alignment(
    pair: tuple[HSG, HSG], views: tuple[View, View], matches: list[Match], weights: Weights, method: str
) -> Alignment:
    source, target = pair
    by_source = {match.source: match for match in matches}
    found = {match.target for match in matches}
    return _made(
        Alignment,
        {
            "kind": "alignment",
            "source": views[0].side,
            "target": views[1].side,
            "matches": tuple(by_source[node] for node in source.semioses if node in by_source),
            "lost": tuple(node for node in source.semioses if node not in by_source),
            "emergent": tuple(node for node in target.semioses if node not in found),
            "distance": distance([match.p for match in matches], len(source), len(target)),
            "method": method,
            "embedder": weights.embedder,
            "weights": weights.version,
        },
    )


def _matches(
    scored: Scored, index: int, cells: Sequence[Cell], settled: frozenset[Cell], weights: Weights
) -> list[Match]:
    source, target = scored.views[index]
    rows, columns = np.array(cells, np.intp).reshape(-1, 2).T
    p = scored.p[index, rows, columns].tolist()
    parts = scored.parts[index, rows, columns].tolist()
    shifts = (target.strengths[columns] - source.strengths[rows]).round(6).tolist()
    return [
        _made(
            Match,
            {
                "source": source.nodes[cell[0]],
                "target": target.nodes[cell[1]],
                "p": weights.adjudicated if cell in settled else chance,
                "parts": _made(Parts, dict(zip(_PARTS, part, strict=True))),
                "ground_shift": _made(Shift, dict(zip(_SHIFT, shift, strict=True))),
                "adjudicated": cell in settled,
                "spatial": _spatial(source.boxes[cell[0]], target.boxes[cell[1]]),
            },
        )
        for cell, chance, part, shift in zip(cells, p, parts, shifts, strict=True)
    ]


def _made(model: type[V], fields: dict[str, Any]) -> V:
    """A value of fields that cannot be wrong. Checking them again would take most of the time of `diff_many`."""
    value = model.__new__(model)
    for name, content in (
        ("__dict__", fields),
        ("__pydantic_fields_set__", set(fields)),
        ("__pydantic_extra__", None),
        ("__pydantic_private__", None),
    ):
        object.__setattr__(value, name, content)
    return value


def _spatial(before: Box | None, after: Box | None) -> str:
    """How the first boxes of two nodes compare, in words; empty unless both have one."""
    if before is None or after is None:
        return ""
    same = before.position == after.position
    where = before.position if same else f"{before.position} → {after.position}"
    return f"{where}, overlap {before.overlap(after):.2f}"
