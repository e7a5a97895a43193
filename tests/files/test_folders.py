"""Folders on the user's machine."""

from pathlib import Path

import pytest

from semiosis.files import cache_folder, data
from semiosis.files._folders import data_folder
from semiosis.values import UsageError


def test_one_variable_moves_every_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SEMIOSIS_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"


@pytest.mark.parametrize("value", [None, ""])
def test_the_default_cache_is_where_the_platform_says(
    value: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SEMIOSIS_CACHE", raising=False)
    if value is not None:
        monkeypatch.setenv("SEMIOSIS_CACHE", value)
    monkeypatch.setattr("pathlib.Path.home", lambda: tmp_path)
    for variable in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(variable, str(tmp_path))
    assert cache_folder().is_relative_to(tmp_path)
    assert cache_folder().name == "semiosis"
    assert data_folder().is_relative_to(tmp_path)


def test_packaged_data() -> None:
    assert (data("graphs/sample") / "study.toml").is_file()
    with pytest.raises(UsageError, match="the package has no data file 'nothing'"):
        data("nothing")
