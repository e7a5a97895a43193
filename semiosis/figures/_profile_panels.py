"""The panels of the generator profile. Each panel has one row per generator."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from semiosis.figures._charts import NAME
from semiosis.figures._node_cards import tint
from semiosis.figures._style import FATE_COLOURS, FATE_HATCHES, HUES, INK, QUIET
from semiosis.figures._text import Style, font, text_width, wrap_text
from semiosis.stats import Estimate, Interval
from semiosis.study import GeneratorProfile, NodeShares
from semiosis.values import FATES, MODES, Fate, Unscored

MarkerStyle = tuple[str, str]
"""Shape and colour. Shapes distinguish markers in print without colour."""
_GROUNDS: dict[str, MarkerStyle] = {
    "iconic": ("o", HUES[0]),
    "indexical": ("s", HUES[1]),
    "symbolic": ("D", HUES[2]),
}
_SHARES: dict[str, MarkerStyle] = {
    "matched": ("o", HUES[0]),
    "recoverable": ("^", HUES[2]),
    "kept": ("s", HUES[3]),
    "lost": ("v", HUES[1]),
}
_SMALL, _TINY = Style(6), Style(4.9)


def draw_fates(axes: Axes, generators: GeneratorProfile) -> None:
    """Draw the share of each fate as a bar. Alignments by an embedder state only matched and lost."""
    fates: tuple[Fate, ...] = FATES if generators.stated else ("kept", "lost")
    for row_number, row in enumerate(generators.rows):
        left = 0.0
        for fate in fates:
            share = float(row.shares.by_fate[fate])
            axes.barh(row_number, share, 0.72, left, **_fill_style(fate))
            left += share
    _set_title(axes, "What becomes of the prompt's nodes")
    axes.set_xlim(0, 1)
    word = {} if generators.stated else {"kept": "matched"}
    _add_legend(axes, [Patch(label=word.get(fate, fate), **_fill_style(fate)) for fate in fates])


def _fill_style(fate: Fate) -> dict[str, Any]:
    return {
        "facecolor": FATE_COLOURS[fate],
        "hatch": FATE_HATCHES[fate],
        "edgecolor": INK,
        "linewidth": 0.4,
    }


def draw_shares(axes: Axes, generators: GeneratorProfile) -> None:
    """Draw the shares of all nodes with their intervals."""
    rows = [_defined_shares(row.shares) for row in generators.rows]
    _draw_dots(axes, rows, {name: _SHARES[name] for name in _SHARES if rows and name in rows[0]})
    _set_title(axes, "Shares of the prompt's nodes")


def _defined_shares(shares: NodeShares) -> dict[str, Estimate]:
    by_name = {
        "matched": shares.matched,
        "recoverable": shares.recoverable,
        "kept": shares.kept,
        "lost": shares.lost,
    }
    return {name: share for name, share in by_name.items() if share is not None}


def draw_matched_by_ground(axes: Axes, generators: GeneratorProfile) -> None:
    """Draw the matched share of each ground with its interval."""
    _draw_dots(axes, [{m: row.by_ground[m].matched for m in MODES} for row in generators.rows], _GROUNDS)
    _set_title(axes, "Matched, by ground")


def draw_lost_by_ground(axes: Axes, generators: GeneratorProfile) -> None:
    """Draw the lost share of each ground with its interval."""
    _draw_dots(
        axes, [{m: row.by_ground[m].lost for m in MODES} for row in generators.rows], _GROUNDS, legend=False
    )
    _set_title(axes, "Lost, by ground")


def _draw_dots(
    axes: Axes,
    rows: Sequence[Mapping[str, Estimate]],
    markers: Mapping[str, MarkerStyle],
    *,
    legend: bool = True,
) -> None:
    for row_number, row in enumerate(rows):
        for number, (name, marker) in enumerate(markers.items()):
            _draw_dot(axes, row[name], row_number + (number - (len(markers) - 1) / 2) * 0.2, marker)
    axes.set_xlim(-0.04, 1.04)
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.grid(axis="x", color="#ededed", linewidth=0.5)
    if legend:
        _add_legend(
            axes,
            [
                Line2D([], [], linestyle="", marker=shape, color=colour, markersize=3.2, label=name)
                for name, (shape, colour) in markers.items()
            ],
        )


def _draw_dot(axes: Axes, estimate: Estimate, row_number: float, marker: MarkerStyle) -> None:
    if isinstance(estimate.value, Unscored):
        return
    shape, colour = marker
    has_interval = isinstance(estimate.interval, Interval)
    if isinstance(estimate.interval, Interval):
        ends = (estimate.interval.low, estimate.interval.high)
        axes.plot(ends, (row_number, row_number), color=colour, linewidth=0.8)
    face = colour if has_interval else "#ffffff"
    axes.plot(
        estimate.value,
        row_number,
        shape,
        color=colour,
        markersize=3.2,
        markerfacecolor=face,
        markeredgewidth=0.8,
    )


def draw_matched_by_tradition(axes: Axes, generators: GeneratorProfile) -> None:
    """Draw the matched share of each tradition as a cell."""
    rows = [{name: shares.matched for name, shares in row.by_tradition.items()} for row in generators.rows]
    _draw_cells(axes, rows, HUES[0])
    _set_title(axes, "Matched, by tradition")


def draw_lost_by_tradition(axes: Axes, generators: GeneratorProfile) -> None:
    """Draw the lost share of each tradition as a cell."""
    rows = [{name: shares.lost for name, shares in row.by_tradition.items()} for row in generators.rows]
    _draw_cells(axes, rows, HUES[1])
    _set_title(axes, "Lost, by tradition")


def _draw_cells(axes: Axes, rows: Sequence[Mapping[str, Estimate]], colour: str) -> None:
    columns = list(dict.fromkeys(name for row in rows for name in row))
    for row_number, row in enumerate(rows):
        for column, name in enumerate(columns):
            _draw_cell(axes, row.get(name), column, row_number, colour)
    axes.set_xlim(-0.5, max(len(columns), 1) - 0.5)
    column_width = _width_in_points(axes) / max(len(columns), 1)
    style = _fitting_style([word for name in columns for word in name.split()], column_width - 1)
    axes.set_xticks(
        range(len(columns)),
        [_break_lines(name, column_width - 0.5, style) for name in columns],
        fontproperties=font(style),
    )
    axes.tick_params(axis="x", length=0, pad=1)
    axes.spines["bottom"].set_visible(False)


def _width_in_points(axes: Axes) -> float:
    return float(axes.get_window_extent().width / axes.figure.dpi * 72)


def _fitting_style(words: Sequence[str], width: float) -> Style:
    """Return a style in which the longest word fits, but not below a readable size."""
    widest = max((text_width(word, Style(5.4)) for word in words), default=0.0)
    return Style(max(4.2, min(5.4, 5.4 * width / widest))) if widest else Style(5.4)


def _draw_cell(axes: Axes, estimate: Estimate | None, column: int, row_number: int, colour: str) -> None:
    if estimate is None or isinstance(estimate.value, Unscored):
        axes.text(column, row_number, "·", ha="center", va="center", color=QUIET)
        return
    shade = tint(colour, 0.9 * estimate.value + 0.04)
    axes.barh(row_number, 1, 0.96, column - 0.5, color=shade, edgecolor="#ffffff", linewidth=0.6)
    ends = estimate.interval
    below = f"{ends.low:.0%}–{ends.high:.0%}" if isinstance(ends, Interval) else f"n = {estimate.n}"
    ink = _ink_on(shade)
    for text, up, style in ((f"{estimate.value:.0%}", 0.5, _SMALL), (below, -5.4, _TINY)):
        axes.annotate(
            text,
            (column, row_number),
            (0, up),
            textcoords="offset points",
            ha="center",
            fontproperties=font(style),
            color=ink,
        )


def _ink_on(colour: str) -> str:
    """Return black or white, whichever has more contrast on a colour (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return INK if 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.18 else "#ffffff"


def draw_literal(axes: Axes, generators: GeneratorProfile) -> None:
    """Draw the share of symbolic nodes that became iconic, with the number of symbolic nodes that recur."""
    _draw_bars(axes, [row.literal for row in generators.rows], 1.0, percent=True)
    _set_title(axes, "Turned literal")


def draw_added(axes: Axes, generators: GeneratorProfile) -> None:
    """Draw how many nodes each generator adds to an artifact."""
    _draw_bars(axes, [row.added for row in generators.rows], 0.0, percent=False)
    _set_title(axes, "Added per artifact")


def _draw_bars(axes: Axes, values: Sequence[Estimate], at_least: float, *, percent: bool) -> None:
    ends = [e.interval.high for e in values if isinstance(e.interval, Interval)]
    highest = max([at_least, *(float(e) for e in values if e.scored), *ends]) or 1.0
    for row_number, estimate in enumerate(values):
        if isinstance(estimate.value, Unscored):
            axes.text(
                0.02 * highest, row_number, "– (0)", va="center", fontproperties=font(_SMALL), color=QUIET
            )
            continue
        axes.barh(row_number, estimate.value, 0.55, color="#a6a6a6", linewidth=0)
        edge = estimate.value
        if isinstance(estimate.interval, Interval):
            edge = max(edge, estimate.interval.high)
            axes.plot(
                (estimate.interval.low, estimate.interval.high),
                (row_number, row_number),
                color=INK,
                linewidth=0.8,
            )
        text = f"{estimate.value:.0%} ({estimate.n})" if percent else f"{estimate.value:.1f}"
        axes.annotate(
            text, (edge, row_number), (3, -2), textcoords="offset points", fontproperties=font(_SMALL)
        )
    axes.set_xlim(0, highest * 1.42)
    axes.set_xticks([0, 0.5, 1] if percent else [0, round(highest / 2, 1), round(highest, 1)])


def name_rows(axes: Axes, generators: GeneratorProfile, width: float) -> None:
    """Write the names of the generators next to the rows, in lines of this width, or nothing if it is 0."""
    names = [_break_lines(row.generator, width, NAME) for row in generators.rows] if width else []
    axes.set_ylim(len(generators.rows) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), names, fontproperties=font(NAME))
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _set_title(axes: Axes, title: str) -> None:
    axes.set_title(title, fontproperties=font(Style(7, "bold")), pad=4)


def _break_lines(name: str, width: float, style: Style) -> str:
    """Return a name with line breaks that fit this width."""
    return "\n".join("".join(run.text for run in line.runs) for line in wrap_text(name, width, style))


def _add_legend(axes: Axes, handles: Sequence[Patch | Line2D]) -> None:
    """Draw a legend below the panel."""
    wide = len(handles) > 4  # a legend that is wider than the panel starts at the edge of the figure
    edge = axes.figure.transFigure if wide else axes.transAxes
    down = ScaledTranslation(0.02, -16 / 72, axes.figure.dpi_scale_trans)
    axes.legend(
        handles=list(handles),
        ncols=4,
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=blended_transform_factory(edge, axes.transAxes) + down,
        frameon=False,
        prop=font(_SMALL),
        handlelength=1.4 if wide else 0.8,
        handletextpad=0.4,
        columnspacing=0.9,
        borderpad=0,
        borderaxespad=0,
    )
