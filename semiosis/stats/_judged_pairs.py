"""Pairs that the reference and an evaluator both judged, as numbers."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from semiosis.stats._arrays import Labels, as_list, encode_labels, group_codes
from semiosis.stats._estimate import FloatArray, IntArray
from semiosis.stats._games import GameArrays


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs that both sides judged, as numbers: the generators, the two winners, the unit of resampling."""

    names: tuple[Hashable, ...]
    a: IntArray
    b: IntArray
    truth: FloatArray
    outcome: FloatArray
    unit: IntArray
    units: int

    @property
    def size(self) -> int:
        """How many generators there are."""
        return len(self.names)

    def games(self, codes: FloatArray) -> GameArrays:
        """The games of one side."""
        return GameArrays(self.names, self.a, self.b, (codes + 1) / 2, 0)

    def wins(self, codes: FloatArray) -> csr_array:
        """Wins in each unit, (units × K·K); few generators meet in one prompt, hence sparse."""
        points = (codes + 1) / 2
        cells = np.concatenate([self.a * self.size + self.b, self.b * self.size + self.a])
        where = (np.concatenate([self.unit, self.unit]), cells)
        return csr_array((np.concatenate([points, 1 - points]), where), shape=(self.units, self.size**2))


def judged_pairs(
    a: Labels, b: Labels, truth: FloatArray, outcome: FloatArray, prompts: Labels | None
) -> JudgedPairs:
    """The pairs both sides judged, with generators and units numbered."""
    first, second = as_list(a), as_list(b)
    index, names = encode_labels(first + second)
    left, right = index[: len(first)], index[len(first) :]
    unit = np.arange(len(truth)) if prompts is None else group_codes(prompts, len(truth))[0]
    return numbered_pairs((left, right, unit), tuple(names), truth, outcome)


def numbered_pairs(
    numbers: tuple[IntArray, IntArray, IntArray],
    names: tuple[Hashable, ...],
    truth: FloatArray,
    outcome: FloatArray,
) -> JudgedPairs:
    """The same from numbers of a, b and unit; generators and units without a judged pair are left out."""
    kept = ~(np.isnan(truth) | np.isnan(outcome))
    a, b, unit = (array[kept] for array in numbers)
    there, index = np.unique(np.concatenate([a, b]), return_inverse=True)
    units, unit = np.unique(unit, return_inverse=True)
    left, right = index[: len(a)], index[len(a) :]
    some = tuple(names[number] for number in there.tolist())
    return JudgedPairs(some, left, right, truth[kept], outcome[kept], unit, len(units))
