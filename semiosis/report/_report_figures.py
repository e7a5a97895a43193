"""The figures of a report, drawn once for the whole study."""

from dataclasses import dataclass
from pathlib import Path

from semiosis.study import Study
from semiosis.values import UsageError

KINDS = ("profile", "judges", "ratings", "iconicity", "shifts")


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A figure of the report, or why there is none."""

    kind: str
    """Which figure."""
    files: tuple[str, ...] = ()
    """Its files beside the page: SVG, then PDF."""
    description: str = ""
    """What it shows, for people who cannot see it."""
    missing: str = ""
    """Why it was not drawn."""


def write_figures(study: Study, folder: Path, aligner: str = "") -> list[ReportFigure]:
    """Draw the figures of a study into a folder. Without Matplotlib each states how to install it."""
    try:
        from semiosis import figures
    except ModuleNotFoundError:
        return [ReportFigure(kind, missing='pip install "semiosis[report]"') for kind in KINDS]
    drawn = []
    for kind in KINDS:
        try:
            options = figures.FigureOptions(
                aligner=aligner, width="two-column" if kind in KINDS[:2] else None
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
