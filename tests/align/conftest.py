"""Tests of alignment do not share cached vectors."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache folder of this test alone."""
    monkeypatch.setenv("SEMIOSIS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
