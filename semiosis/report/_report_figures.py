"""The figures of a report, which are drawn once for the whole study."""

from dataclasses import dataclass
from pathlib import Path

from semiosis.study import Study
from semiosis.values import UsageError

REPORT_FIGURES = ("profile", "judges", "ratings", "iconicity", "shifts")


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A figure of the report, or the reason why it is missing."""

    kind: str
    """The kind of figure."""
    files: tuple[str, ...] = ()
    """The paths of its files, SVG and PDF, relative to the page."""
    description: str = ""
    """A description for people who cannot see the figure."""
    missing: str = ""
    """The reason why it was not drawn."""


def write_figures(study: Study, folder: Path, aligner: str = "") -> list[ReportFigure]:
    """Draw the figures of a study into a folder. Without Matplotlib, each states how to install it."""
    try:
        from semiosis import figures
    except ModuleNotFoundError:
        return [
            ReportFigure(kind, missing='it needs Matplotlib: pip install "semiosis[report]"')
            for kind in REPORT_FIGURES
        ]
    drawn = []
    for kind in REPORT_FIGURES:
        try:
            options = figures.FigureOptions(
                aligner=aligner, width="two-column" if kind in REPORT_FIGURES[:2] else None
            )
            _, figure = next(figures.study_figures(study, kind, options))
        except UsageError as error:
            drawn.append(ReportFigure(kind, missing=error.what))
            continue
        for form in ("svg", "pdf"):
            figures.save_figure(figure, folder / f"{kind}.{form}")
        files = tuple(f"{folder.name}/{kind}.{form}" for form in ("svg", "pdf"))
        drawn.append(ReportFigure(kind, files, str(figure.get_label())))
    return drawn
