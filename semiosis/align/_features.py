"""What an alignment knows about a pair of nodes: a table of named features.

Weights files name features of this table. Every array has the shape pairs of HSGs × source nodes ×
target nodes, so that one HSG pair and a thousand of one size take the same code.
"""

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from semiosis.align._view import Floats, View


NEAR_GROUNDS = 0.4
"""Readers differ by so much about the grounds of one meaning; grounds nearer than that prove nothing."""


class Evidence:
    """The texts, grounds and structure of HSG pairs of one size, and what was believed one stage before."""

    def __init__(self, pairs: Sequence[tuple[View, View]]) -> None:
        self.source = _Stack([source for source, _ in pairs])
        self.target = _Stack([target for _, target in pairs])
        self.belief: Floats = np.zeros((len(pairs), self.source.size, self.target.size))
        """Posterior that two nodes match, from the stage before."""
        self.leaning: Floats = self.belief
        """The same where losing a node is held unlikely: who stands in the place of whom."""

    @cached_property
    def cosines(self) -> Floats:
        """Field × field × pair × node × node; the fourth field is the sum of the three."""
        pairs, n, m = len(self.source.vectors), self.source.size, self.target.size
        flat = self.source.vectors.reshape(pairs, 4 * n, -1) @ self.target.vectors.reshape(
            pairs, 4 * m, -1
        ).transpose(0, 2, 1)
        return flat.reshape(pairs, n, 4, m, 4).transpose(2, 4, 0, 1, 3).astype(np.float64)

    @cached_property
    def of_parents(self) -> NDArray[np.intp]:
        """For each pair of nodes, the flat index of the pair of their wholes."""
        return self.source.parent[:, :, None] * self.target.size + self.target.parent[:, None, :]

    @cached_property
    def under_roots(self) -> Floats:
        """1 where both nodes are parts of their roots."""
        return _both(self.source.parent == 0, self.target.parent == 0)

    @cached_property
    def children(self) -> Floats:
        """Expected number of matches among the parts of the two nodes."""
        return self.source.below @ self.belief @ self.target.below.transpose(0, 2, 1)

    @cached_property
    def most_children(self) -> Floats:
        """The larger number of parts, at least 1."""
        return np.maximum(np.maximum(self.source.degree[:, :, None], self.target.degree[:, None, :]), 1.0)

    def believe(self, belief: Floats, leaning: Floats) -> "Evidence":
        """The same evidence after a stage."""
        after = object.__new__(Evidence)
        after.__dict__.update(self.__dict__, belief=belief, leaning=leaning)
        after.__dict__.pop("children", None)
        return after


class _Stack:
    """Views of one size on top of each other."""

    def __init__(self, views: Sequence[View]) -> None:
        self.size = len(views[0])
        self.vectors = np.stack([view.vectors for view in views])
        self.grounds = np.stack([view.grounds for view in views])
        self.parent = np.stack([view.parent for view in views])
        self.relation = np.stack([view.relation for view in views])
        self.below = np.stack([view.below for view in views])
        self.degree: Floats = self.below.sum(2)


def _both(source: NDArray[np.bool_], target: NDArray[np.bool_]) -> Floats:
    return (source[:, :, None] & target[:, None, :]).astype(np.float64)


def lead(likeness: Floats) -> Floats:
    """How far a pair is ahead of the best rival in its row plus the best rival in its column."""
    return 2 * likeness - _rival(likeness, 2) - _rival(likeness, 1)


def _rival(likeness: Floats, axis: int) -> Floats:
    if likeness.shape[axis] == 1:
        return np.zeros_like(likeness)
    best, second = np.split(-np.partition(-likeness, 1, axis)[_first_two(axis)], 2, axis)
    return np.where(likeness >= best, second, best)


def _first_two(axis: int) -> tuple[slice, ...]:
    return tuple(slice(2) if at == axis else slice(None) for at in range(3))


def _gathered(belief: Floats, index: NDArray[np.intp]) -> Floats:
    pairs = np.arange(len(belief))[:, None, None]
    return np.asarray(belief.reshape(len(belief), -1)[pairs, index])


def _parents(e: Evidence, belief: Floats) -> Floats:
    """Posterior of the pair of wholes; that both stand under their roots is a feature of its own."""
    return _gathered(belief, e.of_parents) * (1 - e.under_roots)


def _fields(e: Evidence) -> Floats:
    """Like with like: the cosines of sign, object and interpretant."""
    return np.stack([e.cosines[field, field] for field in range(3)])


def _ground_distance(e: Evidence) -> Floats:
    source, target = e.source.grounds[:, :, None, :], e.target.grounds[:, None, :, :]
    return np.asarray(np.abs(source - target).sum(3))


FEATURES: dict[str, Callable[[Evidence], Floats]] = {
    "one": lambda e: np.ones_like(e.belief),
    "whole": lambda e: e.cosines[3, 3],
    "sign": lambda e: e.cosines[0, 0],
    "object": lambda e: e.cosines[1, 1],
    "interpretant": lambda e: e.cosines[2, 2],
    "weaker of sign and object": lambda e: np.minimum(e.cosines[0, 0], e.cosines[1, 1]),
    "weakest field": lambda e: _fields(e).min(0),
    "strongest field": lambda e: _fields(e).max(0),
    "sign with object": lambda e: e.cosines[0, 1] + e.cosines[1, 0],
    "sign with interpretant": lambda e: e.cosines[0, 2] + e.cosines[2, 0],
    "object with interpretant": lambda e: e.cosines[1, 2] + e.cosines[2, 1],
    "lead of whole": lambda e: lead(e.cosines[3, 3]),
    "lead of sign": lambda e: lead(e.cosines[0, 0]),
    "lead of object": lambda e: lead(e.cosines[1, 1]),
    "lead of interpretant": lambda e: lead(e.cosines[2, 2]),
    "ground distance": _ground_distance,
    "far grounds": lambda e: np.maximum(_ground_distance(e) - NEAR_GROUNDS, 0.0),
    "parents match": lambda e: _parents(e, e.belief),
    "parents lean": lambda e: _parents(e, e.leaning),
    "under roots": lambda e: e.under_roots,
    "children match": lambda e: e.children,
    "share of children": lambda e: e.children / e.most_children,
    "children lean": lambda e: (
        e.source.below @ e.leaning @ e.target.below.transpose(0, 2, 1) / e.most_children
    ),
    "same relation": lambda e: (e.source.relation[:, :, None] == e.target.relation[:, None, :]).astype(
        np.float64
    ),
    "one is a leaf": lambda e: (
        (e.source.degree == 0)[:, :, None] != (e.target.degree == 0)[:, None, :]
    ).astype(np.float64),
}
"""Name → value, for every pair of nodes."""
