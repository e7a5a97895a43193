"""How much of the source's meaning the target keeps: a table of named measures, each from 0 to 1.

An alignment's probabilities decide nodes one by one; these weigh the whole, which tells two artifacts of
one prompt apart more surely than counting matches does.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from semiosis.align._view import View

if TYPE_CHECKING:
    from semiosis.align._match import Scored

Cell = tuple[int, int]
"""A row and a column: a source node and a target node."""

_OBJECT = 1
"""Which field of the vectors is the object."""
_WHOLE = 3
"""Which is the sum of the three fields."""


def _first(scored: "Scored", cells: Sequence[Cell]) -> float:
    return float(sum(scored.first[cell] for cell in cells if cell != (0, 0))) / len(scored.source)


def _matched(scored: "Scored", cells: Sequence[Cell]) -> float:
    return float(sum(scored.p[cell] for cell in cells if cell != (0, 0))) / len(scored.source)


def _objects(scored: "Scored", _cells: Sequence[Cell]) -> float:
    source, target = _sum_of_objects(scored.source), _sum_of_objects(scored.target)
    norm = float(np.linalg.norm(source) * np.linalg.norm(target))
    return max(float(source @ target) / norm, 0.0) if norm else 0.0


def _sum_of_objects(view: View) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.asarray(view.vectors[:, _OBJECT].sum(0))


def _nearest(scored: "Scored", _cells: Sequence[Cell]) -> float:
    """Roots are left out: the root of every picture resembles the root of every other."""
    if len(scored.source) == 1 or len(scored.target) == 1:
        return 0.0
    likeness = scored.source.vectors[1:, _WHOLE] @ scored.target.vectors[1:, _WHOLE].T
    return max(float(likeness.max(1).mean()), 0.0)


MEASURES: dict[str, Callable[["Scored", Sequence[Cell]], float]] = {
    "matched by text": _first,
    "matched": _matched,
    "objects taken together": _objects,
    "nearest node": _nearest,
}
"""Name → share of the source that the target keeps."""
