"""The variance of scores over a second unit: other generators, or other annotators."""

import numpy as np

from semiosis.stats._estimate import MIN_UNITS, ResamplingUnit
from semiosis.stats._score import Ruler, ruler_of
from semiosis.stats._votes import OutcomeArrays, Votes
from semiosis.values import UsageError


def second_unit_variance(
    unit: ResamplingUnit, ruler: Ruler, votes: Votes, outcomes: OutcomeArrays
) -> tuple[float, int] | None:
    """Return the variance of a score over generators or annotators, and their number; None for prompts.

    It is the jackknife variance: the score is computed without each unit in turn. Added to the variance over
    prompts it is conservative, because what the two share is counted twice.
    """
    if unit == "prompt":
        return None
    if unit == "prompt and generator":
        a, b = (np.array(side) for side in (votes.a, votes.b))
        names = sorted({*votes.a, *votes.b} - {""})
        rulers = (
            ruler_of(votes, ruler.annotators, ruler.has_reference & (a != name) & (b != name))
            for name in names
        )
    elif unit == "prompt and annotator":
        names = list(ruler.annotators)
        rulers = (
            ruler_of(votes, [other for other in names if other != name], ruler.has_reference)
            for name in names
        )
    else:
        raise UsageError(
            f"unknown unit {unit!r}", fix="use 'prompt', 'prompt and generator' or 'prompt and annotator'"
        )
    if len(names) < MIN_UNITS:
        return float("nan"), len(names)
    scores = [values.mean() for other in rulers if len(values := other.score_values(outcomes))]
    count = len(scores)
    return float((count - 1) * np.var(scores)), count
