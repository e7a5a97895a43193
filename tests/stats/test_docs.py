"""The statistics pages exist, and their index lists every public name of the package once."""

from pathlib import Path
from types import ModuleType

import pytest

from semiosis import probe, stats

DOCS = Path(__file__).parents[2] / "docs" / "statistics"


@pytest.mark.parametrize("page", ["index", "agreement", "ratings", "raters", "tables", "references"])
def test_the_pages_exist(page: str) -> None:
    assert (DOCS / f"{page}.md").exists()


@pytest.mark.parametrize("package", [stats, probe])
def test_the_index_lists_every_public_name_once(package: ModuleType) -> None:
    """The signatures and descriptions are made from the docstrings when the site is built."""
    tables = (DOCS / "index.md").read_text(encoding="utf-8").split(".. currentmodule:: ")[1:]
    own = [table for table in tables if table.startswith(f"{package.__name__}\n")]
    listed = [name for table in own for name in table.split(".. autosummary::")[1].split("```")[0].split()]
    assert sorted(listed) == sorted(package.__all__)
