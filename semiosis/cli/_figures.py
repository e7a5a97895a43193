"""Writes the figures of commands to files, and lists the kinds of figures in the help."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from semiosis.cli._output import remark

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FONTS = "on Debian, run apt install fonts-noto-core fonts-noto-cjk"


def write_figure(draw: "Callable[[Any], Figure]", file: Path) -> None:
    """Draw a figure with the package of figures and write it. Raises MissingExtraError without Matplotlib."""
    from semiosis.values import MissingExtraError

    try:
        from semiosis import figures
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise MissingExtraError("figures need Matplotlib", "report") from error
    save(draw(figures), file)
    remark(f"wrote {file}")


def save(figure: "Figure", file: Path) -> None:
    """Write a figure, and name the letters that no installed font has."""
    from semiosis.figures import save_figure

    if missing := save_figure(figure, file):
        remark(f"no installed font has {' '.join(missing)}; {FONTS}")


class FigureCommand(TyperCommand):
    """A command whose help lists the kinds of figures. The list is made when the help is shown."""

    def format_help(self, *context: Any) -> None:
        """Write the help. Importing the registry takes a second, which other commands need not spend."""
        from semiosis.tables import FIGURES

        kinds = "\n\n".join(f"[bold]{name}[/bold]: {entry.about}" for name, entry in FIGURES.items())
        self.epilog = f"[bold]Kinds[/bold]\n\n{kinds}"
        super().format_help(*context)
