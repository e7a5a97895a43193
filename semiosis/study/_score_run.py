"""Plans the scores that a study lacks, of every picture or of those that judges compare."""

import random
from collections.abc import Collection, Sequence
from functools import partial
from typing import NamedTuple

from semiosis.score import LocalScorer, ScoreKey, Scorer
from semiosis.study._cases import ReadingRule, artifact_case, study_rule
from semiosis.study._hsg_index import HSGPlace, hsg_at, place_of
from semiosis.study._manifest import PlannedEvaluator
from semiosis.study._read_run import prompts_of
from semiosis.study._score_judge import recorded_scores
from semiosis.study._settings import EvaluatorSettings
from semiosis.study._study import Study
from semiosis.study._work import SETTLED, Computation, LazyTasks, WorkPlan
from semiosis.values import AnySign, ArtifactCase, Score, Unscored

SCORING_CHUNK = 32
"""The number of pictures that are scored together. They are recorded when the chunk is complete."""


class ScoringItem(NamedTuple):
    """What to score: two signs, and the places of their readings. A worker reads the readings itself."""

    prompt: AnySign
    """The prompt."""
    artifact: AnySign
    """The artifact."""
    readings: tuple[HSGPlace, ...] = ()
    """The places of the readings."""
    missing: str = ""
    """Why readings are missing."""


def plan_scores(
    study: Study,
    scorer: Scorer,
    *,
    rule: ReadingRule | None = None,
    settings: EvaluatorSettings | None = None,
    artifacts: Collection[str] | None = None,
    retry_unscored: bool = False,
    limit: int | None = None,
    shuffle: int | None = None,
) -> WorkPlan[Score]:
    """Return the plan of the scores by this scorer that a study lacks, of these artifacts or of all.

    `rule` selects the readings of a scorer that needs them. Unless `retry_unscored` is set, an artifact whose
    failure would most likely recur, such as a refusal, is not scored again.
    """
    rule = rule and study_rule(study, rule).rule
    recorded = recorded_scores(study, scorer.evaluator)
    order = list(prompts_of(study).items())
    if shuffle is not None:
        random.Random(shuffle).shuffle(order)  # noqa: S311  # an order of work, not a secret
    wanted = [
        (prompt, artifact, repeat)
        for artifact, prompt in order
        if artifacts is None or artifact in artifacts
        for repeat in range(scorer.repeats)
    ]
    states = {item: _state(scorer, recorded, item) for item in wanted}
    settled = {item for item, state in states.items() if state in SETTLED and not retry_unscored}
    missing = [item for item in wanted if states[item] is not None and item not in settled][:limit]
    planned = (PlannedEvaluator(scorer.evaluator.id, scorer.evaluator.name, settings),)
    if isinstance(scorer, LocalScorer):
        items = [_item(study, prompt, artifact, rule) for prompt, artifact, _ in missing]
        computation = Computation(partial(score_items, scorer=scorer), items, chunk=SCORING_CHUNK)
        return WorkPlan(computation=computation, settled=len(settled), evaluators=planned)
    tasks = LazyTasks(
        missing, lambda item: scorer.task(artifact_case(study, item[1], item[0], rule), repeat=item[2])
    )
    return WorkPlan(tasks, settled=len(settled), evaluators=planned, asker=scorer.asker)


def score_items(items: Sequence[ScoringItem], scorer: LocalScorer) -> list[Score]:
    """Return the scores of these items, in order."""
    cases = []
    for item in items:
        hsgs = map(hsg_at, item.readings)
        readings = {hsg.sign.id: hsg for hsg in hsgs}
        cases.append(ArtifactCase(item.prompt, item.artifact, readings, item.missing))
    return scorer.score_many(cases)


def _state(scorer: Scorer, recorded: dict[ScoreKey, Score], item: tuple[str, str, int]) -> str | None:
    """Return why an artifact has no score, empty if it was not tried; None if it has a score."""
    prompt, artifact, repeat = item
    score = recorded.get(ScoreKey(prompt if scorer.sees_prompt else None, artifact, repeat))
    if score is None:
        return ""
    return score.value.reason if isinstance(score.value, Unscored) else None


def _item(study: Study, prompt: str, artifact: str, rule: ReadingRule | None) -> ScoringItem:
    case = artifact_case(study, artifact, prompt, rule)
    places = tuple(place_of(study.hsgs, hsg.id) for hsg in case.readings.values())
    return ScoringItem(case.prompt, case.artifact, places, case.missing)
