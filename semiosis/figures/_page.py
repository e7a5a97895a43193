"""A figure whose coordinates are points from the upper left corner, for cards and pairs."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from PIL import Image

from semiosis.figures._style import INK, RULE, blank_figure
from semiosis.figures._text import Style, StyledText, TextLine, font, text_width, total_height, wrap_text

ASCENT = 0.98
"""Distance from the top of a line to its baseline as a multiple of the font size."""


class Page:
    """A figure whose coordinates are points from the upper left corner."""

    def __init__(self, width: float, description: str) -> None:
        self.width = width
        self.figure: Figure = blank_figure(width, 72, description)
        self.axes: Axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()

    def finish(self, height: float) -> Figure:
        """Set the height and return the figure. One unit stays one point."""
        self.figure.set_size_inches(self.width / 72, height / 72)
        self.axes.set_xlim(0, self.width)
        self.axes.set_ylim(height, 0)
        return self.figure

    def lines(self, x: float, y: float, lines: Sequence[TextLine]) -> float:
        """Draw wrapped text from this corner and return the y below it."""
        for line in lines:
            for run in line.runs:
                if run.style.mark:
                    self.rectangle(
                        x + run.x - 0.6,
                        y + 0.1 * line.size,
                        run.width + 1.2,
                        1.12 * line.size,
                        run.style.mark,
                    )
                self.axes.text(
                    x + run.x,
                    y + ASCENT * line.size - run.style.rise,
                    run.text,
                    fontproperties=font(run.style),
                    color=run.style.colour,
                    va="baseline",
                    parse_math=False,
                )
            y += line.height
        return y

    def text(
        self,
        x: float,
        y: float,
        content: Iterable[StyledText] | str,
        width: float,
        style: Style | None = None,
    ) -> float:
        """Wrap and draw text and return the y below it."""
        return self.lines(x, y, wrap_text(content, width, style))

    def rectangle(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str = "none",
        edge: str = "none",
        **options: Any,
    ) -> None:
        """Draw a rectangle."""
        self.axes.add_patch(Rectangle((x, y), width, height, facecolor=fill, edgecolor=edge, **options))

    def line(self, xs: Sequence[float], ys: Sequence[float], colour: str = INK, **options: Any) -> None:
        """Draw a line through these points."""
        options.setdefault("linewidth", 0.5)
        self.axes.add_line(Line2D(list(xs), list(ys), color=colour, **options))

    def rule(self, x: float, y: float, width: float) -> None:
        """Draw a thin horizontal line."""
        self.line((x, x + width), (y, y), RULE)

    def picture(self, pixels: Image.Image, x: float, y: float, width: float, height: float) -> None:
        """Draw an image with a thin frame."""
        copy = pixels.convert("RGB")
        copy.thumbnail((1400, 1400), Image.Resampling.LANCZOS)
        self.axes.imshow(
            np.asarray(copy),
            extent=(x, x + width, y + height, y),
            aspect="auto",
            interpolation="antialiased",
        )
        self.rectangle(x, y, width, height, edge=INK, linewidth=0.4)

    def badge(
        self, x: float, y: float, text: str, colour: str, size: float = 6.0, *, hollow: bool = False
    ) -> float:
        """Draw a short name on a colour and return its width."""
        style = Style(size, "bold", colour=colour if hollow else "#ffffff")
        width = text_width(text, style) + 5
        self.rectangle(x, y, width, size * 1.5, "#ffffff" if hollow else colour, colour, linewidth=0.7)
        self.axes.text(
            x + width / 2,
            y + size * 1.12,
            text,
            fontproperties=font(style),
            color=style.colour,
            ha="center",
            va="baseline",
            parse_math=False,
        )
        return width


def badge_width(text: str, size: float = 6.0) -> float:
    """Return the width of a badge."""
    return text_width(text, Style(size, "bold")) + 5


def text_height(content: Iterable[StyledText] | str, width: float, style: Style | None = None) -> float:
    """Return the height of text wrapped to this width."""
    return total_height(wrap_text(content, width, style))
