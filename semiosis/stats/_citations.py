"""Metrics over the citations of verdicts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from semiosis.stats._frames import Result
from semiosis.values import HSG, Unscored, Verdict


@dataclass(frozen=True, slots=True)
class CitationReport(Result):
    """Citations of a set of verdicts, counted. A share of nothing is unscored."""

    n_verdicts: int
    """Scored verdicts."""
    n_unscored: int
    """Verdicts without a winner: not counted below."""
    n_citations: int
    """Citations that name an existing node."""
    n_dropped: int
    """Citations that name none."""
    validity: float | Unscored
    """Share of all citations that name an existing node."""
    coverage: float | Unscored
    """Mean share of a verdict's nodes that it cites: V(C_a) ⊎ V(C_b) of the HSGs it used."""
    grounded: float | Unscored
    """Share of valid citations whose node has a place that resolves."""
    agreement: float | Unscored
    """Share of citations for a or b that speak for the verdict's winner."""


def citation_report(verdicts: Iterable[Verdict], hsgs: Mapping[str, HSG]) -> CitationReport:
    """Return how valid, complete and grounded the citations of verdicts are; `hsgs` maps ids to HSGs."""
    given = list(verdicts)
    scored = [verdict for verdict in given if not isinstance(verdict.winner, Unscored)]
    citations = [citation for verdict in scored for citation in verdict.citations]
    dropped = sum(len(verdict.dropped) for verdict in scored)
    placed = [hsgs[citation.hsg].semioses[citation.node].grounding == "localizable" for citation in citations]
    sided = [
        citation.stance == verdict.winner
        for verdict in scored
        for citation in verdict.citations
        if citation.stance != "neutral" and verdict.winner != "tie"
    ]
    return CitationReport(
        n_verdicts=len(scored),
        n_unscored=len(given) - len(scored),
        n_citations=len(citations),
        n_dropped=dropped,
        validity=_share(len(citations), len(citations) + dropped, "nothing was cited"),
        coverage=_mean([share for verdict in scored for share in _covered(verdict, hsgs)]),
        grounded=_share(sum(placed), len(placed), "no node was cited"),
        agreement=_share(sum(sided), len(sided), "no citation speaks for a or b"),
    )


def _covered(verdict: Verdict, hsgs: Mapping[str, HSG]) -> list[float]:
    nodes = {(used, node) for used in verdict.used for node in hsgs[used].semioses}
    cited = {(citation.hsg, citation.node) for citation in verdict.citations}
    return [len(nodes & cited) / len(nodes)] if nodes else []


def _share(part: int, whole: int, why: str) -> float | Unscored:
    return part / whole if whole else Unscored(reason="undefined", detail=why)


def _mean(shares: list[float]) -> float | Unscored:
    return (
        sum(shares) / len(shares) if shares else Unscored(reason="undefined", detail="no verdict used an HSG")
    )
