"""What an alignment knows about a pair of nodes: named features that the weights files refer to.

Every array has an axis of HSG pairs before the two of nodes, so that one pair and a thousand of one size take
the same code and the same time per call.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from semiosis.align._view import FIELDS, UNIT, ZERO, Floats, View

LIKENESS = (*FIELDS, "whole")
"""Cosines of like with like; `whole` compares the sums of the three fields."""
CROSSED = ("sign with object", "sign with interpretant", "object with interpretant")
"""Cosines of one's sign with the other's object, and so on, both ways: they give literal readings away."""
JOINED = "two fields as one text"
"""Mean cosine of sign and object, and of object and interpretant, each two read as one text; 0 for embedders
to which that tells nothing."""
WEAKER = "weaker of sign and object"
APART = "grounds apart"
"""Squared distance of the grounds' shares: readers differ a little about the grounds of one meaning."""
TEXT = (*CROSSED, *LIKENESS, WEAKER, JOINED, APART)
"""Features of two nodes by themselves."""
AROUND = ("rivals", "parents lean", "children lean", "siblings lean")
"""How much speaks for other pairs of the two nodes, and how the nodes around them lean: who stands in the
place of whom, lost or not."""
UNDER_ROOTS = "under roots"
CLOSELY, WHOLE_CLOSELY = "closely told", "whole, closely told"
"""How closely the two graphs are told: the sum of the fourth powers of all cosines of like with like, by the
number of nodes, which counts what is told in almost the same words. Where much is, other words are a loss
more often."""
ONE = "one"
"""Name of the intercept among weights."""
CONTEXT = (*AROUND, UNDER_ROOTS, CLOSELY, WHOLE_CLOSELY)
"""Features of the graphs the two nodes stand in."""
ROWS = (
    "sign", "sign with object", "sign with interpretant",
    "sign with object", "object", "object with interpretant",
    "sign with interpretant", "object with interpretant", "interpretant",
    "whole", UNDER_ROOTS, WEAKER, APART, APART, APART, CLOSELY, WHOLE_CLOSELY, JOINED, ONE,
)  # fmt: skip
"""Which feature each of the first rows belongs to: every field with every field first, every ground later."""
SAME_FIELD = slice(0, 9, 4)
"""Rows of sign with sign, object with object, interpretant with interpretant."""
_WHOLE, _OUTER, _WEAKER, _APART = 9, slice(9, 11), 11, slice(12, 15)
_CLOSELY, _WHOLE_CLOSELY, _JOINED = range(15, 18)
_JOINED_AND_ONE, _NONE_AND_ONE = slice(17, 19), np.array([0.0, 1.0]).reshape(2, 1, 1, 1)
_, WHOLES_LEAN, PARTS_LEAN, _, MOVED = range(len(ROWS), len(ROWS) + 5)
SHARES_MOVED, STRENGTHS_MOVED = slice(MOVED, MOVED + 3), slice(MOVED + 3, MOVED + 6)
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
        """First, around, grounds: together, so that all of one cell is taken at once."""
        self.first = self.rows[: len(ROWS)]
        """The features that `ROWS` names."""
        self.around = self.rows[len(ROWS) : MOVED]
        """The features of `AROUND`, once they were looked at."""
        self._compare_fields()
        self._compare_the_rest()

    def _compare_fields(self) -> None:
        text, (pairs, n, m) = self.first, self.shape
        flat = np.empty((pairs, n * 3, m * 3), np.float32)
        for (source, target), product in zip(self.pairs, flat, strict=True):
            source.vectors.dot(target.vectors.T, product)
        text[:9].reshape(3, 3, pairs, n, m)[:] = flat.reshape(pairs, 3, n, 3, m).transpose(1, 3, 0, 2, 4)
        np.multiply(self.source.scales, self.target.scales.swapaxes(2, 3), out=text[_OUTER])
        text[_WHOLE] *= np.dot(_NINE, text[:9].reshape(9, -1)).reshape(self.shape)
        np.minimum(text[0], text[4], out=text[_WEAKER])

    def _compare_the_rest(self) -> None:
        rows = self.rows
        rows[_JOINED_AND_ONE] = _NONE_AND_ONE
        if self.pairs[0][0].joined.size:
            rows[_JOINED] = self._compare_joined()
        np.subtract(self.target.grounds.swapaxes(2, 3), self.source.grounds, out=rows[MOVED:])
        np.square(rows[SHARES_MOVED], out=rows[_APART])
        squares, nodes = np.square(rows[SAME_FIELD]), np.array(float(self.source.size + self.target.size))
        closely = np.einsum("fpij,fpij->p", squares, squares) / nodes
        rows[_CLOSELY] = closely = closely.reshape(-1, 1, 1)
        np.multiply(rows[_WHOLE], closely, out=rows[_WHOLE_CLOSELY])

    def _compare_joined(self) -> NDArray[np.float32]:
        products = np.empty(self.shape, np.float32)
        for (source, target), product in zip(self.pairs, products, strict=True):
            source.joined.dot(target.joined.T, product)
        return products

    def look_around(self, odds: Floats, roots: Floats) -> None:
        """Fill in the features of `AROUND`, given log-odds that each pair of nodes stands in one place.

        What speaks for a pair is scaled by what speaks for all pairs of either node, roots among them, rows
        and columns at the same time, so that the way back is the way there. Then a root stands in the place
        of no other node, and of the other root by log-odds of its own; nothing is around roots that could
        lean another way.
        """
        around, mass = self.around, np.exp(np.minimum(odds, MOST))
        rivals = np.add.reduce(mass, 2, keepdims=True) + UNIT
        rivals = rivals * (np.add.reduce(mass, 1, keepdims=True) + UNIT)
        mass /= np.sqrt(rivals)
        mass[:, 0] = mass[:, :, 0] = ZERO
        mass[:, 0, 0] = expit(roots)
        np.log(rivals, out=around[0])
        near = np.matmul(self.source.near @ mass, self.target.near.swapaxes(2, 3), out=around[1:])
        near[0, :, 0, 0] = UNIT

    def rows_at(self, cells: NDArray[np.intp]) -> Floats:
        """All rows of these cells, counted through all pairs."""
        return self.rows.reshape(len(self.rows), -1).take(cells, 1)

    def named(self) -> dict[str, Floats]:
        """Every feature by its name, as the fit of the weights needs them."""
        first = {name: np.zeros(self.shape) for name in ROWS}
        for name, row in zip(ROWS, self.first, strict=True):
            first[name] += row
        return first | dict(zip(AROUND, self.around, strict=True))


class Stack:
    """Views of one size beside each other: every array has an axis of views before that of nodes."""

    def __init__(self, views: Sequence[View]) -> None:
        n, pairs = len(views[0].nodes), len(views)
        numbers = np.array([view.numbers for view in views])
        grounds, scales, near = np.split(numbers, [n * 6, n * 8], 1)
        self.size = n
        self.grounds: Floats = grounds.reshape(pairs, 6, n, 1).swapaxes(0, 1)
        """The shares and then the strengths of each node's three grounds."""
        self.scales: Floats = scales.reshape(pairs, 2, n, 1).swapaxes(0, 1)
        """1 by the length of the sum of each node's three vectors; 1 for the root and its parts."""
        self.near: Floats = near.reshape(pairs, 3, n, n).swapaxes(0, 1)
        """Above 0 where the column is the row's whole, its part, a part of the same whole."""


def stacked(views: Sequence[View]) -> Stack:
    """A stack of these views; that of a single one is made once."""
    return _alone(views[0]) if len(views) == 1 else Stack(views)


@lru_cache(maxsize=1024)
def _alone(view: View) -> Stack:
    return Stack([view])
