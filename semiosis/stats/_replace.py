"""The alternative-annotator test: may a judge stand in for a person? (Calderon, Reichart and Dror, ACL 2025).

Each person is left out in turn. In each comparison, the judge and that person are measured by how many of the
other people give the same answer. The judge has the advantage if it agrees with at least as many.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import stats as scipy_stats

from semiosis.stats._estimate import MIN_UNITS, Estimate, FloatArray, format_number, undefined
from semiosis.stats._frames import Record, Result
from semiosis.stats._score import Ruler, bounded_interval, copied_annotator, require_annotators
from semiosis.stats._votes import OutcomeArrays
from semiosis.values import Unscored

MIN_PEOPLE = 3
"""The minimum number of people: with two, leaving one out leaves a single opinion."""
EPSILON = 0.2
"""What a person costs more than a judge, as a share of comparisons: .2 for experts, .1 to .15 for a crowd."""
WINS = 0.5
"""The share of people that a judge must beat to stand in for a person."""


@dataclass(frozen=True)
class Advantage(Result):
    """A judge beside one person."""

    person: str
    """The person who is left out."""
    advantage: Estimate
    """How often the judge agrees with at least as many of the others as this person does."""
    persons_advantage: float | Unscored
    """How often the person agrees with at least as many of the others as the judge does."""
    p: float | None
    """p of the one-sided test that the judge is worse by ε or more, adjusted (Benjamini and Yekutieli)."""
    wins: bool
    """Whether that is rejected at .05."""


@dataclass(frozen=True)
class Replacement(Result):
    """The alternative-annotator test of one judge."""

    table_rows = ("rows",)

    judge: str
    """The judge."""
    epsilon: float
    """The margin that a person's higher cost is worth."""
    rows: tuple[Advantage, ...]
    """The judge beside each person."""
    copies: str = ""
    """The person whose verdicts the judge repeats; empty if there is none."""

    @cached_property
    def tested(self) -> tuple[Advantage, ...]:
        """The rows that have a p."""
        return tuple(row for row in self.rows if row.p is not None)

    @property
    def winning_rate(self) -> float | Unscored:
        """The share of people that the judge beats, ω."""
        return (
            sum(row.wins for row in self.tested) / len(self.tested)
            if self.tested
            else undefined(f"nobody judged at least {MIN_UNITS} prompts")
        )

    @property
    def advantage(self) -> float | Unscored:
        """The mean advantage probability over people, ρ."""
        values = [float(row.advantage) for row in self.rows if row.advantage.scored]
        return float(np.mean(values)) if values else undefined("no comparison has several people")

    @property
    def sentence(self) -> str:
        """The answer in words."""
        rate = self.winning_rate
        if self.copies:
            return f"{self.judge} repeats the verdicts of {self.copies}, so the test says nothing about it."
        if isinstance(rate, Unscored):
            return f"Whether {self.judge} may stand in for a person here cannot be tested: {rate.detail}."
        wins, people = sum(row.wins for row in self.tested), len(self.tested)
        may = "may" if rate >= WINS else "is not shown to be good enough to"
        return (
            f"{self.judge} {may} stand in for a person here: it does at least as well as {wins} of {people} "
            f"people (ω = {format_number(rate, 2)}, at least {WINS:g} needed; ε = {self.epsilon:g})."
        )

    def records(self) -> list[Record]:
        """Return one row per person."""
        return [{"judge": self.judge, "epsilon": self.epsilon, **row.record()} for row in self.rows]

    def __str__(self) -> str:
        return self.sentence


def replacement(judge: str, outcomes: OutcomeArrays, ruler: Ruler, epsilon: float = EPSILON) -> Replacement:
    """Return the alternative-annotator test of one judge. A judge without an answer agrees with nobody."""
    require_annotators(ruler, MIN_PEOPLE, "the alternative-annotator test")
    answers = np.where(outcomes.flip[0], np.nan, outcomes.winner[0])  # a flip agrees with nobody
    each = [_against(number, answers, ruler) for number in range(len(ruler.annotators))]
    raw = [_one_sided_p(person - judge_, epsilon) for judge_, person in each]
    adjusted = benjamini_yekutieli(raw)
    rows = tuple(
        Advantage(
            person=name,
            advantage=_share(judge_),
            persons_advantage=float(person.mean()) if len(person) else undefined("no common comparison"),
            p=p,
            wins=p is not None and p < 0.05,
        )
        for name, (judge_, person), p in zip(ruler.annotators, each, adjusted, strict=True)
    )
    return Replacement(judge, epsilon, rows, copied_annotator(ruler, outcomes))


def _against(number: int, answers: FloatArray, ruler: Ruler) -> tuple[FloatArray, FloatArray]:
    """Return how often the judge, and how often the person, is at least as good, in each prompt."""
    own = ruler.people[number]
    others = np.delete(ruler.people, number, axis=0)
    counted = ruler.has_reference & ~np.isnan(own) & (~np.isnan(others)).any(axis=0)
    agree_judge, agree_person = ((others == side).sum(axis=0) for side in (answers, own))
    judge = ruler.by_prompt((agree_judge >= agree_person).astype(np.float64), counted)
    person = ruler.by_prompt((agree_person >= agree_judge).astype(np.float64), counted)
    return judge, person


def _share(values: FloatArray) -> Estimate:
    return Estimate(
        name="advantage probability",
        value=float(values.mean()) if len(values) else undefined("no common comparison"),
        n=len(values),
        interval=bounded_interval(values, limits=(0.0, 1.0)) if len(values) else None,
        unit="prompt",
    )


def _one_sided_p(loss: FloatArray, epsilon: float) -> float | None:
    """Return p of the hypothesis that the person's advantage minus the judge's is ε or more."""
    if len(loss) < MIN_UNITS:
        return None
    error = float(loss.std(ddof=1)) / np.sqrt(len(loss))
    if error < 1e-12:
        return 0.0 if loss.mean() < epsilon else 1.0
    return float(scipy_stats.t.cdf((loss.mean() - epsilon) / error, len(loss) - 1))


def benjamini_yekutieli(p_values: Sequence[float | None]) -> list[float | None]:
    """Return p values adjusted for the false discovery rate under any dependence. None stays None.

    >>> [round(p, 4) for p in benjamini_yekutieli([0.01, 0.02, 0.5])]  # factor 3 · (1 + 1/2 + 1/3) = 5.5
    [0.055, 0.055, 0.9167]
    """
    tested = [p for p in p_values if p is not None]
    adjusted: Iterable[float] = (
        iter(scipy_stats.false_discovery_control(tested, method="by")) if tested else ()
    )
    values = iter(adjusted)
    return [None if p is None else float(next(values)) for p in p_values]
