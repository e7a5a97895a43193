"""Audits of a study: how far its embedder's alignments agree with those of a model or a person."""

from collections.abc import Iterable, Sequence

from semiosis.stats import Audit, audit_alignments
from semiosis.study._study import Study
from semiosis.values import Alignment


def study_audits(study: Study) -> list[Audit]:
    """Return how each embedder of a study agrees with each model or person that aligned the same pairs.

    An audit stores nothing but the alignments: the figures are computed from them. Alignments of blind and of
    given readings are never pooled. Alignments of two readings of one sign do not count.
    """
    groups: dict[tuple[str, str], list[Alignment]] = {}
    for found in study.alignments.values():
        if not found.repeat and found.source.sign != found.target.sign:
            groups.setdefault((found.procedure, found.condition), []).append(found)
    embedders = [group for group in groups.values() if group[0].aligner == "embedder"]
    references = [group for group in groups.values() if group[0].aligner != "embedder"]
    audits = [
        audit_alignments(one, other)
        for one in embedders
        for other in references
        if one[0].condition == other[0].condition
    ]
    return [audit for audit in audits if audit is not None]


def audit_statement(study: Study, alignments: Iterable[Alignment]) -> str:
    """Return whether the embedder's alignments among these were audited on this study, with the result.

    It is empty if a model or a person made all of them.
    """
    screened = dict.fromkeys(
        (found.procedure, found.condition, found.embedder)
        for found in alignments
        if found.aligner == "embedder"
    )
    audits = study_audits(study) if screened else []
    return " ".join(_statement(audits, *way) for way in screened)


def _statement(audits: Sequence[Audit], procedure: str, condition: str, embedder: str) -> str:
    those = [audit for audit in audits if (audit.procedure, audit.condition) == (procedure, condition)]
    if not those:
        return (
            f"The alignments by embedder {embedder} screen by wording and were not audited on this study; "
            "audit them with semiosis align STUDY --audit 30 --model PROVIDER/MODEL."
        )
    return " ".join(f"The alignments by embedder {embedder} were {audit}." for audit in those)
