"""The ranks that data leave open: for each of several competitors, the best and the worst plausible rank."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats as scipy_stats

from semiosis.stats._estimate import MIN_UNITS
from semiosis.stats._judges import holm


@dataclass(frozen=True)
class RankSet:
    """The ranks of one competitor that the data do not exclude."""

    best: int
    """1 + the number of competitors that are significantly better."""
    worst: int
    """The number of competitors − those that are significantly worse."""

    def __str__(self) -> str:
        return str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"


def rank_sets(values: Mapping[str, Mapping[str, float]], *, level: float = 0.95) -> dict[str, RankSet]:
    """Return the ranks of each competitor that its values per prompt leave open, by its name.

    Every two competitors are compared on the prompts that both have, by a paired t test; Holm's correction
    over all pairs makes all rank sets hold together with the probability `level` (Mogstad et al. 2024 use
    the same construction). With fewer than five common prompts, neither is better.

    >>> sets = rank_sets({"x": {str(n): n % 3 + 9.0 for n in range(9)}, "y": {str(n): 1.0 for n in range(9)}})
    >>> str(sets["x"]), str(sets["y"])
    ('1', '2')
    """
    pairs = list(combinations(values, 2))
    tests = [_paired_test(values[a], values[b]) for a, b in pairs]
    adjusted = holm([p for _, p in tests])
    better: dict[str, int] = dict.fromkeys(values, 0)
    worse: dict[str, int] = dict.fromkeys(values, 0)
    for (a, b), (difference, _), p in zip(pairs, tests, adjusted, strict=True):
        if p is not None and p < 1 - level and difference:
            winner, loser = (a, b) if difference > 0 else (b, a)
            better[loser] += 1
            worse[winner] += 1
    return {name: RankSet(1 + better[name], len(values) - worse[name]) for name in values}


def _paired_test(first: Mapping[str, float], second: Mapping[str, float]) -> tuple[float, float]:
    """Return the mean difference over common prompts and the two-sided p of its paired t test."""
    common = [prompt for prompt in first if prompt in second]
    if len(common) < MIN_UNITS:
        return 0.0, 1.0
    differences = np.array([first[prompt] - second[prompt] for prompt in common])
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    if spread <= 1e-12 * (1 + abs(mean)):
        # Without any spread there is no t statistic: a sign test of n equal signs gives 2 · 0.5ⁿ.
        return mean, 2 * 0.5 ** len(common) if mean else 1.0
    t = mean / (spread / np.sqrt(len(common)))
    return mean, float(2 * scipy_stats.t.sf(abs(t), len(common) - 1))
