"""Fates as tables: shares by aligner, generator or ground, and the audit of an embedder."""

from collections.abc import Sequence

from semiosis.report._table import Table
from semiosis.stats import Audit, Estimate, FateShares, GroupedBy
from semiosis.study import Study, audit_statement, study_fate_shares

_GROUPS = {"all": "aligner", "generator": "generator", "ground": "ground"}
_COLUMNS = (
    "aligned by", "reader", "prompts", "alignments", "nodes", "matched", "kept", "recoverable"
)  # fmt: skip
_NOTES = (
    "Shares are over the nodes of the prompts; intervals are 95 %, Student's t over prompts.",
    "Matched: kept, weakened, split or merged; comparable across aligners.",
    "Kept: kept, split or merged. Recoverable: matched or diffused. An embedder states neither.",
)


def fate_table(shares: Sequence[FateShares], notes: Sequence[str] = ()) -> Table:
    """Return the shares of fates as a table, one row for each group, aligner and kind of readings."""
    by = shares[0].grouped_by if shares else "all"
    grouped = by != "all"
    columns = (*((_GROUPS[by],) if grouped else ()), *_COLUMNS)
    rows = tuple(
        (
            *((one.group,) if grouped else ()),
            one.aligned_by,
            f"{one.reader}, {one.condition}",
            one.prompts,
            one.alignments,
            one.nodes,
            one.matched,
            one.kept,
            one.recoverable,
        )
        for one in shares
    )
    title = f"Shares of fates by {_GROUPS[by]}"
    ground = ("A node's ground is its strongest; mixed: no single strongest one.",) if by == "ground" else ()
    return Table(title, columns, rows, (*notes, *ground))


def fate_tables(study: Study) -> list[Table]:
    """Return the shares of fates of a study by aligner, by generator and by ground.

    The first table explains the columns and says whether the embedder was audited.
    """
    audited = audit_statement(study, study.alignments.values())
    notes = (*_NOTES, *((audited,) if audited else ()))
    grouped: tuple[GroupedBy, ...] = ("generator", "ground")
    return [
        fate_table(study_fate_shares(study), notes),
        *(fate_table(study_fate_shares(study, by)) for by in grouped),
    ]


def audit_tables(audit: Audit) -> tuple[Table, Table]:
    """Return the rates of an audit, and its stated probabilities against the share right."""
    rates: tuple[Estimate, ...] = (audit.precision, audit.recall, audit.f1, audit.lost_f1)
    title = f"Audit of {audit.screened_by} against {audit.reference}"
    notes = (
        f"{audit.pairs} pairs of {audit.prompts} prompts, {audit.condition} readings, {audit.nodes} nodes.",
        f"{audit.left_out} merged nodes are left out, because an embedder matches one to one.",
        "A match is right if the reference matches the node too (kept, weakened or split), with that target.",
        "Lost F1: nodes that are lost, diffused, resignified or reversed by the reference.",
        "Intervals are 95 %, Student's t over prompts.",
    )
    bins = tuple(
        (f"{part.low:g} to {part.high:g}", part.n, part.stated, part.right) for part in audit.reliability
    )
    return (
        Table(title, ("rate", "value"), tuple((rate.name, rate) for rate in rates), notes),
        Table(
            "Stated probability of matches against the share right",
            ("stated", "matches", "mean stated", "share right"),
            bins,
        ),
    )
