"""Prompts and pictures from tables and folders."""

import json
from pathlib import Path

import pytest
from PIL import Image

from semiosis.study import add_pictures, check_study, new_study, read_study
from semiosis.values import CompositeSign, DataError, ImageSign, MachineError, UsageError
from tests.study.pictures import make_folder, make_study, snapshot


@pytest.fixture
def source(tmp_path: Path) -> Path:
    new_study(tmp_path / "study")
    return make_folder(tmp_path / "source")


def picture(path: Path, colour: tuple[int, int, int] = (1, 2, 3)) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (8, 6), colour).save(path)
    return path


def test_a_folder_and_its_prompts_become_a_study(tmp_path: Path) -> None:
    study = make_study(tmp_path)
    artifacts = [sign for sign in study.signs.values() if isinstance(sign, ImageSign)]
    assert {sign.generator for sign in artifacts} == {"sdxl", "flux", "dalle"}
    assert {study.signs[sign.prompt or ""].title for sign in artifacts} == {"p01", "p02"}
    assert len(study.comparisons) == 6  # 2 prompts × 3 pairs of 3 pictures
    assert check_study(study.folder) == []
    assert read_study(study.folder).signs == study.signs


def test_adding_twice_changes_nothing_and_a_dry_run_writes_nothing(tmp_path: Path, source: Path) -> None:
    study, sources = tmp_path / "study", (source / "prompts.csv", source / "images")
    empty = snapshot(study)
    assert add_pictures(study, *sources, dry_run=True).counts == {"text": 2, "image": 6, "comparison": 6}
    assert snapshot(study) == empty
    add_pictures(study, *sources)
    once = snapshot(study)
    assert add_pictures(study, *sources).new == ()
    assert snapshot(study) == once


@pytest.mark.parametrize("name", ["metadata.csv", "metadata.jsonl"])
def test_an_image_folder_is_read_as_it_is(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "imagefolder"
    rows = [("train/a.png", "A lily"), ("train/b.png", "A lily"), ("train/c.png", "A skull")]
    for position, (file, _) in enumerate(rows):
        picture(folder / file, (position, 0, 0))
    csv = "file_name,text\n" + "".join(f"{file},{text}\n" for file, text in rows)
    jsonl = "".join(json.dumps({"file_name": file, "text": text}) + "\n" for file, text in rows)
    (folder / name).write_text(csv if name.endswith("csv") else jsonl)
    new_study(tmp_path / "study")
    added = add_pictures(tmp_path / "study", folder)
    assert added.counts == {"text": 2, "image": 3, "comparison": 1}


def test_plain_lines_are_prompts_by_number(tmp_path: Path, source: Path) -> None:
    (source / "prompts.txt").write_text("A lily\r\n\r\nA skull\r\n")
    for shade, name in enumerate(("1/sdxl.png", "01-flux.png", "2_sdxl.png")):
        picture(source / "more" / name, (shade, 7, 7))
    added = add_pictures(tmp_path / "study", source / "prompts.txt", source / "more")
    assert added.counts == {"text": 2, "image": 3, "comparison": 1}


def test_references_make_a_composite_prompt_and_rounds_a_cascade(tmp_path: Path, source: Path) -> None:
    for position, name in enumerate(("ref", "one", "other", "two")):
        picture(source / f"{name}.png", (0, 0, 50 * position))
    (source / "cascade.csv").write_text(
        "prompt,file,generator,round,references,from\n"
        "In this style,one.png,sdxl,1,ref.png,\n"
        "In this style,other.png,flux,1,ref.png,\n"
        "Now darker,two.png,sdxl,2,,one.png\n"
    )
    study = add_pictures(tmp_path / "study", source / "cascade.csv").study
    titles = {sign.title: sign for sign in study.signs.values() if isinstance(sign, ImageSign)}
    prompt = study.signs[titles["one"].prompt or ""]
    assert isinstance(prompt, CompositeSign)
    assert len(prompt.parts) == 2
    darker = study.signs[titles["two"].prompt or ""]
    assert (titles["two"].round, darker.round, darker.prompt) == (2, 1, titles["one"].id)
    assert len(study.comparisons) == 1
    assert check_study(study.folder) == []


def test_pairs_across_rounds_from_a_table_or_none(tmp_path: Path, source: Path) -> None:
    table = source / "rows.csv"
    names = ["p01_sdxl.png", "p01_flux.png", "p01_dalle.png"]
    rows = [f"A,{name},{turn}" for turn, name in zip((1, 1, 2), names, strict=True)]
    table.write_text("\n".join(["prompt,file,round", *rows]))

    def count(pairs: str) -> int:
        added = add_pictures(tmp_path / "study", table, source / "images", pairs=pairs, dry_run=True)
        return added.counts.get("comparison", 0)

    (source / "pairs.csv").write_text("prompt,a,b\nA,p01_dalle,p01_flux.png\nA,p01_flux,p01_dalle\n")
    assert [count("none"), count("within-prompt"), count("all")] == [0, 1, 3]
    assert count(str(source / "pairs.csv")) == 1  # the other order is the same comparison
    (source / "pairs.csv").write_text("prompt,a,b\nA,p01_dalle,p01_dalle\n")
    with pytest.raises(DataError, match="line 2: a picture is compared with itself"):
        count(str(source / "pairs.csv"))


def test_linked_pictures_share_their_bytes(tmp_path: Path, source: Path) -> None:
    study = add_pictures(tmp_path / "study", source / "prompts.csv", source / "images", link=True).study
    linked = {path.stat().st_ino for path in (tmp_path / "study" / "images").iterdir()}
    assert linked == {path.stat().st_ino for path in (source / "images").iterdir()}
    assert check_study(study.folder) == []


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("prompt,file\nA,p01_sdxl.png\nB,nowhere.png\n", "line 3: there is no picture 'nowhere.png'"),
        ("prompt,file\nA,p01_sdxl.png\nA,copy.png\n", "line 3: 'copy' is the same picture as 'p01_sdxl'"),
        ("prompt,file\nA,../secret.png\n", "line 2: the picture '../secret.png' is outside of"),
        ("prompt,file\n,p01_sdxl.png\n", "line 2: the prompt is empty"),
        ("prompt,file\nA,\n", "line 2: the file name is empty"),
        ("prompt,file,round\nA,p01_sdxl.png,first\n", "line 2: round 'first'"),
        ("prompt,file\nA,cut.png\n", "line 2: the image is damaged"),
        ("prompt,file\nA,text.png\n", "line 2: not a PNG, JPEG, WebP or GIF image"),
        ("prompt,file\nA,huge.png\n", "line 2: the image has 8001 × 8000 pixels"),
        ("title,file\nA,p01_sdxl.png\n", "line 1: there is no column 'prompt'; columns: 'title', 'file'"),
        ("prompt,file,file\nA,x,y\n", "line 1: two columns are called 'file'"),
        ("prompt,file\nA,p01_sdxl.png,extra\n", "line 2: 3 cells, but the first line has 2"),
    ],
    ids=lambda value: value[:30] if "line" in value else "",
)
def test_bad_input_names_the_line_and_writes_nothing(
    tmp_path: Path, source: Path, table: str, message: str
) -> None:
    (source / "images" / "copy.png").write_bytes((source / "images" / "p01_sdxl.png").read_bytes())
    (source / "images" / "text.png").write_text("not an image")
    picture(tmp_path / "secret.png")
    Image.new("1", (8001, 8000)).save(source / "images" / "huge.png")
    Image.new("1", (2000, 2000)).save(source / "images" / "cut.png")
    blob = (source / "images" / "cut.png").read_bytes()
    (source / "images" / "cut.png").write_bytes(blob[:300])
    (source / "rows.csv").write_text(table)
    before = snapshot(tmp_path / "study")
    with pytest.raises(DataError) as caught:
        add_pictures(tmp_path / "study", source / "rows.csv", source / "images")
    assert message in str(caught.value)
    assert snapshot(tmp_path / "study") == before


@pytest.mark.parametrize(
    ("mode", "suffix"), [("RGBA", "png"), ("CMYK", "jpg"), ("I;16", "png"), ("P", "gif"), ("L", "webp")]
)
def test_unusual_pictures_are_accepted(tmp_path: Path, source: Path, mode: str, suffix: str) -> None:
    name = f"odd.{suffix}"
    Image.new(mode, (8, 6)).save(source / name)
    (source / "rows.csv").write_text(f"prompt,file\nA,{name}\n")
    assert add_pictures(tmp_path / "study", source / "rows.csv").counts["image"] == 1
    assert check_study(tmp_path / "study") == []


def test_rotated_and_animated_pictures_are_accepted(tmp_path: Path, source: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (8, 6)).save(source / "turned.jpg", exif=exif)
    frames = [Image.new("RGB", (8, 6), colour) for colour in ("red", "blue")]
    frames[0].save(source / "moving.gif", save_all=True, append_images=frames[1:])
    (source / "rows.csv").write_text("prompt,file\nA,turned.jpg\nA,moving.gif\n")
    study = add_pictures(tmp_path / "study", source / "rows.csv").study
    sizes = {
        sign.title: (sign.width, sign.height) for sign in study.signs.values() if isinstance(sign, ImageSign)
    }
    assert sizes == {"turned": (6, 8), "moving": (8, 6)}


def test_a_picture_without_a_prompt_and_a_wrong_call_are_refused(tmp_path: Path, source: Path) -> None:
    picture(source / "images" / "q7_sdxl.png")
    with pytest.raises(DataError, match="starts with no prompt's id or number"):
        add_pictures(tmp_path / "study", source / "prompts.csv", source / "images")
    with pytest.raises(UsageError, match="0 tables of prompts"):
        add_pictures(tmp_path / "study", source / "images")
    with pytest.raises(DataError, match="this folder is not a study"):
        add_pictures(tmp_path / "nothing", source / "prompts.csv")
    assert not (tmp_path / "nothing").exists()


def test_a_failed_write_leaves_no_pictures(tmp_path: Path, source: Path) -> None:
    (tmp_path / "study" / "signs.jsonl").mkdir()  # cannot be appended to, not even by root
    before = snapshot(tmp_path / "study")
    for link in (False, True):
        with pytest.raises(MachineError, match="cannot write"):
            add_pictures(tmp_path / "study", source / "prompts.csv", source / "images", link=link)
    assert snapshot(tmp_path / "study") == before
