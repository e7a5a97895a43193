"""The reliability diagram: how often a wins, by the probability that a judge stated for it."""

from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from semiosis.figures._charts import NAME, NOTE, draw_notes
from semiosis.figures._page import text_height
from semiosis.figures._style import HUES, POINTS, RULE, Width, blank_figure, house_style
from semiosis.figures._text import Style, font, wrap_text
from semiosis.stats import JudgeTable, ProbabilityCalibration, format_number
from semiosis.values import Unscored, UsageError

_TITLE, _LEFT, _BELOW = 32.0, 30.0, 30.0
"""The space above, to the left of and below each panel, in points."""


def reliability(table: JudgeTable, *, width: Width = "one-column") -> Figure:
    """Draw the observed share of wins against the stated probability, in a panel for each judge.

    A judge that is right as often as it says lies on the diagonal. The area of a dot shows its comparisons.
    Judges that state probabilities for too few comparisons are left out.
    """
    stated = {
        row.judge: row.calibration for row in table.ranked if row.calibration and row.calibration.brier.scored
    }
    if not stated:
        raise UsageError(
            "no judge states probabilities for 80 % of the comparisons", fix="import votes with a column p_a"
        )
    note = (
        "Dots: tenths of the stated probability that a wins; area: number of comparisons. On the dashed "
        "line, a wins as often as stated. Brier: mean squared error; always ½ gives 0.25, and 0 is best."
    )
    columns = min(len(stated), 2 if width == "one-column" else 4)
    with house_style():
        full_width = POINTS[width]
        cell = full_width / max(columns, 2)
        side = cell - _LEFT - 8
        lines = ceil(len(stated) / columns)
        notes_height = text_height(note, full_width - 4, NOTE)
        height = lines * (_TITLE + side + _BELOW) + notes_height + 4
        figure = blank_figure(full_width, height, f"Reliability of {', '.join(stated)}.")
        for number, (judge, calibration) in enumerate(stated.items()):
            line, column = divmod(number, columns)
            left, top = column * cell + _LEFT, line * (_TITLE + side + _BELOW) + _TITLE
            axes = figure.add_axes(
                (left / full_width, 1 - (top + side) / height, side / full_width, side / height)
            )
            _draw_panel(axes, calibration)
            _draw_title(axes, judge, calibration, cell - 10)
            if column == 0:
                axes.set_ylabel("share of wins", fontproperties=font(NAME))
        draw_notes(figure, [note], full_width, notes_height)
        return figure


def _draw_panel(axes: Axes, calibration: ProbabilityCalibration) -> None:
    bins = [
        (part.stated, part.observed, part.n)
        for part in calibration.bins
        if not isinstance(part.stated, Unscored) and not isinstance(part.observed, Unscored)
    ]
    largest = max(n for _, _, n in bins)
    axes.plot((0, 1), (0, 1), color=RULE, linewidth=0.8, linestyle=(0, (3, 2)), zorder=0)
    axes.plot([x for x, _, _ in bins], [y for _, y, _ in bins], color=HUES[0], linewidth=0.6, alpha=0.6)
    axes.scatter(
        [x for x, _, _ in bins],
        [y for _, y, _ in bins],
        s=[4 + 36 * n / largest for _, _, n in bins],
        color=HUES[0],
        linewidths=0,
        zorder=2,
        clip_on=False,
    )
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.set_yticks([0, 0.5, 1], ["0", "0.5", "1"])
    axes.set_xlabel("stated probability", fontproperties=font(NAME), labelpad=1)


def _draw_title(axes: Axes, judge: str, calibration: ProbabilityCalibration, width: float) -> None:
    """Write the name of the judge, cut to one line, with its Brier score and n below it."""
    name = "".join(run.text for run in wrap_text(judge, width, NAME)[0].runs).rstrip()
    name += " …" if name.replace(" ", "") != judge.replace(" ", "") else ""
    brier = f"Brier {format_number(float(calibration.brier))}, n = {calibration.brier.n:,}"
    for text, up, style in ((name, 12.0, Style(6.5, "bold")), (brier, 4.0, NOTE)):
        axes.annotate(
            text,
            (0, 1),
            (-_LEFT + 6, up),
            xycoords="axes fraction",
            textcoords="offset points",
            fontproperties=font(style),
            color=style.colour,
            annotation_clip=False,
            parse_math=False,
        )
