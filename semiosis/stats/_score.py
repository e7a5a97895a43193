"""The score of judges and people on one ruler, and its interval.

A right answer counts 1, a wrong one −1, a tie or no answer 0. The score is the mean over the comparisons of a
prompt, and then over prompts, of all comparisons that have a reference.

If the reference has several annotators, each of them is left out once, and judges are measured against the
majority of the others, as that annotator is; the score of a judge is the mean over annotators. People and
judges therefore stand on one ruler. Against the majority of all annotators, a judge that is simply one more
annotator would come out above most people.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import stats as scipy_stats

from semiosis.stats._arrays import Labels, Winners, group_codes, same_length, winner_codes
from semiosis.stats._estimate import (
    MIN_UNITS,
    BoolArray,
    Estimate,
    FloatArray,
    IntArray,
    Interval,
    ResamplingUnit,
    undefined,
)
from semiosis.stats._resample import NO_WIDTH, too_few_units
from semiosis.stats._votes import OutcomeArrays, Votes, majority_of, outcomes_of
from semiosis.values import Unscored, UsageError

SCORE_METHOD = "right +1, wrong −1, tie or no answer 0; mean over prompts"


@dataclass(frozen=True, eq=False)
class Ruler:
    """What judges and people are measured against. Arrays have one entry per comparison."""

    annotators: tuple[str, ...]
    """The annotators of the reference."""
    truth: FloatArray
    """The majority of all annotators: 1 for a, −1 for b, 0 for a tie, NaN without a reference."""
    others: FloatArray
    """The majority of the other annotators where this one voted, NaN elsewhere (annotators × comparisons)."""
    people: FloatArray
    """The outcome of each annotator, over repeats by majority; NaN without a vote."""
    prompt: IntArray
    """The number of each comparison's prompt."""
    prompts: int
    """The number of prompts."""

    @cached_property
    def has_reference(self) -> BoolArray:
        """The comparisons that have a reference winner or tie."""
        return np.asarray(~np.isnan(self.truth))

    @cached_property
    def weight(self) -> FloatArray:
        """What the answer a earns: the mean majority with each annotator left out in turn, from −1 to 1.

        Where only one annotator voted, nobody is left out. Comparisons without a reference have weight 0.
        """
        counts = (~np.isnan(self.others)).sum(axis=0)
        mean = np.nansum(self.others, axis=0) / np.maximum(counts, 1)
        weight = np.where(counts > 0, mean, self.truth)
        return np.where(self.has_reference, weight, 0.0)

    @property
    def best(self) -> float:
        """The highest score that answers to all comparisons can have. People who disagree lower it."""
        values = self.by_prompt(np.abs(self.weight))
        return float(values.mean()) if len(values) else float("nan")

    def by_prompt(self, earned: FloatArray, counted: BoolArray | None = None) -> FloatArray:
        """Return the mean of what comparisons earn in each prompt that has counted ones."""
        counted = self.has_reference if counted is None else counted
        size = np.bincount(self.prompt[counted], minlength=self.prompts)
        total = np.bincount(self.prompt[counted], weights=earned[counted], minlength=self.prompts)
        return np.asarray(total[size > 0] / size[size > 0])

    def score_values(self, outcomes: OutcomeArrays) -> FloatArray:
        """Return the score of a judge in each prompt that has a reference."""
        return self.by_prompt(answer_values(outcomes) * self.weight)

    def person_values(self, number: int) -> FloatArray:
        """Return the score of an annotator in each prompt, against the majority of the others."""
        others = self.others[number]
        earned = np.nan_to_num(self.people[number]) * np.nan_to_num(others)
        return self.by_prompt(earned, ~np.isnan(others))


def answer_values(outcomes: OutcomeArrays) -> FloatArray:
    """Return the mean answer over repeats: 1 for a, −1 for b, 0 for a tie, a flip or no answer.

    A repeat that was not asked about a comparison does not count, but a comparison that no repeat was asked
    about counts 0.
    """
    asked = outcomes.asked.sum(axis=0)
    return np.asarray(np.nan_to_num(outcomes.winner).sum(axis=0) / np.maximum(asked, 1))


def ruler_of(votes: Votes, annotators: Sequence[str], used: BoolArray | None = None) -> Ruler:
    """Return the ruler of these annotators. `used` selects comparisons, as a crowd's quality control does."""
    rows = [outcomes_of(votes, name).winner for name in annotators]
    truth = majority_of(np.concatenate(rows))[0]
    people = np.stack([majority_of(row)[0] for row in rows])
    others = np.full_like(people, np.nan)
    for number in range(len(rows)):
        rest = rows[:number] + rows[number + 1 :]
        if rest:
            others[number] = np.where(np.isnan(people[number]), np.nan, majority_of(np.concatenate(rest))[0])
    if used is not None:
        truth, others = np.where(used, truth, np.nan), np.where(used, others, np.nan)
    index, count = group_codes(votes.prompt, len(votes.prompt))
    return Ruler(tuple(annotators), truth, others, people, index, count)


def score(
    reference: Winners, evaluator: Winners, prompts: Labels | None = None, *, level: float = 0.95
) -> Estimate:
    """Return the score of an evaluator over all comparisons that have a reference.

    `compare` measures judges and people against several annotators. Without `prompts`, all comparisons count
    as one prompt. `related["best"]` is the best possible score.

    >>> float(score(["a", "a", "b", "b"], ["a", "a", "b", ""]))
    0.75
    """
    truth, answers = same_length(reference=winner_codes(reference), evaluator=winner_codes(evaluator))
    ruler = single_ruler(truth, prompts)
    none = np.zeros((1, len(answers)), dtype=np.bool_)
    return score_estimate(ruler, OutcomeArrays(answers[None], none, none, ~none), level=level)


def single_ruler(truth: FloatArray, prompts: Labels | None = None) -> Ruler:
    """Return the ruler of one annotator."""
    labels = np.zeros(len(truth), dtype=np.intp) if prompts is None else prompts
    index, count = group_codes(labels, len(truth))
    return Ruler(("reference",), truth, np.full((1, len(truth)), np.nan), truth[None], index, count)


def score_estimate(
    ruler: Ruler,
    outcomes: OutcomeArrays,
    *,
    level: float = 0.95,
    unit: ResamplingUnit = "prompt",
    extra: tuple[float, int] | None = None,
) -> Estimate:
    """Return the score of a judge with its interval over prompts, and over a second unit if `extra` is given.

    `extra` is the variance over the second unit and the number of these units.
    """
    unanswered = ruler.has_reference & ~np.isfinite(outcomes.winner).any(axis=0)
    related: dict[str, float] = {"best": ruler.best, "repeats": len(outcomes.winner)}
    if len(outcomes.winner) > 1:
        each = [ruler.by_prompt(np.nan_to_num(winner) * ruler.weight) for winner in outcomes.winner]
        related["spread_over_repeats"] = (
            float(np.std([v.mean() for v in each], ddof=1)) if len(each[0]) else 0.0
        )
    return mean_estimate(
        "score",
        ruler.score_values(outcomes),
        n=int(ruler.has_reference.sum()),
        n_unscored=int(unanswered.sum()),
        level=level,
        unit=unit,
        extra=extra,
        related=related,
    )


def mean_estimate(
    name: str,
    values: FloatArray,
    *,
    n: int,
    n_unscored: int = 0,
    level: float = 0.95,
    unit: ResamplingUnit = "prompt",
    extra: tuple[float, int] | None = None,
    related: dict[str, float] | None = None,
) -> Estimate:
    """Return the mean of the scores of prompts with its interval."""
    return Estimate(
        name=name,
        value=float(values.mean()) if len(values) else undefined("no comparison has a reference"),
        n=n,
        n_unscored=n_unscored,
        interval=bounded_interval(values, level, extra=extra) if len(values) else None,
        unit=unit,
        method=SCORE_METHOD,
        parameters={"level": level},
        related={"prompts": len(values), **(related or {})},
    )


def bounded_interval(
    values: FloatArray,
    level: float = 0.95,
    limits: tuple[float, float] = (-1.0, 1.0),
    extra: tuple[float, int] | None = None,
) -> Interval | Unscored:
    """Return the interval of the mean of values between two limits, over prompts.

    It is Wilson's interval (Wilson 1927) with the sample variance in place of the binomial one: (x̄ − μ)² =
    t²·s²/n · (b − μ)(μ − a)/((b − x̄)(x̄ − a)). In the middle of the range it equals Student's t. Near a limit
    it reaches further away from it, because a few bad prompts may not have been drawn yet. If all values
    equal a limit, the other end is the Clopper–Pearson bound on the share of such prompts. `extra` is the
    variance over a second unit, which is added, and the number of these units.
    """
    units, (lowest, highest) = len(values), limits
    if units < MIN_UNITS:
        return too_few_units(units)
    added, others = extra or (0.0, units)
    if others < MIN_UNITS:
        return undefined(f"{units} prompts and {others} of the second unit; both need at least {MIN_UNITS}")
    mean, variance = float(values.mean()), float(values.var(ddof=1)) + units * added
    room = (highest - mean) * (mean - lowest)
    tail = (1 - level) / 2
    if room < 1e-12:
        reach = (highest - lowest) * tail ** (1 / units)
        low, high = (lowest + reach, highest) if 2 * mean > lowest + highest else (lowest, highest - reach)
        return Interval(low, high, level, "Clopper–Pearson over prompts", units=units)
    if variance < 1e-15:
        return undefined(NO_WIDTH)
    spread = float(scipy_stats.t.ppf(1 - tail, min(units, others) - 1)) ** 2 * variance / (units * room)
    middle = 2 * mean + spread * (lowest + highest)
    root = np.sqrt(max(middle**2 - 4 * (1 + spread) * (mean**2 + spread * lowest * highest), 0.0))
    low, high = (float((middle + side * root) / (2 * (1 + spread))) for side in (-1, 1))
    return Interval(
        max(low, lowest), min(high, highest), level, "Wilson, with the sample variance", units=units
    )


def copied_annotator(ruler: Ruler, outcomes: OutcomeArrays) -> str:
    """Return the annotator of the reference whose verdicts a judge repeats; empty if there is none.

    A good judge agrees with good annotators. A copy also agrees where its annotator stands against the
    majority of the others: on at least 5 such comparisons, and on 9 of 10 of them.
    """
    answers = outcomes.winner[0]
    for name, votes, others in zip(ruler.annotators, ruler.people, ruler.others, strict=True):
        both = ~np.isnan(answers) & ~np.isnan(votes)
        against = both & ~np.isnan(others) & (votes != others)
        same = answers == votes
        if same[against].sum() >= MIN_COPIED and same[against].mean() >= 0.9 and same[both].mean() >= 0.95:
            return name
    return ""


MIN_COPIED = 5
"""The minimum number of an annotator's own opinions that a copy repeats."""


def require_annotators(ruler: Ruler, fewest: int, what: str) -> None:
    """Raise UsageError if the reference has fewer annotators."""
    if len(ruler.annotators) < fewest:
        raise UsageError(
            f"{what} needs at least {fewest} people; the reference has {len(ruler.annotators)}",
            fix="import the votes of each person, or name them with --reference",
        )
