"""The method: one cosine per pair of nodes, one cut, a one-to-one assignment, root only with root."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.special import expit

from semiosis.align._embedded import EmbeddedHSG

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

NEVER = -1.0
"""The value for pairs that may not match."""
_SAME = 1.0
_BELOW_SAME = 1 - 1e-6
"""The largest value for different texts: two texts of the same words in another order can have one vector."""


class Compared(NamedTuple):
    """Two HSGs compared node by node."""

    cosines: Floats
    """Source nodes × target nodes: 1 for the same text, -1 for a root with a node that is not a root."""
    rows: Rows
    """Source nodes of the matches, in ascending order."""
    columns: Rows
    """Target nodes of the matches."""


def compare(source: EmbeddedHSG, target: EmbeddedHSG, cut: float) -> Compared:
    """The cosines of two HSGs' nodes, and the matches: the best one-to-one pairs above the cut.

    The result is the same, transposed, when the HSGs change places: ties and rounding depend on the order
    in which HSGs are compared, so that order follows their content.
    """
    if source.texts > target.texts:
        back = compare(target, source, cut)
        order = np.argsort(back.columns)
        return Compared(back.cosines.T, back.columns[order], back.rows[order])
    cosines = _cosines(source, target)
    return Compared(cosines, *assign(cosines, cut))


def assign(cosines: Floats, cut: float) -> tuple[Rows, Rows]:
    """Rows and columns of the one-to-one pairs whose cosines exceed the cut by the most in sum."""
    rows, columns = linear_sum_assignment(np.maximum(cosines - cut, 0.0), maximize=True)
    kept = cosines[rows, columns] > cut
    return rows[kept], columns[kept]


def probabilities(cosines: Floats, slope: float, intercept: float) -> Floats:
    """The probability that two nodes carry the same meaning; 1 for the same text."""
    calibrated = np.asarray(expit(slope * cosines + intercept))
    return np.where(cosines == _SAME, 1.0, np.where(cosines == NEVER, 0.0, calibrated))


def objects_differ(
    source: EmbeddedHSG, target: EmbeddedHSG, compared: Compared, share: float
) -> NDArray[np.bool_]:
    """For each match whether the objects' cosine is below this share of the nodes' cosine."""
    rows, columns = compared.rows, compared.columns
    of_objects = np.einsum("ij,ij->i", source.objects[rows], target.objects[columns])
    return np.asarray(of_objects < share * compared.cosines[rows, columns])


def _cosines(source: EmbeddedHSG, target: EmbeddedHSG) -> Floats:
    cosines = np.clip((source.vectors @ target.vectors.T).astype(np.float64), NEVER, _BELOW_SAME)
    for text in set(source.texts) & set(target.texts):
        cosines[np.ix_(_rows(source, text), _rows(target, text))] = _SAME
    cosines[0, 1:] = cosines[1:, 0] = NEVER
    return cosines


def _rows(hsg: EmbeddedHSG, text: str) -> list[int]:
    return [row for row, other in enumerate(hsg.texts) if other == text]
