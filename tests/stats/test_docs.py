"""The statistics pages exist, and their index names every function with its parameters."""

import inspect
import re
from pathlib import Path

import pytest

from semiosis import stats

PAGES = sorted((Path(__file__).parents[2] / "docs" / "statistics").glob("*.md"))


def test_there_are_pages() -> None:
    assert {page.stem for page in PAGES} >= {
        "index",
        "agreement",
        "ratings",
        "raters",
        "tables",
        "references",
    }


@pytest.mark.parametrize("name", stats.__all__)
def test_the_index_names_everything_with_its_parameters(name: str) -> None:
    index = next(page for page in PAGES if page.stem == "index").read_text(encoding="utf-8")
    thing = getattr(stats, name)
    if not inspect.isfunction(thing):
        assert f"`{name}`" in index
        return
    line = next(line for line in index.splitlines() if line.startswith(f"`{name}("))
    for parameter in inspect.signature(thing).parameters.values():
        assert re.search(rf"[(* ]{parameter.name}[=,)]", line), f"{parameter.name} is missing from {line}"
        if isinstance(parameter.default, int | float | str):
            assert f"{parameter.name}={parameter.default!r}" in line


def test_the_export_list_is_exact_and_sorted() -> None:
    public = {name for name in vars(stats) if not name.startswith("_")}
    assert public == set(stats.__all__)
    assert sorted(stats.__all__, key=lambda n: (not n.isupper(), not n[0].isupper(), n)) == stats.__all__
