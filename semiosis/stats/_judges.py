"""Tests of two judges on the same comparisons: paired difference, McNemar's test, Holm's adjustment.

Tests and intervals are over whole prompts, because the pairs of one prompt depend on one another. McNemar's
test ignores that and is labelled pair-level.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np
from scipy import stats as scipy_stats

from semiosis.stats._arrays import (
    Labels,
    Numbers,
    Winners,
    flip_mask,
    floats,
    group_codes,
    probabilities,
    same_length,
    winner_codes,
)
from semiosis.stats._concordance import Pairs, mean_columns, prompt_half_credit, prompt_tau, ratio
from semiosis.stats._estimate import Estimate, FloatArray, defined, undefined
from semiosis.stats._resample import Limits, Resampling, interval
from semiosis.values import UsageError

AgreementName = Literal["half credit", "krcc", "agreement"]
"""The statistics by which two judges can be compared."""

RANGES: dict[AgreementName, Limits] = {
    "half credit": (-1.0, 1.0),
    "krcc": (-1.0, 1.0),
    "agreement": (0.0, 1.0),
}
"""The smallest and the largest value of each statistic."""


def agreement_columns(pairs: Pairs) -> FloatArray:
    """Return two columns per prompt: judged pairs that agree with the reference, and all judged pairs."""
    table = pairs.table
    return np.stack([table[:, 0] + table[:, 4], table.sum(axis=1)], axis=1)


COLUMNS: dict[AgreementName, Callable[[Pairs], FloatArray]] = {
    "half credit": lambda pairs: mean_columns(prompt_half_credit(pairs.table)),
    "krcc": lambda pairs: mean_columns(prompt_tau(pairs.table)),
    "agreement": agreement_columns,
}
"""Each statistic as two columns per prompt whose sums' ratio is the statistic."""


def compare_judges(
    reference: Winners,
    first: Winners,
    second: Winners,
    prompts: Labels,
    *,
    statistic: AgreementName = "half credit",
    resamples: int = 10_000,
    permutations: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Return the difference of two judges' agreement with the reference, on the comparisons both judged.

    The interval is Student's t over prompts. p is two-sided and comes from exchanging the two judges in whole
    prompts. It is exact if 2ⁿ, the number of exchanges of n prompts, is at most `permutations`. KRCC is
    compared on the prompts on which both judges have one. `related["mcnemar_p_pair_level"]` is McNemar's p,
    which treats pairs as independent.

    >>> r = compare_judges("aaaa", "aaaa", "abab", "ppqq", statistic="agreement", seed=1)
    >>> float(r), r.n
    (0.5, 4)
    """
    if statistic not in COLUMNS:
        raise UsageError(f"unknown statistic {statistic!r}", fix=f"use one of {', '.join(COLUMNS)}")
    one, two, n, unscored = common_pairs(reference, first, second, prompts)
    sides = (one, two)
    columns = [COLUMNS[statistic](side) for side in sides]
    right = [np.asarray((side.kind == 0) | (side.kind == 4)) for side in sides]
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    found = judge_difference(columns[0], columns[1], resampling, permutations)
    return Estimate(
        name=f"difference in {statistic}",
        value=found.value,
        n=n,
        n_unscored=unscored,
        interval=found.interval,
        p=found.p,
        unit="prompt",
        method="t over prompts; judges exchanged in whole prompts",
        parameters={"statistic": statistic, **found.parameters},
        seed=seed,
        related={"mcnemar_p_pair_level": mcnemar(right[0], right[1]).p, **found.related},
    )


def common_pairs(
    reference: Winners, first: Winners, second: Winners, prompts: Labels
) -> tuple[Pairs, Pairs, int, int]:
    """Return both judges' pairs on the comparisons both scored, the number of these, and of the others."""
    truth, one, two = same_length(
        reference=winner_codes(reference), first=winner_codes(first), second=winner_codes(second)
    )
    index, count = group_codes(prompts, len(truth))
    common = ~(np.isnan(one) | np.isnan(two) | np.isnan(truth))
    left, right = (
        Pairs(truth[common], outcome[common], index[common], count, flip_mask(winners)[common])
        for outcome, winners in ((one, first), (two, second))
    )
    return left, right, int(common.sum()), int((~np.isnan(truth) & ~common).sum())


def shared_columns(first: FloatArray, second: FloatArray) -> FloatArray:
    """Return the columns of both judges on the prompts on which both have a value."""
    shared = (first[:, 1] > 0) & (second[:, 1] > 0)
    return np.concatenate([first, second], axis=1)[shared]


def judge_difference(
    first: FloatArray, second: FloatArray, resampling: Resampling, permutations: int
) -> Estimate:
    """Return the difference of two ratios of column sums, over prompts on which both judges have a value."""
    columns = shared_columns(first, second)
    value = float(ratio_difference(columns.sum(axis=0)))
    has_p = permutations > 0 and len(columns) > 1 and np.isfinite(value)
    return Estimate(
        name="difference",
        value=defined(value, "one of the two judges has no value on the common comparisons"),
        n=len(columns),
        interval=interval(columns, ratio_difference, resampling) if resampling.resamples else None,
        p=_exchange_p(columns, value, permutations, resampling.seed) if has_p else None,
        unit="prompt",
        parameters={
            "resamples": resampling.resamples,
            "permutations": permutations,
            "level": resampling.level,
        },
        seed=resampling.seed,
        related={"prompts": len(columns)},
    )


def mcnemar(first_right: Sequence[bool] | Numbers, second_right: Sequence[bool] | Numbers) -> Estimate:
    """Return McNemar's exact, pair-level test of two judges' answers to the same items (McNemar 1947).

    The value is the difference of the shares right; p is the two-sided binomial p of the items on which only
    one of the two is right.

    >>> r = mcnemar([1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 1, 1])
    >>> float(r), r.p
    (0.5, 0.375)
    """
    one, two = same_length(first_right=floats(first_right), second_right=floats(second_right))
    kept = ~(np.isnan(one) | np.isnan(two))
    only_first = int((one[kept] > two[kept]).sum())
    only_second = int((one[kept] < two[kept]).sum())
    n = int(kept.sum())
    differing = only_first + only_second
    p = min(1.0, 2 * float(scipy_stats.binom.cdf(min(only_first, only_second), differing, 0.5)))
    return Estimate(
        name="difference in share right",
        value=(only_first - only_second) / n if n else undefined("no item that both judged"),
        n=n,
        n_unscored=int((~kept).sum()),
        p=p if n else None,
        unit="pair",
        method="McNemar, exact, pair-level",
        related={"only_first_right": only_first, "only_second_right": only_second},
    )


def holm(p_values: Numbers) -> list[float | None]:
    """Return p values adjusted by Holm's step-down method, in the same order (Holm 1979). None stays None.

    >>> [round(p, 6) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = probabilities(p_values, "p")
    tested = np.flatnonzero(~np.isnan(p))
    order = tested[np.argsort(p[tested], kind="stable")]
    steps = np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1))
    adjusted: list[float | None] = [None] * len(p)
    for position, step in zip(order, steps, strict=True):
        adjusted[int(position)] = min(1.0, float(step))
    return adjusted


def ratio_difference(sums: FloatArray) -> FloatArray:
    """Return the difference of two ratios from sums (…, 4)."""
    return np.asarray(ratio(sums[..., :2]) - ratio(sums[..., 2:]))


def _exchange_p(columns: FloatArray, observed: float, permutations: int, seed: int) -> float:
    """Return the two-sided p from exchanging the judges in whole prompts, each with probability one half.

    With few prompts, every possible exchange is counted and p is exact. The smallest exact p of 5 prompts is
    2/32; random exchanges would sometimes give a p below .05.
    """
    swap = columns[:, [2, 3, 0, 1]] - columns
    extreme = 0
    for exchanged in _exchanges(len(columns), permutations, seed):
        drawn = np.abs(ratio_difference(columns.sum(axis=0) + exchanged @ swap))
        # NaN (a judge left without a defined prompt) counts as extreme, so that p is never too small
        extreme += int((~(drawn < abs(observed) - 1e-12)).sum())
    every = _counts_every_exchange(len(columns), permutations)
    return extreme / 2 ** len(columns) if every else (1 + extreme) / (1 + permutations)


def _exchanges(units: int, permutations: int, seed: int) -> Iterator[FloatArray]:
    """Yield all exchanges, or random ones, in blocks (rows × units), with 1 where judges are exchanged."""
    if _counts_every_exchange(units, permutations):
        yield (np.arange(2**units)[:, None] >> np.arange(units) & 1).astype(np.float64)
        return
    rng = np.random.default_rng(seed)
    block = max(1, 4_000_000 // units)
    for start in range(0, permutations, block):
        rows = min(block, permutations - start)
        yield rng.integers(0, 2, (rows, units), dtype=np.int8).astype(np.float64)


def _counts_every_exchange(units: int, permutations: int) -> bool:
    return units <= permutations.bit_length() - 1
