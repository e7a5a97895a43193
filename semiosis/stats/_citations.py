"""Counts and shares of the citations of verdicts."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from semiosis.stats._frames import Result
from semiosis.values import HSG, Unscored, Verdict


@dataclass(frozen=True, slots=True)
class CitationReport(Result):
    """Counts and shares of the citations of verdicts. A share of nothing is unscored."""

    n_verdicts: int
    """The number of scored verdicts."""
    n_unscored: int
    """The number of verdicts without a winner. Their citations are not counted."""
    n_citations: int
    """The number of citations that name an existing node."""
    n_dropped: int
    """The number of citations that do not name an existing node."""
    validity: float | Unscored
    """Share of all citations that name an existing node."""
    coverage: float | Unscored
    """Mean share of cited nodes among the nodes of the HSGs that a verdict used: V(C_a) ⊎ V(C_b)."""
    located: float | Unscored
    """Share of valid citations whose node has a place that resolves."""
    agreement: float | Unscored
    """Share of the citations for a or b that support the verdict's winner."""


def citation_report(verdicts: Iterable[Verdict], hsgs: Mapping[str, HSG]) -> CitationReport:
    """Return the validity, coverage and location of the citations of verdicts. `hsgs` maps ids to HSGs."""
    verdicts = list(verdicts)
    scored = [verdict for verdict in verdicts if not isinstance(verdict.winner, Unscored)]
    citations = [citation for verdict in scored for citation in verdict.citations]
    dropped = sum(len(verdict.dropped) for verdict in scored)
    cited = [hsgs[citation.hsg].semioses[citation.node] for citation in citations]
    located = [node.location == "located" for node in cited]
    agreeing = [
        citation.stance == verdict.winner
        for verdict in scored
        for citation in verdict.citations
        if citation.stance != "neutral" and verdict.winner != "tie"
    ]
    return CitationReport(
        n_verdicts=len(scored),
        n_unscored=len(verdicts) - len(scored),
        n_citations=len(citations),
        n_dropped=dropped,
        validity=_share(len(citations), len(citations) + dropped, "nothing was cited"),
        coverage=_mean([share for verdict in scored for share in _covered(verdict, hsgs)]),
        located=_share(sum(located), len(located), "no node was cited"),
        agreement=_share(sum(agreeing), len(agreeing), "no citation supports a or b"),
    )


def _covered(verdict: Verdict, hsgs: Mapping[str, HSG]) -> list[float]:
    nodes = {(used, node) for used in verdict.used for node in hsgs[used].semioses}
    cited = {(citation.hsg, citation.node) for citation in verdict.citations}
    return [len(nodes & cited) / len(nodes)] if nodes else []


def _share(part: int, whole: int, why: str) -> float | Unscored:
    return part / whole if whole else Unscored(reason="undefined", detail=why)


def _mean(shares: list[float]) -> float | Unscored:
    return (
        math.fsum(shares) / len(shares)
        if shares
        else Unscored(reason="undefined", detail="no verdict used an HSG")
    )
