"""Prompts and pictures from tables and folders."""

import errno
import json
from pathlib import Path

import pytest
from PIL import Image

from semiosis.study import add_pictures, check_study, import_observations, new_study, read_study
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
        (
            "prompt,file\nA,p01_sdxl.png\nB,p01_sdxl.png\n",
            "line 3: 'p01_sdxl' is already a picture of the prompt on line 2",
        ),
        ("prompt,file\nA,../secret.png\n", "line 2: the picture '../secret.png' is outside of"),
        ("prompt,file\n,p01_sdxl.png\n", "line 2: the prompt is empty"),
        ("prompt,file\nA,\n", "line 2: the file name is empty"),
        ("prompt,file,round\nA,p01_sdxl.png,first\n", "line 2: round 'first'"),
        ("prompt,file\nA,cut.png\n", "line 2: 'cut.png': the image is damaged"),
        ("prompt,file\nA,text.png\n", "line 2: 'text.png': not a PNG, JPEG, WebP or GIF image"),
        ("prompt,file\nA,huge.png\n", "line 2: 'huge.png': the image has 8001 × 8000 pixels"),
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
    with pytest.raises(DataError, match="contains no id or number of a prompt"):
        add_pictures(tmp_path / "study", source / "prompts.csv", source / "images")
    with pytest.raises(UsageError, match="there is no table of prompts"):
        add_pictures(tmp_path / "study", source / "images")
    with pytest.raises(UsageError, match="there is no such folder"):
        add_pictures(tmp_path / "nothing", source / "prompts.csv")
    assert not (tmp_path / "nothing").exists()


def test_a_failed_write_leaves_no_pictures(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def append(file: Path, blob: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("semiosis.files._record._append", append)
    before = snapshot(tmp_path / "study")
    for link in (False, True):
        with pytest.raises(MachineError, match="cannot write"):
            add_pictures(tmp_path / "study", source / "prompts.csv", source / "images", link=link)
    assert snapshot(tmp_path / "study") == before


def rows(folder: Path, text: str) -> Path:
    path = folder / "rows.csv"
    path.write_text(text)
    return path


def test_a_composite_prompt_added_twice_changes_nothing(tmp_path: Path, source: Path) -> None:
    picture(source / "ref.png", (9, 9, 9))
    table = rows(source, "prompt,file,references\nIn this style,images/p01_sdxl.png,ref.png\n")
    add_pictures(tmp_path / "study", table)
    once = snapshot(tmp_path / "study")
    added = add_pictures(tmp_path / "study", table)
    assert (added.new, added.known) == ((), 2)
    assert snapshot(tmp_path / "study") == once


def test_a_later_table_keeps_fields_that_it_omits_and_reports_those_that_it_changes(
    tmp_path: Path, source: Path
) -> None:
    images = source / "images"
    full = "prompt,file,language,round,generator\nA,p01_sdxl.png,de,2,sdxl\n"
    add_pictures(tmp_path / "study", rows(source, full), images)
    added = add_pictures(
        tmp_path / "study", rows(source, "prompt,file,generator\nA,p01_sdxl.png,flux\n"), images
    )
    assert added.counts == {"image": 1}
    assert added.notes == ("line 2: the generator of 'p01_sdxl' was 'sdxl', and is now 'flux'",)
    signs = list(added.study.signs.values())
    assert [(sign.round, getattr(sign, "language", "")) for sign in signs] == [(1, "de"), (2, "")]


def test_a_picture_that_moves_to_another_prompt_is_refused_by_line(tmp_path: Path, source: Path) -> None:
    images = source / "images"
    add_pictures(tmp_path / "study", rows(source, "prompt,file\nA,p01_sdxl.png\n"), images)
    with pytest.raises(DataError, match=r"line 2: .* is in the study as a picture of another prompt"):
        add_pictures(tmp_path / "study", rows(source, "prompt,file\nB,p01_sdxl.png\n"), images)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("A,p01_sdxl.png,1,\nB,p01_flux.png,2,p01_dalle.png\n", "line 3: the picture in the column 'from'"),
        ("A,p01_sdxl.png,2,p01_sdxl.png\n", "line 2: 'p01_sdxl' is a picture of round 2, so the round of"),
        (
            "A,p01_sdxl.png,1,\nA,p01_flux.png,1,\nB,p02_sdxl.png,2,p01_sdxl.png\nB,p02_flux.png,2,p01_flux.png\n",
            "line 5: the prompt follows a different picture than on line 4",
        ),
    ],
)
def test_an_inconsistent_cascade_is_refused(tmp_path: Path, source: Path, table: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        add_pictures(tmp_path / "study", rows(source, "prompt,file,round,from\n" + table), source / "images")
    assert message in str(caught.value)


def test_duplicates_and_unused_columns_are_reported(tmp_path: Path, source: Path) -> None:
    (source / "prompts.csv").write_text(
        "id,prompt,notes\np01,A lily,x\np01,A lily,x\np02,A lily,y\n,,\n", encoding="utf-8"
    )
    added = add_pictures(tmp_path / "study", source / "prompts.csv", source / "images")
    assert added.notes == (
        "columns that are not used: 'notes'",
        "line 3 repeats line 2",
        "line 4: title 'p02', but the prompt keeps 'p01' of line 2",
    )


def test_pictures_in_a_folder_that_cannot_be_added_are_named_together(tmp_path: Path, source: Path) -> None:
    images = source / "images"
    (images / "._p01_sdxl.png").write_bytes(b"written by macOS")
    (images / ".hidden").mkdir()
    picture(images / ".hidden" / "q1_sdxl.png")
    add_pictures(tmp_path / "study", source / "prompts.csv", images, dry_run=True)
    Image.new("RGB", (8, 6)).save(images / "p01_wan.tiff")
    picture(images / "q7_sdxl.png")
    with pytest.raises(DataError) as caught:
        add_pictures(tmp_path / "study", source / "prompts.csv", images)
    assert "2 pictures cannot be added; nothing was written" in str(caught.value)
    assert "p01_wan.tiff: not a PNG, JPEG, WebP or GIF image; convert it to PNG" in str(caught.value)
    assert "q7_sdxl.png: its name contains no id or number of a prompt" in str(caught.value)


def test_bad_rows_come_before_pictures_without_a_prompt(tmp_path: Path, source: Path) -> None:
    (source / "prompts.csv").write_text("id,prompt\np01,A lily\np02,\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 3: the prompt is empty"):
        add_pictures(tmp_path / "study", source / "prompts.csv", source / "images")


def test_the_splits_of_an_image_folder_have_tables_of_their_own(tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    for position, split in enumerate(("train", "test")):
        picture(folder / split / "0.png", (position, 5, 5))
        (folder / split / "metadata.csv").write_text("file_name,text\n0.png,A lily\n")
        picture(folder / split / "1.png", (position, 5, 9))
        (folder / split / "metadata.csv").write_text(f"file_name,text\n0.png,A lily\n1.png,A {split}\n")
    study = new_study(tmp_path / "study").folder
    added = add_pictures(study, folder)
    assert added.counts == {"text": 3, "image": 4, "comparison": 1}  # the lilies of both splits
    titles = {sign.title for sign in added.study.signs.values() if isinstance(sign, ImageSign)}
    assert titles == {"train/0", "train/1", "test/0", "test/1"}
    assert add_pictures(study, folder).new == ()


def test_splits_with_the_same_picture_or_two_tables_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    for split in ("train", "test"):
        picture(folder / split / "0.png", (5, 5, 5))
        (folder / split / "metadata.csv").write_text("file_name,text\n0.png,A lily\n")
    study = new_study(tmp_path / "study").folder
    before = snapshot(study)
    with pytest.raises(DataError, match="line 2: 'train/0' is the same picture as 'test/0'") as caught:
        add_pictures(study, folder)
    assert str(folder / "train" / "metadata.csv") in str(caught.value)
    (folder / "test" / "metadata.jsonl").write_text('{"file_name": "0.png", "text": "A lily"}\n')
    with pytest.raises(UsageError, match="there are 3 tables"):
        add_pictures(study, folder)
    assert snapshot(study) == before


def test_an_image_folder_names_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "dataset"
    picture(folder / "1.png", (5, 5, 5))
    (folder / "metadata.jsonl").write_text('{"output_file_name": "1.png", "prompt": "A lily"}\n')
    study = new_study(tmp_path / "study").folder
    with pytest.raises(DataError, match="no column 'file'; columns: 'output_file_name', 'prompt'"):
        add_pictures(study, folder)
    named = add_pictures(study, folder, columns={"file": "output_file_name"})
    assert named.counts == {"text": 1, "image": 1}


def test_pairs_need_no_prompt_and_have_the_headings_of_votes(tmp_path: Path, source: Path) -> None:
    pairs = source / "pairs.csv"
    sources = (source / "prompts.csv", source / "images")

    def add(text: str) -> dict[str, int]:
        pairs.write_text(text)
        return add_pictures(tmp_path / "study", *sources, pairs=str(pairs), dry_run=True).counts

    assert add("left,right\np01_sdxl.png,images/p01_flux.png\n")["comparison"] == 1
    with pytest.raises(DataError, match="line 2: 'p02_flux' is a picture of another prompt"):
        add("a,b\np01_sdxl,p02_flux\n")
    with pytest.raises(DataError, match="the columns of pairs are prompt, a and b, not 'x'"):
        add("x\n1\n")
    with pytest.raises(UsageError, match="there is no table 'within'"):
        add_pictures(tmp_path / "study", *sources, pairs="within")
    with pytest.raises(DataError, match="there are no pairs in this file"):
        add("a,b\n")


def test_a_pair_that_a_table_repeats_is_reported(tmp_path: Path, source: Path) -> None:
    pairs = source / "pairs.csv"
    pairs.write_text("prompt,a,b\np01,sdxl,flux\np02,sdxl,flux\np01,flux,sdxl\n")
    added = add_pictures(tmp_path / "study", source / "prompts.csv", source / "images", pairs=str(pairs))
    assert added.counts["comparison"] == 2
    assert added.notes == ("pairs.csv, line 4: the pair of line 2 again",)


def test_a_letter_with_an_accent_is_found_however_it_is_composed(tmp_path: Path, source: Path) -> None:
    picture(source / "images" / "e\u0301tude.png")  # as an archive made on macOS names it
    table = rows(source, "prompt,file\nA,\u00e9tude.png\n")
    study = add_pictures(tmp_path / "study", table, source / "images").study
    votes = source / "scores.csv"
    votes.write_text("file,clip\n\u00e9tude.png,1\n", encoding="utf-8")
    assert import_observations(study.folder, "scores", votes).counts == {"score": 1}


def test_the_message_about_pictures_without_a_prompt_states_a_name_that_fits(
    tmp_path: Path, source: Path
) -> None:
    (source / "prompts.txt").write_text("A lily\nA skull\n")
    with pytest.raises(DataError, match=r"name each after its prompt: 1/sdxl\.png, 1_sdxl\.png or"):
        add_pictures(tmp_path / "study", source / "prompts.txt", source / "images")
