"""The grid of pictures: prompts by generators, seeds in order, and pictures that were not made."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from semiosis.figures import generator_grid
from semiosis.files import image
from semiosis.report import write_report
from semiosis.study import Study, new_study, picture_grid
from semiosis.tables import DisplayOptions, study_figures
from semiosis.values import AnySign, MissingSign, TextSign, UsageError


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Return a study of two prompts and two generators. One picture was refused, one has two seeds."""
    prompts: list[AnySign] = [TextSign(text=text, title=text) for text in ("a horse", "an astronaut")]
    signs: list[AnySign] = []
    for number, (prompt, generator, seed) in enumerate(
        [(0, "Beta", "2"), (0, "Beta", "1"), (0, "Alpha", ""), (1, "Alpha", "")]
    ):
        file = tmp_path / f"{number}.png"
        Image.new("RGB", (40 + number, 30), (40 * number, 90, 120)).save(file)
        picture = image(file).model_copy(
            update={"prompt": prompts[prompt].id, "generator": generator, "seed": seed}
        )
        signs.append(picture)
    refused = MissingSign(prompt=prompts[1].id, generator="Beta", reason="refused")
    made: dict[str, AnySign] = {sign.id: sign for sign in [*prompts, *signs, refused]}
    return replace(new_study(tmp_path / "study"), signs=made)


def test_rows_are_prompts_and_cells_are_in_the_order_of_seeds(study: Study) -> None:
    grid = picture_grid(study)
    assert grid.generators == ("Alpha", "Beta")
    assert [row.title for row in grid.rows] == ["a horse", "an astronaut"]
    assert [[sign.seed for sign in cell] for cell in grid.rows[0].cells] == [[""], ["1", "2"]]
    assert [[sign.kind for sign in cell] for cell in grid.rows[1].cells] == [["image"], ["missing"]]
    assert grid.n_missing == 1


def test_only_selects_prompts(study: Study) -> None:
    assert [row.title for row in picture_grid(study, "ASTRO").rows] == ["an astronaut"]
    with pytest.raises(UsageError, match="no prompt matches"):
        picture_grid(study, "lily")


def test_a_study_without_pictures_says_what_to_set(tmp_path: Path) -> None:
    study = new_study(tmp_path / "empty")
    with pytest.raises(UsageError, match="no prompt has a picture by a named generator"):
        picture_grid(study)


@pytest.mark.slow
def test_the_figure_names_what_is_missing_and_what_is_not_drawn(study: Study) -> None:
    figure = generator_grid(picture_grid(study))
    text = " ".join(text.get_text() for axes in figure.axes for text in axes.texts)
    assert "none: refused" in text
    assert "The first of several seeds is drawn; 1 more are in the study." in text
    assert "did not make (1)" in text
    ((name, _),) = study_figures(study, "grid")
    assert name == "grid-a-horse-to-an-astronaut"
    ((name, _),) = study_figures(study, "grid", DisplayOptions(only="astro"))
    assert name == "grid-an-astronaut"


@pytest.mark.slow
def test_the_report_has_a_page_of_all_pictures(study: Study, tmp_path: Path) -> None:
    index = write_report(study, tmp_path / "report").read_text("utf-8")
    assert '<a href="pictures.html">All pictures</a>' in index
    page = (tmp_path / "report" / "pictures.html").read_text("utf-8")
    assert page.count("<img ") == 4
    assert "none: refused" in page
    assert "seed <bdi>2</bdi>" in page
    addresses = {part.split('"')[0] for part in page.split('src="')[1:]}
    assert all((tmp_path / "report" / address).is_file() for address in addresses)
