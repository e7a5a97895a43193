"""What an alignment knows about a pair of nodes: named features that the weights files refer to.

Every array starts with the axis of HSG pairs, so that one pair and a thousand of one size take the same
code and the same time per call.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from semiosis.align._view import Floats, View

LIKENESS = ("sign", "object", "interpretant", "whole")
"""Cosines of like with like; `whole` compares the sums of the three fields."""
TEXT = (
    *LIKENESS,
    "lead of sign",
    "lead of object",
    "lead of interpretant",
    "lead of whole",
    "sign with object",
    "sign with interpretant",
    "object with interpretant",
    "weaker of sign and object",
    "weakest field",
    "strongest field",
    "far grounds",
)
"""Features of two nodes by themselves and among their rivals. A *lead* is how far a pair is ahead of the best
rival in its row plus the best in its column; *sign with object* is the likeness of one's sign with the
other's object, both ways, which gives literal readings away."""
STRUCTURE = ("parents lean", "under roots", "children lean", "same relation", "one is a leaf")
"""Features of the nodes around the two. *Lean* is who stands in the place of whom, lost or not."""
NEAR_GROUNDS = 0.25
"""Readers differ by so much about the grounds of one meaning; grounds nearer than that prove nothing."""
T = TypeVar("T", bound=np.generic)
_CROSSED = ((0, 1), (0, 2), (1, 2))


class Evidence:
    """Pairs of HSGs, all of one size, as arrays: feature × pair × node × node."""

    def __init__(self, pairs: Sequence[tuple[View, View]]) -> None:
        self.pairs = pairs
        self.source = _Stack([source for source, _ in pairs])
        self.target = _Stack([target for _, target in pairs])
        shape = len(pairs), self.source.size, self.target.size
        self.text: Floats = np.empty((len(TEXT), *shape))
        """The features of `TEXT`."""
        self.likeness = self.text[: len(LIKENESS)]
        """Those of `LIKENESS`, which come first."""
        self.ground_distance: Floats = np.add.reduce(
            np.abs(self.source.grounds[:, :, None] - self.target.grounds[:, None]), 3
        )
        """L1 distance of the grounds' shares, from 0 to 2."""
        self._compare_texts()
        self.wholes: Floats = np.zeros(shape)
        """Who leans towards whom among the two nodes' wholes, once structure was looked at."""
        self.parts: Floats = self.wholes
        """The same among their parts, as a share of them."""

    def _compare_texts(self) -> None:
        text, cosines = self.text, self._cosines()
        for field in range(3):
            text[field] = cosines[field, field]
        lengths = self.source.length[:, :, None] * self.target.length[:, None, :]
        np.divide(np.add.reduce(cosines, (0, 1)), lengths, out=text[3])
        _lead(self.likeness, out=text[4:8])
        for at, (one, two) in enumerate(_CROSSED, start=8):
            np.add(cosines[one, two], cosines[two, one], out=text[at])
        np.minimum(text[0], text[1], out=text[11])
        np.minimum(text[11], text[2], out=text[12])
        np.maximum.reduce(text[:3], 0, out=text[13])
        np.maximum(self.ground_distance - NEAR_GROUNDS, 0.0, out=text[14])

    def _cosines(self) -> Floats:
        """Field × field × pair × node × node."""
        pairs, n, m = self.text.shape[1:]
        flat = np.empty((pairs, n * 3, m * 3), np.float32)
        for at, (source, target) in enumerate(self.pairs):
            np.matmul(source.vectors, target.vectors.T, out=flat[at])
        return flat.reshape(pairs, n, 3, m, 3).transpose(2, 4, 0, 1, 3)

    def structure(self, leaning: Floats) -> Floats:
        """The features of `STRUCTURE`, given who leans towards whom."""
        source, target = self.source, self.target
        features = np.empty((len(STRUCTURE), *leaning.shape))
        self.wholes, self.parts = self._of_parents(leaning), features[2]
        np.multiply(source.under_root[:, :, None], target.under_root[:, None, :], out=features[1])
        np.multiply(self.wholes, 1 - features[1], out=features[0])
        most = np.maximum(source.most[:, :, None], target.most[:, None, :])
        np.divide(source.below @ leaning @ target.below.transpose(0, 2, 1), most, out=self.parts)
        np.equal(source.relation[:, :, None], target.relation[:, None, :], out=features[3])
        np.not_equal(source.leaf[:, :, None], target.leaf[:, None, :], out=features[4])
        return features

    def _of_parents(self, leaning: Floats) -> Floats:
        at = np.arange(len(leaning))[:, None, None]
        return np.asarray(leaning[at, self.source.parent[:, :, None], self.target.parent[:, None, :]])


class _Stack:
    """Views of one size on top of each other."""

    def __init__(self, views: Sequence[View]) -> None:
        self.size = len(views[0].nodes)
        self.length = _stack([view.length for view in views])
        self.strengths = _stack([view.strengths for view in views])
        self.grounds = _stack([view.grounds for view in views])
        self.parent = _stack([view.parent for view in views])
        self.relation = _stack([view.relation for view in views])
        self.below = _stack([view.below for view in views])
        self.most = _stack([view.most for view in views])
        self.leaf = _stack([view.leaf for view in views])
        self.under_root = _stack([view.under_root for view in views])


def _stack(arrays: list[NDArray[T]]) -> NDArray[T]:
    return np.array(arrays) if len(arrays) > 1 else arrays[0][None]


def _lead(likeness: Floats, out: Floats) -> None:
    """How far each pair is ahead of the best rival in its row plus the best rival in its column."""
    np.multiply(likeness, 2.0, out=out)
    for axis in (3, 2):
        if likeness.shape[axis] > 1:
            out -= _rival(likeness, axis)


def _rival(likeness: Floats, axis: int) -> Floats:
    size = likeness.shape[axis]
    ranked = np.partition(likeness, size - 2, axis)
    second, best = (
        (ranked[..., -2:-1], ranked[..., -1:]) if axis == 3 else (ranked[..., -2:-1, :], ranked[..., -1:, :])
    )
    return np.where(likeness >= best, second, best)
