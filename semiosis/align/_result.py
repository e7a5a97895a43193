"""From scored pairs of nodes to `Alignment`s."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, repeat
from typing import TypeVar

import numpy as np
from pydantic import BaseModel
from scipy.special import expit

from semiosis.align._features import (
    PARTS_LEAN,
    SAME_FIELD,
    SHARES_MOVED,
    STRENGTHS_MOVED,
    WHOLES_LEAN,
)
from semiosis.align._match import Matched, Scored, matched
from semiosis.align._view import UNIT, ZERO, Floats, View
from semiosis.align._weights import Coefficients, Weights
from semiosis.values import Alignment, Box, Match, Parts, Shift, kept_or_lost

T = TypeVar("T")
Slots = list[T | None]
"""One for each node, in the order its HSG lists them."""
Sheet = tuple[View, View, Slots[Match], Slots[str], Slots[str]]
"""Two HSGs; by node of the source its match; nodes of the source and of the target that no match was found
for."""
Place = tuple[int, int, float, Parts, Shift, Match]
"""Row and column of a match, its probability and parts, and the match itself, still to be filled in."""

_HALF = np.full(3, -0.5)
_NODE = np.array(1)
"""The row of the first node that is no root, and which of the two calibrations is for it."""
_DIGITS = np.array(1e6)
"""Numbers are told to as many digits as ids keep."""


def aligned(scored: Scored, by: Coefficients, weights: Weights) -> list[Alignment]:
    """The alignments of HSG pairs of one size, in order."""
    found = matched(scored.odds)
    p, *numbers = _told(scored, found, by).tolist()
    parts, shifts, matches = _made(Parts, numbers[:5]), _made(Shift, numbers[5:]), _blank(Match, len(p))
    sheets: list[Sheet] = [
        (one, two, [None] * len(one.listed), list(one.listed), list(two.listed))
        for one, two in scored.evidence.pairs
    ]
    places = zip(found.rows.tolist(), found.columns.tolist(), p, parts, shifts, matches, strict=True)
    _run(map(_WRITE_MATCH, matches, _entered(sheets, found.counts.tolist(), places)))
    return _alignments(_fields(sheets, distances(scored.first), weights))


def _entered(
    sheets: Iterable[Sheet], counts: Iterable[int], places: Iterator[Place]
) -> list[dict[str, object]]:
    """The fields of every match, which is entered in the sheet of its HSGs."""
    fields: list[dict[str, object]] = []
    for (one, two, matches, lost, emergent), count in zip(sheets, counts, strict=True):
        before, after = one.places, two.places
        for row, column, p, parts, shift, match in islice(places, count):
            source, here = before[row]
            target, there = after[column]
            fields.append({
                "source": lost[source],
                "target": emergent[target],
                "p": p,
                "parts": parts,
                "ground_shift": shift,
                "adjudicated": False,
                "spatial": _spatial(here, there) if here and there else "",
                "objects_differ": False,
                "fate": "kept",
                "why": "",
            })  # fmt: skip
            matches[source] = match
            lost[source] = emergent[target] = None
    return fields


def _fields(sheets: Iterable[Sheet], distances: Iterable[float], weights: Weights) -> list[dict[str, object]]:
    """The fields of every alignment, from sheets in which all matches are entered."""
    method, embedder, version = weights.method, weights.embedder, weights.version
    return [
        {
            "kind": "alignment",
            "source": one.side,
            "target": two.side,
            "fates": kept_or_lost(one.listed, filter(None, matches)),
            "distance": far,
            "method": method,
            "embedder": embedder,
            "weights": version,
            "evaluator": None,
            "repeat": 0,
            "served": "",
        }
        for (one, two, matches, _, _), far in zip(sheets, distances, strict=True)
    ]


def _told(scored: Scored, found: Matched, by: Coefficients) -> Floats:
    """For every match its probability, the five of `Parts`, the three of `Shift`."""
    rows, told = scored.evidence.rows_at(found.cells), np.empty((9, len(found.cells)))
    kind = np.minimum(found.rows, _NODE)
    expit(scored.odds.take(found.cells) * by.slopes.take(kind) + by.intercepts.take(kind), out=told[0])
    told[1:4] = rows[SAME_FIELD]
    np.dot(_HALF, np.abs(rows[SHARES_MOVED]), out=told[4])
    told[4] += UNIT
    np.maximum(rows[WHOLES_LEAN], rows[PARTS_LEAN], out=told[5])
    np.maximum(told, ZERO, out=told)
    np.minimum(told, UNIT, out=told)
    told[6:] = rows[STRENGTHS_MOVED]
    return np.asarray(np.rint(told * _DIGITS) / _DIGITS)


def distances(odds: Floats) -> list[float]:
    """Δo of HSG pairs of one size, from log-odds that two nodes say the same: pair × source × target.

    It is 1 minus the mean, over the nodes of the source, of the strongest probability that some node of the
    target says the same. A node that is taken from the target can therefore not lower it.

    >>> distances(np.array([[[30.0, -2.0], [0.0, -1.0]]]))
    [0.25]
    """
    nearest = np.asarray(expit(np.maximum.reduce(odds, 2)))
    far: list[float] = (np.rint(nearest.dot(_shares(odds.shape[1])) + _DIGITS) / _DIGITS).tolist()
    return far


@cache
def _shares(nodes: int) -> Floats:
    """Each node's share of a whole, in digits that are told; negative, for it is taken from 1."""
    return np.full(nodes, -_DIGITS / nodes)


_new, _run = object.__new__, deque[None](maxlen=0).extend
_Writer = Callable[[object, object], None]
_WRITE_MATCH: _Writer = vars(Match)["__dict__"].__set__
_WRITE_MODEL: _Writer = vars(BaseModel)["__dict__"].__set__
_WRITERS: dict[type[object], list[_Writer]] = {
    of: [vars(of)[field].__set__ for field in of.__slots__] for of in (Parts, Shift)
}
_MODEL: tuple[tuple[_Writer, object], ...] = (
    (vars(BaseModel)["__pydantic_fields_set__"].__set__, set(Alignment.model_fields)),
    (vars(BaseModel)["__pydantic_extra__"].__set__, None),
    (vars(BaseModel)["__pydantic_private__"].__set__, None),
)
"""What an alignment holds beside its fields."""


def _blank(of: type[T], count: int) -> list[T]:
    """Values that are still to be filled in."""
    return list(map(_new, repeat(of, count)))


def _made(of: type[T], columns: Sequence[Sequence[object]]) -> list[T]:
    """Values with fields that cannot be wrong: to check them would take most of `diff_many`'s time."""
    values = _blank(of, len(columns[0]))
    for write, column in zip(_WRITERS[of], columns, strict=True):
        _run(map(write, values, column))
    return values


def _alignments(fields: Sequence[dict[str, object]]) -> list[Alignment]:
    values = _blank(Alignment, len(fields))
    _run(map(_WRITE_MODEL, values, fields))
    for write, content in _MODEL:
        _run(map(write, values, repeat(content)))
    return values


def _spatial(before: Box, after: Box) -> str:
    """How the first boxes of two nodes compare, in words."""
    same = before.position == after.position
    where = before.position if same else f"{before.position} → {after.position}"
    return f"{where}, overlap {before.overlap(after):.2f}"
