"""The judge that uses the scores a study records: the artifact with the higher score wins."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from semiosis.ask import ComputedTask, Task, task_key
from semiosis.judge import Judge, Presentation, higher_score
from semiosis.study._study import Study
from semiosis.values import ComparisonCase, Evaluator, Score, Unscored, UsageError, Verdict


@dataclass(frozen=True)
class RecordedScoreJudge(Judge):
    """Judges by the scores that one scorer has in a study. Its evaluator is that scorer.

    `semiosis import scores` records the same verdicts for the comparisons that exist at that time. This judge
    adds those of later comparisons and later scores.
    """

    scorer: Evaluator
    """The evaluator of the scores."""
    scores: Mapping[tuple[str, int], Score]
    """The scores, by artifact and repeat."""

    @property
    def evaluator(self) -> Evaluator:
        """The scorer."""
        return self.scorer

    @property
    def presentations(self) -> tuple[Presentation, ...]:
        """One for each repeat: a scorer sees one artifact at a time, so no order is shown."""
        return tuple(("ab", repeat) for repeat in sorted({repeat for _, repeat in self.scores}))

    def tasks(self, case: ComparisonCase) -> Sequence[Task[Verdict]]:
        """Return one task for each repeat."""
        judge, comparison = self.evaluator.id, case.comparison.id
        return [
            ComputedTask(
                task_key("verdict", judge=judge, comparison=comparison, repeat=repeat),
                partial(self._verdict, case, repeat),
            )
            for _, repeat in self.presentations
        ]

    def _verdict(self, case: ComparisonCase, repeat: int) -> Verdict:
        a, b = (self.score(sign.id, repeat) for sign in (case.a, case.b))
        return Verdict(
            evaluator=self.evaluator,
            comparison=case.comparison.id,
            repeat=repeat,
            winner=higher_score(a, b),
        )

    def score(self, artifact: str, repeat: int) -> Score:
        """Return the score of an artifact; unscored if the study has none."""
        missing = Unscored(
            reason="missing",
            detail=f"the study has no score of this picture by {self.scorer.name}; "
            "add it with: semiosis import scores STUDY FILE.csv",
        )
        unscored = Score(evaluator=self.scorer, artifact=artifact, value=missing, repeat=repeat)
        return self.scores.get((artifact, repeat), unscored)


def recorded_score_judge(study: Study, name: str) -> RecordedScoreJudge:
    """Return the judge that uses the scores of the scorer with this name."""
    scores = [value for value in study.observations.values() if isinstance(value, Score)]
    named = [score for score in scores if score.evaluator.name == name]
    scorers = {score.evaluator.id: score.evaluator for score in named}
    if not scorers:
        known = ", ".join(sorted({score.evaluator.name for score in scores})) or "none"
        raise UsageError(
            f"the study has no scores by {name!r}; scorers: {known}",
            where=str(study.folder),
            fix=f"add them with: semiosis import scores {shlex.quote(str(study.folder))} FILE.csv",
        )
    if len(scorers) > 1:
        raise UsageError(
            f"{len(scorers)} scorers with different settings are called {name!r}",
            where=str(study.folder),
            fix="import the scores under different names",
        )
    return RecordedScoreJudge(named[0].evaluator, {(score.artifact, score.repeat): score for score in named})
