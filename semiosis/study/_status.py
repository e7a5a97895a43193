"""The progress of a study: what has been read, aligned, judged, answered, rated and scored, and by whom."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from semiosis.study._align_run import alignment_pairs
from semiosis.study._cases import ReadingRule
from semiosis.study._read_run import prompts_of
from semiosis.study._study import Study
from semiosis.values import (
    AgentKind,
    Alignment,
    Answer,
    Evaluator,
    Rating,
    Reading,
    Score,
    Unscored,
    evaluator_labels,
    outcomes,
)

Work = Literal["read", "aligned", "judged", "answered", "rated", "scored"]
"""The kind of work."""
ReadingCondition = Literal["blind", "given", "joint"]
"""What the interpreter saw: the sign alone, the prompt's HSG too, or another artifact too."""


@dataclass(frozen=True)
class WorkState:
    """The progress of one interpreter, aligner or evaluator."""

    work: Work
    """The kind of work."""
    by: str
    """The interpreter, aligner or evaluator, and the conditions."""
    kind: AgentKind
    """A person, a model or a program."""
    done: int
    """The number of items that have a value."""
    of: int | None
    """The number of items; None if no number is expected."""
    unscored: dict[str, int] = field(default_factory=dict)
    """The number of items without a value, by reason."""
    reading: Reading | None = None
    """The conditions of a reading."""
    evaluator: Evaluator | None = None
    """The evaluator of an observation."""
    alignment: Alignment | None = None
    """One of the alignments."""

    @property
    def missing(self) -> int:
        """The number of items that were not tried yet."""
        return 0 if self.of is None else max(self.of - self.done - sum(self.unscored.values()), 0)

    @property
    def complete(self) -> bool:
        """Whether every item has a value."""
        return self.of is None or self.done >= self.of


def study_status(study: Study) -> list[WorkState]:
    """Return the state of all work in a study, in order of appearance."""
    return [*_read(study), *_aligned(study), *_judged(study), *_answered(study), *_rated_or_scored(study)]


def condition_of(reading: Reading) -> ReadingCondition:
    """Return what the interpreter saw: the sign alone, the prompt's HSG too, or another artifact too."""
    return "joint" if reading.beside else "blind" if reading.blind else "given"


def _conditions(reading: Reading) -> str:
    """Return the conditions of a reading as text, without those that differ from sign to sign."""
    interpreter = reading.interpreter.model_copy(update={"served": ""})
    same = {"given": (), "beside": (), "supersedes": None, "interpreter": interpreter}
    return reading.model_copy(update=same).model_dump_json()


def _read(study: Study) -> Iterator[WorkState]:
    groups: dict[tuple[ReadingCondition, str], tuple[Reading, set[str]]] = {}
    for _, sign, reading in study.conditions():
        key = condition_of(reading), _conditions(reading)
        groups.setdefault(key, (reading, set()))[1].add(sign)
    artifacts = len(prompts_of(study))
    for (condition, _), (reading, signs) in groups.items():
        of = len(study.readable) if condition == "blind" else artifacts
        by = ", ".join(filter(None, (reading.interpreter.name, condition, *_detail_and_prompts(reading))))
        yield WorkState("read", by, reading.interpreter.kind, len(signs), of, reading=reading)


def _detail_and_prompts(reading: Reading) -> tuple[str, ...]:
    repeat = f"repeat {reading.repeat}" if reading.repeat else ""
    root = "root only" if reading.interpreter.parameters.get("root_only") else ""
    return reading.detail, root, repeat, reading.interpreter.prompt_version, reading.language


def _aligned(study: Study) -> Iterator[WorkState]:
    """Count alignments by aligner, repeat, and whose readings they align."""
    groups: dict[tuple[str, str, str, int], list[Alignment]] = {}
    for alignment in study.alignments.values():
        reader = _reader(study, alignment.source.hsg)
        key = alignment.matching_procedure, alignment.condition, reader, alignment.repeat
        groups.setdefault(key, []).append(alignment)
    pairs = Counter(
        (view, _reader(study, source))
        for view in ("blind", "given")
        for source, _ in alignment_pairs(study, ReadingRule(given=view == "given")).ids
    )
    for (_, condition, reader, repeat), alignments in groups.items():
        first, n = alignments[0], len(alignments)
        who = f"{first.aligned_by}, {condition}, readings by {reader}" + f", repeat {repeat}" * bool(repeat)
        kind: AgentKind = "program" if first.evaluator is None else first.evaluator.kind
        yield WorkState("aligned", who, kind, n, max(pairs[condition, reader], n), alignment=first)


def _reader(study: Study, hsg_id: str) -> str:
    reading = study.reading(hsg_id)
    return f"{reading.interpreter.name}, {reading.detail}" if reading else "a reader who is not recorded"


def _judged(study: Study) -> Iterator[WorkState]:
    recorded: dict[str, tuple[Evaluator, dict[str, str]]] = {}
    for outcome in outcomes(study.verdicts):
        states = recorded.setdefault(outcome.evaluator.id, (outcome.evaluator, {}))[1]
        state = outcome.winner.reason if isinstance(outcome.winner, Unscored) else ""
        # A comparison is scored if any repeat is scored.
        states[outcome.comparison] = state and states.get(outcome.comparison, state)
    yield from _states("judged", recorded.values(), len(study.comparisons))


def _answered(study: Study) -> Iterator[WorkState]:
    recorded: dict[str, tuple[Evaluator, dict[str, str]]] = {}
    for answer in study.observations.values():
        if isinstance(answer, Answer):
            states = recorded.setdefault(answer.evaluator.id, (answer.evaluator, {}))[1]
            state = answer.choice.reason if isinstance(answer.choice, Unscored) else ""
            states[answer.question] = state and states.get(answer.question, state)
    yield from _states("answered", recorded.values(), len(study.questions))


def _states(work: Work, recorded: Iterable[tuple[Evaluator, dict[str, str]]], of: int) -> Iterator[WorkState]:
    recorded = list(recorded)
    labels = evaluator_labels(evaluator for evaluator, _ in recorded)
    for evaluator, states in recorded:
        counts = Counter(states.values())
        done = counts.pop("", 0)
        yield WorkState(
            work, labels[evaluator.id], evaluator.kind, done, of, dict(counts), evaluator=evaluator
        )


def _rated_or_scored(study: Study) -> Iterator[WorkState]:
    """Count ratings and scores. People choose what they rate, so no number of ratings is expected."""
    groups: dict[tuple[Work, str], list[Rating | Score]] = {}
    for recorded in study.observations.values():
        if isinstance(recorded, Rating | Score):
            work: Work = "rated" if isinstance(recorded, Rating) else "scored"
            groups.setdefault((work, recorded.evaluator.id), []).append(recorded)
    artifacts = len(prompts_of(study))
    evaluators = {key: values[0].evaluator for key, values in groups.items()}
    labels = {
        work: evaluator_labels(evaluator for (done, _), evaluator in evaluators.items() if done == work)
        for work, _ in groups
    }
    for (work, evaluator_id), values in groups.items():
        evaluator = evaluators[work, evaluator_id]
        scales = sorted({recorded.scale for recorded in values if isinstance(recorded, Rating)})
        by = ", ".join((labels[work][evaluator_id], *scales))
        reasons = Counter[str](
            recorded.value.reason for recorded in values if isinstance(recorded.value, Unscored)
        )
        of = artifacts if work == "scored" else None
        done = len(values) - sum(reasons.values())
        yield WorkState(work, by, evaluator.kind, done, of, dict(reasons), evaluator=evaluator)
