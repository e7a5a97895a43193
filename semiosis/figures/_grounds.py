"""Figures of grounds: net iconicity (SemJudge, figure 5), and ground shifts in a triangle."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from semiosis.figures._charts import NOTE, interval_note, notes_below
from semiosis.figures._page import text_height
from semiosis.figures._style import HUES, POINTS, RULE, Width, blank_figure, house_style
from semiosis.figures._text import Style, font
from semiosis.stats import Estimate, Interval, bootstrap
from semiosis.values import HSG, MATCHED, MODES, Alignment, UsageError

Swarm = Mapping[str, Sequence[float]]
"""Values by the name of their row."""

_CORNERS = np.array([[0.5, np.sqrt(3) / 2], [0.0, 0.0], [1.0, 0.0]])
"""Iconic on top, indexical on the left, symbolic on the right."""


def net_iconicity(rows: Swarm, *, unrated: int = 0, width: Width = "one-column") -> Figure:
    """Draw how net iconicity is distributed, one dot for each value, one row for each name.

    Above 0 resemblance dominates, below 0 trace and convention do. Nothing is left out as an outlier, and
    dots are moved up or down only as far as they would overlap.
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
        wide, each = POINTS[width], 46.0
        tall = text_height(note, wide - 4, NOTE)
        height = each * len(rows) + 44 + tall
        counted = ", ".join(f"{len(values)} {name}" for name, values in rows.items())
        figure = blank_figure(wide, height, f"Net iconicity of {counted}.")
        axes = figure.add_axes((64 / wide, (28 + tall) / height, 1 - 72 / wide, each * len(rows) / height))
        axes.axvline(0, color=RULE, linewidth=0.7, zorder=0)
        for place, (name, values) in enumerate(rows.items()):
            _swarm(axes, values, place, (ends, wide - 72, each), HUES[place % len(HUES)])
            axes.annotate(
                f"{name}\nn = {len(values)}",
                (0, place),
                (-60, -4),
                xycoords=("axes fraction", "data"),
                textcoords="offset points",
                fontproperties=font(Style(6.5)),
                annotation_clip=False,
            )
        axes.set_xlim(-ends, ends)
        axes.set_ylim(len(rows) - 0.5, -0.5)
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
        notes_below(figure, [note], wide, tall)
        return figure


def _swarm(
    axes: Axes, values: Sequence[float], place: int, scale: tuple[float, float, float], colour: str
) -> None:
    """Draw dots side by side without overlap, and their median."""
    if not values:
        return
    ends, wide, high = scale
    step = 4.2
    taken: list[tuple[float, float]] = []
    for value in sorted(values):
        x = value / ends * wide / 2
        shifts = [(n + 1) // 2 * step / 2 * (1 if n % 2 else -1) for n in range(len(values) * 4 + 1)]
        free = (s for s in shifts if all((x - u) ** 2 + (s - v) ** 2 >= (step * 0.9) ** 2 for u, v in taken))
        offset = next(free, 0.0)
        taken.append((x, offset))
        axes.plot(
            value,
            place + max(-0.45, min(0.45, offset / high)),
            "o",
            color=colour,
            markersize=3.2,
            markeredgecolor="#ffffff",
            markeredgewidth=0.3,
        )
    middle = float(np.median(values))
    axes.plot((middle, middle), (place - 0.42, place + 0.42), color="#1a1a1a", linewidth=1.0)


def ground_shifts(
    alignments: Sequence[Alignment], hsgs: Mapping[str, HSG], *, width: Width = "one-column"
) -> Figure:
    """Draw how the grounds of matched nodes move from prompt to artifact, in a triangle.

    A node's position is the share of each ground in its three strengths. Prompt and artifact are different
    signs, so the shift is a proxy for principle 5 of SemJudge, which is about one sign.
    """
    moves, groundless = _moves(alignments, hsgs)
    if not moves:
        raise UsageError("no matched node has grounds on both sides", fix="align readings that state grounds")
    note = _shift_note(moves, alignments, groundless)
    with house_style():
        wide = POINTS[width]
        side = min(wide - 60, 210.0)
        tall = text_height(note, wide - 4, NOTE)
        height = side * 0.87 + 42 + tall
        figure = blank_figure(wide, height, f"Ground shifts of {len(moves)} matched nodes.")
        axes = figure.add_axes(
            ((wide - side) / 2 / wide, (22 + tall) / height, side / wide, side * 0.87 / height)
        )
        _triangle(axes)
        for move in moves:
            start, end = move.before @ _CORNERS, move.after @ _CORNERS
            axes.annotate(
                "",
                end,
                start,
                arrowprops={"arrowstyle": "-", "color": HUES[0], "linewidth": 0.5, "alpha": 0.55},
            )
            axes.plot(
                *start,
                "o",
                markersize=2.8,
                markerfacecolor="#ffffff",
                markeredgecolor=HUES[0],
                markeredgewidth=0.6,
            )
            axes.plot(*end, "o", markersize=2.8, color=HUES[0], markeredgewidth=0)
        axes.annotate(
            "",
            np.mean([move.after for move in moves], axis=0) @ _CORNERS,
            np.mean([move.before for move in moves], axis=0) @ _CORNERS,
            arrowprops={
                "arrowstyle": "-|>",
                "mutation_scale": 7,
                "color": HUES[1],
                "linewidth": 1.8,
                "shrinkA": 0,
                "shrinkB": 0,
            },
        )
        notes_below(figure, [note], wide, tall)
        return figure


class _Move(NamedTuple):
    """The shares of the three grounds of one node in the prompt and in the artifact."""

    before: np.ndarray
    after: np.ndarray
    prompt: str


def _shift_note(moves: Sequence[_Move], alignments: Sequence[Alignment], groundless: int) -> str:
    first = alignments[0]
    changes = [_mean_change(moves, place) for place in range(len(MODES))]
    told = ", ".join(
        f"{mode} {float(change):+.2f}".replace("-", "\N{MINUS SIGN}")
        + (f" {change.interval}" if isinstance(change.interval, Interval) else "")
        for mode, change in zip(MODES, changes, strict=True)
    )
    left_out = f" {groundless} without grounds are left out." if groundless else ""
    return (
        f"{len(moves)} matched nodes of {len(alignments)} alignments by {first.aligned_by}, "
        f"{first.condition} readings: hollow in the prompt, filled in the artifact. "
        f"Thick arrow, the mean change of the shares: {told}; {interval_note(changes)}. "
        f"A proxy: prompt and artifact are different signs.{left_out}"
    )


def _mean_change(moves: Sequence[_Move], place: int) -> Estimate:
    changes = [float(move.after[place] - move.before[place]) for move in moves]
    mean: Callable[..., float] = lambda values: float(np.mean(values))  # noqa: E731  # short
    return bootstrap(mean, changes, prompts=[move.prompt for move in moves], method="t")


def _moves(alignments: Sequence[Alignment], hsgs: Mapping[str, HSG]) -> tuple[list[_Move], int]:
    """Return the moves of matched nodes, and how many nodes state no grounds."""
    moves, without = [], 0
    for alignment in alignments:
        source, target = hsgs[alignment.source.hsg], hsgs[alignment.target.hsg]
        for fate in alignment.fates:
            if fate.fate not in MATCHED:
                continue
            before = np.array(source.semioses[fate.node].grounds.strengths)
            after = np.mean([target.semioses[t].grounds.strengths for t in fate.targets], axis=0)
            if before.sum() and after.sum():
                moves.append(_Move(before / before.sum(), after / after.sum(), alignment.source.sign))
            else:
                without += 1
    return moves, without


def _triangle(axes: Axes) -> None:
    axes.set_axis_off()
    axes.set_aspect("equal")
    closed = [*_CORNERS, _CORNERS[0]]
    axes.plot([x for x, _ in closed], [y for _, y in closed], color="#1a1a1a", linewidth=0.7)
    for share in (0.25, 0.5, 0.75):
        for corner in range(3):
            ends = []
            for other in {0, 1, 2} - {corner}:
                point = np.zeros(3)
                point[corner], point[other] = share, 1 - share
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
