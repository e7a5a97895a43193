"""Agreement of the readers of each sign, against what readers of different signs share."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from semiosis.figures._charts import NAME, NOTE, notes_below
from semiosis.figures._page import text_height
from semiosis.figures._style import HUES, INK, POINTS, QUIET, RULE, Width, blank_figure, house_style
from semiosis.figures._text import Style, font, wrapped
from semiosis.stats import Estimate, Interval
from semiosis.study import GroupAgreement, ReaderAgreement, SignAgreement
from semiosis.values import Unscored, UsageError

_ROW = 9.5
_MOST_ROWS = 60
"""Signs that one figure names; more are left to the table."""


def reader_agreement_chart(
    found: ReaderAgreement, group: GroupAgreement | None = None, *, width: Width = "two-column"
) -> Figure:
    """Draw the matched share of the nodes of each sign beside chance; all signs together are on top.

    `group` is one pair of readers, or all of a kind; the first group by default.
    """
    shown = group or found.groups[0]
    if len(shown.signs) > _MOST_ROWS:
        raise UsageError(
            f"{len(shown.signs)} signs are too many for one figure",
            fix="draw a part of the study: semiosis study subset",
        )
    nodes, wide = shown.measure("nodes"), POINTS[width]
    who = " and ".join(shown.readers) if shown.scope == "readers" else f"repeats of {shown.readers[0]}"
    below = [_note(found, who, nodes.corrected)]
    with house_style():
        tall = sum(text_height(note, wide - 4, NOTE) for note in below)
        lead = wide * (0.5 if width == "one-column" else 0.42)
        inside = _ROW * (len(shown.signs) + 2)
        height = 8 + inside + 26 + tall
        figure = blank_figure(wide, height, f"Agreement of {who} on {len(shown.signs)} signs against chance.")
        axes = figure.add_axes((lead / wide, (26 + tall) / height, 1 - (lead + 10) / wide, inside / height))
        _frame(axes, ["all signs", "", *(sign.title for sign in shown.signs)], lead - 8)
        _draw_all(axes, nodes.observed, nodes.chance)
        for place, sign in enumerate(shown.signs, start=2):
            _draw_sign(axes, place, sign)
        notes_below(figure, below, wide, tall)
        return figure


def _note(found: ReaderAgreement, who: str, corrected: Estimate) -> str:
    dot = "Dot: share of both readings' nodes that match. Cross: the same for readers of different signs."
    about = f"{who[0].upper()}{who[1:]}; {found.condition} readings; nodes matched by {found.aligned_by}."
    return f"{about} {dot} All signs: {corrected}."


def _frame(axes: Axes, names: Sequence[str], room: float) -> None:
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_yticks(range(len(names)), [_cut(name, room) for name in names], fontproperties=font(NAME))
    axes.tick_params(axis="y", length=0, pad=3)
    axes.spines["left"].set_visible(False)
    axes.axhline(1, color=RULE, linewidth=0.5)
    axes.set_xlabel("share of nodes that match", fontproperties=font(Style(6.5)))


def _cut(name: str, room: float) -> str:
    """Return the first line of a name, with dots if it is longer."""
    lines = wrapped(name, room, NAME) if name else []
    if len(lines) < 2:
        return name
    first = "".join(run.text for run in wrapped(name, room - 6, NAME)[0].runs)
    return f"{first.rstrip()} …"


def _draw_all(axes: Axes, observed: Estimate, chance: Estimate) -> None:
    for estimate, colour in ((chance, QUIET), (observed, HUES[0])):
        ends = estimate.interval
        if isinstance(ends, Interval):
            axes.plot((ends.low, ends.high), (0, 0), color=colour, linewidth=1.2, solid_capstyle="butt")
    _marks(axes, 0, _number(observed.value), _number(chance.value), size=4.6)


def _draw_sign(axes: Axes, place: int, sign: SignAgreement) -> None:
    value = sign.values["nodes"]
    observed, chance = _number(value.observed), _number(value.chance)
    if observed is not None and chance is not None:
        axes.plot((chance, observed), (place, place), color=RULE, linewidth=0.8, zorder=1)
    _marks(axes, place, observed, chance, size=3.4)


def _marks(axes: Axes, place: int, observed: float | None, chance: float | None, *, size: float) -> None:
    if chance is not None:
        axes.plot(chance, place, "x", color=INK, markersize=size, markeredgewidth=0.8, zorder=3)
    if observed is not None:
        axes.plot(observed, place, "o", color=HUES[0], markersize=size, zorder=2)


def _number(value: float | Unscored) -> float | None:
    return None if isinstance(value, Unscored) else value
