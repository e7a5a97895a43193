"""Compares the judges of a study with its people, or with another reference."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from semiosis.stats import JudgeRow, JudgeTable, compare
from semiosis.study._audit import embedder_statement
from semiosis.study._study import Study
from semiosis.values import Evaluator, UsageError


def compare_study(study: Study, reference: Sequence[str] = (), **settings: Any) -> JudgeTable:
    """Return the comparison of a study's judges with a reference, by default the majority of the people."""
    verdicts = study.verdicts
    labels = study.judge_labels
    people = dict.fromkeys(labels[v.evaluator.id] for v in verdicts if v.evaluator.kind == "person")
    if not reference and not people:
        judges = ", ".join(dict.fromkeys(labels.values()))
        raise UsageError(
            "no person has judged in this study",
            where=str(study.folder),
            fix=f"name a judge with --reference NAME; judges: {judges}"
            if judges
            else f"import votes: semiosis import votes {shlex.quote(str(study.folder))} VOTES.csv",
        )
    result = compare(
        study.observations.values(),
        reference=list(reference or people),
        comparisons=study.comparisons.values(),
        signs=study.signs.values(),
        questions=study.questions.values(),
        **settings,
    )
    rows = tuple(_with_other_readings(study, result.rows, labels))
    notes = _audit_notes(study, {row.judge for row in rows}, labels)
    return replace(result, rows=rows, notes=(*result.notes, *notes))


def _audit_notes(study: Study, judges: set[str], labels: Mapping[str, str]) -> list[str]:
    """Return sentences that state whether the embedders of the judges were audited on this study."""
    embedders = {
        embedder
        for verdict in study.verdicts
        if labels[verdict.evaluator.id] in judges
        and isinstance(embedder := verdict.evaluator.parameters.get("embedder"), str)
    }
    return [embedder_statement(study, embedder) for embedder in sorted(embedders)]


def _with_other_readings(
    study: Study, rows: Sequence[JudgeRow], labels: Mapping[str, str]
) -> Iterator[JudgeRow]:
    """Yield each row with the score of the same judge on the readings of other readers."""
    used: dict[str, set[str]] = {}
    judges: dict[str, Evaluator] = {}
    for verdict in study.verdicts:
        label = labels[verdict.evaluator.id]
        judges[label] = verdict.evaluator
        readings = (study.reading(hsg_id) for hsg_id in verdict.used)
        used.setdefault(label, set()).update(reading.interpreter.name for reading in readings if reading)
    readers = {label: min(names) for label, names in used.items() if len(names) == 1}
    for row in rows:
        others = {
            readers[other.judge]: other.score
            for other in rows
            if {row.judge, other.judge} <= readers.keys()
            and readers[other.judge] != readers[row.judge]
            and _same_judge(judges[row.judge], judges[other.judge])
            and other.score is not None
        }
        yield replace(row, other_readings=others) if others else row


def _same_judge(one: Evaluator, other: Evaluator) -> bool:
    """Return whether two evaluators differ only in the reader whose readings they use.

    The name of a program states whose readings it uses; a model's parameter `builder` does.
    """
    settings = [{k: v for k, v in each.parameters.items() if k != "builder"} for each in (one, other)]
    named = one.kind == "program" or one.name == other.name
    return named and one.kind == other.kind and settings[0] == settings[1]
