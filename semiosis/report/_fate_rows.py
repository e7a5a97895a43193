"""The rows and cells of diffs, with a node's fate, targets, probability and reason."""

from collections.abc import Iterable, Sequence

from semiosis.report._diff_report import DiffCell, DiffRow, Item, RowKind
from semiosis.report._node_fates import DOUBTFUL, fate_kind
from semiosis.values import MODES, AlignedHSG, Alignment, Fate, NodeFate, TargetLink

MARKS: dict[bool, dict[RowKind, str]] = {
    False: {"matched": "=", "changed": "~", "lost": "-", "emergent": "+"},
    True: {"matched": "=", "changed": "~", "lost": "<", "emergent": ">"},
}
"""The mark of each kind of row. The key is whether the alignment compares two readings of one sign.

For two readings of one sign, the marks are not minus and plus, because nothing is lost between them."""


_TITLES: dict[Fate, str] = {
    "kept": "Kept",
    "weakened": "Weakened: only partly recoverable",
    "split": "Split: divided over several nodes",
    "merged": "Merged: shares its node with another node that fits better",
    "diffused": "Diffused: only implied by the whole",
    "resignified": "Resignified: the sign recurs but stands for something else",
    "reversed": "Reversed: the sign recurs but stands for the opposite",
    "lost": "Lost: only in the prompt",
}


def fate_title(diff: Alignment, fate: Fate) -> str:
    """Return the heading of the rows with a fate."""
    if fate == "lost" and is_same_sign(diff):
        return "Only in the first reading"
    if fate == "kept" and diff.aligner == "embedder":
        return "In both readings" if is_same_sign(diff) else "Matched"
    return _TITLES[fate]


def fate_rows(diff: Alignment, fate: Fate) -> list[DiffRow]:
    """Return a row for each source node with this fate."""
    return [_fate_row(diff, found) for found in diff.fates if found.fate == fate]


def _fate_row(diff: Alignment, found: NodeFate) -> DiffRow:
    kind = fate_kind(found)
    seen = tuple(item(diff.target, target) for target in found.targets)
    p = found.p if kind != "lost" else None
    cells = ((item(diff.source, found.node),), seen)
    return DiffRow(
        kind, MARKS[is_same_sign(diff)][kind], shown_p(diff, p), cells, tuple(fate_notes(diff, found))
    )


def shown_p(diff: Alignment, p: float | None) -> float | None:
    """Return the probability, or None for a person, whose probabilities are 1 by convention."""
    return None if diff.aligner == "person" else p


def is_same_sign(diff: Alignment) -> bool:
    """Return whether an alignment compares two readings of one sign."""
    return diff.source.sign == diff.target.sign


def item(side: AlignedHSG, node: str, lead: str = "") -> Item:
    """Return a node of an aligned HSG as an item."""
    summary = side.nodes[node]
    return Item(lead, node, summary.label, summary.object)


def fate_cell(diff: Alignment, fate: NodeFate, absent: str) -> DiffCell:
    """Return a node's fate and its targets as a cell. `absent` is the text for a lost node."""
    if fate.fate == "lost":
        return (Item(absent),)
    word = "" if diff.aligner == "embedder" else fate.fate
    p = shown_p(diff, fate.p)
    lead = " ".join(part for part in (word, "" if p is None else f"{p:.2f}") if part)
    return tuple(item(diff.target, target, lead) for target in fate.targets)


def row_kind(fates: Sequence[NodeFate]) -> RowKind:
    """Return the kind of a row without a match: lost if all fates are lost, otherwise changed."""
    return "lost" if all(fate.fate == "lost" for fate in fates) else "changed"


def fate_notes(diff: Alignment, fate: NodeFate) -> Iterable[str]:
    """Yield the reason and the details of a fate."""
    if fate.why:
        yield fate.why
    for link in fate.links:
        yield from _link_notes(link)
    p = shown_p(diff, fate.p)
    if p is not None and p < DOUBTFUL and fate.links:
        what = "the match" if fate.fate == "kept" else "this fate"
        yield f"doubtful: {what} is more likely wrong than right"


def _link_notes(link: TargetLink) -> Iterable[str]:
    shifts = {mode: getattr(link.ground_shift, mode) for mode in MODES}
    if any(shifts.values()):
        yield "grounds: " + ", ".join(f"{mode} {shift:+.2f}" for mode, shift in shifts.items() if shift)
    if link.spatial:
        yield f"place: {link.spatial}"
    if link.objects_differ:
        yield "check this match: the signs are alike but the objects differ"
