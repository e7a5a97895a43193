"""What an alignment knows about a pair of nodes: named features that the weights files refer to.

Every array has an axis of HSG pairs before the two of nodes, so that one pair and a thousand of one size take
the same code and the same time per call.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from semiosis.align._view import FIELDS, Floats, View

LIKENESS = (*FIELDS, "whole")
"""Cosines of like with like; `whole` compares the sums of the three fields."""
TEXT = (
    "sign with object",
    "sign with interpretant",
    "object with interpretant",
    *LIKENESS,
    *(f"lead of {name}" for name in LIKENESS),
    "weaker of sign and object",
    "weakest field",
    "strongest field",
    "far grounds",
)
"""Features of two nodes by themselves and among their rivals. A *lead* is how far a pair is ahead of the best
rival in its row plus the best in its column; *sign with object* is the likeness of one's sign with the
other's object, both ways, which gives literal readings away."""
STRUCTURE = (
    "parents lean",
    "under roots",
    "children lean",
    "siblings lean",
    "same relation",
    "one is a leaf",
)
"""Features of the nodes around the two. *Lean* is who stands in the place of whom, lost or not."""
NEAR_GROUNDS = 0.25
"""Readers differ by so much about the grounds of one meaning; grounds nearer than that prove nothing."""
T = TypeVar("T", bound=np.generic)
_SUMS = np.array(
    [
        [0, 1, 0, 1, 0, 0, 0, 0, 0],
        [0, 0, 1, 0, 0, 0, 1, 0, 0],
        [0, 0, 0, 0, 0, 1, 0, 1, 0],
        [1, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 1],
        [1, 1, 1, 1, 1, 1, 1, 1, 1],
    ],
    float,
)
"""Which of the nine cosines of field with field each of the first seven features sums up."""


class Evidence:
    """Pairs of HSGs, all of one size, as arrays: feature × pair × node × node."""

    def __init__(self, pairs: Sequence[tuple[View, View]]) -> None:
        self.pairs = pairs
        self.source = stacked([source for source, _ in pairs])
        self.target = stacked([target for _, target in pairs])
        shape = len(pairs), self.source.size, self.target.size
        self.text: Floats = np.empty((len(TEXT), *shape))
        """The features of `TEXT`."""
        self.likeness = self.text[3:7]
        """Those of `LIKENESS`."""
        apart = self.source.shares[:, :, :, None] - self.target.shares[:, :, None]
        self.ground_distance: Floats = np.add.reduce(np.abs(apart, out=apart))
        """L1 distance of the grounds' shares, from 0 to 2."""
        self._compare_texts()
        self.structure: Floats = np.empty((len(STRUCTURE), *shape))
        """The features of `STRUCTURE`, once structure was looked at."""
        self.wholes: Floats = self.structure[0]
        """Who leans towards whom among the two nodes' wholes, roots included."""

    def _compare_texts(self) -> None:
        text = self.text
        np.matmul(_SUMS, self._cosines(), out=text[:7].reshape(7, -1))
        text[6] /= self.source.length[:, :, None] * self.target.length[:, None]
        _lead(self.likeness, out=text[7:11])
        np.minimum(text[3], text[4], out=text[11])
        np.minimum(text[11], text[5], out=text[12])
        np.maximum.reduce(text[3:6], out=text[13])
        np.maximum(self.ground_distance - NEAR_GROUNDS, 0.0, out=text[14])

    def _cosines(self) -> Floats:
        """Of each field with each: field and field × pair, node and node."""
        pairs, n, m = self.text.shape[1:]
        flat = np.empty((pairs, n * 3, m * 3), np.float32)
        for at, (source, target) in enumerate(self.pairs):
            np.dot(source.vectors, target.vectors.T, out=flat[at])
        every = np.empty((3, 3, pairs, n, m))
        every[:] = flat.reshape(pairs, 3, n, 3, m).transpose(1, 3, 0, 2, 4)
        return every.reshape(9, -1)

    def look_around(self, leaning: Floats) -> None:
        """Fill in the features of `STRUCTURE`, given who leans towards whom."""
        source, target, structure = self.source, self.target, self.structure
        at = np.arange(len(leaning))[:, None, None]
        self.wholes = leaning[at, source.parent[:, :, None], target.parent[:, None]]
        np.multiply(source.under_root[:, :, None], target.under_root[:, None], out=structure[1])
        np.multiply(self.wholes, 1 - structure[1], out=structure[0])
        near = source.near @ leaning @ target.near.swapaxes(2, 3)
        most = np.maximum(source.counts[:, :, :, None], target.counts[:, :, None])
        np.divide(near, most, out=structure[2:4])
        np.equal(source.relation[:, :, None], target.relation[:, None], out=structure[4])
        np.not_equal(source.inner[:, :, None], target.inner[:, None], out=structure[5])


class Stack:
    """Views of one size beside each other: every array has an axis of views before that of nodes."""

    def __init__(self, views: Sequence[View]) -> None:
        self.size = len(views[0].nodes)
        self.parent = _stack([view.parent for view in views])
        self.near = _stack([view.near for view in views]).swapaxes(0, 1)
        self.counts = _stack([view.counts for view in views]).swapaxes(0, 1)
        numbers = _stack([view.numbers for view in views]).swapaxes(0, 1)
        self.length, self.shares, self.strengths = numbers[0], numbers[1:4], numbers[4:7]
        self.relation, self.inner, self.under_root = numbers[7:]


def stacked(views: Sequence[View]) -> Stack:
    """A stack of these views; that of a single one is made once."""
    return _alone(views[0]) if len(views) == 1 else Stack(views)


@lru_cache(maxsize=1024)
def _alone(view: View) -> Stack:
    return Stack([view])


def _stack(arrays: list[NDArray[T]]) -> NDArray[T]:
    return np.array(arrays) if len(arrays) > 1 else arrays[0][None]


def _lead(likeness: Floats, out: Floats) -> None:
    """How far each pair is ahead of the best rival in its row plus the best rival in its column."""
    np.multiply(likeness, 2.0, out=out)
    if likeness.shape[3] > 1:
        out -= _rival(likeness)
    if likeness.shape[2] > 1:
        out -= _rival(likeness.swapaxes(2, 3)).swapaxes(2, 3)


def _rival(likeness: Floats) -> Floats:
    """The best of the others in each row."""
    ranked = likeness.copy()
    ranked.partition(likeness.shape[3] - 2)
    return np.where(likeness >= ranked[..., -1:], ranked[..., -2:-1], ranked[..., -1:])
