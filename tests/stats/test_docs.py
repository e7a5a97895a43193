"""The statistics pages exist, and their index lists every public name of the package once."""

from pathlib import Path

import pytest

from semiosis import stats

DOCS = Path(__file__).parents[2] / "docs" / "statistics"


@pytest.mark.parametrize("page", ["index", "agreement", "ratings", "raters", "tables", "references"])
def test_the_pages_exist(page: str) -> None:
    assert (DOCS / f"{page}.md").exists()


def test_the_index_lists_every_public_name_once() -> None:
    """The signatures and descriptions are made from the docstrings when the site is built."""
    tables = (DOCS / "index.md").read_text(encoding="utf-8").split(".. autosummary::")[1:]
    listed = [name for table in tables for name in table.split("```")[0].split()]
    assert sorted(listed) == sorted(stats.__all__)


def test_the_export_list_is_exact_and_sorted() -> None:
    public = {name for name in vars(stats) if not name.startswith("_")}
    assert public == set(stats.__all__)
    assert sorted(stats.__all__, key=lambda n: (not n.isupper(), not n[0].isupper(), n)) == stats.__all__
