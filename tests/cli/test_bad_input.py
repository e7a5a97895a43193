"""Hostile input: one clear message, a non-zero exit code, and every file unchanged."""

import resource
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import filelock
import pytest
from PIL import Image

from semiosis.study import Study
from semiosis.values import to_json
from tests.cli.conftest import Ran, Run
from tests.small import make_study

IMAGE_READING = """\
semiosis: 1
sign: {image: picture.png}
reader: Ada Example
root:
  label: disc
  sign: a disc
  object: the sun
  interpretant: warmth
  place: {box: BOX}
"""


def refused(ran: Ran, message: str) -> None:
    assert ran.code != 0
    assert ran.out == ""
    assert message in ran.err.replace("\n", " ")
    assert "Traceback" not in ran.err


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    Image.new("RGB", (100, 50), "gold").save(tmp_path / "picture.png")
    return tmp_path / "picture.png"


def reading(tmp_path: Path, box: str = "10% 10% 50% 50%") -> Path:
    file = tmp_path / "reading.yaml"
    file.write_text(IMAGE_READING.replace("BOX", box))
    return file


@pytest.mark.parametrize(
    ("box", "message"),
    [
        ("10% 10% 150% 50%", "reading.yaml:9: the box '10% 10% 150% 50%' does not lie in the image"),
        ("10 10 500 40 px", "the image is 100 × 50 pixels"),
        ("50% 50% 10% 10%", "upper left"),
        ("10% 20%", "is not a box"),
    ],
)
def test_a_box_outside_the_image(run: Run, tmp_path: Path, picture: Path, box: str, message: str) -> None:
    refused(run("read", reading(tmp_path, box)), message)


def test_a_truncated_image(run: Run, tmp_path: Path, picture: Path) -> None:
    picture.write_bytes(picture.read_bytes()[:60])
    refused(run("read", reading(tmp_path)), "reading.yaml:2: the image is damaged")


def test_a_decompression_bomb(run: Run, tmp_path: Path) -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    refused(run("read", reading(tmp_path)), "too many pixels")


def test_a_missing_image(run: Run, tmp_path: Path) -> None:
    refused(run("read", reading(tmp_path)), "cannot read the image")


def test_a_malformed_hsg_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text('{"kind": "hsg", "version": 1')
    refused(run("read", tmp_path / "broken.json"), "not JSON")
    (tmp_path / "thin.json").write_text('{"kind": "hsg", "version": 1}')
    refused(run("read", tmp_path / "thin.json"), "semiosis schema hsg")
    refused(run("read", tmp_path / "none.yaml"), "cannot read the file")


def test_a_value_that_is_not_an_hsg(run: Run, tmp_path: Path, small: Study) -> None:
    (tmp_path / "comparison.json").write_text(to_json(next(iter(small.comparisons.values()))))
    refused(run("read", tmp_path / "comparison.json"), "contains a comparison, not an HSG")


def test_a_missing_parameter_is_named_with_an_example(run: Run, small: Study) -> None:
    refused(run("query", "lost-intent", "--store", small.folder), "needs --prompt")
    refused(
        run("query", "lost-intent", "--store", small.folder, "--artist", "x"), "has no parameter 'artist'"
    )


def test_a_second_writer_waits_and_gets_an_error(
    run: Run, tmp_path: Path, picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = reading(tmp_path)
    store = tmp_path / "kept"
    assert run("read", file, "--save", store).code == 0
    monkeypatch.setattr("semiosis.files._unfinished.LOCK_SECONDS", 0.0)
    file.write_text(file.read_text().replace("warmth", "heat"))
    before = {f: f.read_bytes() for f in store.rglob("*.jsonl")}
    with filelock.FileLock(store / ".semiosis" / "locks" / "hsgs_saved.jsonl.lock", is_singleton=False):
        refused(run("read", file, "--save", store), "another process is writing this file")
    assert {f: f.read_bytes() for f in store.rglob("*.jsonl")} == before


@pytest.mark.slow
def test_a_full_disk_leaves_every_file_as_it_was(tmp_path: Path, picture: Path) -> None:
    """A limit on file size, set in a separate process, makes the system refuse writes as a full disk does."""
    study = make_study(tmp_path / "small")
    before = {file: file.read_bytes() for file in study.folder.rglob("*.jsonl")}
    largest = max(len(content) for content in before.values())
    script = (
        "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); from semiosis.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, "read", str(reading(tmp_path)), "--save", str(study.folder)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest // 2, largest // 2)),
    )
    assert done.returncode == 1, done.stderr
    assert "cannot write" in done.stderr
    assert "Traceback" not in done.stderr
    assert {file: file.read_bytes() for file in study.folder.rglob("*.jsonl")} == before


def test_a_folder_that_cannot_be_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    refused(run("study", "new", tmp_path / "file" / "study"), "cannot write")


@pytest.mark.parametrize(
    "words",
    [("study", "new", "http://e.org/x"), ("demo", "--folder", "s3://bucket/x"), ("study", "new", "ftp:x")],
)
def test_no_folder_is_created_at_an_address(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(run(*words), f"a folder cannot be created at '{words[-1]}'")
    assert list(tmp_path.iterdir()) == []
    assert run("study", "new", "./ftp:x", "--name", "x").code == 0


def test_no_study_is_taken_from_another_to_an_address(
    run: Run, tmp_path: Path, small: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    refused(
        run("study", "subset", small.folder, "ftp:x", "--prompt", "vanitas"), "cannot be created at 'ftp:x'"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ("read", "A white lily", "--model", "anthropic/claude-sonnet-5"),
        ("judge", "A lily", "A rose", "A tulip", "--model", "anthropic/claude-sonnet-5"),
        ("diff", "missing.yaml", "missing.yaml"),
    ],
)
def test_the_target_is_checked_before_a_model_is_asked(run: Run, words: tuple[str, ...]) -> None:
    """Without a key, asking the model would fail first."""
    refused(run(*words, "--save", "ftp:x"), "a store cannot be opened at 'ftp:x'")


@pytest.mark.parametrize("what", ["\x1b[31ma lily", "a lily\x00"])
def test_a_text_with_an_escape_code_is_refused_with_a_message(what: str, run: Run) -> None:
    ran = run("read", what, "--model", "openai/x", "--base-url", "http://127.0.0.1:9/v1")
    refused(ran, "a control character is not allowed")
    assert "\x1b" not in ran.err
