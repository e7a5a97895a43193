"""Builds diff reports: one alignment, two side by side, two readings of one sign, drift along a cascade."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Any

from semiosis.align import Drift, Thread
from semiosis.report._diff_report import Cell, DiffReport, Item, Kind, Row, Section
from semiosis.report._node_fates import DOUBTFUL
from semiosis.report._nodes import matches_by_source
from semiosis.values import MODES, Alignment, Match, Side, UsageError, to_json

Readers = Mapping[str, str]
"""Names of interpreters by id."""
NO_NAMES: Readers = MappingProxyType({})

_READINGS = ("first reading", "second reading", "third reading")
_MARKS: dict[bool, dict[Kind, str]] = {
    False: {"matched": "=", "lost": "-", "emergent": "+"},
    True: {"matched": "=", "lost": "<", "emergent": ">"},
}
"""The mark of each kind, by whether the alignment compares two readings of one sign.

Nothing is lost between two readings of one sign, so they use other marks than minus and plus."""


def diff_report(diff: Alignment, readers: Readers = NO_NAMES) -> DiffReport:
    """Return the report of one alignment: prompt and artifact, or two readings of one sign.

    `readers` maps interpreter ids to names; an interpreter that it does not name is shown by its id.
    """
    one_sign = _one_sign(diff)
    names = _READINGS[:2] if one_sign else ("prompt", "artifact")
    marks = _MARKS[one_sign]
    matched = [_matched(diff, match) for match in diff.matches]
    lost = [Row("lost", marks["lost"], None, ((_item(diff.source, node),), ())) for node in diff.lost]
    added = [
        Row("emergent", marks["emergent"], None, ((), (_item(diff.target, node),))) for node in diff.emergent
    ]
    titles = (
        ("In both readings", "Only in the first reading", "Only in the second reading")
        if one_sign
        else ("Matched", "Lost: only in the prompt", "Emergent: only in the artifact")
    )
    return DiffReport(
        title="Two readings of one sign" if one_sign else "What became of the prompt in the artifact",
        stat=(_stat(diff, names),),
        facts=(_condition([diff], names), _interpreters([diff], readers), _iconicity(diff), _method([diff])),
        columns=names,
        sections=_sections(zip(titles, (matched, lost, added), strict=True)),
    )


def three_way_report(a: Alignment, b: Alignment, readers: Readers = NO_NAMES) -> DiffReport:
    """Return the report of one prompt with two artifacts, or of three readings of one sign."""
    if a.source.hsg != b.source.hsg:
        raise UsageError(
            f"the two alignments start at different HSGs, {a.source.hsg} and {b.source.hsg}",
            fix="align one prompt with both artifacts",
        )
    one_sign = _one_sign(a) and _one_sign(b)
    names = _READINGS if one_sign else ("prompt", "a", "b")
    absent = "absent" if one_sign else "lost"
    kept_a, kept_b = matches_by_source(a), matches_by_source(b)
    rows: dict[tuple[bool, bool], list[Row]] = {}
    for node in a.source.nodes:
        fate = (node in kept_a, node in kept_b)
        found = [(a, names[1], kept_a.get(node)), (b, names[2], kept_b.get(node))]
        cells = [_fate(diff, match, absent) for diff, _, match in found]
        notes = tuple(
            f"{name}: {note}" for _, name, match in found if match is not None for note in _notes(match)
        )
        mark = _MARKS[one_sign]["matched" if any(fate) else "lost"]
        kind: Kind = "matched" if any(fate) else "lost"
        rows.setdefault(fate, []).append(Row(kind, mark, None, ((_item(a.source, node),), *cells), notes))
    plus = _MARKS[one_sign]["emergent"]
    added_a = [Row("emergent", plus, None, ((), (_item(a.target, node),), ())) for node in a.emergent]
    added_b = [Row("emergent", plus, None, ((), (), (_item(b.target, node),))) for node in b.emergent]
    return DiffReport(
        title="Three readings of one sign" if one_sign else "What became of the prompt in a and in b",
        stat=tuple(
            f"{name}: {_stat(diff, (names[0], name))}" for diff, name in zip((a, b), names[1:], strict=True)
        ),
        facts=(
            _condition([a, b], names),
            _interpreters([a, b], readers),
            *(f"{name}: {_iconicity(diff)}" for diff, name in zip((a, b), names[1:], strict=True)),
            _method([a, b]),
        ),
        columns=names,
        sections=_sections(
            [
                (f"In {names[1]} and in {names[2]}", rows.get((True, True), [])),
                (f"In {names[1]} only", rows.get((True, False), [])),
                (f"In {names[2]} only", rows.get((False, True), [])),
                (f"Only in the {names[0]}" if one_sign else "Lost in both", rows.get((False, False), [])),
                (f"{'Only' if one_sign else 'Emergent'} in {names[1]}", added_a),
                (f"{'Only' if one_sign else 'Emergent'} in {names[2]}", added_b),
            ]
        ),
    )


def drift_report(drift: Drift, readers: Readers = NO_NAMES) -> DiffReport:
    """Return the report of a cascade: where each node first appeared, its matches, and where it was lost."""
    steps = drift.steps
    sides = _sides(steps)
    names = tuple(f"round {number}" for number in range(1, len(sides) + 1))
    ordered = sorted(drift.threads, key=_fate_of)
    fates = [
        (_fate_words(thread, len(sides)), [_thread(one, sides, steps) for one in (thread, *rest)])
        for _, (thread, *rest) in groupby(ordered, key=_fate_of)
    ]
    shares = ", ".join(_share(side) for side in sides)
    return DiffReport(
        title=f"Drift along {len(sides)} rounds",
        stat=(_drift_stat(drift, sides),),
        facts=(
            "the number at the start of a row is the product of the probabilities of its matches",
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
    """Return a drift as a JSON object with its threads and alignments."""
    threads = [
        {
            "start": thread.start,
            "last": thread.last,
            "lost_in": thread.lost_in,
            "p": thread.p,
            "nodes": thread.nodes,
        }
        for thread in drift.threads
    ]
    steps = [json.loads(to_json(step)) for step in drift.steps]
    whole = json.loads(to_json(drift.whole))
    return _json({"kind": "drift", "threads": threads, "steps": steps, "whole": whole})


def _json(content: dict[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


def _one_sign(diff: Alignment) -> bool:
    return diff.source.sign == diff.target.sign


def _sides(diffs: Sequence[Alignment]) -> list[Side]:
    """Return the source of the first alignment and the target of each."""
    return [diffs[0].source, *(diff.target for diff in diffs)]


def _item(side: Side, node: str, lead: str = "") -> Item:
    brief = side.nodes[node]
    return Item(lead, node, brief.label, brief.object)


def _matched(diff: Alignment, match: Match) -> Row:
    cells = ((_item(diff.source, match.source),), (_item(diff.target, match.target),))
    return Row("matched", "=", match.p, cells, tuple(_notes(match)))


def _fate(diff: Alignment, match: Match | None, absent: str) -> Cell:
    return (Item(absent),) if match is None else (_item(diff.target, match.target, f"{match.p:.2f}"),)


def _notes(match: Match) -> Iterable[str]:
    if match.parts:
        yield "similarity: " + ", ".join(f"{name} {share:.2f}" for name, share in asdict(match.parts).items())
    moved = {mode: getattr(match.ground_shift, mode) for mode in MODES}
    if any(moved.values()):
        yield "grounds: " + ", ".join(f"{mode} {by:+.2f}" for mode, by in moved.items() if by)
    if match.spatial:
        yield f"place: {match.spatial}"
    if match.objects_differ:
        yield "same sign, objects differ: check"
    if match.adjudicated:
        yield "decided by a model"
    if match.p < DOUBTFUL:
        yield "doubtful: the match is more likely wrong than right"


def _stat(diff: Alignment, names: Sequence[str]) -> str:
    way, lost, emergent = (
        (f" from {names[0]} to {names[1]}", f"only in the {names[0]}", f"only in the {names[1]}")
        if _one_sign(diff)
        else ("", "lost", "emergent")
    )
    return (
        f"Δo {diff.distance:.2f}{way}, {len(diff.matches)} matched, {len(diff.lost)} {lost}, "
        f"{len(diff.emergent)} {emergent}, n = {len(diff.source.nodes)} + {len(diff.target.nodes)} nodes"
    )


def _condition(diffs: Sequence[Alignment], names: Sequence[str]) -> str:
    if all(diff.condition == "blind" for diff in diffs):
        return "blind: each reader saw only the sign"
    shown = [name for name, side in zip(names, _sides(diffs), strict=True) if not side.blind]
    return (
        f"given: the reader of {' and of '.join(shown)} saw more than the sign and may repeat it; "
        "do not pool this with blind readings"
    )


def _interpreters(diffs: Sequence[Alignment], readers: Readers) -> str:
    ids = dict.fromkeys(side.interpreter for side in _sides(diffs))
    names = [readers.get(interpreter, interpreter) for interpreter in ids]
    if len(names) == 1:
        return f"interpreter: {names[0]}"
    if all(_one_sign(diff) for diff in diffs):
        return f"interpreters: {', '.join(names)}"
    return f"mixed interpreters: {', '.join(names)}; a difference may come from them instead of the signs"


def _share(side: Side) -> str:
    return "undefined" if side.iconicity is None else f"{side.iconicity:.2f}"


def _iconicity(diff: Alignment) -> str:
    before, after = diff.source.iconicity, diff.target.iconicity
    shares = f"iconicity share α {_share(diff.source)}, α′ {_share(diff.target)}"
    if before is None or after is None:
        return f"{shares}; |α − α′| is undefined because no node has any ground"
    gap = f"{shares}, |α − α′| {abs(before - after):.2f}"
    if not _one_sign(diff):
        return f"{gap}: a proxy, because SemJudge (principle 5) defines it for one sign"
    if diff.source.interpreter == diff.target.interpreter:
        return f"{gap}: one sign read twice by one interpreter; SemJudge (principle 5) defines it for two"
    return f"{gap}: exact, one sign read by two interpreters (SemJudge, principle 5)"


def _method(diffs: Sequence[Alignment]) -> str:
    ways = dict.fromkeys(f"embedder {d.embedder}, weights {d.weights}, {d.method}" for d in diffs)
    return " / ".join(ways)


def _sections(titled: Iterable[tuple[str, Sequence[Row]]]) -> tuple[Section, ...]:
    return tuple(Section(f"{title} ({len(rows)})", tuple(rows)) for title, rows in titled if rows)


def _fate_of(thread: Thread) -> tuple[int, int]:
    """Return a sort key: by first round, then kept before lost, then by the round of the loss."""
    return thread.start, thread.lost_in or 0


def _fate_words(thread: Thread, rounds: int) -> str:
    if thread.start == rounds:
        return f"Emerged in round {rounds}"
    end = f"seen to round {rounds}" if thread.survives else f"lost in round {thread.lost_in}"
    return end.capitalize() if thread.start == 1 else f"Emerged in round {thread.start}, {end}"


def _thread(thread: Thread, sides: Sequence[Side], steps: Sequence[Alignment]) -> Row:
    kind: Kind = "emergent" if thread.start > 1 else "matched" if thread.survives else "lost"
    first, *later = thread.nodes
    seen = (_item(sides[thread.start - 1], first, f"round {thread.start}"),)
    then = []
    for number, (before, node) in enumerate(pairwise(thread.nodes), start=thread.start + 1):
        p = matches_by_source(steps[number - 2])[before].p
        then.append(_item(sides[number - 1], node, f"round {number}, {p:.2f},"))
    return Row(kind, _MARKS[False][kind], thread.p if later else None, (seen, tuple(then)))


def _drift_stat(drift: Drift, sides: Sequence[Side]) -> str:
    kept, lost, emergent = len(drift.kept), len(drift.lost), len(drift.emergent)
    return (
        f"{len(sides)} rounds: of {len(sides[0].nodes)} nodes of round 1, {kept} kept to the end and "
        f"{lost} lost; {emergent} emerged later; "
        f"Δo {', '.join(f'{step.distance:.2f}' for step in drift.steps)} from round to round, "
        f"{drift.whole.distance:.2f} from first to last; "
        f"n = {' + '.join(str(len(side.nodes)) for side in sides)} nodes"
    )
