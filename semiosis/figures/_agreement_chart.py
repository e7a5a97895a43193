"""The chart of the agreement between the readers of each sign and of the agreement expected by chance."""

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from semiosis.figures._charts import NAME, NOTE, draw_notes
from semiosis.figures._page import text_height
from semiosis.figures._style import HUES, INK, POINTS, QUIET, RULE, Width, blank_figure, house_style
from semiosis.figures._text import Style, font, wrap_text
from semiosis.stats import Estimate, Interval
from semiosis.study import GroupAgreement, ReaderAgreement, SignAgreement
from semiosis.values import Unscored, UsageError

_ROW = 9.5
_MAX_SIGNS = 60
"""The largest number of signs in one figure."""


def reader_agreement_chart(
    agreement: ReaderAgreement, group: GroupAgreement | None = None, *, width: Width = "two-column"
) -> Figure:
    """Draw the share of matched nodes of each sign and the share by chance. The first row is for all signs.

    `group` is one pair of readers or all readers of a kind. The default is the first group.
    """
    shown_group = group or agreement.groups[0]
    if len(shown_group.signs) > _MAX_SIGNS:
        raise UsageError(
            f"{len(shown_group.signs)} signs are too many for one figure",
            fix="draw a part of the study: create it with semiosis study subset",
        )
    nodes, full_width = shown_group.measure("nodes"), POINTS[width]
    reader_names = (
        " and ".join(shown_group.readers)
        if shown_group.scope == "readers"
        else f"repeats of {shown_group.readers[0]}"
    )
    below = [_note(agreement, reader_names, nodes.corrected), _same_place_note(shown_group)]
    with house_style():
        notes_height = math.fsum(text_height(note, full_width - 4, NOTE) for note in below)
        names_width = full_width * (0.5 if width == "one-column" else 0.42)
        chart_height = _ROW * (len(shown_group.signs) + 2)
        height = 8 + chart_height + 26 + notes_height
        figure = blank_figure(
            full_width,
            height,
            f"Agreement of {reader_names} on {len(shown_group.signs)} signs against chance.",
        )
        axes = figure.add_axes(
            (
                names_width / full_width,
                (26 + notes_height) / height,
                1 - (names_width + 10) / full_width,
                chart_height / height,
            )
        )
        _frame(axes, ["all signs", "", *(sign.title for sign in shown_group.signs)], names_width - 8)
        _draw_all(axes, nodes.observed, nodes.chance)
        for row_number, sign in enumerate(shown_group.signs, start=2):
            _draw_sign(axes, row_number, sign)
        draw_notes(figure, below, full_width, notes_height)
        return figure


def _note(agreement: ReaderAgreement, reader_names: str, corrected: Estimate) -> str:
    dot = "Dot: share of both readings' nodes that match. Cross: the same for readers of different signs."
    readings = f"{reader_names[0].upper()}{reader_names[1:]}; {agreement.condition} readings"
    return f"{readings}; nodes matched by {agreement.aligned_by}. {dot} All signs: {corrected}."


def _same_place_note(group: GroupAgreement) -> str:
    total = sum(sign.same_place for sign in group.signs)
    signs = sum(sign.same_place > 0 for sign in group.signs)
    return (
        f"Same place, other object: {total} pair{'s' * (total != 1)} of nodes that do not match, "
        f"on {signs} of {len(group.signs)} signs."
    )


def _frame(axes: Axes, names: Sequence[str], width: float) -> None:
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(
        range(len(names)), [_cut_to_width(name, width) for name in names], fontproperties=font(NAME)
    )
    axes.tick_params(axis="y", length=0, pad=3)
    axes.spines["left"].set_visible(False)
    axes.axhline(1, color=RULE, linewidth=0.5)
    axes.set_xlabel("share of nodes that match", fontproperties=font(Style(6.5)))


def _cut_to_width(name: str, width: float) -> str:
    """Return the first line of a name, followed by an ellipsis if the name is longer."""
    lines = wrap_text(name, width, NAME) if name else []
    if len(lines) < 2:
        return name
    first = "".join(run.text for run in wrap_text(name, width - 6, NAME)[0].runs)
    return f"{first.rstrip()} …"


def _draw_all(axes: Axes, observed: Estimate, chance: Estimate) -> None:
    for estimate, colour in ((chance, QUIET), (observed, HUES[0])):
        ends = estimate.interval
        if isinstance(ends, Interval):
            axes.plot((ends.low, ends.high), (0, 0), color=colour, linewidth=1.2, solid_capstyle="butt")
    _draw_marks(axes, 0, _scored_value(observed.value), _scored_value(chance.value), size=4.6)


def _draw_sign(axes: Axes, row_number: int, sign: SignAgreement) -> None:
    value = sign.values["nodes"]
    observed, chance = _scored_value(value.observed), _scored_value(value.chance)
    if observed is not None and chance is not None:
        axes.plot((chance, observed), (row_number, row_number), color=RULE, linewidth=0.8, zorder=1)
    _draw_marks(axes, row_number, observed, chance, size=3.4)


def _draw_marks(
    axes: Axes, row_number: int, observed: float | None, chance: float | None, *, size: float
) -> None:
    if chance is not None:
        axes.plot(chance, row_number, "x", color=INK, markersize=size, markeredgewidth=0.8, zorder=3)
    if observed is not None:
        axes.plot(observed, row_number, "o", color=HUES[0], markersize=size, zorder=2)


def _scored_value(value: float | Unscored) -> float | None:
    return None if isinstance(value, Unscored) else value
