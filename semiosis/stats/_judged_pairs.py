"""The pairs that the reference and an evaluator both judged, as arrays of numbers."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from semiosis.stats._arrays import Labels, as_list, encode_labels, group_codes
from semiosis.stats._estimate import FloatArray, IntArray
from semiosis.stats._games import GameArrays


@dataclass(frozen=True)
class JudgedPairs:
    """The generators, the two winners and the resampling unit of each pair that both sides judged."""

    names: tuple[Hashable, ...]
    a: IntArray
    b: IntArray
    truth: FloatArray
    outcome: FloatArray
    unit: IntArray
    units: int

    @property
    def size(self) -> int:
        """The number of generators."""
        return len(self.names)

    def games(self, codes: FloatArray) -> GameArrays:
        """Return the games of one side."""
        return GameArrays(self.names, self.a, self.b, (codes + 1) / 2, 0)

    def wins(self, codes: FloatArray) -> csr_array:
        """Return the wins in each unit (units × K·K), sparse because few generators meet in one prompt."""
        points = (codes + 1) / 2
        cells = np.concatenate([self.a * self.size + self.b, self.b * self.size + self.a])
        where = (np.concatenate([self.unit, self.unit]), cells)
        return csr_array((np.concatenate([points, 1 - points]), where), shape=(self.units, self.size**2))


def judged_pairs(
    a: Labels, b: Labels, truth: FloatArray, outcome: FloatArray, prompts: Labels | None
) -> JudgedPairs:
    """Return the pairs that both sides judged, with generators and units numbered."""
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
    """Return the pairs that both sides judged, from the numbers of a, b and unit.

    Generators and units without a judged pair are left out.
    """
    kept = ~(np.isnan(truth) | np.isnan(outcome))
    a, b, unit = (array[kept] for array in numbers)
    present, index = np.unique(np.concatenate([a, b]), return_inverse=True)
    units, unit = np.unique(unit, return_inverse=True)
    left, right = index[: len(a)], index[len(a) :]
    present_names = tuple(names[number] for number in present.tolist())
    return JudgedPairs(present_names, left, right, truth[kept], outcome[kept], unit, len(units))
