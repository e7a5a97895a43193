"""Ratings of a study's generators from what people, or one judge, preferred."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from semiosis.stats import Estimate, bootstrap, bradley_terry
from semiosis.study._study import Study
from semiosis.values import Unscored, UsageError, outcomes

Game = tuple[str, str, str]


@dataclass(frozen=True)
class GeneratorRatings:
    """Bradley–Terry ratings of generators with intervals over prompts."""

    ratings: dict[str, Estimate]
    """The rating of each generator on the Elo scale, the best first."""
    evaluators: tuple[str, ...]
    """Whose preferences they rest on; of several the majority."""
    n: int
    """Comparisons used."""
    n_unscored: int
    """Comparisons that nobody scored."""
    prior: float
    """Wins added each way between any two generators."""


def generator_ratings(
    study: Study, evaluators: Sequence[str] = (), *, prior: float = 0.0, level: float = 0.95
) -> GeneratorRatings:
    """Return Bradley–Terry ratings of the study's generators, by default from the majority of people.

    Intervals are Student's t over whole prompts. A rating without a finite maximum is unscored; `prior=0.5`
    adds half a win each way.
    """
    said = [
        v
        for v in study.verdicts
        if v.evaluator.name in evaluators or (not evaluators and v.evaluator.kind == "person")
    ]
    if not said:
        known = ", ".join(sorted({v.evaluator.name for v in study.verdicts})) or "nobody"
        raise UsageError("no such verdicts in this study", where=str(study.folder), fix=f"judges: {known}")
    votes: dict[str, Counter[str]] = {}
    for outcome in outcomes(said):
        of = votes.setdefault(outcome.comparison, Counter())
        if not isinstance(outcome.settled, Unscored):
            of[outcome.settled] += 1
    games, prompts = [], []
    for comparison in study.comparisons.values():
        a, b = study.signs[comparison.a].generator, study.signs[comparison.b].generator
        if a and b and a != b and votes.get(comparison.id):
            games.append((a, b, _majority(votes[comparison.id])))
            prompts.append(comparison.prompt)
    names = list(dict.fromkeys(name for game in games for name in game[:2]))
    rated = {name: _rating(name, games, prompts, prior, level) for name in names}
    ranked = sorted(rated.items(), key=lambda item: -float(item[1]) if item[1].scored else 0.0)
    people = tuple(dict.fromkeys(v.evaluator.name for v in said))
    return GeneratorRatings(dict(ranked), people, len(games), sum(not v for v in votes.values()), prior)


def _majority(votes: Counter[str]) -> str:
    (best, count), *others = votes.most_common()
    return "tie" if others and others[0][1] == count else best


def _rating(name: str, games: Sequence[Game], prompts: Sequence[str], prior: float, level: float) -> Estimate:
    def statistic(rows: Any) -> float:
        found = bradley_terry([games[row] for row in rows], prior=prior)
        if isinstance(found.scores, Unscored) or name not in found.names:
            return float("nan")
        return found[name]

    whole = bradley_terry(games, prior=prior)
    found = bootstrap(statistic, np.arange(len(games)), prompts=prompts, method="t", level=level)
    met = sum(name in game[:2] for game in games)
    value = whole.scores if isinstance(whole.scores, Unscored) else whole[name]
    return replace(found, name=name, value=value, n=met, method=whole.method, seed=None)
