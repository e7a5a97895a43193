"""The tables of the shares of fates by aligner, generator or ground, and of the audit of an embedder."""

from collections.abc import Sequence

from semiosis.align import Audit, FateShares, GroupedBy
from semiosis.stats import Estimate
from semiosis.study import Study, audit_statement, study_fate_shares
from semiosis.tables._table import Table

_GROUPS = {"all": "aligner", "generator": "generator", "ground": "ground"}
_COLUMNS = (
    "aligned by", "reader", "prompts", "alignments", "nodes", "matched", "kept", "recoverable",
    "lost", "changed",
)  # fmt: skip
_NOTES = (
    "Shares are over the nodes of the prompts; 95% intervals are Student's t over prompts.",
    "Matched: kept, weakened, split or merged; comparable across aligners.",
    "Kept: kept, split or merged. Recoverable: matched or diffused. An embedder cannot state these two.",
    "Changed: resignified or reversed, so that the node's sign recurs with another meaning.",
)


def fate_table(shares: Sequence[FateShares], notes: Sequence[str] = ()) -> Table:
    """Return the shares of fates as a table with one row for each group, aligner and kind of reading."""
    by = shares[0].grouped_by if shares else "all"
    grouped = by != "all"
    columns = (*((_GROUPS[by],) if grouped else ()), *_COLUMNS)
    rows = tuple(
        (
            *((group.group,) if grouped else ()),
            group.aligned_by,
            f"{group.reader}, {group.condition}",
            group.prompts,
            group.alignments,
            group.nodes,
            group.matched,
            group.kept,
            group.recoverable,
            group.lost,
            group.changed,
        )
        for group in shares
    )
    title = f"Shares of fates by {_GROUPS[by]}"
    ground = "The ground of a node is its strongest one; mixed: no single ground is the strongest."
    return Table(title, columns, rows, (*notes, *((ground,) if by == "ground" else ())))


def fate_tables(study: Study) -> list[Table]:
    """Return the shares of fates of a study by aligner, by generator and by ground.

    The notes of the first table explain the columns and state whether the embedder was audited.
    """
    audited = audit_statement(study, study.alignments.values())
    notes = (*_NOTES, *((audited,) if audited else ()))
    grouped: tuple[GroupedBy, ...] = ("generator", "ground")
    return [
        fate_table(study_fate_shares(study), notes),
        *(fate_table(study_fate_shares(study, by)) for by in grouped),
    ]


def audit_tables(audit: Audit) -> tuple[Table, Table]:
    """Return a table of the rates of an audit, and one of stated probabilities against shares right."""
    rates: tuple[Estimate, ...] = (audit.precision, audit.recall, audit.f1, audit.lost_f1)
    title = f"Audit of {audit.screened_by} against {audit.reference}"
    notes = (
        f"Procedure: {audit.procedure}; length of the texts: {audit.length_classes}.",
        f"{audit.pairs} pairs of {audit.prompts} prompts, {audit.condition} readings, {audit.nodes} nodes.",
        f"{audit.left_out} merged nodes are left out, because an embedder matches one to one.",
        "A match is right if the reference matches the node with the same target (kept, weakened or split).",
        "Lost F1: F1 of unmatched nodes, which the reference calls lost, diffused, resignified or reversed.",
        "95% intervals are Student's t over prompts.",
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
