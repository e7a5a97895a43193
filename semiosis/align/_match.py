"""Which node of one HSG is which node of the other: log-odds in stages, then an assignment."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.special import expit

from semiosis.align._features import FEATURES, Evidence
from semiosis.align._view import Floats, View
from semiosis.align._weights import Calibration, Stage, Weights

NEVER = -30.0
"""The log-odds of a root with a node that is none: a root matches only a root."""
SURE = 30.0
_ROUNDS = 8
"""Rounds of row and column scaling; the posteriors have settled by then."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Every pair of nodes of two HSGs with what speaks for it."""

    source: View
    """The source's arrays: rows."""
    target: View
    """The target's arrays: columns."""
    odds: Floats
    """Last log-odds that two nodes match, cut included: positive means a match is worth making."""
    p: Floats
    """The calibrated probability."""
    first: Floats
    """The probability before structure was looked at."""
    cosines: Floats
    """Of sign, object and interpretant: 3 × node × node."""
    grounds: Floats
    """1 minus half the L1 distance of the grounds' shares."""
    structure: Floats
    """Posterior that the nodes around the two match."""


def score(pairs: Sequence[tuple[View, View]], weights: Weights) -> list[Scored]:
    """Score pairs of views, all of one size."""
    evidence = Evidence(pairs)
    first = log_odds(evidence, weights.first)
    evidence = evidence.believe(posterior(first), posterior(first + weights.lean))
    odds = log_odds(evidence, weights.second)
    same = _same(evidence)
    p = np.where(same, 1.0, _probability(odds, weights))
    odds = np.where(same, SURE, odds + weights.cut)
    fields = np.stack([evidence.cosines[field, field] for field in range(3)], axis=1)
    grounds = 1 - FEATURES["ground distance"](evidence) / 2
    structure = _structure(evidence)
    arrays = zip(odds, p, expit(first), fields, grounds, structure, strict=True)
    return [Scored(*pair, *some) for pair, some in zip(pairs, arrays, strict=True)]


def log_odds(evidence: Evidence, stage: Stage) -> Floats:
    """The sum of weighted features, the roots' pair with weights of its own."""
    odds = np.zeros_like(evidence.belief)
    root = np.zeros(len(odds))
    for name in {**stage.node, **stage.root}:
        feature = FEATURES[name](evidence)
        odds += stage.node.get(name, 0.0) * feature
        root += stage.root.get(name, 0.0) * feature[:, 0, 0]
    odds[:, 0, :] = odds[:, :, 0] = NEVER
    odds[:, 0, 0] = root
    return odds


def posterior(odds: Floats) -> Floats:
    """Sinkhorn scaling with one slack row and column: each node has one match or none."""
    pairs, n, m = odds.shape
    mass = np.ones((pairs, n + 1, m + 1))
    np.exp(np.clip(odds, -SURE, SURE), out=mass[:, :n, :m])
    mass[:, n, m] = 0.0
    for _ in range(_ROUNDS):
        mass[:, :n] /= mass[:, :n].sum(2, keepdims=True)
        mass[:, :, :m] /= mass[:, :, :m].sum(1, keepdims=True)
    return mass[:, :n, :m]


def assign(odds: Floats) -> list[tuple[int, int]]:
    """The one-to-one assignment with the largest sum of positive log-odds."""
    gain = np.maximum(odds, 0.0)
    rows, columns = linear_sum_assignment(gain, maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if gain[i, j] > 0]


def _probability(odds: Floats, weights: Weights) -> Floats:
    p = _calibrated(odds, weights.node)
    p[:, 0, 0] = _calibrated(odds[:, 0, 0], weights.root)
    return p


def _calibrated(odds: Floats, calibration: Calibration) -> Floats:
    return np.asarray(expit(calibration.slope * odds + calibration.intercept))


def _same(evidence: Evidence) -> NDArray[np.bool_]:
    """Nodes told in the same words on the same grounds, root with root: there is nothing to doubt."""
    likeness = sum(evidence.cosines[field, field] for field in range(3))
    same = (likeness > 3 - 1e-5) & (FEATURES["ground distance"](evidence) < 1e-9)
    same[:, 0, 1:] = same[:, 1:, 0] = False
    return np.asarray(same)


def _structure(evidence: Evidence) -> Floats:
    """Mean posterior of the wholes and, where both have parts, of the parts; 1 for the two roots."""
    wholes = FEATURES["parents match"](evidence) + evidence.under_roots * evidence.belief[:, :1, :1]
    parts = np.clip(FEATURES["share of children"](evidence), 0.0, 1.0)
    both = (evidence.source.degree > 0)[:, :, None] & (evidence.target.degree > 0)[:, None, :]
    structure = np.where(both, (wholes + parts) / 2, wholes)
    structure[:, 0, 0] = 1.0
    return np.clip(structure, 0.0, 1.0)
