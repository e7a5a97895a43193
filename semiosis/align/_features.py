"""What an alignment knows about a pair of nodes: named features that the weights files refer to.

Every array has an axis of HSG pairs before the two of nodes, so that one pair and a thousand of one size take
the same code and the same time per call.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from semiosis.align._view import (
    FIELDS,
    GROUND_TRAITS,
    ONE_TRAIT,
    SQUARE_TRAIT,
    TRAITS,
    UNDER_ROOT_TRAIT,
    UNIT,
    ZERO,
    Floats,
    View,
)

LIKENESS = (*FIELDS, "whole")
"""Cosines of like with like; `whole` compares the sums of the three fields."""
CROSSED = ("sign with object", "sign with interpretant", "object with interpretant")
"""Cosines of one's sign with the other's object, and so on, both ways: they give literal readings away."""
WEAKER = "weaker of sign and object"
APART = "grounds apart"
"""Squared distance of the grounds' shares: readers differ a little about the grounds of one meaning."""
TEXT = (*CROSSED, *LIKENESS, WEAKER, APART)
"""Features of two nodes by themselves."""
AROUND = ("rivals", "parents lean", "children lean", "siblings lean")
"""How much speaks for other pairs of the two nodes, and how the nodes around them lean: who stands in the
place of whom, lost or not."""
UNDER_ROOTS = "under roots"
STRUCTURE = (*AROUND, UNDER_ROOTS)
"""Features of the nodes around the two."""
ROWS = (
    "sign", "sign with object", "sign with interpretant",
    "sign with object", "object", "object with interpretant",
    "sign with interpretant", "object with interpretant", "interpretant",
    "whole", WEAKER,
)  # fmt: skip
"""Which feature each row of `Evidence.text` belongs to: every field with every field, then two more."""
SAME_FIELD = slice(0, 9, 4)
"""Rows of sign with sign, object with object, interpretant with interpretant."""
WHOLE = 9
_, WHOLES_LEAN, PARTS_LEAN, _, ODDS = range(len(ROWS), len(ROWS) + 5)
SHARES_MOVED, STRENGTHS_MOVED = slice(ODDS + 1, ODDS + 4), slice(ODDS + 4, ODDS + 7)
_NINE = np.ones(9)
MOST = np.array(30.0)
"""Log-odds beyond this change nothing; without the limit huge weights in a file would overflow."""


class Evidence:
    """Pairs of HSGs, all of one size, as arrays: row × pair × node × node."""

    def __init__(self, pairs: Sequence[tuple[View, View]]) -> None:
        self.pairs = pairs
        self.source = stacked([source for source, _ in pairs])
        self.target = stacked([target for _, target in pairs])
        self.shape = len(pairs), self.source.size, self.target.size
        self.rows: Floats = np.empty((STRENGTHS_MOVED.stop, *self.shape))
        """Text, around, log-odds, grounds: together, so that all of one cell is taken at once."""
        self.text = self.rows[: len(ROWS)]
        """Cosines, the features that `ROWS` names."""
        self.around = self.rows[len(ROWS) : ODDS]
        """The features of `AROUND`, once they were looked at."""
        self.odds = self.rows[ODDS]
        """The last log-odds, once they were weighed."""
        np.subtract(self.target.grounds.swapaxes(2, 3), self.source.grounds, out=self.rows[ODDS + 1 :])
        self._compare_texts()

    def _compare_texts(self) -> None:
        text, (pairs, n, m) = self.text, self.shape
        flat = np.empty((pairs, n * 3, m * 3), np.float32)
        for at, (source, target) in enumerate(self.pairs):
            np.dot(source.vectors, target.vectors.T, out=flat[at])
        text[:9].reshape(3, 3, pairs, n, m)[:] = flat.reshape(pairs, 3, n, 3, m).transpose(1, 3, 0, 2, 4)
        together = np.dot(_NINE, text[:9].reshape(9, -1)).reshape(self.shape)
        shortening = self.source.shortening * self.target.shortening.swapaxes(1, 2)
        np.multiply(together, shortening, out=text[WHOLE])
        np.minimum(text[0], text[4], out=text[10])

    def look_around(self, odds: Floats, roots: Floats) -> None:
        """Fill in the features of `AROUND`, given log-odds that each pair of nodes stands in one place.

        What speaks for a pair is scaled by what speaks for all pairs of either node, roots among them, rows
        and columns at the same time, so that the way back is the way there. Then a root stands in the place
        of no other node, and of the other root by log-odds of its own.
        """
        around, mass = self.around, np.exp(np.minimum(odds, MOST))
        rivals = np.add.reduce(mass, 2, keepdims=True) + UNIT
        rivals = rivals * (np.add.reduce(mass, 1, keepdims=True) + UNIT)
        mass /= np.sqrt(rivals)
        mass[:, 0] = mass[:, :, 0] = ZERO
        mass[:, 0, 0] = expit(roots)
        np.log(rivals, out=around[0])
        near = np.matmul(self.source.near @ mass, self.target.near.swapaxes(2, 3), out=around[1:])
        near /= np.maximum(self.source.counts, self.target.counts.swapaxes(2, 3))

    def rows_at(self, cells: NDArray[np.intp]) -> Floats:
        """All rows of these cells, counted through all pairs."""
        return self.rows.reshape(len(self.rows), -1).take(cells, 1)

    def named(self) -> dict[str, Floats]:
        """Every feature by its name, as the fit of the weights needs them."""
        text = {name: np.zeros(self.shape) for name in TEXT}
        for name, row in zip(ROWS, self.text, strict=True):
            text[name] += row
        one, two = self.source.traits[:, :, None], self.target.traits[:, None]
        text[APART] = np.square(one[..., GROUND_TRAITS] - two[..., GROUND_TRAITS]).sum(-1)
        under = one[..., UNDER_ROOT_TRAIT] * two[..., UNDER_ROOT_TRAIT]
        return text | dict(zip(AROUND, self.around, strict=True)) | {UNDER_ROOTS: under}


def trait_weights(apart: float, under_roots: float, one: float) -> Floats:
    """The matrix that, between the traits of two nodes, sums up what rests on traits alone."""
    matrix = np.zeros((len(TRAITS), len(TRAITS)))
    grounds = np.arange(GROUND_TRAITS.stop)
    matrix[grounds, grounds] = -2 * apart
    matrix[SQUARE_TRAIT, ONE_TRAIT] = matrix[ONE_TRAIT, SQUARE_TRAIT] = apart
    matrix[ONE_TRAIT, ONE_TRAIT] = one
    matrix[UNDER_ROOT_TRAIT, UNDER_ROOT_TRAIT] = under_roots
    return matrix


class Stack:
    """Views of one size beside each other: every array has an axis of views before that of nodes."""

    def __init__(self, views: Sequence[View]) -> None:
        n, pairs = len(views[0].nodes), len(views)
        numbers = np.array([view.numbers for view in views])
        sizes = np.cumsum([n * len(TRAITS), n * 6, n, n * n * 3])
        traits, grounds, shortening, near, counts = np.split(numbers, sizes, 1)
        self.size = n
        self.traits: Floats = traits.reshape(pairs, n, -1)
        """What `TRAITS` names."""
        self.grounds: Floats = grounds.reshape(pairs, 6, n, 1).swapaxes(0, 1)
        """The shares and then the strengths of each node's three grounds."""
        self.shortening: Floats = shortening.reshape(pairs, n, 1)
        """1 by the length of the sum of each node's three vectors."""
        self.near: Floats = near.reshape(pairs, 3, n, n).swapaxes(0, 1)
        """1 where the column is the row's whole, its part, a part of the same whole."""
        self.counts: Floats = counts.reshape(pairs, 3, n, 1).swapaxes(0, 1)
        """How many of each kind are near a node, at least 1."""


def stacked(views: Sequence[View]) -> Stack:
    """A stack of these views; that of a single one is made once."""
    return _alone(views[0]) if len(views) == 1 else Stack(views)


@lru_cache(maxsize=1024)
def _alone(view: View) -> Stack:
    return Stack([view])
