"""Figures of grounds: net iconicity (SemJudge, figure 5), and ground shifts in a triangle."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from semiosis.align import ratio_estimate
from semiosis.figures._charts import NOTE, draw_notes, interval_note
from semiosis.figures._page import text_height
from semiosis.figures._style import HUES, POINTS, RULE, Width, blank_figure, house_style
from semiosis.figures._text import Style, font
from semiosis.stats import Estimate, Interval
from semiosis.values import HSG, MATCHED, MODES, Alignment, UsageError

_CORNERS = np.array([[0.5, np.sqrt(3) / 2], [0.0, 0.0], [1.0, 0.0]])
"""Corners of the triangle: iconic at the top, indexical on the left, symbolic on the right."""


def iconicity_distribution(
    rows: Mapping[str, Sequence[float]], *, unrated: int = 0, width: Width = "one-column"
) -> Figure:
    """Draw the distribution of net iconicity: one dot for each value, one row for each name.

    Above 0, resemblance dominates. Below 0, trace and convention dominate. Outliers are included. Dots that
    would overlap are moved up or down.
    """
    if not any(rows.values()):
        raise UsageError(
            "no sign is rated on iconicity, indexicality and symbolism",
            fix="add ratings on these three scales",
        )
    ends = max(abs(value) for values in rows.values() for value in values) * 1.08
    note = "NI = iconic − (indexical + symbolic) / 2 from ratings, mean over raters; "
    note += "of a comparison: prompt + mean of both artifacts."
    note += f" Bars: medians. {unrated} without ratings." if unrated else " Bars: medians."
    with house_style():
        full_width, row_height = POINTS[width], 46.0
        notes_height = text_height(note, full_width - 4, NOTE)
        height = row_height * len(rows) + 44 + notes_height
        counted = ", ".join(f"{len(values)} {name}" for name, values in rows.items())
        figure = blank_figure(full_width, height, f"Net iconicity of {counted}.")
        axes = figure.add_axes(
            (
                64 / full_width,
                (28 + notes_height) / height,
                1 - 72 / full_width,
                row_height * len(rows) / height,
            )
        )
        _draw_frame(axes, ends, len(rows))
        for row_number, (name, values) in enumerate(rows.items()):
            _draw_swarm(
                axes, values, row_number, (ends, full_width - 72, row_height), HUES[row_number % len(HUES)]
            )
            _name_row(axes, row_number, f"{name}\nn = {len(values)}")
        draw_notes(figure, [note], full_width, notes_height)
        return figure


def _draw_frame(axes: Axes, ends: float, rows: int) -> None:
    """Draw the zero line, the limits, the title and the meaning of both ends."""
    axes.axvline(0, color=RULE, linewidth=0.7, zorder=0)
    axes.set_xlim(-ends, ends)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_title("Net iconicity", fontproperties=font(Style(7, "bold")), pad=2)
    for x, side, text in ((0, "left", "← symbolic, indexical"), (1, "right", "iconic →")):
        axes.annotate(
            text,
            (x, 0),
            (0, -20.5),
            xycoords="axes fraction",
            textcoords="offset points",
            ha=side,
            fontproperties=font(Style(6.5)),
        )


def _name_row(axes: Axes, row_number: int, name: str) -> None:
    axes.annotate(
        name,
        (0, row_number),
        (-60, -4),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        fontproperties=font(Style(6.5)),
        annotation_clip=False,
    )


def _draw_swarm(
    axes: Axes, values: Sequence[float], row_number: int, scale: tuple[float, float, float], colour: str
) -> None:
    """Draw dots without overlap, and their median."""
    if not values:
        return
    limit, axis_width, row_height = scale
    step = 4.2
    taken: list[tuple[float, float]] = []
    for value in sorted(values):
        x = value / limit * axis_width / 2
        shifts = [(n + 1) // 2 * step / 2 * (1 if n % 2 else -1) for n in range(len(values) * 4 + 1)]
        free = (s for s in shifts if all((x - u) ** 2 + (s - v) ** 2 >= (step * 0.9) ** 2 for u, v in taken))
        offset = next(free, 0.0)
        taken.append((x, offset))
        axes.plot(
            value,
            row_number + max(-0.45, min(0.45, offset / row_height)),
            "o",
            color=colour,
            markersize=3.2,
            markeredgecolor="#ffffff",
            markeredgewidth=0.3,
        )
    median = float(np.median(values))
    axes.plot((median, median), (row_number - 0.42, row_number + 0.42), color="#1a1a1a", linewidth=1.0)


def ground_shifts(
    alignments: Sequence[Alignment], hsgs: Mapping[str, HSG], *, width: Width = "one-column"
) -> Figure:
    """Draw the shift in the grounds of matched nodes from prompt to artifact, in a triangle.

    A node's position is the share of each ground in the sum of its strengths. Prompt and artifact are
    different signs, so the shift is a proxy for principle 5 of SemJudge, which concerns one sign.
    """
    shifts, n_without = _find_shifts(alignments, hsgs)
    if not shifts:
        raise UsageError("no matched node has grounds on both sides", fix="align readings that state grounds")
    note = _shift_note(shifts, alignments, n_without)
    with house_style():
        full_width = POINTS[width]
        side = min(full_width - 60, 210.0)
        notes_height = text_height(note, full_width - 4, NOTE)
        height = side * 0.87 + 42 + notes_height
        figure = blank_figure(full_width, height, f"Ground shifts of {len(shifts)} matched nodes.")
        axes = figure.add_axes(
            (
                (full_width - side) / 2 / full_width,
                (22 + notes_height) / height,
                side / full_width,
                side * 0.87 / height,
            )
        )
        _draw_triangle(axes)
        for shift in shifts:
            _draw_shift(axes, shift)
        _draw_mean_shift(axes, shifts)
        draw_notes(figure, [note], full_width, notes_height)
        return figure


def _draw_shift(axes: Axes, shift: "_GroundShift") -> None:
    """Draw a line from a hollow dot for the prompt to a filled one for the artifact."""
    start, end = shift.before @ _CORNERS, shift.after @ _CORNERS
    axes.annotate(
        "",
        end,
        start,
        arrowprops={"arrowstyle": "-", "color": HUES[0], "linewidth": 0.5, "alpha": 0.55},
    )
    axes.plot(
        *start, "o", markersize=2.8, markerfacecolor="#ffffff", markeredgecolor=HUES[0], markeredgewidth=0.6
    )
    axes.plot(*end, "o", markersize=2.8, color=HUES[0], markeredgewidth=0)


def _draw_mean_shift(axes: Axes, shifts: "Sequence[_GroundShift]") -> None:
    """Draw a thick arrow for the mean of all shifts."""
    axes.annotate(
        "",
        np.mean([shift.after for shift in shifts], axis=0) @ _CORNERS,
        np.mean([shift.before for shift in shifts], axis=0) @ _CORNERS,
        arrowprops={
            "arrowstyle": "-|>",
            "mutation_scale": 7,
            "color": HUES[1],
            "linewidth": 1.8,
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )


class _GroundShift(NamedTuple):
    """The shares of the three grounds of one node in the prompt and in the artifact."""

    before: np.ndarray
    after: np.ndarray
    prompt: str


def _shift_note(shifts: Sequence[_GroundShift], alignments: Sequence[Alignment], n_without: int) -> str:
    first = alignments[0]
    changes = [_mean_change(shifts, mode) for mode in range(len(MODES))]
    mean_changes = ", ".join(
        f"{mode} {float(change):+.2f}".replace("-", "\N{MINUS SIGN}")
        + (f" {change.interval}" if isinstance(change.interval, Interval) else "")
        for mode, change in zip(MODES, changes, strict=True)
    )
    left_out = f" {n_without} without grounds are left out." if n_without else ""
    return (
        f"{len(shifts)} matched nodes of {len(alignments)} alignments by {first.aligned_by}, "
        f"{first.condition} readings: hollow in the prompt, filled in the artifact. "
        f"Thick arrow, the mean change of the shares: {mean_changes}; {interval_note(changes)}. "
        f"A proxy: prompt and artifact are different signs.{left_out}"
    )


def _mean_change(shifts: Sequence[_GroundShift], mode: int) -> Estimate:
    """Return the mean change of a share over all shifts, with its interval over prompts."""
    sums: dict[str, tuple[float, int]] = {}
    for shift in shifts:
        change, n = sums.get(shift.prompt, (0.0, 0))
        sums[shift.prompt] = change + float(shift.after[mode] - shift.before[mode]), n + 1
    changes, counts = np.array(list(sums.values())).T
    return ratio_estimate("mean change", changes, counts, len(shifts), limits=(-1.0, 1.0))


def _find_shifts(alignments: Sequence[Alignment], hsgs: Mapping[str, HSG]) -> tuple[list[_GroundShift], int]:
    """Return the ground shifts of matched nodes and the number of matched nodes without grounds."""
    shifts, n_without = [], 0
    for alignment in alignments:
        source, target = hsgs[alignment.source.hsg], hsgs[alignment.target.hsg]
        for fate in alignment.fates:
            if fate.fate not in MATCHED:
                continue
            before = np.array(source.semioses[fate.node].grounds.strengths)
            after = np.mean([target.semioses[t].grounds.strengths for t in fate.targets], axis=0)
            if before.sum() and after.sum():
                shifts.append(_GroundShift(before / before.sum(), after / after.sum(), alignment.source.sign))
            else:
                n_without += 1
    return shifts, n_without


def _draw_triangle(axes: Axes) -> None:
    axes.set_axis_off()
    axes.set_aspect("equal")
    closed = [*_CORNERS, _CORNERS[0]]
    axes.plot([x for x, _ in closed], [y for _, y in closed], color="#1a1a1a", linewidth=0.7)
    for share in (0.25, 0.5, 0.75):
        for corner in range(3):
            ends = []
            for far in {0, 1, 2} - {corner}:
                point = np.zeros(3)
                point[corner], point[far] = share, 1 - share
                ends.append(point @ _CORNERS)
            axes.plot(*zip(*ends, strict=True), color=RULE, linewidth=0.4, zorder=0)
    style = font(Style(7, "bold"))
    axes.annotate(
        "iconic", _CORNERS[0], (0, 4), textcoords="offset points", ha="center", fontproperties=style
    )
    axes.annotate(
        "indexical", _CORNERS[1], (0, -11), textcoords="offset points", ha="center", fontproperties=style
    )
    axes.annotate(
        "symbolic", _CORNERS[2], (0, -11), textcoords="offset points", ha="center", fontproperties=style
    )
    axes.set_xlim(-0.08, 1.08)
    axes.set_ylim(-0.02, 0.89)
