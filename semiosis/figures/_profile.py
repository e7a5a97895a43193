"""The generator profile: what each generator does to the meaning of its prompts."""

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from semiosis.figures._charts import NAME, NOTE, notes_below
from semiosis.figures._nodes import tint
from semiosis.figures._page import text_height
from semiosis.figures._style import (
    FATE_COLOURS,
    FATE_HATCHES,
    HUES,
    POINTS,
    QUIET,
    Width,
    blank_figure,
    house_style,
)
from semiosis.figures._text import Style, font, wrapped
from semiosis.stats import Estimate, Interval
from semiosis.study import GeneratorProfile
from semiosis.values import FATES, MODES, Fate, Unscored

_MARKERS = {"iconic": ("o", HUES[0]), "indexical": ("s", HUES[1]), "symbolic": ("D", HUES[2])}
_BLOCK = 14.0


def profile(found: GeneratorProfile, *, width: Width = "two-column") -> Figure:
    """Draw fates, matched shares by ground and tradition, symbols turned literal and additions, side by side.

    Shares are over the nodes of the prompts. Where an embedder aligned, only matched and lost are known.
    """
    rows = len(found.rows)
    note = _note(found)
    fates: tuple[Fate, ...] = FATES if found.stated else ("kept", "lost")
    with house_style():
        wide = POINTS[width]
        two = width == "two-column"
        tall = text_height(note, wide - 4, NOTE)
        block = rows * _BLOCK * 1.25
        height = (2 if two else 5) * (block + 48) + tall + 6
        figure = blank_figure(wide, height, f"What {rows} generators do to meaning: {found}")
        spots = _spots(wide, height, block, two=two)
        _draw_fates(figure.add_axes(spots[0]), found, fates)
        _draw_dots(figure.add_axes(spots[1]), found)
        _draw_traditions(figure.add_axes(spots[2]), found)
        _draw_bars(
            figure.add_axes(spots[3]),
            found,
            {r.generator: r.literal for r in found.rows},
            "Symbols turned literal",
        )
        _draw_bars(
            figure.add_axes(spots[4]),
            found,
            {r.generator: r.added for r in found.rows},
            "Added nodes per artifact",
        )
        notes_below(figure, [note], wide, tall)
        return figure


def _note(found: GeneratorProfile) -> str:
    each = ", ".join(f"{row.generator} {row.artifacts}, {row.matched.n} nodes" for row in found.rows)
    return " ".join(
        (
            f"Alignments by {found.aligned_by}, {found.condition} readings by {', '.join(found.readers)};",
            f"n = {found.n} artifacts ({each}); {found.n_unaligned} artifacts are not aligned.",
            f"Intervals: 95 % over prompts{_without(found)}.",
            "By ground: a node counts with the strength of the ground. Symbols turned literal: nodes most",
            "strongly symbolic whose counterpart is most strongly iconic, with their number.",
        )
    )


def _without(found: GeneratorProfile) -> str:
    ends = [row.matched.interval for row in found.rows]
    reasons = {end.detail for end in ends if isinstance(end, Unscored)}
    return f" (hollow: none, {'; '.join(sorted(reasons))})" if reasons else ""


def _spots(wide: float, height: float, block: float, *, two: bool) -> list[tuple[float, float, float, float]]:
    """Return the place of each panel as shares of the figure: in two rows, or one below the other."""
    lead = 72.0
    if not two:
        return [
            (lead / wide, 1 - (n * (block + 48) + 20 + block) / height, 1 - (lead + 8) / wide, block / height)
            for n in range(5)
        ]
    first, second = 1 - (20 + block) / height, 1 - (20 + 2 * block + 48) / height
    return [
        (lead / wide, first, 0.43, block / height),
        ((lead + wide * 0.43 + 24) / wide, first, 1 - (lead + wide * 0.43 + 32) / wide, block / height),
        (lead / wide, second, 0.36, block / height),
        ((lead + wide * 0.36 + 20) / wide, second, 0.19, block / height),
        ((lead + wide * 0.55 + 40) / wide, second, 1 - (lead + wide * 0.55 + 48) / wide, block / height),
    ]


def _frame(axes: Axes, found: GeneratorProfile, title: str, *, named: bool) -> None:
    axes.set_title(title, fontproperties=font(Style(7, "bold")), pad=4)
    axes.set_ylim(len(found.rows) - 0.5, -0.5)
    names = [_in_lines(row.generator) for row in found.rows] if named else []
    axes.set_yticks(range(len(found.rows)) if named else [], names, fontproperties=font(NAME))
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _in_lines(name: str) -> str:
    """Return a name broken into lines that fit beside the rows."""
    return "\n".join("".join(run.text for run in line.runs) for line in wrapped(name, 66, NAME))


def _draw_fates(axes: Axes, found: GeneratorProfile, fates: tuple[Fate, ...]) -> None:
    word = {"kept": "kept" if found.stated else "matched"}
    for place, row in enumerate(found.rows):
        left = 0.0
        for fate in fates:
            share = float(row.by_fate[fate])
            axes.barh(
                place,
                share,
                0.72,
                left,
                color=FATE_COLOURS[fate],
                hatch=FATE_HATCHES[fate],
                edgecolor="#1a1a1a",
                linewidth=0.4,
            )
            left += share
    _frame(axes, found, "What becomes of the prompt's nodes", named=True)
    axes.set_xlim(0, 1)
    patches = [
        Patch(
            facecolor=FATE_COLOURS[f],
            hatch=FATE_HATCHES[f],
            edgecolor="#1a1a1a",
            linewidth=0.4,
            label=word.get(f, f),
        )
        for f in fates
    ]
    axes.legend(
        handles=patches,
        ncols=4,
        loc="upper left",
        bbox_to_anchor=(-0.02, -0.13),
        frameon=False,
        prop=font(Style(6)),
        handlelength=1.6,
        columnspacing=1.0,
        borderpad=0,
    )


def _draw_dots(axes: Axes, found: GeneratorProfile) -> None:
    for place, row in enumerate(found.rows):
        for number, mode in enumerate(MODES):
            marker, colour = _MARKERS[mode]
            _dot(axes, row.by_ground[mode], place + (number - 1) * 0.22, marker, colour)
    for mode in MODES:
        marker, colour = _MARKERS[mode]
        axes.plot([], [], marker, color=colour, markersize=3.2, label=mode)
    _frame(axes, found, "Matched share by ground", named=False)
    axes.set_xlim(-0.04, 1.04)
    axes.legend(
        ncols=3,
        loc="upper left",
        bbox_to_anchor=(-0.02, -0.13),
        frameon=False,
        prop=font(Style(6)),
        handlelength=0.8,
        columnspacing=1.0,
        borderpad=0,
    )
    axes.grid(axis="x", color="#ededed", linewidth=0.5)


def _dot(axes: Axes, estimate: Estimate, place: float, marker: str, colour: str) -> None:
    if isinstance(estimate.value, Unscored):
        return
    inside = isinstance(estimate.interval, Interval)
    if isinstance(estimate.interval, Interval):
        axes.plot(
            (estimate.interval.low, estimate.interval.high), (place, place), color=colour, linewidth=0.8
        )
    axes.plot(
        estimate.value,
        place,
        marker,
        color=colour,
        markersize=3.2,
        markerfacecolor=colour if inside else "#ffffff",
        markeredgewidth=0.8,
    )


def _draw_traditions(axes: Axes, found: GeneratorProfile) -> None:
    traditions = list(dict.fromkeys(name for row in found.rows for name in row.by_tradition))
    for place, row in enumerate(found.rows):
        for column, tradition in enumerate(traditions):
            estimate = row.by_tradition.get(tradition)
            if estimate is None or isinstance(estimate.value, Unscored):
                axes.text(column, place, "·", ha="center", va="center", color=QUIET)
                continue
            axes.barh(
                place,
                1,
                0.96,
                column - 0.5,
                color=tint(HUES[0], 0.9 * estimate.value + 0.04),
                edgecolor="#ffffff",
                linewidth=0.6,
            )
            axes.text(
                column,
                place,
                f"{estimate.value:.0%}",
                ha="center",
                va="center",
                fontproperties=font(Style(6)),
                color="#ffffff" if estimate.value > 0.6 else "#1a1a1a",
            )
    _frame(axes, found, "Matched share by tradition", named=True)
    axes.set_xlim(-0.5, max(len(traditions), 1) - 0.5)
    axes.set_xticks(
        range(len(traditions)),
        [name.replace(" ", "\n") for name in traditions],
        fontproperties=font(Style(5.6)),
    )
    axes.tick_params(axis="x", length=0)
    axes.spines["bottom"].set_visible(False)


def _draw_bars(axes: Axes, found: GeneratorProfile, values: Mapping[str, Estimate], title: str) -> None:
    known = [float(e) for e in values.values() if e.scored]
    highest = max([1.0 if "literal" in title else 0.0, *known]) or 1.0
    for place, estimate in enumerate(values.values()):
        if isinstance(estimate.value, Unscored):
            axes.text(0.02 * highest, place, "– (0)", va="center", fontproperties=font(Style(6)), color=QUIET)
            continue
        axes.barh(place, estimate.value, 0.55, color="#8a8a8a", linewidth=0)
        if isinstance(estimate.interval, Interval):
            axes.plot(
                (estimate.interval.low, estimate.interval.high),
                (place, place),
                color="#1a1a1a",
                linewidth=0.8,
            )
        text = f"{estimate.value:.0%} ({estimate.n})" if "literal" in title else f"{estimate.value:.1f}"
        axes.annotate(
            text, (estimate.value, place), (3, -2), textcoords="offset points", fontproperties=font(Style(6))
        )
    _frame(axes, found, title, named=False)
    axes.set_xlim(0, highest * 1.3)
    axes.set_xticks([0, 0.5, 1] if "literal" in title else [0, round(highest / 2, 1), round(highest, 1)])
