"""The leaderboard of generators: their values with intervals, and the ranks that the data leave open."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.transforms import blended_transform_factory

from semiosis.figures._charts import NOTE, _draw_dot, _draw_panels, interval_note
from semiosis.figures._style import HUES, RULE, Width, house_style
from semiosis.figures._text import font
from semiosis.study import Ranking
from semiosis.values import Unscored, UsageError

_MAX_GROUPS = 4
"""The maximum number of groups of prompts in one figure: more panels are too narrow to read."""


def ranked_generators(rankings: Sequence[Ranking], *, width: Width = "one-column") -> Figure:
    """Draw the mean of each generator with its interval, and its set of ranks to the right.

    Several rankings, of groups of prompts, are panels side by side with the generators in one order: that of
    the first ranking.
    """
    if len(rankings) > _MAX_GROUPS:
        raise UsageError(
            f"{len(rankings)} groups of prompts are too many for one figure",
            fix=f"divide the prompts into at most {_MAX_GROUPS} groups, or print semiosis rank --by GROUP",
        )
    names = list(dict.fromkeys(row.generator for ranking in rankings for row in ranking.rows))
    counts = {row.generator: _count_text(row.pictures, row.missing) for row in rankings[0].rows}
    description = f"{len(names)} generators ranked by {rankings[0].measure}."
    titles = [ranking.group or measure_title(ranking.measure) for ranking in rankings]
    with house_style():
        figure, panels = _draw_panels(
            names, [counts.get(name, "") for name in names], titles, width, _notes(rankings), description
        )
        for axes, ranking in zip(panels, rankings, strict=True):
            axes.set_title("rank", loc="right", fontproperties=font(NOTE), pad=4)
            by_name = {row.generator: row for row in ranking.rows}
            for number, name in enumerate(names):
                row = by_name.get(name)
                _draw_dot(axes, number, row.value if row else None, HUES[0])
                if row:
                    axes.annotate(
                        str(row.ranks),
                        (1, number),
                        xycoords=blended_transform_factory(axes.transAxes, axes.transData),
                        ha="right",
                        va="center",
                        fontproperties=font(NOTE),
                    )
            if measure_title(ranking.measure) == "win rate":
                axes.set_xlim(-0.03, 1.25)  # the right margin holds the ranks
                axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
                axes.axvline(0.5, color=RULE, linewidth=0.6, zorder=0)
            else:
                low, high = axes.get_xlim()
                axes.set_xlim(low - 0.08 * (high - low), high + 0.25 * (high - low))
        return figure


def measure_title(measure: str) -> str:
    """Return the heading of the values of a ranking, such as `win rate` or `mean quality`."""
    kind, _, name = measure.partition(":")
    return "win rate" if kind in ("votes", "judge") else f"mean {name}"


def _count_text(pictures: int, missing: object) -> str:
    failed = sum(missing.values()) if isinstance(missing, dict) else 0
    return f"{pictures} pictures" + (f", {failed} not made" if failed else "")


def _notes(rankings: Sequence[Ranking]) -> list[str]:
    first = rankings[0]
    values = [row.value for ranking in rankings for row in ranking.rows]
    who = f"{len(first.evaluators)} evaluators" if len(first.evaluators) > 1 else first.evaluators[0]
    measured = f"{measure_title(first.measure).capitalize()} over {first.prompts} prompts by {who}"
    notes = [f"{measured}; {interval_note(values)}."]
    reasons = {value.interval.detail for value in values if isinstance(value.interval, Unscored)}
    notes += [f"Hollow: no interval, {reason}." for reason in sorted(reasons)]
    ranks = (
        f"Rank: those that the data leave open; they hold together with a probability of {first.level:.0%}."
    )
    return [*notes, ranks]
