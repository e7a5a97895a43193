"""Counts what a study holds."""

from collections import Counter
from dataclasses import dataclass

from semiosis.study._study import Study
from semiosis.values import Answer, Rating, Reading, Score, Unscored, outcomes


@dataclass(frozen=True)
class Count:
    """One line of a summary."""

    what: str
    """What is counted."""
    n: int
    """How many there are."""
    detail: str = ""
    """Of which kinds."""


def summary(study: Study) -> list[Count]:
    """What a study holds, in counts."""
    signs = study.signs.values()
    semioses = Counter[str](s.grounding for hsg in study.hsgs.values() for s in hsg.semioses.values())
    readers = Counter(_conditions(reading) for _, _, reading in study.conditions())
    aligners = Counter(alignment.aligned_by for alignment in study.alignments.values())
    return [
        Count("signs", len(study.signs), _listed(Counter(sign.kind for sign in signs))),
        Count("traditions", len({sign.tradition for sign in signs if sign.tradition})),
        Count("generators", len({sign.generator for sign in signs if sign.generator})),
        Count("HSGs", len(study.hsgs), _listed(readers)),
        Count("semioses", semioses.total(), _listed(semioses)),
        Count("alignments", len(study.alignments), _listed(aligners)),
        Count("comparisons", len(study.comparisons)),
        Count("questions", len(study.questions)),
        *_observations(study),
    ]


def _observations(study: Study) -> list[Count]:
    verdicts = study.verdicts
    resolved = Counter(_word(outcome.winner) for outcome in outcomes(verdicts))
    unscored = sum(isinstance(verdict.winner, Unscored) for verdict in verdicts)
    counts = [
        Count(
            "verdicts",
            len(verdicts),
            f"{unscored} unscored; outcomes: {_listed(resolved)}" if verdicts else "",
        )
    ]
    for kind in (Rating, Answer, Score):
        said = [observation for observation in study.observations.values() if isinstance(observation, kind)]
        counts.append(
            Count(f"{kind.__name__.lower()}s", len(said), _listed(Counter(o.evaluator.name for o in said)))
        )
    return counts


def _conditions(reading: Reading) -> str:
    """Return who read under which conditions: readings that differ in one of them are never pooled."""
    view = "blind" if reading.blind else "given"
    parts = (reading.interpreter.name, view, reading.interpreter.prompt_version, reading.language)
    return ", ".join(filter(None, parts))


def _word(winner: str | Unscored) -> str:
    return "unscored" if isinstance(winner, Unscored) else winner


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {what}" for what, n in counts.most_common())
