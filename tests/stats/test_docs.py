"""The examples of the statistics pages run, and the index names every function as it is."""

import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

import semiosis.stats
from semiosis import stats

PAGES = sorted((Path(__file__).parents[2] / "docs" / "statistics").glob("*.md"))
MODULES = [
    f"semiosis.{package}.{file.stem}"
    for package in ("stats", "probe")
    for file in sorted((Path(semiosis.stats.__file__).parents[1] / package).glob("_[a-z]*.py"))
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_of_the_page_run(page: Path) -> None:
    # a fence right below an expected output would be taken for a part of it
    text = re.sub(r"^```.*$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    failures: list[str] = []
    doctest.DocTestRunner().run(test, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_the_functions_run(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module), report=True)
    assert found.failed == 0


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
