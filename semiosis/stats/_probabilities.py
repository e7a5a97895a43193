"""Calibration of stated probabilities by Brier score, expected calibration error and a reliability table.

Sources: Brier 1950; Naeini, Cooper and Hauskrecht 2015 (expected calibration error, equal-width bins).
"""

from dataclasses import dataclass

import numpy as np

from semiosis.stats._agreement import sum_by_group
from semiosis.stats._arrays import Labels, Numbers, Winners, as_list, probabilities, same_length, winner_codes
from semiosis.stats._concordance import mean_columns, ratio
from semiosis.stats._estimate import Estimate, FloatArray, format_number, undefined
from semiosis.stats._frames import Result
from semiosis.stats._resample import Resampling, interval
from semiosis.stats._votes import Votes
from semiosis.values import Unscored


@dataclass(frozen=True)
class ReliabilityBin(Result):
    """The comparisons whose stated probability lies in one bin."""

    low: float
    high: float
    n: int
    stated: float | Unscored
    """Mean stated probability that a wins."""
    observed: float | Unscored
    """Share of the comparisons that a won."""

    @property
    def gap(self) -> float:
        """The distance of the stated probability from the observed share; 0 for an empty bin."""
        if isinstance(self.stated, Unscored) or isinstance(self.observed, Unscored):
            return 0.0
        return abs(self.stated - self.observed)

    def __str__(self) -> str:
        if isinstance(self.stated, Unscored) or isinstance(self.observed, Unscored):
            return "empty"
        return f"{format_number(self.stated, 2)}→{format_number(self.observed, 2)}"


@dataclass(frozen=True)
class ProbabilityCalibration(Result):
    """The agreement of stated probabilities with observed shares."""

    brier: Estimate
    """The mean of (p − y)², where y is 1 if a won: 0 is perfect, and always stating ½ gives 0.25."""
    ece: Estimate
    """The mean distance of stated probabilities from observed shares, weighted by the comparisons per bin."""
    bins: tuple[ReliabilityBin, ...]
    """The reliability table."""

    table_rows = ("bins",)

    def __str__(self) -> str:
        table = ", ".join(str(part) for part in self.bins if part.n)
        return f"{self.brier}; {self.ece}; stated→observed: {table}"


def probability_calibration(
    p_a: Numbers,
    reference: Winners,
    prompts: Labels | None = None,
    *,
    bins: int = 10,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> ProbabilityCalibration:
    """Return the calibration of the stated probabilities that a wins, against the reference's winners.

    Comparisons that the reference ties have no outcome and are left out (`related["reference_ties"]`).

    >>> found = probability_calibration([0.9, 0.8, 0.3, 0.6], list("aabb"), resamples=0)
    >>> round(float(found.brier), 4)  # (.01 + .04 + .09 + .36)/4
    0.125
    """
    stated, truth = same_length(p_a=probabilities(p_a, "p_a"), reference=winner_codes(reference))
    decided = np.abs(truth) == 1
    kept = decided & ~np.isnan(stated)
    p, y = stated[kept], (truth[kept] + 1) / 2
    squares = np.where(kept, (stated - (truth + 1) / 2) ** 2, np.nan)
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    none = undefined("no comparison has a stated probability and a decided reference")
    columns = sum_by_group(mean_columns(squares), None if prompts is None else as_list(prompts))
    n, unscored = int(kept.sum()), int((decided & ~kept).sum())
    table = _bins(p, y, bins)
    gaps = [part.n * part.gap for part in table]
    return ProbabilityCalibration(
        brier=Estimate(
            name="Brier",
            value=float(np.nanmean(squares)) if kept.any() else none,
            interval=interval(columns, ratio, resampling, (0.0, 1.0)) if resamples and kept.any() else None,
            unit="item" if prompts is None else "prompt",
            method="mean of (p − y)²",
            related={"reference_ties": int((truth == 0).sum())},
            n=n,
            n_unscored=unscored,
        ),
        ece=Estimate(
            name="ECE",
            value=float(sum(gaps) / kept.sum()) if kept.any() else none,
            method=f"{bins} bins of equal width",
            parameters={"bins": bins},
            n=n,
            n_unscored=unscored,
        ),
        bins=table,
    )


def judge_probabilities(votes: Votes, name: str) -> FloatArray | None:
    """Return the mean probability that one judge stated for a in each comparison, over orders and repeats."""
    if votes.p_a is None or name not in votes.evaluators:
        return None
    selected = (votes.evaluator == votes.evaluators.index(name)) & ~np.isnan(votes.p_a)
    if not selected.any():
        return None
    size = len(votes.prompt)
    count = np.bincount(votes.comparison[selected], minlength=size)
    total = np.bincount(votes.comparison[selected], weights=votes.p_a[selected], minlength=size)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


def _bins(p: FloatArray, y: FloatArray, bins: int) -> tuple[ReliabilityBin, ...]:
    place = np.minimum((p * bins).astype(np.intp), bins - 1)
    found = []
    for number in range(bins):
        inside = place == number
        empty = undefined("no comparison in this bin")
        found.append(
            ReliabilityBin(
                number / bins,
                (number + 1) / bins,
                int(inside.sum()),
                float(p[inside].mean()) if inside.any() else empty,
                float(y[inside].mean()) if inside.any() else empty,
            )
        )
    return tuple(found)
