"""Which node of one HSG is which node of the other: log-odds in two stages, then an assignment."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.special import expit

from semiosis.align._features import Evidence
from semiosis.align._view import Floats, View
from semiosis.align._weights import Coefficients

NEVER = -30.0
"""The log-odds of a root with a node that is none: a root matches only a root."""
SURE = 30.0
Cell = tuple[int, int]
"""A row and a column: a source node and a target node."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Every pair of nodes of HSG pairs of one size, with what speaks for it; HSG pairs are the first axis."""

    evidence: Evidence
    """Texts, grounds and structure."""
    odds: Floats
    """Last log-odds that two nodes match, cut included: positive means a match is worth making."""
    p: Floats
    """The calibrated probability."""
    first: Floats
    """The log-odds before structure was looked at."""


def score(views: Sequence[tuple[View, View]], by: Coefficients) -> Scored:
    """Score pairs of views, all of one size."""
    evidence = Evidence(views)
    first, second = _weighed(by.text, evidence.text) + by.one
    root = by.root[:-1] @ evidence.likeness[:, :, 0, 0] + by.root[-1]
    _write_root(first, root)
    evidence.look_around(posterior(first + by.lean))
    second += _weighed(by.structure, evidence.structure)
    _write_root(second, root)
    p = expit(second * by.node_calibration[0] + by.node_calibration[1])
    p[:, 0, 0] = expit(root * by.root_calibration[0] + by.root_calibration[1])
    odds = second + by.cut
    _trust_the_same(evidence, p, odds)
    return Scored(evidence, odds, p, first)


def posterior(odds: Floats, rounds: int = 2) -> Floats:
    """Sinkhorn scaling with one slack row and column: each node has one match or none.

    Rows and columns are scaled at the same time, so that the way back is the way there. More rounds than two
    made no alignment better.
    """
    pairs, n, m = odds.shape
    mass = np.ones((pairs, n + 1, m + 1))
    np.exp(np.minimum(odds, SURE), out=mass[:, :n, :m])
    mass[:, n, m] = 0.0
    for _ in range(rounds):
        rows, columns = np.add.reduce(mass, 2, keepdims=True), np.add.reduce(mass, 1, keepdims=True)
        rows[:, n] = columns[:, :, m] = 1.0
        mass /= np.sqrt(rows * columns)
    return mass[:, :n, :m]


def assign(odds: Floats) -> list[Cell]:
    """The one-to-one assignment with the largest sum of positive log-odds."""
    rows, columns = linear_sum_assignment(np.maximum(odds, 0.0), maximize=True)
    cells = zip(rows.tolist(), columns.tolist(), strict=True)
    return [cell for cell in cells if odds[cell] > 0]


def _weighed(weights: Floats, features: Floats) -> Floats:
    """Sums of features by their weights; what `tensordot` gives, in a tenth of its time for one pair."""
    return (weights @ features.reshape(len(features), -1)).reshape(*weights.shape[:-1], *features.shape[1:])


def _write_root(odds: Floats, root: Floats) -> None:
    odds[:, 0] = NEVER
    odds[:, :, 0] = NEVER
    odds[:, 0, 0] = root


def _trust_the_same(evidence: Evidence, p: Floats, odds: Floats) -> None:
    """Nodes told in the same words on the same grounds, root with root: there is nothing to doubt."""
    alike = np.add.reduce(evidence.likeness[:3]) > 3 - 1e-5
    if alike.any():
        same = alike & (evidence.ground_distance < 1e-9)
        same[:, 0, 1:] = same[:, 1:, 0] = False
        p[same], odds[same] = 1.0, SURE
