"""The tables and figures of a report: those of the registries that are about the whole study."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from semiosis.study import Study
from semiosis.tables import FIGURES, TABLES, DisplayOptions, Table, study_figures, study_tables
from semiosis.values import MissingExtraError, UsageError


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A figure of the report, or the reason why it is missing."""

    title: str
    """The heading of its kind."""
    files: tuple[str, ...] = ()
    """The paths of its files, SVG and PDF, relative to the page."""
    description: str = ""
    """A description for people who cannot see the figure."""
    missing: str = ""
    """The reason why it was not drawn."""


def report_tables(study: Study, aligner: str = "") -> Iterator[tuple[str, Table]]:
    """Yield the tables of a report with their names. A table that cannot be made states the reason."""
    for kind, entry in TABLES.items():
        if entry.in_report:
            try:
                yield from study_tables(study, kind, DisplayOptions(aligner=aligner))
            except UsageError as error:
                yield kind, Table(entry.title, (kind,), (), (_sentence(error.what),))


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def write_figures(study: Study, folder: Path, aligner: str = "") -> Iterator[ReportFigure]:
    """Draw the figures of a report into a folder. A figure that cannot be drawn states the reason."""
    for kind, entry in FIGURES.items():
        if not entry.in_report:
            continue
        try:
            for name, figure in study_figures(study, kind, DisplayOptions(aligner=aligner)):
                from semiosis.figures import save_figure

                for form in ("svg", "pdf"):
                    save_figure(figure, folder / f"{name}.{form}")
                files = tuple(f"{folder.name}/{name}.{form}" for form in ("svg", "pdf"))
                yield ReportFigure(entry.title, files, str(figure.get_label()))
        except MissingExtraError as error:
            yield ReportFigure(entry.title, missing=f"{error.what}: {error.fix}")
        except UsageError as error:
            yield ReportFigure(entry.title, missing=error.what)
