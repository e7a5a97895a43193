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

_ROUNDS = 8
"""Rounds of row and column scaling; the posteriors have settled by then."""
_DIGITS = 6
"""Probabilities are told to as many digits as ids keep."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Every pair of nodes of HSG pairs of one size, with what speaks for it; HSG pairs are the first axis."""

    views: Sequence[tuple[View, View]]
    """Rows and columns."""
    odds: Floats
    """Last log-odds that two nodes match, cut included: positive means a match is worth making."""
    p: Floats
    """The calibrated probability."""
    first: Floats
    """The probability before structure was looked at."""
    parts: Floats
    """Likeness of sign, object, interpretant, ground and structure, last axis."""
    whole: Floats
    """Cosine of the nodes' summed vectors."""

    def one(self, index: int) -> "Scored":
        """One of the HSG pairs."""
        at = slice(index, index + 1)
        arrays = (self.odds, self.p, self.first, self.parts, self.whole)
        return Scored(self.views[at], *(array[at] for array in arrays))


def score(views: Sequence[tuple[View, View]], by: Coefficients) -> Scored:
    """Score pairs of views, all of one size."""
    evidence = Evidence(views)
    texts = evidence.text() @ by.text + by.one
    root = evidence.likeness[:, :, 0, 0].T @ by.root[:-1] + by.root[-1]
    first = _with_root(texts[..., 0], root)
    leaning = posterior(first + by.lean)
    second = _with_root(texts[..., 1] + evidence.structure(leaning) @ by.structure, root)
    p = expit(second * by.node_calibration[0] + by.node_calibration[1])
    p[:, 0, 0] = expit(root * by.root_calibration[0] + by.root_calibration[1])
    same = _same(evidence)
    parts = np.empty((*p.shape, 5))
    parts[..., :3] = evidence.likeness[:3].transpose(1, 2, 3, 0)
    parts[..., 3] = 1 - evidence.ground_distance / 2
    parts[..., 4] = evidence.around(leaning)
    return Scored(
        views=views,
        odds=np.where(same, SURE, second + by.cut),
        p=np.where(same, 1.0, p).round(_DIGITS),
        first=expit(first),
        parts=parts.clip(0.0, 1.0).round(_DIGITS),
        whole=evidence.likeness[3],
    )


def posterior(odds: Floats) -> Floats:
    """Sinkhorn scaling with one slack row and column: each node has one match or none."""
    pairs, n, m = odds.shape
    mass = np.ones((pairs, n + 1, m + 1))
    np.exp(odds.clip(-SURE, SURE), out=mass[:, :n, :m])
    mass[:, n, m] = 0.0
    rows, columns = mass[:, :n], mass[:, :, :m]
    for _ in range(_ROUNDS):
        rows /= rows.sum(2, keepdims=True)
        columns /= columns.sum(1, keepdims=True)
    return mass[:, :n, :m]


def assign(odds: Floats) -> list[Cell]:
    """The one-to-one assignment with the largest sum of positive log-odds."""
    gain = np.maximum(odds, 0.0)
    rows, columns = linear_sum_assignment(gain, maximize=True)
    worth = gain[rows, columns] > 0
    return list(zip(rows[worth].tolist(), columns[worth].tolist(), strict=True))


def _with_root(odds: Floats, root: Floats) -> Floats:
    odds[:, 0, :] = odds[:, :, 0] = NEVER
    odds[:, 0, 0] = root
    return odds


def _same(evidence: Evidence) -> Floats:
    """Nodes told in the same words on the same grounds, root with root: there is nothing to doubt."""
    same = (evidence.likeness[:3].sum(0) > 3 - 1e-5) & (evidence.ground_distance < 1e-9)
    same[:, 0, 1:] = same[:, 1:, 0] = False
    return np.asarray(same)
