"""The generator profile: what each generator does to the meaning of its prompts."""

from collections.abc import Callable, Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from semiosis.figures._charts import NOTE, notes_below
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

Panel = Callable[[Axes, GeneratorProfile], None]
_LAYOUT: dict[Width, list[list[tuple[Panel, float]]]] = {
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
_LEAD, _ABOVE, _BELOW, _GAP = 72.0, 18.0, 33.0, 14.0


def profile(found: GeneratorProfile, *, width: Width = "two-column") -> Figure:
    """Draw what each generator keeps, changes, loses and adds, by fate, ground and tradition.

    Shares are over the nodes of the prompts. Where an embedder aligned, only matched and lost are known.
    """
    rows = len(found.rows)
    note = _note(found)
    layout = _LAYOUT[width]
    with house_style():
        wide, block = POINTS[width], rows * _ROW[width]
        tall = text_height(note, wide - 4, NOTE)
        height = len(layout) * (_ABOVE + block + _BELOW) + tall + 6
        figure = blank_figure(wide, height, f"What {rows} generators do to meaning: {found}")
        for number, panels in enumerate(layout):
            bottom = height - (number + 1) * (_ABOVE + block) - number * _BELOW
            for place, (draw, left, span) in enumerate(_spots(panels, wide)):
                axes = figure.add_axes((left / wide, bottom / height, span / wide, block / height))
                draw(axes, found)
                name_rows(axes, found, _LEAD - 4 if place == 0 else 0)
        notes_below(figure, [note], wide, tall)
        return figure


def _spots(panels: Sequence[tuple[Panel, float]], wide: float) -> Iterator[tuple[Panel, float, float]]:
    """Yield each panel of a row with its left edge and its width in points."""
    room = wide - _LEAD - 10 - _GAP * (len(panels) - 1)
    total = sum(weight for _, weight in panels)
    left = _LEAD
    for draw, weight in panels:
        span = room * weight / total
        yield draw, left, span
        left += span + _GAP


def _note(found: GeneratorProfile) -> str:
    each = ", ".join(f"{row.generator} {row.artifacts}, {row.shares.matched.n} nodes" for row in found.rows)
    return " ".join(
        (
            f"Alignments by {found.aligned_by}, {found.condition} readings by {', '.join(found.readers)};",
            f"n = {found.n} artifacts ({each}); {found.n_unaligned} artifacts are not aligned.",
            f"Intervals: 95 %, Student's t over prompts{_without(found)}.",
            "Shares are over nodes of the prompts; matched: kept, weakened, split or merged.",
            *(["Recoverable: matched or diffused."] if found.stated else []),
            "By ground, a node counts with the strength of the ground. By tradition, the small line is the",
            "interval, or the number of nodes where there is none. Turned literal: of the nodes that are",
            "most strongly symbolic and recur (in brackets), the share that became most strongly iconic.",
            *([found.audit] if found.audit else []),
        )
    )


def _without(found: GeneratorProfile) -> str:
    """Return why values have no interval, and that intervals over few prompts are unreliable."""
    ends = [estimate.interval for row in found.rows for estimate in _estimates(row)]
    reasons = {end.detail for end in ends if isinstance(end, Unscored)}
    few = sorted({end.units for end in ends if isinstance(end, Interval) and end.few})
    told = [f"hollow: none, {'; '.join(sorted(reasons))}"] if reasons else []
    told += [f"unreliable over {' or '.join(map(str, few))} prompts"] if few else []
    return f" ({'; '.join(told)})" if told else ""


def _estimates(row: GeneratorRow) -> Iterator[Estimate]:
    for shares in (row.shares, *row.by_ground.values()):
        yield from (shares.matched, shares.lost)
    yield row.added
