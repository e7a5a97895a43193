"""Which node of one HSG is which node of the other: log-odds in two stages, then an assignment."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.special import expit

from semiosis.align._features import SAME_FIELD, WHOLE, Evidence
from semiosis.align._view import GROUND_TRAITS, Floats, View
from semiosis.align._weights import Calibrated, Coefficients

SURE, NEVER = 30.0, -30.0
"""Log-odds of what is beyond doubt."""
_ALIKE = 1 - 1e-5
Places = NDArray[np.intp]
Matched = tuple[Places, Places, Places]
"""Matches of HSG pairs of one size: which pair, which row or source node, which column or target node."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Every pair of nodes of HSG pairs of one size, with what speaks for it; HSG pairs are the first axis."""

    evidence: Evidence
    """Texts, grounds and structure."""
    odds: Floats
    """Last log-odds that two nodes match, cut included: positive means a match is worth making."""
    first: Floats
    """The log-odds before structure was looked at, roots like other nodes."""


def score(views: Sequence[tuple[View, View]], by: Coefficients) -> Scored:
    """Score pairs of views, all of one size."""
    evidence = Evidence(views)
    first, second, root = _weighed(by.text, evidence.text)
    traits = evidence.source.weighable @ by.traits @ evidence.target.weighable.swapaxes(1, 2)
    roots = root[:, 0, 0] + by.root_one
    first += traits[0]
    evidence.look_around(first + by.lean, roots + by.lean)
    second += traits[1]
    second += _weighed(by.around, evidence.around)
    write_roots(second, roots + by.cut)
    if np.maximum.reduce(evidence.text[WHOLE], None) > _ALIKE:
        _trust_the_same(evidence, second)
    return Scored(evidence, second, first)


def write_roots(odds: Floats, roots: Floats) -> None:
    """A root matches only a root, by log-odds of its own."""
    odds[:, 0] = odds[:, :, 0] = NEVER
    odds[:, 0, 0] = roots


def probability(odds: Floats, by: Calibrated) -> Floats:
    """The calibrated probability of log-odds, cut included."""
    return np.asarray(expit(odds * by.slope + by.intercept))


def matched(odds: Floats) -> Matched:
    """The one-to-one assignments with the largest sums of positive log-odds."""
    solved = np.array([linear_sum_assignment(cost) for cost in np.minimum(-odds, 0.0)])
    rows, columns = solved[:, 0], solved[:, 1]
    worth = odds[np.arange(len(odds))[:, None], rows, columns] > 0
    return worth.nonzero()[0], rows[worth], columns[worth]


def _weighed(weights: Floats, features: Floats) -> Floats:
    """Sums of features by their weights; what `tensordot` gives, in a tenth of its time for one pair."""
    return (weights @ features.reshape(len(features), -1)).reshape(*weights.shape[:-1], *features.shape[1:])


def _trust_the_same(evidence: Evidence, odds: Floats) -> None:
    """Nodes told in the same words on the same grounds, root with root: there is nothing to doubt."""
    one, two = (side.traits[:, :, GROUND_TRAITS] for side in (evidence.source, evidence.target))
    apart = np.abs(one[:, :, None] - two[:, None]).sum(-1)
    same = (np.add.reduce(evidence.text[SAME_FIELD]) > 3 * _ALIKE) & (apart < 1e-9)
    same[:, 0, 1:] = same[:, 1:, 0] = False
    odds[same] = SURE
