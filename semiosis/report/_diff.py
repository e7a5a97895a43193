"""Diffs as sheets: one alignment, one prompt against two artifacts, drift along a cascade."""

from collections.abc import Iterator

from semiosis.align import Drift, Thread
from semiosis.report._sheet import Mark, Row, Sheet
from semiosis.values import Alignment, Match, Shift, Side, UsageError

_SHIFTED = 0.1
"""Grounds that move less than this are not mentioned."""
_SIGNS: dict[Mark, str] = {"kept": "=", "lost": "-", "new": "+", "mixed": "±"}


def diff_sheet(alignment: Alignment) -> Sheet:
    """One HSG against another: what is kept, lost and new."""
    return Sheet(
        title=summary(alignment),
        remarks=tuple(_remarks(alignment)),
        columns=("", "p", "meant", "seen", "moved"),
        rows=tuple(_rows(alignment)),
    )


def three_way_sheet(a: Alignment, b: Alignment) -> Sheet:
    """One prompt against two artifacts, side by side."""
    if a.source.hsg != b.source.hsg:
        raise UsageError("a three-way diff needs one prompt", fix="align both artifacts with the same HSG")
    return Sheet(
        title=f"a: {summary(a)}  |  b: {summary(b)}",
        remarks=tuple(dict.fromkeys((*_remarks(a), *_remarks(b)))),
        columns=("", "meant", "p", "in a", "p", "in b"),
        rows=tuple(_three_way_rows(a, b)),
    )


def drift_sheet(drift: Drift) -> Sheet:
    """Where along a cascade each meaning was lost, and what came up on the way."""
    rounds = len(drift.cascade.hsgs)
    per_step = " → ".join(f"{step.distance:.2f}" for step in drift.steps)
    lost = sum(not thread.survives for thread in drift.threads if thread.start == 1)
    meant = len(drift.cascade.hsgs[0].semioses)
    return Sheet(
        title=f"{meant - lost} of {meant} meanings survive {rounds} rounds",
        remarks=(f"Δo from round to round {per_step}, first against last {drift.whole.distance:.2f}",),
        columns=("", *(f"round {number}" for number in range(1, rounds + 1)), "p"),
        rows=tuple(_thread_row(thread, drift) for thread in drift.threads),
    )


def summary(alignment: Alignment) -> str:
    """The alignment in one line, as `--stat` shows it."""
    return (
        f"Δo {alignment.distance:.2f}: {len(alignment.matches)} kept, {len(alignment.lost)} lost, "
        f"{len(alignment.emergent)} emergent"
    )


def _remarks(alignment: Alignment) -> Iterator[str]:
    source, target = alignment.source, alignment.target
    one_sign = source.sign == target.sign
    yield (
        f"{'two readings of one sign' if one_sign else 'prompt against artifact'}, {alignment.condition}; "
        f"embedder {alignment.embedder}, weights {alignment.weights}"
    )
    if source.iconicity is not None and target.iconicity is not None:
        exact = "principle 5" if one_sign else "a proxy of principle 5 across two signs"
        moved = target.iconicity - source.iconicity
        yield f"iconic share {source.iconicity:.2f} → {target.iconicity:.2f} ({moved:+.2f}; {exact})"


def _rows(alignment: Alignment) -> Iterator[Row]:
    by_source = {match.source: match for match in alignment.matches}
    for node in alignment.source.nodes:
        match, meant = by_source.get(node), _told(alignment.source, node)
        if match is None:
            yield Row("lost", (_SIGNS["lost"], "", meant, "", ""))
        else:
            seen = _told(alignment.target, match.target)
            yield Row("kept", (_SIGNS["kept"], _chance(match), meant, seen, _moved(match)))
    for node in alignment.emergent:
        yield Row("new", (_SIGNS["new"], "", "", _told(alignment.target, node), ""))


def _three_way_rows(a: Alignment, b: Alignment) -> Iterator[Row]:
    in_a, in_b = ({match.source: match for match in side.matches} for side in (a, b))
    for node in a.source.nodes:
        one, two = in_a.get(node), in_b.get(node)
        mark: Mark = "kept" if one and two else "mixed" if one or two else "lost"
        cells = (*_found(one, a.target), *_found(two, b.target))
        yield Row(mark, (_SIGNS[mark], _told(a.source, node), *cells))
    for side, nodes in (("a", a), ("b", b)):
        for node in nodes.emergent:
            new = _told(nodes.target, node)
            cells = ("", new, "", "") if side == "a" else ("", "", "", new)
            yield Row("new", (_SIGNS["new"], "", *cells))


def _found(match: Match | None, side: Side) -> tuple[str, str]:
    return (_chance(match), _told(side, match.target)) if match else ("", "lost")


def _thread_row(thread: Thread, drift: Drift) -> Row:
    hsgs = drift.cascade.hsgs
    cells = [""] * len(hsgs)
    for number, node in enumerate(thread.nodes, start=thread.start):
        semiosis = hsgs[number - 1].semioses[node]
        cells[number - 1] = (
            f"{semiosis.label}: {semiosis.object}" if number == thread.start else semiosis.label
        )
    if thread.lost_in is not None:
        cells[thread.lost_in - 1] = "lost"
    mark: Mark = "lost" if not thread.survives else "kept" if thread.start == 1 else "new"
    return Row(mark, (_SIGNS[mark], *cells, f"{thread.p:.2f}"))


def _told(side: Side, node: str) -> str:
    brief = side.nodes[node]
    return f"{brief.label}: {brief.object}"


def _chance(match: Match) -> str:
    return f"{match.p:.2f}{'*' if match.adjudicated else ''}"


def _moved(match: Match) -> str:
    return "; ".join(part for part in (_shift(match.ground_shift), match.spatial) if part)


def _shift(shift: Shift) -> str:
    strengths = {"iconic": shift.iconic, "indexical": shift.indexical, "symbolic": shift.symbolic}
    return ", ".join(f"{mode} {moved:+.2f}" for mode, moved in strengths.items() if abs(moved) >= _SHIFTED)
