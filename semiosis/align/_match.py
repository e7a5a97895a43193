"""Matches of the nodes of two HSGs by embeddings: cosines, a cut, and a one-to-one assignment."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.special import expit

from semiosis.align._embedded import EmbeddedHSG

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

NO_MATCH = -1.0
"""The value for pairs that must not match."""
_SAME = 1.0
_BELOW_SAME = 1 - 1e-6
"""The largest value for different texts, because texts with the same words can have the same vector."""


class NodeMatching(NamedTuple):
    """The comparison of two HSGs, node by node, and the matches found."""

    cosines: Floats
    """Source nodes × target nodes: 1 for the same text, -1 for a root with a node that is not a root."""
    rows: Rows
    """Source nodes of the matches, in ascending order."""
    columns: Rows
    """Target nodes of the matches."""


def match_nodes(source: EmbeddedHSG, target: EmbeddedHSG, cut: float) -> NodeMatching:
    """Return the cosines of two HSGs' nodes, and the best one-to-one matches above the cut.

    Exchanging the HSGs transposes the result. Ties and rounding would break this symmetry, so the HSGs are
    always compared in the order of their texts.
    """
    if source.texts > target.texts:
        transposed = match_nodes(target, source, cut)
        order = np.argsort(transposed.columns)
        return NodeMatching(transposed.cosines.T, transposed.columns[order], transposed.rows[order])
    cosines = _cosines(source, target)
    return NodeMatching(cosines, *assign(cosines, cut))


def assign(cosines: Floats, cut: float) -> tuple[Rows, Rows]:
    """Return rows and columns of the one-to-one pairs that maximise the sum of cosines above the cut."""
    rows, columns = linear_sum_assignment(np.maximum(cosines - cut, 0.0), maximize=True)
    above = cosines[rows, columns] > cut
    return rows[above], columns[above]


def match_probabilities(cosines: Floats, cut: float, slope: float, intercept: float) -> Floats:
    """Return the stated probabilities of matches, which depend on how far the cosine exceeds the cut.

    The probability is 1 for the same text.
    """
    calibrated = np.asarray(expit(slope * (cosines - cut) + intercept))
    return np.where(cosines == _SAME, 1.0, np.where(cosines == NO_MATCH, 0.0, calibrated))


def objects_differ(
    source: EmbeddedHSG, target: EmbeddedHSG, matching: NodeMatching, share: float
) -> NDArray[np.bool_]:
    """Return, for each match, whether the objects' cosine is below this share of the nodes' cosine.

    Both cosines are those of the embedder, without a mean subtracted: the mean of whole nodes is not that of
    objects.
    """
    rows, columns = matching.rows, matching.columns
    object_cosines, node_cosines = (
        np.einsum("ij,ij->i", ours[rows], theirs[columns])
        for ours, theirs in ((source.objects, target.objects), (source.vectors, target.vectors))
    )
    return np.asarray(object_cosines < share * node_cosines)


def _cosines(source: EmbeddedHSG, target: EmbeddedHSG) -> Floats:
    cosines = np.clip((source.centred @ target.centred.T).astype(np.float64), NO_MATCH, _BELOW_SAME)
    for text in set(source.texts) & set(target.texts):
        cosines[np.ix_(_rows(source, text), _rows(target, text))] = _SAME
    cosines[0, 1:] = cosines[1:, 0] = NO_MATCH
    return cosines


def _rows(hsg: EmbeddedHSG, text: str) -> list[int]:
    return [row for row, node_text in enumerate(hsg.texts) if node_text == text]
