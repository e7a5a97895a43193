"""What an alignment knows about a pair of nodes: named features that the weights files refer to.

Every array starts with the axis of HSG pairs, so that one pair and a thousand of one size take the same
code and the same time per call.
"""

from collections.abc import Sequence

import numpy as np

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
_CROSSED = ((0, 1), (0, 2), (1, 2))


class Evidence:
    """Pairs of HSGs, all of one size, as arrays on top of each other."""

    def __init__(self, pairs: Sequence[tuple[View, View]]) -> None:
        self.source = _Stack([source for source, _ in pairs])
        self.target = _Stack([target for _, target in pairs])
        cosines = self._cosines()
        self.likeness: Floats = np.empty((4, *cosines.shape[2:]))
        """Feature of `LIKENESS` × pair × node × node."""
        for field in range(3):
            self.likeness[field] = cosines[field, field]
        lengths = self.source.length[:, :, None] * self.target.length[:, None, :]
        self.likeness[3] = cosines.sum((0, 1)) / lengths
        self.crossed: Floats = np.stack([cosines[one, two] + cosines[two, one] for one, two in _CROSSED])
        """Sign with object, sign with interpretant, object with interpretant."""
        self.ground_distance: Floats = np.abs(
            self.source.grounds[:, :, None] - self.target.grounds[:, None]
        ).sum(3)
        """L1 distance of the grounds' shares, from 0 to 2."""

    def _cosines(self) -> Floats:
        """Field × field × pair × node × node."""
        pairs, n, m = len(self.source.vectors), self.source.size, self.target.size
        source = self.source.vectors.reshape(pairs, n * 3, -1)
        target = self.target.vectors.reshape(pairs, m * 3, -1)
        flat = (source @ target.transpose(0, 2, 1)).astype(np.float64)
        return flat.reshape(pairs, n, 3, m, 3).transpose(2, 4, 0, 1, 3)

    def text(self) -> Floats:
        """The features of `TEXT`, last axis."""
        sign, object_, interpretant, _ = self.likeness
        weaker, stronger = np.minimum(sign, object_), np.maximum(sign, object_)
        features = np.empty((*sign.shape, len(TEXT)))
        features[..., :4] = self.likeness.transpose(1, 2, 3, 0)
        features[..., 4:8] = lead(self.likeness).transpose(1, 2, 3, 0)
        features[..., 8:11] = self.crossed.transpose(1, 2, 3, 0)
        features[..., 11] = weaker
        np.minimum(weaker, interpretant, out=features[..., 12])
        np.maximum(stronger, interpretant, out=features[..., 13])
        np.maximum(self.ground_distance - NEAR_GROUNDS, 0.0, out=features[..., 14])
        return features

    def structure(self, leaning: Floats) -> Floats:
        """The features of `STRUCTURE`, last axis, given who leans towards whom."""
        features = np.empty((*leaning.shape, len(STRUCTURE)))
        under_roots = self.source.under_root[:, :, None] * self.target.under_root[:, None, :]
        features[..., 0] = self._of_parents(leaning) * (1 - under_roots)
        features[..., 1] = under_roots
        features[..., 2] = self._of_children(leaning)
        features[..., 3] = self.source.relation[:, :, None] == self.target.relation[:, None, :]
        features[..., 4] = self.source.leaf[:, :, None] != self.target.leaf[:, None, :]
        return features

    def around(self, leaning: Floats) -> Floats:
        """How well the places of two nodes agree, from 0 to 1: their wholes and, where both have, their parts."""
        wholes, parts = self._of_parents(leaning), self._of_children(leaning)
        both = ~(self.source.leaf[:, :, None] | self.target.leaf[:, None, :])
        place = np.where(both, (wholes + parts) / 2, wholes)
        place[:, 0, 0] = 1.0
        return np.clip(place, 0.0, 1.0)

    def _of_parents(self, leaning: Floats) -> Floats:
        at = np.arange(len(leaning))[:, None, None]
        return np.asarray(leaning[at, self.source.parent[:, :, None], self.target.parent[:, None, :]])

    def _of_children(self, leaning: Floats) -> Floats:
        """Expected share of the two nodes' parts that stand in each other's places."""
        most = np.maximum(self.source.degree[:, :, None], self.target.degree[:, None, :])
        expected = self.source.below @ leaning @ self.target.below.transpose(0, 2, 1)
        return np.asarray(expected / np.maximum(most, 1.0))


class _Stack:
    """Views of one size on top of each other."""

    def __init__(self, views: Sequence[View]) -> None:
        self.size = len(views[0])
        self.vectors = np.array([view.vectors for view in views])
        self.length = np.array([view.length for view in views])
        self.grounds = np.array([view.grounds for view in views])
        self.parent = np.array([view.parent for view in views])
        self.relation = np.array([view.relation for view in views])
        self.below = np.array([view.below for view in views])
        self.degree: Floats = self.below.sum(2)
        self.leaf = self.degree == 0
        self.under_root = (self.parent == 0).astype(np.float64)


def lead(likeness: Floats) -> Floats:
    """How far each pair is ahead of the best rival in its row plus the best rival in its column."""
    return 2 * likeness - _rival(likeness, 3) - _rival(likeness, 2)


def _rival(likeness: Floats, axis: int) -> Floats:
    size = likeness.shape[axis]
    if size == 1:
        return np.zeros_like(likeness)
    ranked = np.partition(likeness, size - 2, axis)
    second, best = (ranked.take([at], axis) for at in (size - 2, size - 1))
    return np.where(likeness >= best, second, best)
