"""How much of the source's meaning the target keeps: a table of named measures, each from 0 to 1.

An alignment decides node by node, and what it leaves unmatched counts for nothing; these weigh every doubt,
which tells two artifacts of one prompt apart more surely than counting matches does.
"""

from collections.abc import Callable

import numpy as np

from semiosis.align._match import Scored, belief
from semiosis.align._view import FIELDS, Floats, View
from semiosis.align._weights import Weights

_OBJECT = 1
"""Which field of the vectors is the object."""


def kept(scored: Scored, weights: Weights) -> float:
    """How much of its source one scored target keeps: the mean of all measures, by their weights."""
    total, of = sum(weights.kept.values()), measures(scored)
    return sum(weight * of[name] for name, weight in weights.kept.items()) / total


def measures(scored: Scored) -> dict[str, float]:
    """Every measure of one scored pair of HSGs, by name."""
    return {name: measure(scored) for name, measure in _MEASURES.items()}


def _believed(scored: Scored) -> float:
    """The mean over the source's nodes of the strongest belief that some node says the same, by texts and
    grounds alone: structure is kept by what replaces a node, too.

    A root is left out where there are parts: the root of a picture resembles the root of any other. A target
    that is a root alone therefore keeps no part of its source.
    """
    odds = scored.first[0]
    odds = odds[1:, 1:] if len(odds) > 1 else odds
    return float(belief(odds).max(1).mean()) if odds.size else 0.0


def _objects_together(scored: Scored) -> float:
    source, target = (_sum_of_objects(view) for view in scored.evidence.pairs[0])
    norm = float(np.linalg.norm(source) * np.linalg.norm(target))
    return max(float(source @ target) / norm, 0.0) if norm else 0.0


def _sum_of_objects(view: View) -> Floats:
    return np.asarray(view.vectors.reshape(len(FIELDS), len(view), -1)[_OBJECT].sum(0), np.float64)


_MEASURES: dict[str, Callable[[Scored], float]] = {
    "believed": _believed,
    "objects taken together": _objects_together,
}
