"""The figure of the generator profile: the nodes of prompts that each generator keeps, changes and loses."""

import math
from collections.abc import Callable, Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from semiosis.figures._charts import NOTE, draw_notes
from semiosis.figures._page import text_height
from semiosis.figures._profile_panels import (
    draw_added,
    draw_fates,
    draw_literal,
    draw_lost_by_ground,
    draw_lost_by_tradition,
    draw_matched_by_ground,
    draw_matched_by_tradition,
    draw_shares,
    name_rows,
)
from semiosis.figures._style import POINTS, Width, blank_figure, house_style
from semiosis.stats import Estimate, Interval
from semiosis.study import GeneratorProfile, GeneratorRow
from semiosis.values import Unscored

DrawPanel = Callable[[Axes, GeneratorProfile], None]
"""Draws one panel of the figure."""
_LAYOUT: dict[Width, list[list[tuple[DrawPanel, float]]]] = {
    "two-column": [
        [(draw_fates, 5), (draw_shares, 4)],
        [(draw_matched_by_ground, 1), (draw_lost_by_ground, 1), (draw_literal, 1), (draw_added, 1)],
        [(draw_matched_by_tradition, 1), (draw_lost_by_tradition, 1)],
    ],
    "one-column": [
        [(draw_fates, 1)],
        [(draw_shares, 1)],
        [(draw_matched_by_ground, 1), (draw_lost_by_ground, 1)],
        [(draw_matched_by_tradition, 1)],
        [(draw_lost_by_tradition, 1)],
        [(draw_literal, 1), (draw_added, 1)],
    ],
}
"""The panels of each row with their relative widths."""
_ROW: dict[Width, float] = {"two-column": 17.5, "one-column": 14.5}
_NAMES_WIDTH, _TITLE_HEIGHT, _LEGEND_HEIGHT, _GAP = 72.0, 18.0, 33.0, 14.0


def profile(generators: GeneratorProfile, *, width: Width = "two-column") -> Figure:
    """Draw which nodes each generator keeps, changes, loses and adds, by fate, ground and tradition.

    Shares are over the nodes of the prompts. Alignments by an embedder state only matched and lost.
    """
    rows = len(generators.rows)
    note = _note(generators)
    layout = [panels for panels in _LAYOUT[width] if _has_data(panels, generators)]
    with house_style():
        full_width, panel_height = POINTS[width], rows * _ROW[width]
        notes_height = text_height(note, full_width - 4, NOTE)
        height = len(layout) * (_TITLE_HEIGHT + panel_height + _LEGEND_HEIGHT) + notes_height + 6
        figure = blank_figure(full_width, height, f"Fates of the prompts' nodes by generator: {generators}")
        for number, panels in enumerate(layout):
            bottom = height - (number + 1) * (_TITLE_HEIGHT + panel_height) - number * _LEGEND_HEIGHT
            for column, (draw, left, panel_width) in enumerate(_place_panels(panels, full_width)):
                axes = figure.add_axes(
                    (left / full_width, bottom / height, panel_width / full_width, panel_height / height)
                )
                draw(axes, generators)
                name_rows(axes, generators, _NAMES_WIDTH - 4 if column == 0 else 0)
        draw_notes(figure, [note], full_width, notes_height)
        return figure


def _has_data(panels: Sequence[tuple[DrawPanel, float]], generators: GeneratorProfile) -> bool:
    """Return whether a row of panels has something to draw: those by tradition need prompts with one."""
    by_tradition = {draw_matched_by_tradition, draw_lost_by_tradition}
    return any(row.by_tradition for row in generators.rows) or not by_tradition & {draw for draw, _ in panels}


def _place_panels(
    panels: Sequence[tuple[DrawPanel, float]], full_width: float
) -> Iterator[tuple[DrawPanel, float, float]]:
    """Yield each panel of a row with its left edge and its width in points."""
    room = full_width - _NAMES_WIDTH - 10 - _GAP * (len(panels) - 1)
    total = math.fsum(weight for _, weight in panels)
    left = _NAMES_WIDTH
    for draw, weight in panels:
        panel_width = room * weight / total
        yield draw, left, panel_width
        left += panel_width + _GAP


def _note(generators: GeneratorProfile) -> str:
    counts = ", ".join(
        f"{row.generator} {row.artifacts}, {row.shares.matched.n} nodes" for row in generators.rows
    )
    return " ".join(
        (
            f"Alignments by {generators.aligned_by}, {generators.condition} readings",
            f"by {', '.join(generators.readers)};",
            f"n = {generators.n} artifact{'' if generators.n == 1 else 's'} ({counts}),",
            f"{generators.n_unaligned} not aligned.",
            f"95% intervals: Student's t over prompts{_interval_note(generators)}.",
            "Shares are over nodes of the prompts; matched: kept, weakened, split or merged.",
            *(["Recoverable: matched or diffused."] if generators.stated else []),
            "By ground, nodes are weighted by the ground's strength. By tradition, the small line is the",
            "interval or, without one, the number of nodes. Turned literal: among the nodes that are most",
            "strongly symbolic and recur (number in brackets), the share that became most strongly iconic.",
            *([generators.audit] if generators.audit else []),
        )
    )


def _interval_note(generators: GeneratorProfile) -> str:
    """Return the reasons why values have no interval, and which intervals are over too few prompts."""
    ends = [estimate.interval for row in generators.rows for estimate in _estimates(row)]
    reasons = {end.detail for end in ends if isinstance(end, Unscored)}
    few = sorted({end.units for end in ends if isinstance(end, Interval) and end.has_few_units})
    notes = [f"hollow: none, {'; '.join(sorted(reasons))}"] if reasons else []
    notes += [f"unreliable over {' or '.join(map(str, few))} prompts"] if few else []
    return f" ({'; '.join(notes)})" if notes else ""


def _estimates(row: GeneratorRow) -> Iterator[Estimate]:
    for shares in (row.shares, *row.by_ground.values()):
        yield from (shares.matched, shares.lost)
    yield row.added
