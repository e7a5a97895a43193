"""Dot charts with intervals, of the scores of judges and of the ratings of generators."""

import math
from collections.abc import Iterable, Sequence
from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from semiosis.figures._page import text_height
from semiosis.figures._style import HUES, INK, POINTS, QUIET, RULE, Width, blank_figure, house_style
from semiosis.figures._text import Style, font, wrap_text
from semiosis.stats import Estimate, Interval, JudgeRow, JudgeTable
from semiosis.study import GeneratorRanking
from semiosis.values import Unscored, UsageError

NAME, NOTE = Style(6.5), Style(5.8, colour=QUIET)
ROW = 17.0


def judge_scores(table: JudgeTable, *, width: Width = "one-column") -> Figure:
    """Draw the score of each judge with its interval, and a band for the range of people.

    Judges and people are measured against the same people. Lines mark guessing and the best possible score.
    """
    rows = [row for row in table.ranked if row.score is not None]
    if not rows:
        raise UsageError("the table has no judge", fix="run a judge over the study first")
    notes = [_answers(row) for row in rows]
    estimates = [row.score for row in rows if row.score]
    sizes = f"{table.prompts:,} prompts, {table.n_reference:,} comparisons"
    below = [
        f"Score against {reference_name(table)}: right +1, wrong −1, tie or no answer 0.",
        f"Mean over {sizes}; {interval_note(estimates, table)}.",
        f"Best possible: {table.best:.2f}{', because people disagree' if table.best < 0.995 else ''}.",
    ]
    if table.people_range:
        below.append(
            f"Band: {len(table.people)} people, each against the majority of the others; dashed: their mean."
        )
    below += [f"Not ranked: {row.judge}, which repeats {row.copies}." for row in table.rows if row.copies]
    missing = [
        f"{row.judge}: {_missing_reason(row.score)}."
        for row in rows
        if row.score and _missing_reason(row.score)
    ]
    description = f"Scores of {len(rows)} judges against {reference_name(table)}."
    with house_style():
        figure, (axes,) = _draw_panels(
            [row.judge for row in rows],
            notes,
            [""],  # the labels of the marks are in the place of a title
            width,
            [*below, *_merge_reasons(missing)],
            description,
        )
        _draw_band(axes, table)
        for row_number, row in enumerate(rows):
            _draw_dot(axes, row_number, row.score, HUES[0])
        low = min(0.0, *(value for estimate in estimates for value in _value_and_ends(estimate)))
        _draw_mark(axes, 0.0, "guessing")
        _draw_mark(axes, table.best, "best possible")
        axes.set_xlim(low - 0.06, 1.03)
        return figure


def _answers(row: JudgeRow) -> str:
    counts = row.counts
    if counts is None:
        return ""
    parts = [
        (counts.right, "right"),
        (counts.tied, "tied"),
        (counts.wrong, "wrong"),
        (counts.unanswered, "none"),
    ]
    return ", ".join(f"{round(n):,} {word}" for n, word in parts if round(n))


def rated_generators(ratings: GeneratorRanking, *, width: Width = "one-column") -> Figure:
    """Draw the ratings of generators with intervals over prompts."""
    names = list(ratings.ratings)
    if not names:
        raise UsageError(
            "no judged comparison is between two named generators", fix="set `generator` on the signs"
        )
    notes = [f"{estimate.n} comparisons" for estimate in ratings.ratings.values()]
    who = (
        ratings.evaluators[0]
        if len(ratings.evaluators) == 1
        else f"the majority of {len(ratings.evaluators)}"
    )
    added = (
        f", with {ratings.prior:g} wins added to each side of every pair of generators"
        if ratings.prior
        else ""
    )
    counts = f"n = {ratings.n}, {ratings.n_unscored} unscored"
    intervals = interval_note(list(ratings.ratings.values()))
    below = [f"Bradley–Terry on the Elo scale{added}; preferred by {who}; {counts}; {intervals}."]
    reasons = [f"{name}: {_missing_reason(e)}." for name, e in ratings.ratings.items() if _missing_reason(e)]
    description = f"Ratings of {len(names)} generators by {who}."
    with house_style():
        figure, (axes,) = _draw_panels(
            names, notes, ["rating"], width, [*below, *_merge_reasons(reasons)], description
        )
        for row_number, estimate in enumerate(ratings.ratings.values()):
            _draw_dot(axes, row_number, estimate, HUES[0], digits=0)
        axes.axvline(1000, color=RULE, linewidth=0.6, zorder=0)
        axes.margins(x=0.12)
        return figure


def _draw_panels(
    names: Sequence[str],
    notes: Sequence[str],
    titles: Sequence[str],
    width: Width,
    below: Sequence[str],
    description: str,
) -> tuple[Figure, list[Axes]]:
    """Return a figure with one panel for each title, the names of the rows on the left and notes below.

    In one column, each line has two panels.
    """
    full_width = POINTS[width]
    names_width = full_width * (0.36 if width == "one-column" else 0.25)
    notes_height = math.fsum(text_height(note, full_width - 4, NOTE) for note in below)
    row_height = max(
        max(ROW, text_height(name, names_width - 8, NAME) + text_height(note, names_width - 8, NOTE) + 4)
        for name, note in zip(names, notes, strict=True)
    )
    columns = min(len(titles), 2) if width == "one-column" else len(titles)
    panel_height = row_height * len(names)
    height = 34 * ceil(len(titles) / columns) + panel_height * ceil(len(titles) / columns) + notes_height + 4
    figure = blank_figure(full_width, height, description)
    panel_width = (full_width - names_width - 4) / columns
    panels = []
    for number, title in enumerate(titles):
        line, column = divmod(number, columns)
        left, bottom = (
            names_width + column * panel_width,
            height - 16 - panel_height - line * (panel_height + 34),
        )
        axes = figure.add_axes(
            (left / full_width, bottom / height, (panel_width - 10) / full_width, panel_height / height)
        )
        _frame(axes, title, len(names))
        panels.append(axes)
        if column == 0:
            for row_number, (name, note) in enumerate(zip(names, notes, strict=True)):
                _draw_row_name(figure, axes, row_number, name, note, names_width - 8)
    draw_notes(figure, below, full_width, notes_height)
    return figure, panels


def _frame(axes: Axes, title: str, rows: int) -> None:
    axes.set_title(title, fontproperties=font(Style(7, "bold")), pad=4)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    for at in range(1, rows):
        axes.axhline(at - 0.5, color="#ededed", linewidth=0.5, zorder=0)


def _draw_row_name(figure: Figure, axes: Axes, row_number: int, name: str, note: str, width: float) -> None:
    """Write a wrapped name with its note to the left of a row."""
    lines = [*wrap_text(name, width, NAME), *wrap_text(note, width, NOTE)]
    total = math.fsum(line.height for line in lines)
    transform = blended_transform_factory(figure.transFigure, axes.transData)
    offset = total / 2
    for line in lines:
        offset -= line.size
        for run in line.runs:
            axes.annotate(
                run.text,
                ((2 + run.x) / (72 * figure.get_figwidth()), row_number),
                (0, offset),
                xycoords=transform,
                textcoords="offset points",
                fontproperties=font(run.style),
                color=run.style.colour,
                annotation_clip=False,
                parse_math=False,
            )
        offset -= line.height - line.size


def draw_notes(figure: Figure, notes: Iterable[str], width: float, height: float) -> None:
    """Write notes in small type at the bottom of a figure."""
    y = height + 1
    total = 72 * figure.get_figheight()
    for line in (line for note in notes for line in wrap_text(note, width - 4, NOTE)):
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


def _draw_dash(axes: Axes, row_number: int) -> None:
    axes.text(
        0.5,
        row_number,
        "–",
        transform=blended_transform_factory(axes.transAxes, axes.transData),
        ha="center",
        va="center",
        color=QUIET,
    )


def _draw_dot(axes: Axes, row_number: int, estimate: Estimate | None, colour: str, digits: int = 2) -> None:
    """Draw a value with its interval and its number, or a dash if it has no value."""
    if estimate is None or isinstance(estimate.value, Unscored):
        _draw_dash(axes, row_number)
        return
    if isinstance(estimate.interval, Interval):
        axes.plot(
            (estimate.interval.low, estimate.interval.high),
            (row_number, row_number),
            color=colour,
            linewidth=1.0,
            solid_capstyle="butt",
        )
    hollow = not isinstance(estimate.interval, Interval)
    axes.plot(
        estimate.value,
        row_number,
        "o",
        color=colour,
        markersize=3.6,
        markerfacecolor="#ffffff" if hollow else colour,
        markeredgewidth=0.9,
    )
    axes.annotate(
        f"{estimate.value:.{digits}f}".replace("-", "−"),
        (estimate.value, row_number),
        (0, 3.6),
        textcoords="offset points",
        ha="center",
        fontproperties=font(Style(5.6)),
        color=INK,
        bbox={"facecolor": "#ffffff", "alpha": 0.75, "linewidth": 0, "pad": 0.4},
    )


def _draw_band(axes: Axes, table: JudgeTable) -> None:
    """Draw the range of people as a labelled band with their mean."""
    between = table.people_range
    if between is None:
        return
    low, mean, high = between
    axes.axvspan(low, high, color="#e6e6e6", linewidth=0, zorder=0)
    axes.axvline(mean, color=QUIET, linewidth=0.7, linestyle=(0, (3, 2)), zorder=0)
    _draw_label(axes, (low + high) / 2, "people")


def _draw_mark(axes: Axes, value: float, label: str) -> None:
    """Draw a labelled vertical line: a score that needs no judge."""
    axes.axvline(value, color=QUIET, linewidth=0.7, linestyle=(0, (1, 2)), zorder=0)
    _draw_label(axes, value, label)


def _draw_label(axes: Axes, value: float, label: str) -> None:
    axes.annotate(
        label,
        (value, -0.5),
        (0, 1),
        textcoords="offset points",
        ha="center",
        va="bottom",
        fontproperties=font(Style(5.6)),
        color=QUIET,
        annotation_clip=False,
    )


def _value_and_ends(estimate: Estimate) -> tuple[float, ...]:
    """Return the value and, if the estimate has an interval, its two ends."""
    if isinstance(estimate.value, Unscored):
        return ()
    ends = estimate.interval
    return (estimate.value, ends.low, ends.high) if isinstance(ends, Interval) else (estimate.value,)


def _missing_reason(estimate: Estimate) -> str:
    """Return the reason why an estimate has no value or no interval; empty if it has both."""
    for found, what in ((estimate.value, "no value"), (estimate.interval, "no interval")):
        if isinstance(found, Unscored):
            return f"{what}, {found.detail or found.reason}"
    return ""


def _merge_reasons(reasons: Sequence[str]) -> list[str]:
    """Return each reason once, with the names that share it."""
    shared: dict[str, list[str]] = {}
    for reason in reasons:
        name, _, why = reason.partition(": ")
        shared.setdefault(why, []).append(name)
    return [
        f"Hollow or –: {'; '.join(names) if len(names) < 4 else f'{len(names)} cells'}: {why}"
        for why, names in shared.items()
    ]


def interval_note(estimates: Sequence[Estimate], table: JudgeTable | None = None) -> str:
    """Return a description of the intervals of a figure, with a warning if they are over too few prompts."""
    ends = [estimate.interval for estimate in estimates if isinstance(estimate.interval, Interval)]
    if not ends:
        return "no intervals"
    over = f"{table.unit}s".replace("prompt and", "prompts and") if table else "prompts"
    few = sorted({end.units for end in ends if end.has_few_units})
    pilot = f" (a pilot: {' or '.join(map(str, few))})" if few else ""
    return f"{ends[0].level:.0%} intervals over {over}{pilot}"


def reference_name(table: JudgeTable) -> str:
    """Return the name of the evaluator or the people that the judges are compared with."""
    return (
        table.reference[0] if len(table.reference) == 1 else f"the majority of {len(table.reference)} people"
    )
