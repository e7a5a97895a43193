"""Rows and cells of diffs: what became of one node, with its targets, probability and reason."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict

from semiosis.report._diff_report import Cell, Item, Kind, Row
from semiosis.report._node_fates import DOUBTFUL, fate_kind
from semiosis.values import MODES, AlignedHSG, Alignment, Fate, NodeFate, TargetLink

MARKS: dict[bool, dict[Kind, str]] = {
    False: {"matched": "=", "changed": "~", "lost": "-", "emergent": "+"},
    True: {"matched": "=", "changed": "~", "lost": "<", "emergent": ">"},
}
"""The mark of each kind, by whether the alignment compares two readings of one sign.

Nothing is lost between two readings of one sign, so they use other marks than minus and plus."""


_TITLES: dict[Fate, str] = {
    "kept": "Kept",
    "weakened": "Weakened: only partly recoverable",
    "split": "Split: divided over several nodes",
    "merged": "Merged: carried together with another node",
    "diffused": "Diffused: only implied by the whole",
    "resignified": "Resignified: the sign recurs and stands for something else",
    "reversed": "Reversed: the sign recurs and stands for the opposite",
    "lost": "Lost: only in the prompt",
}


def fate_title(diff: Alignment, fate: Fate) -> str:
    if fate == "lost" and one_sign(diff):
        return "Only in the first reading"
    if fate == "kept" and diff.aligner == "embedder":
        return "In both readings" if one_sign(diff) else "Matched"
    return _TITLES[fate]


def fate_rows(diff: Alignment, fate: Fate) -> list[Row]:
    return [_fate_row(diff, found) for found in diff.fates if found.fate == fate]


def _fate_row(diff: Alignment, found: NodeFate) -> Row:
    kind = fate_kind(found)
    seen = tuple(item(diff.target, target) for target in found.targets)
    p = found.p if kind != "lost" else None
    cells = ((item(diff.source, found.node),), seen)
    return Row(kind, MARKS[one_sign(diff)][kind], shown_p(diff, p), cells, tuple(fate_notes(diff, found)))


def shown_p(diff: Alignment, p: float | None) -> float | None:
    """The probability as shown: none for a person, whose probabilities are 1 by convention."""
    return None if diff.aligner == "person" else p


def one_sign(diff: Alignment) -> bool:
    return diff.source.sign == diff.target.sign


def item(side: AlignedHSG, node: str, lead: str = "") -> Item:
    brief = side.nodes[node]
    return Item(lead, node, brief.label, brief.object)


def fate_cell(diff: Alignment, fate: NodeFate, absent: str) -> Cell:
    if fate.fate == "lost":
        return (Item(absent),)
    word = "" if diff.aligner == "embedder" else fate.fate
    p = shown_p(diff, fate.p)
    lead = " ".join(part for part in (word, "" if p is None else f"{p:.2f}") if part)
    return tuple(item(diff.target, target, lead) for target in fate.targets)


def row_kind(fates: Sequence[NodeFate]) -> Kind:
    return "lost" if all(fate.fate == "lost" for fate in fates) else "changed"


def fate_notes(diff: Alignment, fate: NodeFate) -> Iterable[str]:
    if fate.why:
        yield fate.why
    for link in fate.links:
        yield from _link_notes(link)
    p = shown_p(diff, fate.p)
    if p is not None and p < DOUBTFUL and fate.links:
        yield f"doubtful: {'the match' if fate.fate == 'kept' else 'this'} is more likely wrong than right"


def _link_notes(link: TargetLink) -> Iterable[str]:
    if link.parts:
        yield "similarity: " + ", ".join(f"{name} {share:.2f}" for name, share in asdict(link.parts).items())
    moved = {mode: getattr(link.ground_shift, mode) for mode in MODES}
    if any(moved.values()):
        yield "grounds: " + ", ".join(f"{mode} {by:+.2f}" for mode, by in moved.items() if by)
    if link.spatial:
        yield f"place: {link.spatial}"
    if link.objects_differ:
        yield "same sign, objects differ: check"
    if link.adjudicated:
        yield "decided by a model"
