"""Corrected readings, unsafe paths, damaged images, prompts without a title."""

import hashlib
import io
from pathlib import Path

import pytest
from PIL import Image

from semiosis.align import diff
from semiosis.files import append_record
from semiosis.store import copy_study, library_query, open_store
from semiosis.study import check_study, new_study, read_study
from semiosis.values import DataError, ImageSign
from tests.cli.conftest import Run
from tests.strategies import a_reading, a_text, an_hsg

READING = """\
semiosis: 1
sign: {text: A white lily}
reader: Ada
root:
  label: lilly
  sign: a lily
  object: purity
  interpretant: a vow
  place: white lily
"""


@pytest.mark.parametrize("command", [("read", "--save"), ("store", "save")], ids=" ".join)
def test_a_corrected_typo_leaves_one_reading(run: Run, tmp_path: Path, command: tuple[str, str]) -> None:
    file, folder = tmp_path / "reading.yaml", tmp_path / "study"

    def save(text: str) -> str:
        file.write_text(text)
        words = ("read", file, "--save", folder) if command[0] == "read" else ("store", "save", folder, file)
        done = run(*words)
        assert done.code == 0, done.err
        return done.err

    new_study(folder)
    assert "replaces" not in save(READING)
    assert "replaces the earlier version" in save(READING.replace("lilly", "lily"))
    assert "replaces" not in save(READING.replace("lilly", "lily"))  # saving twice changes nothing
    study = read_study(folder)
    assert [hsg.semioses["root"].label for hsg in study.hsgs.values()] == ["lily"]
    assert len(study.history) == 1
    save(READING.replace("reader: Ada", "reader: Ada\nrepeat: 1"))  # an independent second reading
    assert len(read_study(folder).hsgs) == 2
    assert check_study(folder) == []


def _recorded(folder: Path, blob: bytes) -> None:
    """Record a sign for a file that was never decoded."""
    (folder / "images").mkdir(exist_ok=True)
    (folder / "images" / "x.png").write_bytes(blob)
    digest = hashlib.sha256(blob).hexdigest()
    sign = ImageSign(sha256=digest, width=8, height=6, media_type="image/png", path="images/x.png")
    append_record(folder, [sign])


def _png(width: int = 8, height: int = 6, kind: str = "PNG") -> bytes:
    file = io.BytesIO()
    Image.new("1", (width, height)).save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize(
    ("blob", "what"),
    [
        (_png(2000, 2000)[:300], "damaged"),
        (b"not an image", "not a PNG, JPEG, WebP or GIF image"),
        (_png(kind="GIF"), "its sign says image/png"),
        (_png(9, 6), "9 × 6 pixels, but its sign says"),
        (_png(8001, 8000), "the limit is 64,000,000"),
    ],
    ids=["cut", "text", "mistyped", "size", "huge"],
)
def test_a_bad_image_is_found_before_a_run(tmp_path: Path, blob: bytes, what: str) -> None:
    new_study(tmp_path / "s")
    _recorded(tmp_path / "s", blob)
    assert [what in problem.what for problem in check_study(tmp_path / "s")] == [True]


def test_an_absolute_image_path_is_not_copied(tmp_path: Path) -> None:
    new_study(tmp_path / "s")
    _recorded(tmp_path / "s", _png())
    signs = tmp_path / "s" / "signs.jsonl"
    elsewhere = tmp_path / "elsewhere.png"
    elsewhere.write_bytes(_png())
    signs.write_text(signs.read_text().replace("images/x.png", str(elsewhere)))
    with pytest.raises(DataError, match="leads outside the study"):
        copy_study(str(tmp_path / "s"), str(tmp_path / "copy"))


def test_a_prompt_without_a_title_is_found_by_its_text(tmp_path: Path) -> None:
    prompt, seen = an_hsg(), an_hsg(a_text("seen"), reading=a_reading("Bo"))
    new_study(tmp_path / "s").add([prompt.sign, seen.sign, prompt, seen, diff(prompt, seen)], "ada")
    with open_store(tmp_path / "s") as store:
        found = library_query("survival").run(store, {"prompt": "white LILY"})
    assert {row["prompt"] for row in found} == {"A white lily beside a skull"}
