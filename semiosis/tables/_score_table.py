"""The table of scorers: how many pictures each scored, and what was lost on the way."""

from collections import Counter
from collections.abc import Iterator

from semiosis.study import Study
from semiosis.tables._table import Cell, Table
from semiosis.values import Score, Unscored, evaluator_labels

_FLAGS = {
    "truncated": "prompts truncated",
    "cropped": "pictures cropped",
    "script": "prompts in an unknown script",
    "unknown_tokens": "prompts with unknown tokens",
}
"""The details of a score that state a loss, with the column that counts them."""


def score_table(study: Study) -> Table:
    """Return, for each scorer, the number of scores, of unscored pictures, and of scores with a loss."""
    by_scorer: dict[str, list[Score]] = {}
    for value in study.observations.values():
        if isinstance(value, Score):
            by_scorer.setdefault(value.evaluator.id, []).append(value)
    labels = evaluator_labels(scores[0].evaluator for scores in by_scorer.values())
    rows = tuple(_row(labels[scorer], scores) for scorer, scores in by_scorer.items())
    notes = ("Scores of different scorers have no common scale. They are never averaged.", *_notes(rows))
    return Table("Scorers", ("scorer", "scores", "unscored", *_FLAGS.values()), rows, notes)


def _row(label: str, scores: list[Score]) -> tuple[Cell, ...]:
    unscored = Counter(score.value.reason for score in scores if isinstance(score.value, Unscored))
    reasons = ", ".join(f"{n} {reason}" for reason, n in unscored.items())
    losses = (sum(bool(score.details.get(flag)) for score in scores) for flag in _FLAGS)
    return label, len(scores) - unscored.total(), reasons or "0", *losses


def _notes(rows: tuple[tuple[Cell, ...], ...]) -> Iterator[str]:
    if any(row[3] for row in rows):
        yield "A truncated prompt is scored by its beginning. The rest has no influence on the score."
    if any(row[4] for row in rows):
        yield "The scorer does not see the cropped part of a picture."
