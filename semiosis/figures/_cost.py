"""The chart of the cost of judges against their agreement with people."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from semiosis.figures._charts import NAME, NOTE, draw_notes, interval_note, reference_name
from semiosis.figures._page import text_height
from semiosis.figures._style import HUES, POINTS, QUIET, Width, blank_figure, house_style
from semiosis.figures._text import Style, font, total_height, wrap_text
from semiosis.stats import Interval, JudgeRow, JudgeTable
from semiosis.values import UsageError

_LABEL = 84.0
"""Width of a judge's name in the figure, in points."""


def cost_agreement(table: JudgeTable, costs: Mapping[str, float], *, width: Width = "one-column") -> Figure:
    """Draw the cost of one comparison against the score of each judge, with the agreement of people.

    `costs` is in US dollars, by the name of the judge. A judge without a cost is named below the figure.
    """
    drawn = [row for row in table.rows if row.judge in costs and row.score and row.score.scored]
    if not drawn:
        raise UsageError(
            "no judge has a recorded cost", fix="run a model as a judge; its verdicts record their cost"
        )
    note = _note(table, drawn)
    with house_style():
        full_width = POINTS[width]
        notes_height = text_height(note, full_width - 4, NOTE)
        height = 195 + notes_height
        figure = blank_figure(full_width, height, f"Cost of {len(drawn)} judges against score.")
        axes = figure.add_axes(
            (34 / full_width, (28 + notes_height) / height, 1 - 42 / full_width, 160 / height)
        )
        _draw_people(axes, table)
        for row in drawn:
            _draw_judge(axes, row, costs[row.judge])
        _scale(axes, [costs[row.judge] for row in drawn])
        _draw_names(axes, [(row, costs[row.judge]) for row in drawn])
        draw_notes(figure, [note], full_width, notes_height)
        return figure


def _note(table: JudgeTable, drawn: Sequence[JudgeRow]) -> str:
    not_drawn = [row.judge for row in table.rows if row not in drawn and not row.source]
    estimates = [row.score for row in drawn if row.score]
    parts = [
        f"Score against {reference_name(table)}; {interval_note(estimates, table)}.",
        "Cost of the verdicts, without that of the readings they use.",
    ]
    if table.people:
        parts.append(
            f"Band: {len(table.people)} people, each against the majority of the others; line: mean."
        )
    if not_drawn:
        parts.append(f"Without a recorded cost: {', '.join(not_drawn)}.")
    return " ".join(parts)


def _draw_people(axes: Axes, table: JudgeTable) -> None:
    between = table.people_range
    if between is not None:
        low, mean, high = between
        axes.axhspan(low, high, color="#e6e6e6", linewidth=0, zorder=0)
        axes.axhline(mean, color=QUIET, linewidth=0.7, linestyle=(0, (3, 2)), zorder=0)


def _draw_judge(axes: Axes, row: JudgeRow, cost: float) -> None:
    if row.score is None:
        return
    ends = row.score.interval
    has_interval = isinstance(ends, Interval)
    if isinstance(ends, Interval):
        axes.plot((cost, cost), (ends.low, ends.high), color=HUES[0], linewidth=0.9)
    face = HUES[0] if has_interval else "#ffffff"
    axes.plot(cost, float(row.score), "o", color=HUES[0], markersize=4, markerfacecolor=face)


def _scale(axes: Axes, costs: Sequence[float]) -> None:
    if min(costs) > 0:
        axes.set_xscale("log")
        axes.set_xlim(min(costs) / 2, max(costs) * 2)
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if max(costs) < 100 * min(costs) else (1,)))
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        most = max(costs) * 1.5 or 1.0
        axes.set_xlim(-0.04 * most, most)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"${value:g}"))
    axes.margins(y=0.1)
    axes.set_xlabel("US dollars for one comparison", labelpad=2)
    axes.set_ylabel("score", labelpad=2)


def _draw_names(axes: Axes, judges: Sequence[tuple[JudgeRow, float]]) -> None:
    """Write each name next to its dot, on the inner side, and lower if it would cover another name."""
    taken: list[tuple[float, float, float]] = []
    middle = axes.get_window_extent().x0 + axes.get_window_extent().width / 2
    for row, cost in sorted(judges, key=lambda judge: -float(judge[0].score or 0)):
        if row.score is None:
            continue
        at = axes.transData.transform((cost, float(row.score))) / axes.figure.dpi * 72
        lines = [
            *wrap_text(row.judge, _LABEL, NAME),
            *wrap_text(f"n = {row.score.n:,}", _LABEL, Style(5.8, colour=QUIET)),
        ]
        label_height = total_height(lines)
        label_width = max(line.runs[-1].x + line.runs[-1].width for line in lines)
        x = 5.0 if at[0] < middle / axes.figure.dpi * 72 else -5.0 - label_width
        y = at[1] + label_height / 2
        for left, top, bottom in sorted(taken, key=lambda spot: -spot[1]):
            if abs(left - at[0] - x) < _LABEL and y > bottom and y - label_height < top:
                y = bottom - 1
        taken.append((at[0] + x, y, y - label_height))
        for line in lines:
            y -= line.size
            for run in line.runs:
                axes.annotate(
                    run.text,
                    (cost, float(row.score)),
                    (x + run.x, y - at[1]),
                    textcoords="offset points",
                    fontproperties=font(run.style),
                    color=run.style.colour,
                    parse_math=False,
                    annotation_clip=False,
                )
            y -= line.height - line.size
