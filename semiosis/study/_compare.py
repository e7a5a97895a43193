"""Compare the judges of a study with the people who judged in it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from semiosis.stats import JudgeTable, compare
from semiosis.stats import evaluator_labels as labels_of
from semiosis.study._audit import embedder_statement
from semiosis.study._study import Study
from semiosis.values import UsageError


def compare_study(study: Study, reference: Sequence[str] = (), **settings: Any) -> JudgeTable:
    """The judges of a study against a reference, by default the majority of the people who judged."""
    verdicts = study.verdicts
    labels = labels_of(verdict.evaluator for verdict in verdicts)
    people = dict.fromkeys(labels[v.evaluator.id] for v in verdicts if v.evaluator.kind == "person")
    if not reference and not people:
        known = ", ".join(dict.fromkeys(labels.values())) or "nobody"
        raise UsageError(
            "no person has judged in this study",
            where=str(study.folder),
            fix=f"add --reference NAME; judges: {known}",
        )
    result = compare(
        study.observations.values(),
        reference=list(reference or people),
        comparisons=study.comparisons.values(),
        signs=study.signs.values(),
        questions=study.questions.values(),
        **settings,
    )
    return replace(
        result, notes=(*result.notes, *_audit_notes(study, {row.judge for row in result.rows}, labels))
    )


def _audit_notes(study: Study, judges: set[str], labels: Mapping[str, str]) -> list[str]:
    """Return whether the embedders that judges rest on were audited on this study."""
    embedders = {
        embedder
        for verdict in study.verdicts
        if labels[verdict.evaluator.id] in judges
        and isinstance(embedder := verdict.evaluator.parameters.get("embedder"), str)
    }
    return [embedder_statement(study, embedder) for embedder in sorted(embedders)]
