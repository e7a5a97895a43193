"""Cascade drift: which meanings survive from round to round, which are lost, and which emerge."""

from matplotlib.figure import Figure

from semiosis.align import Drift
from semiosis.figures._page import Page
from semiosis.figures._style import EMERGENT, POINTS, QUIET, Width, house_style
from semiosis.figures._text import Style, wrapped

_MATCHED = "#0072b2"


def cascade_drift(drift: Drift, *, width: Width = "two-column") -> Figure:
    """Draw each meaning of a cascade as a line through its rounds, with the node that carries it.

    A line that ends with a cross is lost in the next round. The distance Δo is above each step.
    """
    hsgs = drift.cascade.hsgs
    with house_style():
        kept, lost = len(drift.kept), len(drift.lost)
        described = f"{len(hsgs)} rounds: {kept} meanings kept, {lost} lost, {len(drift.emergent)} emergent."
        page = Page(POINTS[width], described)
        each = (page.width - 2) / len(hsgs)
        y = page.text(1, 1, described, page.width - 2, Style(7.6, "bold")) + 4
        top = y
        for number, hsg in enumerate(hsgs):
            name = hsg.sign.title or f"{hsg.sign.kind} {hsg.sign.id[:8]}"
            y = max(
                y,
                page.text(
                    1 + number * each, top, f"Round {number + 1}: {name}", each - 14, Style(6.5, "bold")
                ),
            )
        top = y
        for number, step in enumerate(drift.steps):
            said = f"Δo {step.distance:.2f} →"
            y = max(y, page.text(1 + number * each, top, said, each - 14, Style(6.2, colour=QUIET)))
        y += 5
        for thread in drift.threads:
            colour = EMERGENT if thread.start > 1 else _MATCHED if thread.survives else QUIET
            bottom = y
            for at, node in enumerate(thread.nodes, start=thread.start - 1):
                x = 1 + at * each
                page.line((x + 2,), (y + 5,), colour, marker="o", markersize=4)
                lines = wrapped(hsgs[at].semioses[node].label, each - 26, Style(6.5))
                bottom = max(bottom, page.lines(x + 8, y, lines))
                if at + 1 < thread.last:
                    start = x + 12 + lines[0].runs[-1].x + lines[0].runs[-1].width
                    page.line((start, x + each - 2), (y + 5, y + 5), colour, linewidth=1.0)
            if not thread.survives:
                x = 1 + thread.last * each - 8
                page.line((x,), (y + 5,), colour, marker="x", markersize=4.5, markeredgewidth=1.0)
            y = bottom + 3
        last = drift.whole
        whole = f"First to last: Δo {last.distance:.2f}, by {last.aligned_by}, {last.condition} readings."
        y = page.text(1, y + 2, whole, page.width - 2, Style(5.8, colour=QUIET))
        return page.finish(y + 1)
