"""Statistics of a study's alignments: shares of fates, and audits of an embedder."""

from collections.abc import Iterable

from semiosis.align import Audit, FateShares, GroupedBy, audit_alignments, fate_shares
from semiosis.study._study import Study
from semiosis.values import Alignment, UsageError


def study_audits(study: Study) -> list[Audit]:
    """Return how far each embedder of a study agrees with each model or person that aligned the same pairs.

    Only the alignments of an audit are stored, and its figures are computed from them. Alignments of blind
    and of given readings are never pooled. Alignments of two readings of one sign do not count.
    """
    groups: dict[tuple[str, str], list[Alignment]] = {}
    for alignment in study.alignments.values():
        if not alignment.repeat and alignment.source.sign != alignment.target.sign:
            groups.setdefault((alignment.procedure, alignment.condition), []).append(alignment)
    embedders = [group for group in groups.values() if group[0].aligner == "embedder"]
    references = [group for group in groups.values() if group[0].aligner != "embedder"]
    audits = [
        audit_alignments(screened, reference)
        for screened in embedders
        for reference in references
        if screened[0].condition == reference[0].condition
    ]
    return [audit for audit in audits if audit is not None]


def audit_statement(study: Study, alignments: Iterable[Alignment]) -> str:
    """Return a sentence that states whether the embedder of these alignments was audited, with the result.

    The text is empty if a model or a person made all of the alignments.
    """
    embedders = dict.fromkeys(
        alignment.embedder for alignment in alignments if alignment.aligner == "embedder"
    )
    return " ".join(embedder_statement(study, embedder) for embedder in embedders)


def embedder_statement(study: Study, embedder: str) -> str:
    """Return a sentence that states whether an embedder was audited on this study, with the result."""
    audits = [audit for audit in study_audits(study) if audit.screened_by == f"embedder {embedder}"]
    if not audits:
        return (
            f"Alignments by embedder {embedder} compare wording and were not audited on this study; "
            "to audit them: semiosis align STUDY --audit 30 --model PROVIDER/MODEL."
        )
    return " ".join(f"Alignments by embedder {embedder} were {audit}." for audit in audits)


def study_fate_shares(study: Study, by: GroupedBy = "all") -> list[FateShares]:
    """Return the shares of fates over a study's alignments; raise if it has none between two signs."""
    shares = fate_shares(study.alignments.values(), signs=study.signs, hsgs=study.hsgs, by=by)
    if not shares:
        raise UsageError(
            "the study has no alignments of prompts with artifacts",
            where=str(study.folder),
            fix=f"run: semiosis align {study.folder}",
        )
    return shares
