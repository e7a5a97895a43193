"""Counts of the values in a study."""

from collections import Counter
from dataclasses import dataclass

from semiosis.study._study import Study
from semiosis.values import Answer, Rating, Reading, Score, Unscored, evaluator_labels, outcomes


@dataclass(frozen=True)
class Count:
    """One line of a summary."""

    what: str
    """What is counted."""
    n: int
    """How many there are."""
    detail: str = ""
    """The number of each kind among them."""


def summary(study: Study) -> list[Count]:
    """Return counts of the values in a study, of each kind."""
    signs = study.signs.values()
    semioses = Counter[str](s.location for hsg in study.hsgs.values() for s in hsg.semioses.values())
    readers = Counter(_conditions(reading) for _, _, reading in study.conditions())
    aligners = Counter(alignment.aligned_by for alignment in study.alignments.values())
    return [
        Count("signs", len(study.signs), _count_text(Counter(sign.kind for sign in signs))),
        Count("traditions", len({sign.tradition for sign in signs if sign.tradition})),
        Count("generators", len({sign.generator for sign in signs if sign.generator})),
        Count("missing pictures", len(study.missing), _count_text(Counter(s.reason for s in study.missing))),
        Count("HSGs", len(study.hsgs), _count_text(readers)),
        Count("semioses", semioses.total(), _count_text(semioses)),
        Count("alignments", len(study.alignments), _count_text(aligners)),
        Count("comparisons", len(study.comparisons)),
        Count("questions", len(study.questions)),
        *_observations(study),
    ]


def _observations(study: Study) -> list[Count]:
    verdicts = study.verdicts
    resolved = Counter(_winner_text(outcome.winner) for outcome in outcomes(verdicts))
    unscored = sum(isinstance(verdict.winner, Unscored) for verdict in verdicts)
    counts = [
        Count(
            "verdicts",
            len(verdicts),
            f"{unscored} unscored; outcomes: {_count_text(resolved)}" if verdicts else "",
        )
    ]
    for kind in (Rating, Answer, Score):
        values = [observation for observation in study.observations.values() if isinstance(observation, kind)]
        labels = evaluator_labels(observation.evaluator for observation in values)
        evaluators = Counter(labels[observation.evaluator.id] for observation in values)
        counts.append(Count(f"{kind.__name__.lower()}s", len(values), _count_text(evaluators)))
    return counts


def _conditions(reading: Reading) -> str:
    """Return who read under which conditions: readings that differ in one of them are never pooled."""
    view = "blind" if reading.blind else "given"
    parts = (reading.interpreter.name, view, reading.interpreter.prompt_version, reading.language)
    return ", ".join(filter(None, parts))


def _winner_text(winner: str | Unscored) -> str:
    return "unscored" if isinstance(winner, Unscored) else winner


def _count_text(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {what}" for what, n in counts.most_common())
