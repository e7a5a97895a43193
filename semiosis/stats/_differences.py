"""Differences between the judges of a table and a baseline, and between every two judges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from semiosis.stats._equivalence import two_one_sided
from semiosis.stats._estimate import Estimate, FloatArray
from semiosis.stats._frames import Result
from semiosis.stats._judges import COLUMNS, holm, judge_difference
from semiosis.stats._rows import JudgeRow, ReferenceSet, pairs_of
from semiosis.stats._votes import Outcomes
from semiosis.values import UsageError

MIN_PERMUTATIONS = 10_000
"""The minimum number of exchanges. With fewer, a p of .02 varies by a fifth, which Holm multiplies."""


@dataclass(frozen=True)
class JudgePair(Result):
    """Two judges on the comparisons that both scored."""

    first: str
    second: str
    difference: Estimate
    """Half credit of the first minus that of the second; p is adjusted by Holm over all pairs."""
    equivalence: Estimate | None = None
    """Two one-sided tests within the margin, if one was given."""


def with_differences(
    rows: Sequence[JudgeRow],
    outcomes: Mapping[str, Outcomes],
    reference: ReferenceSet,
    baseline: str | None,
    margin: float | None,
) -> list[JudgeRow]:
    """Return the rows with their difference in half credit from the baseline, p adjusted by Holm."""
    if baseline is None:
        return list(rows)
    if baseline not in outcomes:
        raise UsageError(
            f"the baseline {baseline!r} is not a judge", fix=f"choose one of {', '.join(map(repr, outcomes))}"
        )
    pairs = [(name, baseline) for name in outcomes if name != baseline]
    found = {pair.first: pair for pair in judge_pairs(pairs, outcomes, reference, margin)}
    return [
        replace(row, difference=found[row.judge].difference, equivalence=found[row.judge].equivalence)
        if row.judge in found
        else row
        for row in rows
    ]


def all_judge_pairs(
    names: Sequence[str], outcomes: Mapping[str, Outcomes], reference: ReferenceSet, margin: float | None
) -> tuple[JudgePair, ...]:
    """Return every judge against every other, p adjusted by Holm over all pairs."""
    return judge_pairs(list(combinations(names, 2)), outcomes, reference, margin)


def judge_pairs(
    pairs: Sequence[tuple[str, str]],
    outcomes: Mapping[str, Outcomes],
    reference: ReferenceSet,
    margin: float | None,
) -> tuple[JudgePair, ...]:
    """Return the difference of each pair of judges, p adjusted by Holm over these pairs."""
    found = [_compared(outcomes[first], outcomes[second], reference, margin) for first, second in pairs]
    adjusted = holm([difference.p for difference, _ in found])
    return tuple(
        JudgePair(first, second, replace(difference, p=p), equal)
        for (first, second), (difference, equal), p in zip(pairs, found, adjusted, strict=True)
    )


def _compared(
    first: Outcomes, second: Outcomes, reference: ReferenceSet, margin: float | None
) -> tuple[Estimate, Estimate | None]:
    """Return the difference in half credit on the comparisons both scored, averaged over repeats."""
    both = reference.used & ~np.isnan(first.winner).any(axis=0) & ~np.isnan(second.winner).any(axis=0)
    one, two = (_columns(side, reference, both) for side in (first, second))
    found = judge_difference(
        one, two, reference.resampling, max(reference.resampling.resamples, MIN_PERMUTATIONS)
    )
    difference = replace(found, name="difference in half credit", n=int(both.sum()))
    if margin is None:
        return difference, None
    equal = two_one_sided(one, two, margin)
    return difference, replace(equal, name="equivalence in half credit", n=int(both.sum()))


def _columns(outcomes: Outcomes, reference: ReferenceSet, both: np.ndarray) -> FloatArray:
    each = [COLUMNS["half credit"](pairs) for pairs in pairs_of(outcomes, reference, both)]
    return np.asarray(np.mean(each, axis=0))
