"""Files that are irregular, too large, nested too deeply, or links out of the study: an error, no hang."""

import io
import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PIL.GifImagePlugin import GifImageFile

from semiosis.ask import Prices
from semiosis.files import (
    append_record,
    decode_image,
    is_file,
    parse_toml,
    read_bytes,
    read_study_file,
    record_files,
    stream_record,
    torn_line,
)
from semiosis.study import check_study, new_study, read_experiment, read_study
from semiosis.values import DataError, ImageSign, text, to_json

BRACKETS = "name = " + "[" * 50_000
DEEP_TABLE = "[" + "a." * 100_000 + "a]\n" + "b = 1\n" * 100_000
DIGITS = "version = " + "9" * 5_000


@pytest.mark.parametrize(
    ("source", "message"),
    [(BRACKETS, "nested too deeply"), (DEEP_TABLE, "nested too deeply"), (DIGITS, "not TOML")],
    ids=["brackets", "deep table", "digits"],
)
def test_toml_bombs(source: str, message: str, tmp_path: Path) -> None:
    study = new_study(tmp_path / "study")
    (study.folder / "study.toml").write_text(source)
    with pytest.raises(DataError, match=message):
        read_study_file(study.folder)
    (tmp_path / "own.toml").write_text(source)
    with pytest.raises(DataError, match=message):
        Prices(tmp_path / "own.toml")
    with pytest.raises(DataError, match=message):
        read_experiment(tmp_path / "own.toml")


def test_deep_tables_are_found_on_their_line() -> None:
    with pytest.raises(DataError, match=r"own.toml:2: nested too deeply"):
        parse_toml("x = 1\n [[" + "a." * 60 + "a]]\n", "own.toml")
    assert parse_toml("[a.b.c]\nx = '" + "one. " * 60 + "'", "own.toml")["a"]


def test_a_pipe_is_never_read(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study")
    os.mkfifo(tmp_path / "pipe")
    for read in (Prices, read_experiment):
        with pytest.raises(DataError, match="not a regular file"):
            read(tmp_path / "pipe")
    (study.folder / ".semiosis").mkdir()
    os.mkfifo(study.folder / ".semiosis" / "unfinished-1-1.json")
    assert record_files(study.folder) == []


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "huge").open("wb") as file:
        file.truncate(1 << 40)  # sparse: it takes no space on the disk
    with pytest.raises(DataError, match="more than 10 bytes"):
        read_bytes(tmp_path / "huge", 10)


def test_a_record_line_that_is_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = new_study(tmp_path / "study")
    signs = study.folder / "signs.jsonl"
    signs.write_text(to_json(text("lily " * 50)) + "\n")
    monkeypatch.setattr("semiosis.files._read.MAX_LINE_BYTES", 100)
    monkeypatch.setattr("semiosis.files._record.MAX_LINE_BYTES", 100)
    with pytest.raises(DataError, match="a line has more than 100 bytes"):
        list(stream_record(signs))
    with pytest.raises(DataError, match=r"text .* has more than 100 bytes"):
        append_record(study.folder, [text("rose " * 50)])
    assert len(signs.read_text().splitlines()) == 1


def test_a_torn_line_is_found_from_the_end(tmp_path: Path) -> None:
    file = tmp_path / "signs.jsonl"
    file.write_bytes(b"a\n" * 3 + b"x" * 200_000)
    assert torn_line(file) == b"x" * 200_000
    file.write_bytes(b"x" * 200_000)
    assert torn_line(file) == b"x" * 200_000
    file.write_bytes(b"")
    assert torn_line(file) == b""


def test_the_search_for_the_last_line_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a damaged file of a terabyte without line ends, it would take hours."""
    study = new_study(tmp_path / "study")
    signs = study.folder / "signs.jsonl"
    with signs.open("wb") as stream:
        stream.truncate(1_000_000)
    for module in ("_record", "_read"):
        monkeypatch.setattr(f"semiosis.files.{module}.MAX_LINE_BYTES", 1_000)
    with pytest.raises(DataError, match="a line has more than 1,000 bytes"):
        torn_line(signs)
    with pytest.raises(DataError, match="a line has more than 1,000 bytes"):
        append_record(study.folder, [text("a lily")])
    assert signs.stat().st_size == 1_000_000
    assert [problem.what for problem in check_study(study.folder)] == [
        "a line has more than 1,000 bytes → remove this line"
    ]


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda file: file.symlink_to("gone.jsonl")])
def test_a_record_that_is_not_a_file_is_never_left_out(make: Callable[[Path], None], tmp_path: Path) -> None:
    study = new_study(tmp_path / "study")
    make(study.folder / "signs.jsonl")
    for use in (read_study, check_study, lambda folder: append_record(folder, [text("a lily")])):
        with pytest.raises(DataError, match=r"signs\.jsonl: the record file is not a regular file"):
            use(study.folder)


def test_a_record_folder_that_is_not_a_folder(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study")
    (study.folder / "hsgs").write_text("")
    with pytest.raises(DataError, match="hsgs: the record needs a folder here"):
        read_study(study.folder)


def test_a_record_that_is_a_link_out_of_the_study(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study")
    outside = tmp_path / "profile"
    outside.write_text("mine, without a last line end")
    (study.folder / "signs.jsonl").symlink_to(outside)
    with pytest.raises(DataError, match="leads outside the study"):
        read_study(study.folder)
    with pytest.raises(DataError, match="leads outside the study"):
        append_record(study.folder, [text("a lily")])
    assert outside.read_text() == "mine, without a last line end"


def test_every_wrong_path_of_a_picture_is_a_problem(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study")
    (study.folder / "loop.png").symlink_to("loop.png")
    (study.folder / "out.png").symlink_to("/dev/zero")
    paths = ("out.png", "loop.png", "a" * 5_000, "../a.png", "/etc/passwd", "gone.png")
    signs = [
        ImageSign(sha256=f"{n:064x}", width=1, height=1, media_type="image/png", path=path)
        for n, path in enumerate(paths)
    ]
    (study.folder / "signs.jsonl").write_text("".join(to_json(sign) + "\n" for sign in signs))
    outside, missing = "leads outside the study", "is missing"
    expected = (outside, missing, missing, outside, outside, missing)
    problems = check_study(study.folder)
    assert len(problems) == len(expected)
    for problem, sign, what in zip(problems, signs, expected, strict=True):
        assert sign.id in problem.where
        assert what in problem.what
    assert not is_file(study.folder / ("a" * 5_000))


def gif(frames: int) -> bytes:
    frame = b"!\xf9\x04\0\0\0\0\0," + struct.pack("<HHHH", 0, 0, 1, 1) + b"\0\x02\x02\x44\x01\0"
    return b"GIF89a" + struct.pack("<HH", 1, 1) + b"\x80\0\0\0\0\0\xff\xff\xff" + frame * frames + b";"


def test_the_frames_of_an_animation_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counting them takes a minute for a file of 256 MB."""

    def count(self: GifImageFile) -> int:
        raise AssertionError

    monkeypatch.setattr(GifImageFile, "n_frames", property(count))
    assert not decode_image(gif(10_000), "many.gif").ordinary
    assert decode_image(gif(1), "one.gif").ordinary


def test_damaged_metadata_are_ignored() -> None:
    """Pillow warns about them, and a warning is an error here."""
    blob = io.BytesIO()
    Image.new("RGB", (4, 4)).save(blob, "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0" + b"\xff" * 42)
    assert decode_image(blob.getvalue(), "exif.jpg").pixels.size == (4, 4)


def test_an_empty_picture() -> None:
    with pytest.raises(DataError, match="the image file is empty"):
        decode_image(b"", "empty.png")


def test_control_characters_in_a_study_file(tmp_path: Path) -> None:
    study = new_study(tmp_path / "study")
    (study.folder / "study.toml").write_text('name = "study"\ntitle = "a\\u001b[31m"\n')
    with pytest.raises(DataError, match="title: a control character is not allowed in text"):
        read_study_file(study.folder)
    with pytest.raises(DataError):
        new_study(tmp_path / "other", title="a\x1b[31m")
    assert not (tmp_path / "other").exists()
