"""Tests of the registries: one entry adds a table or a figure to report, bundle, help and docs."""

import importlib
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

from semiosis.cli._app import app
from semiosis.export import export_evidence
from semiosis.files import data
from semiosis.report import write_report
from semiosis.study import Study, read_study
from semiosis.tables import (
    FIGURES,
    TABLES,
    DisplayOptions,
    FigureEntry,
    Table,
    TableEntry,
    register_figure,
    register_table,
    study_figures,
    study_tables,
)
from semiosis.values import MissingExtraError, UsageError

pytestmark = pytest.mark.slow  # reports and figures take long


@pytest.fixture(scope="module")
def sample() -> Study:
    """Return the sample study."""
    return read_study(data("graphs/sample"))


def _traditions(study: Study, options: DisplayOptions) -> Iterator[Table]:  # the type of every entry
    signs = list(study.signs.values())
    names = sorted({sign.tradition for sign in signs if sign.tradition})
    rows = tuple((name, sum(sign.tradition == name for sign in signs)) for name in names)
    yield Table("Signs by tradition", ("tradition", "signs"), rows)
    yield Table("Study", ("name",), ((study.head.name,),))


def _blank(study: Study, options: DisplayOptions) -> Iterator[tuple[str, Figure]]:
    figure = Figure(figsize=(1, 1))
    figure.set_label(f"{len(study.signs)} signs, {options.width or 'any width'}.")
    yield "blank", figure


@pytest.fixture
def added() -> Iterator[None]:
    """Register a table and a figure, as a package outside this one would."""
    about = "The number of signs."
    register_table(TableEntry("traditions", "Traditions", about, ("readings",), _traditions))
    register_figure(FigureEntry("blank", "A blank figure", about, (), _blank))
    yield
    del TABLES["traditions"], FIGURES["blank"]


@pytest.mark.usefixtures("added")
def test_one_entry_adds_a_table_and_a_figure_everywhere(sample: Study, tmp_path: Path) -> None:
    index = write_report(sample, tmp_path / "report").read_text("utf-8")
    assert "Signs by tradition" in index
    assert 'src="figures/blank.svg"' in index
    names = set(export_evidence(sample, tmp_path / "bundle").files)
    assert {"summary/traditions.csv", "summary/traditions-study.csv", "figures/blank.pdf"} <= names
    assert {"latex/table-traditions.tex", "latex/figure-blank.tex"} <= names
    text = re.sub(r"\s+", " ", CliRunner().invoke(app, ["figure", "--help"]).stdout)
    assert "blank: The number of signs." in text
    ((_, drawn),) = study_figures(sample, "blank", DisplayOptions(width="one-column"))
    assert str(drawn.get_label()).endswith("one-column.")


def test_the_help_lists_every_kind() -> None:
    text = re.sub(r"\s+", " ", CliRunner().invoke(app, ["figure", "--help"]).stdout)
    assert all(f" {name}: " in text for name in FIGURES)


def test_every_table_of_the_sample_has_rows_and_a_name(sample: Study) -> None:
    for kind, entry in TABLES.items():
        if "scores" in entry.needs:  # the sample has none
            continue
        tables = dict(study_tables(sample, kind))
        assert next(iter(tables)) == kind
        assert all(table.rows for table in tables.values())
        assert all(re.fullmatch("[a-z0-9-]+", name) for name in tables)


@pytest.mark.parametrize(("kind", "command"), [("profile", "semiosis align"), ("card", "semiosis read")])
def test_a_need_that_is_not_met_names_the_command(sample: Study, kind: str, command: str) -> None:
    empty = replace(sample, hsgs={}, alignments={}, observations={})
    with pytest.raises(UsageError) as caught:
        list(study_figures(empty, kind))
    assert caught.value.what.startswith("the study has no ")
    assert command in caught.value.fix


def test_a_name_is_used_once_and_fits_a_file_name() -> None:
    with pytest.raises(UsageError, match="there is a table 'judges' already"):
        register_table(TABLES["judges"])
    with pytest.raises(UsageError, match="'My table' cannot name a table"):
        register_table(replace(TABLES["judges"], name="My table"))
    with pytest.raises(UsageError, match="'x/y' cannot name a figure"):
        register_figure(replace(FIGURES["judges"], name="x/y"))
    with pytest.raises(UsageError, match="'pie' is not a kind of table"):
        list(study_tables(read_study(data("graphs/sample")), "pie"))


def test_without_matplotlib_a_figure_names_the_command(sample: Study) -> None:
    def draw(study: Study, options: DisplayOptions) -> Iterator[tuple[str, Figure]]:
        raise ModuleNotFoundError("No module named 'matplotlib'", name="matplotlib")

    register_figure(replace(FIGURES["judges"], name="undrawn", draw=draw))
    try:
        with pytest.raises(MissingExtraError, match="figures need Matplotlib"):
            list(study_figures(sample, "undrawn"))
    finally:
        del FIGURES["undrawn"]


def test_the_gallery_is_made_from_the_registries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs"))
    importlib.import_module("gallery").write_gallery(tmp_path)
    page = (tmp_path / "gallery.md").read_text("utf-8")
    for name, entry in FIGURES.items():
        assert f"### {name}\n\n{entry.about}" in page
    pictures = re.findall(r"\]\((gallery/[\w-]+\.png)\)", page)
    assert all((tmp_path / picture).is_file() for picture in pictures)
    drawable = [entry for entry in FIGURES.values() if "scores" not in entry.needs]
    assert len(pictures) == len(drawable) + 1  # the card of a text, too
    assert all(f"- **{name}**: " in page for name in TABLES)
