"""Diff reports of one alignment, of two alignments side by side, and of the drift along a cascade."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import Any

from semiosis.align import Drift, NodePair, TracedMeaning
from semiosis.report._diff_report import DiffCell, DiffReport, DiffRow, Item, RowKind, Section
from semiosis.report._node_fates import fate_kind
from semiosis.values import (
    DOUBTFUL,
    FATES,
    MATCHED,
    MODES,
    AlignedHSG,
    Alignment,
    Fate,
    NodeFate,
    TargetLink,
    UsageError,
    count_fates,
    to_json,
)

ReaderNames = Mapping[str, str]
"""Names of interpreters by id."""
NO_NAMES: ReaderNames = MappingProxyType({})

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
    "resignified": "Resignified: the node's sign recurs but stands for something else",
    "reversed": "Reversed: the node's sign recurs but stands for the opposite",
    "lost": "Lost: only in the prompt",
}

_READINGS = ("first reading", "second reading", "third reading")


def diff_report(
    diff: Alignment, readers: ReaderNames = NO_NAMES, *, same_place: Sequence[NodePair] = ()
) -> DiffReport:
    """Return the report of one alignment, of a prompt with an artifact or of two readings of one sign.

    `readers` maps interpreter ids to names; an interpreter that it does not name is shown by its id.
    `same_place` are nodes of two readings that share a row (`semiosis.align.same_place_pairs`).
    """
    same_sign = is_same_sign(diff)
    names = _READINGS[:2] if same_sign else ("prompt", "artifact")
    return DiffReport(
        title="Two readings of one sign" if same_sign else "What became of the prompt in the artifact",
        stat=(_stat(diff, names, same_place),),
        facts=(
            *_distance_notes([diff]),
            _condition([diff], names),
            _interpreters([diff], readers),
            _iconicity(diff),
            _method([diff]),
        ),
        columns=names,
        sections=_sections(_two_way_sections(diff, same_place)),
    )


def _two_way_sections(diff: Alignment, same_place: Sequence[NodePair]) -> list[tuple[str, Sequence[DiffRow]]]:
    """Return the title and rows of each section. Nodes at the same place share a row."""
    same_sign = is_same_sign(diff)
    sources, targets = ({pair[side] for pair in same_place} for side in (0, 1))
    mark = MARKS[same_sign]["emergent"]
    added = [
        DiffRow("emergent", mark, None, ((), (item(diff.target, node),)))
        for node in diff.emergent
        if node not in targets
    ]
    fates = [(fate_title(diff, fate), fate_rows(diff, fate, without=sources)) for fate in FATES]
    shared = ("Same place, other object", [_same_place_row(diff, pair) for pair in same_place])
    new = ("Only in the second reading" if same_sign else "Emergent: only in the artifact", added)
    return [*fates[:-1], shared, fates[-1], new]


def _same_place_row(diff: Alignment, pair: NodePair) -> DiffRow:
    cells = ((item(diff.source, pair[0]),), (item(diff.target, pair[1]),))
    return DiffRow("changed", MARKS[True]["changed"], None, cells)


def _same_place_count(pairs: Sequence[NodePair]) -> str:
    return f", {len(pairs)} pair{'s' * (len(pairs) != 1)} of these in the same place" if pairs else ""


def three_way_report(a: Alignment, b: Alignment, readers: ReaderNames = NO_NAMES) -> DiffReport:
    """Return the report of one prompt with two artifacts, or of three readings of one sign."""
    if a.source.hsg != b.source.hsg:
        raise UsageError(
            f"the two alignments start at different HSGs, {a.source.hsg} and {b.source.hsg}",
            fix="align one prompt with both artifacts",
        )
    same_sign = is_same_sign(a) and is_same_sign(b)
    names = _READINGS if same_sign else ("prompt", "a", "b")
    return DiffReport(
        title="Three readings of one sign" if same_sign else "What became of the prompt in a and in b",
        stat=tuple(
            f"{name}: {_stat(diff, (names[0], name))}" for diff, name in zip((a, b), names[1:], strict=True)
        ),
        facts=(
            *_distance_notes([a, b]),
            _condition([a, b], names),
            _interpreters([a, b], readers),
            *(f"{name}: {_iconicity(diff)}" for diff, name in zip((a, b), names[1:], strict=True)),
            _method([a, b]),
        ),
        columns=names,
        sections=_sections(_three_way_sections(a, b, names, same_sign=same_sign)),
    )


def _three_way_sections(
    a: Alignment, b: Alignment, names: Sequence[str], *, same_sign: bool
) -> list[tuple[str, list[DiffRow]]]:
    """Return the title and rows of each section: where source nodes are matched, then the new nodes."""
    rows: dict[tuple[bool, bool], list[DiffRow]] = {}
    for node in a.source.nodes:
        in_a, in_b = (diff.fate_of(node).fate in MATCHED for diff in (a, b))
        row = _three_way_row(node, a, b, names, "absent" if same_sign else "lost")
        rows.setdefault((in_a, in_b), []).append(row)
    plus = MARKS[same_sign]["emergent"]
    added_a = [DiffRow("emergent", plus, None, ((), (item(a.target, node),), ())) for node in a.emergent]
    added_b = [DiffRow("emergent", plus, None, ((), (), (item(b.target, node),))) for node in b.emergent]
    new = "Only" if same_sign else "Emergent"
    return [
        (f"In {names[1]} and in {names[2]}", rows.get((True, True), [])),
        (f"In {names[1]} only", rows.get((True, False), [])),
        (f"In {names[2]} only", rows.get((False, True), [])),
        (_in_neither(a, b, names), rows.get((False, False), [])),
        (f"{new} in {names[1]}", added_a),
        (f"{new} in {names[2]}", added_b),
    ]


def _three_way_row(node: str, a: Alignment, b: Alignment, names: Sequence[str], absent: str) -> DiffRow:
    """Return the row of a source node with its fates in both targets. A lost node is shown as `absent`."""
    fates = [(a, names[1], a.fate_of(node)), (b, names[2], b.fate_of(node))]
    cells = [fate_cell(diff, fate, absent) for diff, _, fate in fates]
    notes = tuple(f"{name}: {note}" for diff, name, fate in fates for note in fate_notes(diff, fate))
    is_matched = any(fate.fate in MATCHED for _, _, fate in fates)
    kind: RowKind = "matched" if is_matched else row_kind([fate for _, _, fate in fates])
    mark = MARKS[is_same_sign(a) and is_same_sign(b)][kind]
    return DiffRow(kind, mark, None, ((item(a.source, node),), *cells), notes)


def drift_report(drift: Drift, readers: ReaderNames = NO_NAMES) -> DiffReport:
    """Return the report of a cascade: the round in which each meaning appeared, its matches, and its loss."""
    steps = drift.steps
    sides = _sides(steps)
    names = tuple(f"round {number}" for number in range(1, len(sides) + 1))
    ordered = sorted(drift.meanings, key=_course_key)
    fates = [
        (_course(meanings[0], len(sides)), [_meaning_row(meaning, sides, steps) for meaning in meanings])
        for meanings in (list(group) for _, group in groupby(ordered, key=_course_key))
    ]
    shares = ", ".join(_share(side) for side in sides)
    return DiffReport(
        title=f"Drift along {len(sides)} rounds",
        stat=(_drift_stat(drift, sides),),
        facts=(
            "the number at the start of a row is the product of the probabilities of its matches",
            *_distance_notes(steps),
            _condition(steps, names),
            _interpreters(steps, readers),
            f"iconicity share α by round: {shares}; the change between signs is a proxy",
            _method(steps),
        ),
        columns=("first seen", "then"),
        sections=_sections(fates),
    )


def three_way_json(a: Alignment, b: Alignment) -> str:
    """Return both alignments as one JSON object."""
    return _json({"kind": "three-way", "a": json.loads(to_json(a)), "b": json.loads(to_json(b))})


def drift_json(drift: Drift) -> str:
    """Return a drift as a JSON object with its meanings and alignments."""
    meanings = [
        {
            "start": meaning.start,
            "last": meaning.last,
            "lost_in": meaning.lost_in,
            "changed_in": meaning.changed_in,
            "survives": meaning.survives,
            "p": meaning.p,
            "nodes": meaning.nodes,
            "fates": meaning.fates,
            "into": meaning.into,
            "continues": meaning.continues,
        }
        for meaning in drift.meanings
    ]
    steps = [json.loads(to_json(step)) for step in drift.steps]
    whole = json.loads(to_json(drift.whole))
    return _json({"kind": "drift", "meanings": meanings, "steps": steps, "whole": whole})


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _sides(diffs: Sequence[Alignment]) -> list[AlignedHSG]:
    """Return the source of the first alignment and the target of each."""
    return [diffs[0].source, *(diff.target for diff in diffs)]


def _in_neither(a: Alignment, b: Alignment, names: Sequence[str]) -> str:
    if is_same_sign(a) and is_same_sign(b):
        return f"Only in the {names[0]}"
    return "Lost in both" if a.aligner == b.aligner == "embedder" else "In neither"


def _stat(diff: Alignment, names: Sequence[str], same_place: Sequence[NodePair] = ()) -> str:
    same_sign = is_same_sign(diff)
    direction = f" from {names[0]} to {names[1]}" if same_sign else ""
    counts = count_fates(diff)
    if same_sign:
        counts = re.sub(r"\blost\b", f"only in the {names[0]}", counts)
    emergent = f"only in the {names[1]}" if same_sign else "emergent"
    return (
        f"Δo {diff.distance:.2f}{direction} by {diff.aligned_by}, {counts}, {len(diff.emergent)} {emergent}"
        f"{_same_place_count(same_place)}, n = {len(diff.source.nodes)} + {len(diff.target.nodes)} nodes"
    )


def _distance_notes(diffs: Sequence[Alignment]) -> list[str]:
    if all(diff.aligner == "embedder" for diff in diffs):
        return []
    return ["Δo counts kept, split and merged as 1, weakened and diffused as ½ (a convention), others as 0"]


def _condition(diffs: Sequence[Alignment], names: Sequence[str]) -> str:
    if all(diff.condition == "blind" for diff in diffs):
        return "blind: each reader saw only the sign"
    unblinded = [name for name, side in zip(names, _sides(diffs), strict=True) if not side.blind]
    return (
        f"given: the reader of {' and of '.join(unblinded)} saw more than the sign and may repeat it; "
        "do not pool this diff with diffs of blind readings"
    )


def _interpreters(diffs: Sequence[Alignment], readers: ReaderNames) -> str:
    ids = dict.fromkeys(side.interpreter for side in _sides(diffs))
    names = [readers.get(interpreter, interpreter) for interpreter in ids]
    if len(names) == 1:
        return f"interpreter: {names[0]}"
    if all(is_same_sign(diff) for diff in diffs):
        return f"interpreters: {', '.join(names)}"
    return f"mixed interpreters: {', '.join(names)}; differences may be due to them instead of the signs"


def _share(side: AlignedHSG) -> str:
    return "undefined" if side.iconicity is None else f"{side.iconicity:.2f}"


def _iconicity(diff: Alignment) -> str:
    before, after = diff.source.iconicity, diff.target.iconicity
    shares = f"iconicity share α {_share(diff.source)}, α′ {_share(diff.target)}"
    if before is None or after is None:
        return f"{shares}; |α − α′| is undefined because no node has any ground"
    gap = f"{shares}, |α − α′| {abs(before - after):.2f}"
    if not is_same_sign(diff):
        return f"{gap}: a proxy, because SemJudge (principle 5) defines it for one sign"
    if diff.source.interpreter == diff.target.interpreter:
        return f"{gap}: one sign read twice by one interpreter; SemJudge (principle 5) defines it for two"
    return f"{gap}: exact, one sign read by two interpreters (SemJudge, principle 5)"


def _method(diffs: Sequence[Alignment]) -> str:
    return " / ".join(dict.fromkeys(_procedure(diff) for diff in diffs))


def _procedure(diff: Alignment) -> str:
    if diff.aligner == "embedder":
        return f"embedder {diff.embedder}, weights {diff.weights}, {diff.method}; compares wording only"
    return f"{diff.aligner}: {diff.procedure}"


def _sections(titled: Iterable[tuple[str, Sequence[DiffRow]]]) -> tuple[Section, ...]:
    return tuple(Section(f"{title} ({len(rows)})", tuple(rows)) for title, rows in titled if rows)


def _course_key(meaning: TracedMeaning) -> tuple[int, str, int]:
    """Return a sort key: first round, then survival, changes and losses, and their round."""
    if meaning.survives:
        return meaning.start, "", 0
    return meaning.start, _ending(meaning), meaning.changed_in or meaning.lost_in or 0


def _ending(meaning: TracedMeaning) -> str:
    """Return the fate that ended a meaning: the first change, or what became of its last node."""
    changes = (fate for fate in meaning.fates if fate in ("resignified", "reversed"))
    return next(changes, meaning.fates[-1] if meaning.fates else "")


def _course(meaning: TracedMeaning, rounds: int) -> str:
    """Return a text that states the rounds in which a meaning appeared, and changed or was lost."""
    start = "" if meaning.start == 1 else f"Emerged in round {meaning.start}"
    if meaning.continues:
        start = f"Continues a part of another meaning from round {meaning.start}"
    if meaning.start == rounds:
        return start
    if meaning.survives:
        end = f"merged in round {meaning.last + 1}" if meaning.into else f"seen to round {rounds}"
    else:
        end = f"{_ending(meaning)} in round {meaning.changed_in or meaning.lost_in}"
    return f"{start}, {end}" if start else end.capitalize()


def _meaning_row(meaning: TracedMeaning, sides: Sequence[AlignedHSG], steps: Sequence[Alignment]) -> DiffRow:
    start = (item(sides[meaning.start - 1], meaning.nodes[0], f"round {meaning.start}"),)
    then, notes = [], []
    for number, (node, fate) in enumerate(zip(meaning.nodes, meaning.fates, strict=False), meaning.start + 1):
        step, place = steps[number - 2], number - meaning.start
        stated = step.fate_of(node)
        p = stated_p(step, stated.p)
        words = [f"round {number}", *([] if fate == "kept" else [fate]), *([] if p is None else [f"{p:.2f}"])]
        if place < len(meaning.nodes):
            then.append(item(sides[number - 1], meaning.nodes[place], ", ".join(words) + ","))
        elif meaning.into:
            then.append(item(sides[number - 1], meaning.into, f"round {number}, shared with another row,"))
        if p is not None and p < DOUBTFUL and stated.links:
            notes.append(f"doubtful: the match in round {number} is more likely wrong than right")
    kind = _drift_kind(meaning)
    p_last = meaning.p if len(meaning.nodes) > 1 and not meaning.changed_in else None
    return DiffRow(kind, MARKS[False][kind], p_last, (start, tuple(then)), tuple(notes))


def _drift_kind(meaning: TracedMeaning) -> RowKind:
    if meaning.start > 1 and not meaning.continues:
        return "emergent"
    if meaning.changed_in:
        return "changed"
    return "matched" if meaning.survives else "lost"


def _drift_stat(drift: Drift, sides: Sequence[AlignedHSG]) -> str:
    n_kept, n_lost, n_emergent = len(drift.kept), len(drift.lost), len(drift.emergent)
    changed = f", {len(drift.changed)} resignified or reversed" if drift.changed else ""
    return (
        f"{len(sides)} rounds: of {len(sides[0].nodes)} nodes of round 1, {n_kept} kept to the end{changed} "
        f"and {n_lost} lost; {n_emergent} emerged later; "
        f"Δo {', '.join(f'{step.distance:.2f}' for step in drift.steps)} from round to round, "
        f"{drift.whole.distance:.2f} from first to last; "
        f"n = {' + '.join(str(len(side.nodes)) for side in sides)} nodes"
    )


def fate_title(diff: Alignment, fate: Fate) -> str:
    """Return the heading of the rows with a fate."""
    if fate == "lost" and is_same_sign(diff):
        return "Only in the first reading"
    if fate == "kept" and diff.aligner == "embedder":
        return "In both readings" if is_same_sign(diff) else "Matched"
    return _TITLES[fate]


def fate_rows(diff: Alignment, fate: Fate, *, without: Collection[str] = ()) -> list[DiffRow]:
    """Return a row for each source node with this fate, without some nodes."""
    return [
        _fate_row(diff, node_fate)
        for node_fate in diff.fates
        if node_fate.fate == fate and node_fate.node not in without
    ]


def _fate_row(diff: Alignment, fate: NodeFate) -> DiffRow:
    kind = fate_kind(fate)
    targets = tuple(item(diff.target, target) for target in fate.targets)
    p = fate.p if kind != "lost" else None
    cells = ((item(diff.source, fate.node),), targets)
    return DiffRow(
        kind, MARKS[is_same_sign(diff)][kind], stated_p(diff, p), cells, tuple(fate_notes(diff, fate))
    )


def stated_p(diff: Alignment, p: float | None) -> float | None:
    """Return the score of a match, or None for a person, whose scores are 1 by convention."""
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
    p = stated_p(diff, fate.p)
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
    p = stated_p(diff, fate.p)
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
        yield "check this match: the nodes' signs are alike but their objects differ"
