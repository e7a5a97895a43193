"""How much of the source's meaning the target keeps: a table of named measures, each from 0 to 1.

An alignment's probabilities decide nodes one by one; these weigh the whole, which tells two artifacts of
one prompt apart more surely than counting matches does.
"""

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from semiosis.align._features import WHOLE
from semiosis.align._match import Scored, matched, probability
from semiosis.align._view import FIELDS, Floats, View
from semiosis.align._weights import Calibrated, Weights

_OBJECT = 1
"""Which field of the vectors is the object."""


def kept(scored: Scored, weights: Weights, by: Calibrated) -> float:
    """How much of its source one scored target keeps: the mean of all measures, by their weights."""
    total, of = sum(weights.kept.values()), measures(scored, by)
    return sum(weight * of[name] for name, weight in weights.kept.items()) / total


def measures(scored: Scored, by: Calibrated) -> dict[str, float]:
    """Every measure of one scored pair of HSGs, by name."""
    return {name: measure(scored, by) for name, measure in _MEASURES.items()}


def _matched_by_text(scored: Scored, _: Calibrated) -> float:
    return _over_matches(scored, expit(scored.first))


def _matched(scored: Scored, by: Calibrated) -> float:
    return _over_matches(scored, probability(scored.odds, by))


def _over_matches(scored: Scored, p: Floats) -> float:
    """Roots are left out of every measure: the root of a picture resembles the root of any other."""
    cells, (_, n, m) = matched(scored.odds).cells, scored.evidence.shape
    return float(p.take(cells[cells >= m]).sum()) / n


def _objects_together(scored: Scored, _: Calibrated) -> float:
    source, target = (_sum_of_objects(view) for view in scored.evidence.pairs[0])
    norm = float(np.linalg.norm(source) * np.linalg.norm(target))
    return max(float(source @ target) / norm, 0.0) if norm else 0.0


def _sum_of_objects(view: View) -> Floats:
    return np.asarray(view.vectors.reshape(len(FIELDS), len(view), -1)[_OBJECT].sum(0), np.float64)


def _nearest(scored: Scored, _: Calibrated) -> float:
    likeness = scored.evidence.first[WHOLE, 0, 1:, 1:]
    return max(float(likeness.max(1).mean()), 0.0) if likeness.size else 0.0


_MEASURES: dict[str, Callable[[Scored, Calibrated], float]] = {
    "matched by text": _matched_by_text,
    "matched": _matched,
    "objects taken together": _objects_together,
    "nearest node": _nearest,
}
