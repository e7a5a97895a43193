"""From scored pairs of nodes to `Alignment`s."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import filterfalse, repeat
from operator import attrgetter
from typing import TypeVar

import numpy as np
from pydantic import BaseModel
from scipy.special import expit

from semiosis.align._features import (
    ODDS,
    PARTS_LEAN,
    SAME_FIELD,
    SHARES_MOVED,
    STRENGTHS_MOVED,
    WHOLES_LEAN,
    Evidence,
)
from semiosis.align._match import Matched, Scored, matched
from semiosis.align._view import UNIT, ZERO, Floats, View
from semiosis.align._weights import Coefficients, Weights
from semiosis.values import HSG, Alignment, Box, Match, Parts, Shift, Value

HSGPair = tuple[HSG, HSG]
V = TypeVar("V", bound=Value)

_HALF = np.full(3, -0.5)
_NODE = np.array(1)
"""The row of the first node that is no root, and which of the two calibrations is for it."""
_DIGITS = np.array(1e6)
"""Numbers are told to as many digits as ids keep."""


def aligned(
    pairs: Sequence[HSGPair], scored: Scored, odds: Floats, by: Coefficients, weights: Weights
) -> list[Alignment]:
    """The alignments of HSG pairs of one size, in order."""
    views = scored.evidence.pairs
    matches: list[dict[str, Match]] = [{} for _ in views]
    for index, match in _matches(scored, matched(odds), by):
        matches[index][match.source] = match
    return _made(Alignment, [_fields(*each, weights) for each in zip(pairs, views, matches, strict=True)])


_target, _p = attrgetter("target"), attrgetter("p")


def _fields(
    pair: HSGPair, views: tuple[View, View], matches: dict[str, Match], weights: Weights
) -> dict[str, object]:
    sources, targets, (one, two) = pair[0].semioses, pair[1].semioses, views
    found = set(map(_target, matches.values()))
    return {
        "kind": "alignment",
        "source": one.side,
        "target": two.side,
        "matches": tuple(map(matches.__getitem__, filter(matches.__contains__, sources))),
        "lost": tuple(filterfalse(matches.__contains__, sources)),
        "emergent": tuple(filterfalse(found.__contains__, targets)),
        "distance": distance(map(_p, matches.values()), len(one.nodes), len(two.nodes)),
        "method": weights.method,
        "embedder": weights.embedder,
        "weights": weights.version,
    }


def _matches(scored: Scored, found: Matched, by: Coefficients) -> Iterator[tuple[int, Match]]:
    """Every match, with which HSG pair it belongs to."""
    told = _told(scored.evidence, found, by).tolist()
    of = found.pairs.tolist()
    places = zip(found.rows.tolist(), found.columns.tolist(), told, strict=True)
    parts = _made(Parts, [
        {"sign": sign, "object": object_, "interpretant": brought, "ground": ground, "structure": structure}
        for _, sign, object_, brought, ground, structure, _, _, _ in told
    ])  # fmt: skip
    shifts = _made(Shift, [
        {"iconic": iconic, "indexical": indexical, "symbolic": symbolic}
        for _, _, _, _, _, _, iconic, indexical, symbolic in told
    ])  # fmt: skip
    views = [scored.evidence.pairs[pair] for pair in of]
    matches = _made(Match, [
        {
            "source": one.nodes[row],
            "target": two.nodes[column],
            "p": numbers[0],
            "parts": part,
            "ground_shift": shift,
            "adjudicated": False,
            "spatial": _spatial(before, after)
            if (before := one.boxes[row]) and (after := two.boxes[column])
            else "",
        }
        for (one, two), (row, column, numbers), part, shift in zip(
            views, places, parts, shifts, strict=True
        )
    ])  # fmt: skip
    return zip(of, matches, strict=True)


def _told(evidence: Evidence, found: Matched, by: Coefficients) -> Floats:
    """For every match its probability, the five of `Parts`, the three of `Shift`."""
    rows, told = evidence.rows_at(found.cells), np.empty((9, len(found.cells)))
    kind = np.minimum(found.rows, _NODE)
    expit(rows[ODDS] * by.slopes.take(kind) + by.intercepts.take(kind), out=told[0])
    told[1:4] = rows[SAME_FIELD]
    np.dot(_HALF, np.abs(rows[SHARES_MOVED]), out=told[4])
    told[4] += UNIT
    np.maximum(rows[WHOLES_LEAN], rows[PARTS_LEAN], out=told[5])
    np.maximum(told, ZERO, out=told)
    np.minimum(told, UNIT, out=told)
    told[6:] = rows[STRENGTHS_MOVED]
    return np.asarray(np.rint(told * _DIGITS) / _DIGITS).T


def settled(
    alignment: Alignment, chosen: Collection[tuple[str, str]], p: float, adjudicator: str
) -> Alignment:
    """The same alignment, where an adjudicator of this name chose some matches."""
    by_adjudicator = {"p": p, "adjudicated": True}
    matches = [
        match.model_copy(update=by_adjudicator) if (match.source, match.target) in chosen else match
        for match in alignment.matches
    ]
    nodes = len(alignment.source.nodes), len(alignment.target.nodes)
    return alignment.model_copy(
        update={
            "matches": tuple(matches),
            "distance": distance([match.p for match in matches], *nodes),
            "method": f"{alignment.method}; adjudicated by {adjudicator}",
        }
    )


def distance(probabilities: Iterable[float], source: int, target: int) -> float:
    """Δo: 1 minus the share of nodes that survive, each match counted with its probability.

    It is symmetric, 0 for identical graphs and 1 where nothing matches.

    >>> distance([1.0, 1.0], source=2, target=2)
    0.0
    >>> distance([0.5], source=1, target=3)
    0.75
    """
    return 1 - 2 * sum(probabilities) / (source + target)


_FIELDS: dict[type[Value], set[str]] = {
    model: set(model.model_fields) for model in (Alignment, Match, Parts, Shift)
}
_new = object.__new__
_NOTHING = repeat(None)
_run = deque[None](maxlen=0).extend
_write, _write_set, _write_extra, _write_private = (
    vars(BaseModel)[slot].__set__
    for slot in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)


def _made(model: type[V], fields: Sequence[dict[str, object]]) -> list[V]:
    """Values of fields that cannot be wrong: checking them again would take most of `diff_many`'s time."""
    values = list(map(_new, repeat(model, len(fields))))
    _run(map(_write, values, fields))
    _run(map(_write_set, values, repeat(_FIELDS[model])))
    _run(map(_write_extra, values, _NOTHING))
    _run(map(_write_private, values, _NOTHING))
    return values


def _spatial(before: Box, after: Box) -> str:
    """How the first boxes of two nodes compare, in words."""
    same = before.position == after.position
    where = before.position if same else f"{before.position} → {after.position}"
    return f"{where}, overlap {before.overlap(after):.2f}"
