"""Rates a study's generators by the preferences of people or of one judge."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from semiosis.stats import Estimate, rating_estimates
from semiosis.study._study import Study
from semiosis.values import Unscored, UsageError, brief_repr, outcomes


@dataclass(frozen=True)
class GeneratorRanking:
    """Bradley–Terry ratings of generators with intervals over prompts."""

    __repr__ = brief_repr

    ratings: dict[str, Estimate]
    """The rating of each generator on the Elo scale, the best first."""
    evaluators: tuple[str, ...]
    """The evaluators whose preferences are used; the majority of them if there are several."""
    n: int
    """The number of comparisons used."""
    n_unscored: int
    """The number of comparisons without a scored outcome."""
    prior: float
    """The number of wins added to each side of every pair of generators."""


def generator_ratings(
    study: Study, evaluators: Sequence[str] = (), *, prior: float = 0.0, level: float = 0.95
) -> GeneratorRanking:
    """Return Bradley–Terry ratings of the study's generators, by default from the majority of people.

    Intervals are Student's t over whole prompts. A rating without a finite maximum is unscored; `prior=0.5`
    adds half a win to each side of every pair of generators.
    """
    labels = study.judge_labels
    verdicts = [
        verdict
        for verdict in study.verdicts
        if labels[verdict.evaluator.id] in evaluators
        or (not evaluators and verdict.evaluator.kind == "person")
    ]
    if not verdicts:
        judges = ", ".join(sorted(labels.values())) or "none"
        who = " or ".join(map(repr, evaluators)) or "a person"
        raise UsageError(
            f"the study has no verdicts by {who}",
            where=str(study.folder),
            fix=f"name one of the judges in this study: {judges}",
        )
    votes: dict[str, Counter[str]] = {}
    for outcome in outcomes(verdicts):
        counts = votes.setdefault(outcome.comparison, Counter())
        if not isinstance(outcome.winner_or_tie, Unscored):
            counts[outcome.winner_or_tie] += 1
    games: list[tuple[str, str, str]] = []
    prompts: list[str] = []
    for comparison in study.comparisons.values():
        a, b = study.signs[comparison.a].generator, study.signs[comparison.b].generator
        if a and b and a != b and votes.get(comparison.id):
            games.append((a, b, _majority(votes[comparison.id])))
            prompts.append(comparison.prompt)
    rated = rating_estimates(games, prompts, prior=prior, level=level)
    ranked = sorted(rated.items(), key=lambda item: -float(item[1]) if item[1].scored else 0.0)
    return GeneratorRanking(
        {str(name): estimate for name, estimate in ranked},
        tuple(dict.fromkeys(labels[verdict.evaluator.id] for verdict in verdicts)),
        len(games),
        sum(not counts for counts in votes.values()),
        prior,
    )


def _majority(votes: Counter[str]) -> str:
    (best, count), *others = votes.most_common()
    return "tie" if others and others[0][1] == count else best
