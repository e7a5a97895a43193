"""The chart of the drift of a cascade: the meanings that survive each round, are lost, or emerge."""

from matplotlib.figure import Figure

from semiosis.align import Drift, TracedMeaning
from semiosis.figures._page import Page
from semiosis.figures._style import EMERGENT, POINTS, QUIET, Width, house_style
from semiosis.figures._text import Style, wrap_text
from semiosis.values import DOUBTFUL

_MATCHED = "#0072b2"
_CHANGED = "#b35806"
_NAME, _SMALL, _NOTE = Style(6.5, "bold"), Style(6.2, colour=QUIET), Style(5.8, colour=QUIET)


def cascade_drift(drift: Drift, *, width: Width = "two-column") -> Figure:
    """Draw each meaning of a cascade as a line through its rounds, with the label of its node.

    A meaning whose line ends with a cross is lost in the next round. Δo is shown above each step.
    """
    # An embedder states that two nodes match; only a model or a person can state that a meaning is kept.
    word = "matched" if drift.whole.aligner == "embedder" else "kept"
    meanings = len(drift.kept) + len(drift.changed) + len(drift.lost)
    changed = f"{len(drift.changed)} resignified or reversed, " if drift.changed else ""
    rounds = len(drift.cascade.hsgs)
    description = (
        f"{rounds} rounds, {meanings} meaning{'' if meanings == 1 else 's'} at first: "
        f"{len(drift.kept)} {word} to the end, {changed}{len(drift.lost)} lost, "
        f"{len(drift.emergent)} emergent."
    )
    with house_style():
        page = Page(POINTS[width], description)
        column_width = (page.width - 2) / rounds
        y = page.text(1, 1, description, page.width - 2, Style(7.6, "bold")) + 4
        y = _draw_heads(page, drift, y, column_width) + 5
        for meaning in drift.meanings:
            y = _draw_meaning(page, drift, meaning, y, column_width) + 3
        return page.finish(page.text(1, y + 2, _note(drift), page.width - 2, _NOTE) + 1)


def _note(drift: Drift) -> str:
    last = drift.whole
    return (
        f"First to last: Δo {last.distance:.2f}, by {last.aligned_by}, {last.condition} readings. "
        "Dot: in the first round; plus: in a later one; cross: lost in the next round; diamond: the node's "
        "sign stands for something else from here on; dashes: a doubtful match."
    )


def _draw_heads(page: Page, drift: Drift, top: float, column_width: float) -> float:
    """Write the sign of each round and, below it, the distance to the next round."""
    titles = [
        f"Round {number}: {hsg.sign.title or f'{hsg.sign.kind} {hsg.sign.id[:8]}'}"
        for number, hsg in enumerate(drift.cascade.hsgs, start=1)
    ]
    steps = [f"Δo {step.distance:.2f} →" for step in drift.steps]
    for texts, style in ((titles, _NAME), (steps, _SMALL)):
        ends = [
            page.text(1 + at * column_width, top, text, column_width - 14, style)
            for at, text in enumerate(texts)
        ]
        top = max(ends, default=top)
    return top


def _draw_meaning(page: Page, drift: Drift, meaning: TracedMeaning, y: float, column_width: float) -> float:
    """Draw one meaning through its rounds and return the y below it."""
    first = meaning.start > 1
    colour = _colour(meaning)
    bottom = y
    for at, node in enumerate(meaning.nodes, start=meaning.start - 1):
        x = 1 + at * column_width
        fate = meaning.fates[at - meaning.start] if at >= meaning.start else "kept"
        marker = "D" if fate in ("resignified", "reversed") else "P" if first else "o"
        page.line((x + 2,), (y + 5,), colour, marker=marker, markersize=4)
        label = drift.cascade.hsgs[at].semioses[node].label
        text = label if fate == "kept" else f"{label} ({fate})"
        lines = wrap_text(text, column_width - 26, Style(6.5))
        bottom = max(bottom, page.lines(x + 8, y, lines))
        if at + 1 < meaning.last:
            start = x + 12 + lines[0].runs[-1].x + lines[0].runs[-1].width
            p = drift.steps[at].fate_of(node).p
            dashes = "--" if p is not None and p < DOUBTFUL else "-"
            page.line((start, x + column_width - 2), (y + 5, y + 5), colour, linewidth=1.0, linestyle=dashes)
    if meaning.last < len(drift.cascade.hsgs) and not meaning.into:
        x = 1 + meaning.last * column_width - 8
        page.line((x,), (y + 5,), colour, marker="x", markersize=4.5, markeredgewidth=1.0)
    return bottom


def _colour(meaning: TracedMeaning) -> str:
    if meaning.start > 1 and not meaning.continues:
        return EMERGENT
    if meaning.changed_in:
        return _CHANGED
    return _MATCHED if meaning.survives else QUIET
