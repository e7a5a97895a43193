"""How much of the source's meaning the target keeps: a table of named measures, each from 0 to 1.

An alignment's probabilities decide nodes one by one; these weigh the whole, which tells two artifacts of
one prompt apart more surely than counting matches does.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from semiosis.align._match import Scored, assign
from semiosis.align._view import FIELDS, Floats, View
from semiosis.align._weights import Weights

_OBJECT = 1
"""Which field of the vectors is the object."""


def kept(scored: Scored, weights: Weights) -> float:
    """How much of its source one scored target keeps: the mean of all measures, by their weights."""
    total = sum(weights.kept.values())
    return sum(weight * _MEASURES[name](scored) for name, weight in weights.kept.items()) / total


def _over_matches(scored: Scored, p: Floats) -> float:
    """Roots are left out of every measure: the root of a picture resembles the root of any other."""
    cells = [cell for cell in assign(scored.odds[0]) if cell != (0, 0)]
    return float(sum(p[0, i, j] for i, j in cells)) / len(scored.evidence.pairs[0][0])


def _objects_together(scored: Scored) -> float:
    source, target = (_sum_of_objects(view) for view in scored.evidence.pairs[0])
    norm = float(np.linalg.norm(source) * np.linalg.norm(target))
    return max(float(source @ target) / norm, 0.0) if norm else 0.0


def _sum_of_objects(view: View) -> Floats:
    return np.asarray(view.vectors.reshape(len(FIELDS), len(view), -1)[_OBJECT].sum(0), np.float64)


def _nearest(scored: Scored) -> float:
    likeness = scored.evidence.likeness[3, 0, 1:, 1:]
    return max(float(likeness.max(1).mean()), 0.0) if likeness.size else 0.0


_MEASURES: dict[str, Callable[[Scored], float]] = {
    "matched by text": lambda scored: _over_matches(scored, expit(scored.first)),
    "matched": lambda scored: _over_matches(scored, scored.p),
    "objects taken together": _objects_together,
    "nearest node": _nearest,
}


def measures(scored: Scored) -> dict[str, float]:
    """Every measure of one scored pair of HSGs, by name."""
    return {name: measure(scored) for name, measure in _MEASURES.items()}
