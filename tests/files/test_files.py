"""Files of a study and of the package: the study file, atomic writes, packaged data."""

import os
from pathlib import Path

import pytest
from hypothesis import given

from semiosis.files import (
    STUDY_FILE,
    StudyFile,
    atomic_write,
    data,
    read_study_file,
    write_study_file,
)
from semiosis.values import (
    DataError,
    MachineError,
    UsageError,
)
from tests.strategies import words


def test_a_pipe_is_not_read_as_a_study_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / STUDY_FILE)
    with pytest.raises(DataError, match="not a regular file"):
        read_study_file(tmp_path)


@given(title=words, about=words)
def test_a_study_file_is_read_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, title: str, about: str
) -> None:
    folder = tmp_path_factory.mktemp("study")
    head = StudyFile(name="annunciation", title=title, about=about, licence="CC0")
    write_study_file(folder, head)
    assert read_study_file(folder) == head


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"name = ", "not TOML"),
        (b"\xff", "not UTF-8"),
        (b'title = "x"', "name: Field required"),
        (b'name = "../x"', "should match pattern"),
        (b'name = "x"\nversion = 2', "less than or equal to 1"),
        (b'name = "x"\nendpoint = "http://example.org"', "endpoint: Extra inputs are not permitted"),
    ],
)
def test_an_invalid_study_file_is_refused(tmp_path: Path, content: bytes, what: str) -> None:
    (tmp_path / STUDY_FILE).write_bytes(content)
    with pytest.raises(DataError, match=what) as caught:
        read_study_file(tmp_path)
    assert caught.value.where == str(tmp_path / STUDY_FILE)


def test_a_folder_without_a_study_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a study"):
        read_study_file(tmp_path)


def test_a_study_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MachineError, match="cannot write"):
        write_study_file(tmp_path / "file", StudyFile(name="x"))


def test_a_failed_write_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.txt"
    atomic_write(file, "old")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(MachineError, match="No space left"):
        atomic_write(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


# Packaged data


def test_packaged_data_is_found() -> None:
    assert data("graphs").is_dir()
    with pytest.raises(UsageError, match="has no data file 'graphs/nothing'"):
        data("graphs/nothing")
