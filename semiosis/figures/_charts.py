"""Dots with intervals: judges by metric, ratings of generators, cost against agreement."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from semiosis.figures._page import text_height
from semiosis.figures._style import HUES, INK, POINTS, QUIET, RULE, Width, blank_figure, house_style
from semiosis.figures._text import Style, font, wrapped
from semiosis.stats import Estimate, Interval, JudgeRow, JudgeTable
from semiosis.study import GeneratorRatings
from semiosis.values import Unscored, UsageError

METRICS = ("half credit", "KRCC", "agreement", "SRCC", "CCC", "VQA")
"""The metrics of a judge, in the order of the panels."""
_FIELDS = dict(zip(METRICS, ("half_credit", "krcc", "agreement", "srcc", "ccc", "vqa"), strict=True))
NAME, NOTE = Style(6.5), Style(5.8, colour=QUIET)
ROW = 17.0


class JudgeCost(NamedTuple):
    """What one judge costs for one comparison, in US dollars."""

    judge: str
    cost: float


def judge_metrics(table: JudgeTable, *, width: Width = "two-column") -> Figure:
    """Draw judges by metrics with intervals; a band shows the level that people reach.

    The band spans the values of the people, each compared with the majority of the others.
    """
    if not table.rows:
        raise UsageError("the table has no judge", fix="run a judge over the study first")
    metrics = [name for name in METRICS if any(_estimate(row, name) for row in table.rows)]
    if width == "one-column":
        metrics = metrics[:2]
    names = [f"{row.judge} (published)" if row.source else row.judge for row in table.rows]
    notes = [
        f"n = {row.krcc.n:,}" + (f", {row.krcc.n_unscored:,} unscored" if row.krcc.n_unscored else "")
        for row in table.rows
    ]
    compared = f"{table.n_reference:,} comparisons with a reference ({_referees(table)})"
    below = [f"{table.level:.0%} intervals, {compared}."]
    if table.people:
        below.append(
            f"Band: {len(table.people)} people, each against the majority of the others; line: their mean."
        )
    missing = [
        f"{row.judge}, {name}: {_reason(estimate)}."
        for row in table.rows
        for name in metrics
        if (estimate := _estimate(row, name)) and _reason(estimate)
    ]
    described = f"Judges against {_referees(table)} by {', '.join(metrics)}."
    with house_style():
        figure, panels = _panels(names, notes, metrics, width, [*below, *_merged(missing)], described)
        for axes, name in zip(panels, metrics, strict=True):
            _band(axes, [e for row in table.people if (e := _estimate(row, name))])
            for place, row in enumerate(table.rows):
                _dot(axes, place, _estimate(row, name), HUES[0])
            low = min(
                [
                    0.0,
                    *(
                        v
                        for row in (*table.rows, *table.people)
                        if (e := _estimate(row, name))
                        for v in _ends(e)
                    ),
                ]
            )
            axes.set_xlim(min(low - 0.05, -0.05 if low < 0 else 0), 1.03)
        return figure


def rated_generators(ratings: GeneratorRatings, *, width: Width = "one-column") -> Figure:
    """Draw the ratings of generators with intervals over prompts."""
    names = list(ratings.ratings)
    notes = [f"{estimate.n} comparisons" for estimate in ratings.ratings.values()]
    who = (
        ratings.evaluators[0]
        if len(ratings.evaluators) == 1
        else f"the majority of {len(ratings.evaluators)}"
    )
    added = f", {ratings.prior:g} wins added each way" if ratings.prior else ""
    counted = f"n = {ratings.n}, {ratings.n_unscored} unscored"
    below = [f"Bradley–Terry on the Elo scale{added}; preferred by {who}; {counted}."]
    reasons = [f"{name}: {_reason(e)}." for name, e in ratings.ratings.items() if _reason(e)]
    described = f"Ratings of {len(names)} generators by {who}."
    with house_style():
        figure, (axes,) = _panels(names, notes, ["rating"], width, [*below, *_merged(reasons)], described)
        for place, estimate in enumerate(ratings.ratings.values()):
            _dot(axes, place, estimate, HUES[0], digits=0)
        axes.axvline(1000, color=RULE, linewidth=0.6, zorder=0)
        axes.margins(x=0.12)
        return figure


def cost_agreement(table: JudgeTable, costs: Sequence[JudgeCost], *, width: Width = "one-column") -> Figure:
    """Draw what a judge costs for one comparison against its half credit.

    A judge without a recorded cost is named below the figure and never drawn at 0.
    """
    known = {found.judge: found.cost for found in costs}
    drawn = [row for row in table.rows if row.judge in known and row.half_credit and row.half_credit.scored]
    if not drawn:
        raise UsageError(
            "no judge has a recorded cost", fix="run a model as a judge; its verdicts record what they cost"
        )
    left = [row.judge for row in table.rows if row not in drawn and not row.source]
    note = f"Half credit against {_referees(table)}, {table.level:.0%} intervals."
    note += f" Without a recorded cost: {', '.join(left)}." if left else ""
    with house_style():
        wide = POINTS[width]
        tall = text_height(note, wide - 4, NOTE)
        figure = blank_figure(wide, 165 + tall, f"Cost of {len(drawn)} judges against half credit.")
        axes = figure.add_axes((38 / wide, (30 + tall) / (165 + tall), 1 - 46 / wide, 128 / (165 + tall)))
        for place, row in enumerate(drawn):
            _draw_cost(axes, row, known[row.judge], place)
        axes.set_xscale("log" if min(known[row.judge] for row in drawn) > 0 else "linear")
        axes.margins(x=0.3, y=0.25)
        axes.set_xlabel("US dollars for one comparison")
        axes.set_ylabel("half credit")
        notes_below(figure, [note], wide, tall)
        return figure


def _draw_cost(axes: Axes, row: JudgeRow, cost: float, place: int) -> None:
    assert row.half_credit  # noqa: S101  # the caller keeps only such rows
    value = float(row.half_credit)
    ends = row.half_credit.interval
    if isinstance(ends, Interval):
        axes.plot((cost, cost), (ends.low, ends.high), color=HUES[0], linewidth=0.9)
    axes.plot(cost, value, "o", color=HUES[0], markersize=4)
    axes.annotate(
        f"{row.judge}\nn = {row.half_credit.n:,}",
        (cost, value),
        (5, 4 if place % 2 == 0 else -12),
        textcoords="offset points",
        fontproperties=font(NAME),
    )


def _panels(
    names: Sequence[str],
    notes: Sequence[str],
    titles: Sequence[str],
    width: Width,
    below: Sequence[str],
    described: str,
) -> tuple[Figure, list[Axes]]:
    """Return one panel for each title, with named rows on the left and notes below."""
    wide = POINTS[width]
    lead = wide * (0.36 if width == "one-column" else 0.25)
    tall = sum(text_height(note, wide - 4, NOTE) for note in below)
    rows = [
        max(ROW, text_height(name, lead - 8, NAME) + text_height(note, lead - 8, NOTE) + 4)
        for name, note in zip(names, notes, strict=True)
    ]
    row = max(rows)
    height = 16 + row * len(names) + 16 + tall + 4
    figure = blank_figure(wide, height, described)
    each = (wide - lead - 4) / len(titles)
    panels = []
    for place, title in enumerate(titles):
        left = lead + place * each
        axes = figure.add_axes(
            (left / wide, (20 + tall) / height, (each - 10) / wide, row * len(names) / height)
        )
        axes.set_title(title, fontproperties=font(Style(7, "bold")), pad=4)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_yticks([])
        axes.spines["left"].set_visible(False)
        for at in range(1, len(names)):
            axes.axhline(at - 0.5, color="#ededed", linewidth=0.5, zorder=0)
        panels.append(axes)
    for place, (name, note) in enumerate(zip(names, notes, strict=True)):
        _row_name(figure, panels[0], place, name, note, lead - 8)
    notes_below(figure, below, wide, tall)
    return figure, panels


def _row_name(figure: Figure, axes: Axes, place: int, name: str, note: str, width: float) -> None:
    """Write a wrapped name with its note to the left of a row."""
    lines = [*wrapped(name, width, NAME), *wrapped(note, width, NOTE)]
    total = sum(line.height for line in lines)
    transform = blended_transform_factory(figure.transFigure, axes.transData)
    offset = total / 2
    for line in lines:
        offset -= line.size
        for run in line.runs:
            axes.annotate(
                run.text,
                ((2 + run.x) / (72 * figure.get_figwidth()), place),
                (0, offset),
                xycoords=transform,
                textcoords="offset points",
                fontproperties=font(run.style),
                color=run.style.colour,
                annotation_clip=False,
                parse_math=False,
            )
        offset -= line.height - line.size


def notes_below(figure: Figure, notes: Iterable[str], width: float, height: float) -> None:
    """Write small notes at the foot of a figure."""
    y = height + 1
    total = 72 * figure.get_figheight()
    for line in (line for note in notes for line in wrapped(note, width - 4, NOTE)):
        y -= line.height
        for run in line.runs:
            figure.text(
                (2 + run.x) / width,
                (y + 2) / total,
                run.text,
                fontproperties=font(run.style),
                color=QUIET,
                parse_math=False,
            )


def _dot(axes: Axes, place: int, estimate: Estimate | None, colour: str, digits: int = 2) -> None:
    """Draw a value with its interval and its number, or a dash where there is none."""
    if estimate is None or isinstance(estimate.value, Unscored):
        axes.text(
            0.5,
            place,
            "–",
            transform=blended_transform_factory(axes.transAxes, axes.transData),
            ha="center",
            va="center",
            color=QUIET,
        )
        return
    if isinstance(estimate.interval, Interval):
        axes.plot(
            (estimate.interval.low, estimate.interval.high),
            (place, place),
            color=colour,
            linewidth=1.0,
            solid_capstyle="butt",
        )
    hollow = not isinstance(estimate.interval, Interval)
    axes.plot(
        estimate.value,
        place,
        "o",
        color=colour,
        markersize=3.6,
        markerfacecolor="#ffffff" if hollow else colour,
        markeredgewidth=0.9,
    )
    axes.annotate(
        f"{estimate.value:.{digits}f}".replace("-", "−"),
        (estimate.value, place),
        (0, 3.6),
        textcoords="offset points",
        ha="center",
        fontproperties=font(Style(5.6)),
        color=INK,
        bbox={"facecolor": "#ffffff", "alpha": 0.75, "linewidth": 0, "pad": 0.4},
    )


def _band(axes: Axes, people: Sequence[Estimate]) -> None:
    values = [float(person) for person in people if person.scored]
    if values:
        axes.axvspan(min(values), max(values), color="#e6e6e6", linewidth=0, zorder=0)
        axes.axvline(sum(values) / len(values), color=QUIET, linewidth=0.7, linestyle=(0, (3, 2)), zorder=0)


def _estimate(row: JudgeRow, metric: str) -> Estimate | None:
    found = getattr(row, _FIELDS[metric])
    return found if isinstance(found, Estimate) else None


def _ends(estimate: Estimate) -> tuple[float, ...]:
    if isinstance(estimate.value, Unscored):
        return ()
    ends = estimate.interval
    return (estimate.value, ends.low, ends.high) if isinstance(ends, Interval) else (estimate.value,)


def _reason(estimate: Estimate) -> str:
    """Return why an estimate has no value or no interval; empty if it has both."""
    for found, what in ((estimate.value, "no value"), (estimate.interval, "no interval")):
        if isinstance(found, Unscored):
            return f"{what}, {found.detail or found.reason}"
    return ""


def _merged(reasons: Sequence[str]) -> list[str]:
    """Return reasons with the names that share them, so that each is stated once."""
    shared: dict[str, list[str]] = {}
    for reason in reasons:
        name, _, why = reason.partition(": ")
        shared.setdefault(why, []).append(name)
    return [
        f"Hollow or –: {'; '.join(names) if len(names) < 4 else f'{len(names)} cells'}: {why}"
        for why, names in shared.items()
    ]


def _referees(table: JudgeTable) -> str:
    return (
        table.reference[0] if len(table.reference) == 1 else f"the majority of {len(table.reference)} people"
    )
