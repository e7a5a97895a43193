"""Fixtures that the tests of this package share."""

from pathlib import Path

import pytest

from tests.strategies import a_picture


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one picture, `pictures/x.png`."""
    a_picture(tmp_path / "pictures" / "x.png", width=400, height=300)
    return tmp_path
