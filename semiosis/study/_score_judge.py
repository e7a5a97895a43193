"""Scores that a study records: the scorer that repeats them, and those of a scorer that may continue."""

import shlex

from semiosis.score import RecordedScorer, ScoreKey
from semiosis.study._study import Study
from semiosis.values import Evaluator, Score, UsageError


def recorded_scorer(study: Study, name: str) -> RecordedScorer:
    """Return the scorer that repeats the recorded scores of the scorer with this name."""
    scores = [value for value in study.observations.values() if isinstance(value, Score)]
    own = [score for score in scores if score.evaluator.name == name]
    scorers = {score.evaluator.id: score.evaluator for score in own}
    if not scorers:
        names = ", ".join(sorted({score.evaluator.name for score in scores})) or "none"
        raise UsageError(
            f"the study has no scores by {name!r}; scorers: {names}",
            where=str(study.folder),
            fix=f"add them with: semiosis import scores {shlex.quote(str(study.folder))} FILE.csv",
        )
    if len(scorers) > 1:
        raise UsageError(
            f"{len(scorers)} scorers with different settings are called {name!r}",
            where=str(study.folder),
            fix="import the scores under different names",
        )
    return RecordedScorer(own[0].evaluator, own)


def recorded_scores(study: Study, evaluator: Evaluator) -> dict[ScoreKey, Score]:
    """Return the scores of an evaluator that a study records, by what they are about."""
    return {
        ScoreKey.of(value): value
        for value in study.observations.values()
        if isinstance(value, Score) and value.evaluator.id == evaluator.id
    }
