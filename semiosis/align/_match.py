"""Which node of one HSG is which node of the other: log-odds in two stages, then an assignment."""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from semiosis.align._features import Evidence
from semiosis.align._view import ZERO, Floats, View
from semiosis.align._weights import Coefficients

SURE, NEVER = 30.0, -30.0
"""Log-odds of what is beyond doubt."""
_NEVER = np.array(NEVER)
Places = NDArray[np.intp]


class Matched(NamedTuple):
    """Matches of HSG pairs of one size, in order of pairs and rows."""

    cells: Places
    """Pairs of nodes, counted through all rows of all HSG pairs."""
    counts: Places
    """How many are of each HSG pair."""
    rows: Places
    """Which node of the source."""
    columns: Places
    """Which node of the target."""


class Scored(NamedTuple):
    """Every pair of nodes of HSG pairs of one size, with what speaks for it; HSG pairs are the first axis."""

    evidence: Evidence
    """Texts, grounds and structure."""
    odds: Floats
    """Last log-odds that two nodes match, cut included: positive means a match is worth making."""
    first: Floats
    """Log-odds by the two nodes' own texts and grounds: no other node can change them."""


def score(views: Sequence[tuple[View, View]], by: Coefficients) -> Scored:
    """Score pairs of views, all of one size; what is weighed stands in the order of `Coefficients.first`."""
    evidence = Evidence(views)
    weighed = _weighed(by.first, evidence.first)
    leaning, leaning_root = weighed[4:]
    evidence.look_around(leaning, leaning_root[:, 0, 0])
    first, odds = both = weighed[:2]
    odds += _weighed(by.around, evidence.around)
    write_roots(both, weighed[2:4, :, 0, 0])
    _trust_the_same(views, both)
    return Scored(evidence, odds, first)


def write_roots(odds: Floats, roots: Floats) -> None:
    """A root matches only a root, by log-odds of its own."""
    odds[..., 0, :] = odds[..., 0] = _NEVER
    odds[..., 0, 0] = roots


def belief(odds: Floats) -> Floats:
    """How surely each pair of nodes matches, when every node of either graph chooses one of the other's or
    none: the geometric mean of what the two sides believe."""
    mass = np.exp(np.minimum(odds, SURE))
    rivals = (mass.sum(1, keepdims=True) + 1) * (mass.sum(0, keepdims=True) + 1)
    return np.asarray(mass / np.sqrt(rivals))


def matched(odds: Floats) -> Matched:
    """The one-to-one assignments with the largest sums of positive log-odds."""
    pairs, n, m = odds.shape
    solved = np.array([linear_sum_assignment(gain, maximize=True) for gain in np.maximum(odds, ZERO)])
    rows, columns = solved[:, 0], solved[:, 1]
    cells = rows * m + columns
    if pairs > 1:
        cells += np.arange(0, odds.size, n * m)[:, None]
    worth = odds.take(cells) > ZERO
    return Matched(cells[worth], np.add.reduce(worth, 1), rows[worth], columns[worth])


def _weighed(weights: Floats, features: Floats) -> Floats:
    """Sums of features by their weights; what `tensordot` gives, in a tenth of its time for one pair."""
    flat = np.dot(weights, features.reshape(len(features), -1))
    return np.asarray(flat.reshape(*weights.shape[:-1], *features.shape[1:]))


def _trust_the_same(views: Sequence[tuple[View, View]], odds: Floats) -> None:
    """Nodes told in the same words on the same grounds, root with root: there is nothing to doubt."""
    for at, (source, target) in enumerate(views):
        if not source.rows.keys().isdisjoint(target.rows):
            for says in source.rows.keys() & target.rows.keys():
                for row, column in product(source.rows[says], target.rows[says]):
                    odds[:, at, row, column] = SURE
