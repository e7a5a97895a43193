"""Pairs that the reference and an evaluator both judged, as numbers."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from semiosis.stats._arrays import Labels, coded, groups, listed
from semiosis.stats._estimate import FloatArray, IntArray
from semiosis.stats._games import Played


@dataclass(frozen=True)
class JudgedPairs:
    """Pairs that both sides judged, as numbers: the generators, the two winners, the unit of resampling."""

    names: tuple[Hashable, ...]
    a: IntArray
    b: IntArray
    truth: FloatArray
    said: FloatArray
    unit: IntArray
    units: int

    @property
    def size(self) -> int:
        """How many generators there are."""
        return len(self.names)

    def played(self, codes: FloatArray) -> Played:
        """The games of one side."""
        return Played(self.names, self.a, self.b, (codes + 1) / 2, 0)

    def wins(self, codes: FloatArray) -> csr_array:
        """Wins in each unit, (units × K·K); few generators meet in one prompt, hence sparse."""
        points = (codes + 1) / 2
        cells = np.concatenate([self.a * self.size + self.b, self.b * self.size + self.a])
        where = (np.concatenate([self.unit, self.unit]), cells)
        return csr_array((np.concatenate([points, 1 - points]), where), shape=(self.units, self.size**2))


def judged_pairs(
    a: Labels, b: Labels, truth: FloatArray, said: FloatArray, prompts: Labels | None
) -> JudgedPairs:
    """The pairs both sides judged, with generators and units numbered."""
    first, second = listed(a), listed(b)
    index, names = coded(first + second)
    left, right = index[: len(first)], index[len(first) :]
    unit = np.arange(len(truth)) if prompts is None else groups(prompts, len(truth))[0]
    return numbered_pairs((left, right, unit), tuple(names), truth, said)


def numbered_pairs(
    numbers: tuple[IntArray, IntArray, IntArray],
    names: tuple[Hashable, ...],
    truth: FloatArray,
    said: FloatArray,
) -> JudgedPairs:
    """The same from numbers of a, b and unit; generators and units without a judged pair are left out."""
    kept = ~(np.isnan(truth) | np.isnan(said))
    a, b, unit = (array[kept] for array in numbers)
    there, index = np.unique(np.concatenate([a, b]), return_inverse=True)
    units, unit = np.unique(unit, return_inverse=True)
    left, right = index[: len(a)], index[len(a) :]
    some = tuple(names[number] for number in there.tolist())
    return JudgedPairs(some, left, right, truth[kept], said[kept], unit, len(units))
