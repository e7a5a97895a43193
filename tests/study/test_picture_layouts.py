"""Folders of pictures as scripts and data sets write them: layouts, seeds, missing pictures, placeholders."""

from pathlib import Path

import pytest
from PIL import Image

from semiosis.study import add_pictures, check_study, new_study, read_study
from semiosis.values import DataError, ImageSign, UsageError
from tests.study.pictures import snapshot


def write_pictures(folder: Path, *names: str) -> Path:
    """Write pictures, each in a colour of its own."""
    for number, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (8, 6), (number, 7, len(name))).save(folder / name)
    return folder


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "prompts.csv").write_text("uid,prompt\np1.jpg,A lily\np2.jpg,A skull\n")
    return new_study(tmp_path / "study").folder


def origins(study: Path) -> set[tuple[str, str, str]]:
    """Return prompt, generator and seed of every picture."""
    signs = read_study(study).signs
    return {
        (signs[sign.prompt or ""].title, sign.generator, sign.seed)
        for sign in signs.values()
        if isinstance(sign, ImageSign)
    }


@pytest.mark.parametrize(
    ("names", "generator", "seed"),
    [
        (("p1/sdxl.png", "p2/sdxl.png"), "sdxl", ""),
        (("p1_sdxl.png", "p2-sdxl.png"), "sdxl", ""),
        (("sdxl/p1.png", "sdxl/p2.png"), "sdxl", ""),
        (("sdxl_p1.png", "sdxl_p2.png"), "sdxl", ""),
        (("p1/sdxl/4.png", "p2/sdxl/4.png"), "sdxl", "4"),
        (("p1_sdxl_seed4.png", "p2_sdxl_seed4.png"), "sdxl", "4"),
        (("sdxl/p1_4.png", "sdxl/p2_4.png"), "sdxl", "4"),
        (("sdxl/p1/seed-4.png", "sdxl/p2/seed-4.png"), "sdxl", "4"),
        (("p1_dalle_3.png", "p2_dalle_3.png"), "dalle_3", ""),
        (("sd-2.1/p1.png", "sd-2.1/p2.png"), "sd-2.1", ""),
    ],
)
def test_a_path_names_prompt_generator_and_seed(
    tmp_path: Path, study: Path, names: tuple[str, ...], generator: str, seed: str
) -> None:
    add_pictures(study, tmp_path / "prompts.csv", write_pictures(tmp_path / "pictures", *names))
    assert origins(study) == {("p1.jpg", generator, seed), ("p2.jpg", generator, seed)}


def test_folders_that_all_generators_share_are_not_part_of_their_names(tmp_path: Path, study: Path) -> None:
    names = [f"all/made/{generator}/p{n}.jpg" for generator in ("sdxl", "flux") for n in (1, 2)]
    add_pictures(study, tmp_path / "prompts.csv", write_pictures(tmp_path / "raw", *names))
    assert {generator for _, generator, _ in origins(study)} == {"sdxl", "flux"}


def test_one_folder_for_each_generator_names_it(tmp_path: Path, study: Path) -> None:
    folders = [write_pictures(tmp_path / name, "p1.png", f"x/p2_{name}.png") for name in ("sdxl", "flux")]
    for folder in folders:
        (folder / "x").rename(folder / "y")
        Image.new("RGB", (5, 5), (len(folder.name), 0, 0)).save(folder / "p1.png")
        (folder / "y" / f"p2_{folder.name}.png").rename(folder / "p2.png")
    add_pictures(study, tmp_path / "prompts.csv", *folders)
    assert {generator for _, generator, _ in origins(study)} == {"sdxl", "flux"}


def test_a_generator_whose_name_is_the_number_of_a_prompt_is_not_a_prompt(tmp_path: Path) -> None:
    """Of `2/p1.png`, only the end fits all paths."""
    (tmp_path / "prompts.csv").write_text("id,prompt\np1,A lily\n2,A skull\n")
    study = new_study(tmp_path / "study").folder
    pictures = write_pictures(tmp_path / "pictures", "2/p1.png", "2/2.png", "flux/p1.png", "flux/2.png")
    add_pictures(study, tmp_path / "prompts.csv", pictures)
    assert origins(study) == {(p, g, "") for p in ("p1", "2") for g in ("2", "flux")}


def test_pictures_with_seeds_are_compared_across_generators_with_the_same_seed(
    tmp_path: Path, study: Path
) -> None:
    names = [f"{generator}/p1/{seed}.png" for generator in ("sdxl", "flux") for seed in (0, 1, 2)]
    pictures = write_pictures(tmp_path / "pictures", *names)
    counts = {
        pairs: add_pictures(study, tmp_path / "prompts.csv", pictures, pairs=pairs, dry_run=True).counts
        for pairs in ("within-prompt", "all")
    }
    # Three seeds of two generators: 3 pairs with the same seed, and 6 · 5 / 2 = 15 pairs of all.
    assert {pairs: n["comparison"] for pairs, n in counts.items()} == {"within-prompt": 3, "all": 15}


def test_seeds_that_generators_do_not_share_are_all_compared(tmp_path: Path, study: Path) -> None:
    pictures = write_pictures(
        tmp_path / "pictures", *(f"{g}/p1/{n}.png" for g, n in ("s1", "s2", "f8", "f9"))
    )
    added = add_pictures(study, tmp_path / "prompts.csv", pictures)
    assert added.counts["comparison"] == 4  # 2 × 2
    one = write_pictures(tmp_path / "one", *(f"wan/p2/{n}.png" for n in range(3)))
    added = add_pictures(study, tmp_path / "prompts.csv", one)
    assert added.counts["comparison"] == 3  # one generator: its pictures are compared with each other


# The same bytes twice


def test_the_same_bytes_for_two_prompts_are_two_pictures(tmp_path: Path, study: Path) -> None:
    pictures = write_pictures(tmp_path / "pictures", "sdxl/p1.png", "flux/p1.png", "flux/p2.png")
    (pictures / "sdxl/p2.png").write_bytes((pictures / "sdxl/p1.png").read_bytes())
    added = add_pictures(study, tmp_path / "prompts.csv", pictures)
    assert added.counts == {"text": 2, "image": 4, "comparison": 2}
    assert "'sdxl/p2' has the same bytes as 'sdxl/p1'; both are kept" in added.notes[0]
    assert check_study(study) == []
    once = snapshot(study)
    assert add_pictures(study, tmp_path / "prompts.csv", pictures).new == ()
    assert snapshot(study) == once


def test_adding_in_steps_gives_the_same_signs(tmp_path: Path) -> None:
    """An import of some of the pictures does not change which picture is the second instance."""
    pictures = write_pictures(tmp_path / "pictures", "p1/sdxl.png", "p2/flux.png")
    for name in ("p1/wan.png", "p2/sdxl.png"):
        (pictures / name).write_bytes((pictures / "p1/sdxl.png").read_bytes())
    signs = []
    for number, steps in enumerate([("p1 p2",), ("p1", "p1 p2", "p2")]):
        study = new_study(tmp_path / f"study{number}").folder
        for step in steps:
            rows = "".join(
                f"A {id_},{id_}/{g}.png,{g}\n" for id_ in step.split() for g in ("sdxl", "wan", "flux")
            )
            kept = [row for row in rows.splitlines() if (pictures / row.split(",")[1]).exists()]
            (tmp_path / "rows.csv").write_text("prompt,file,generator\n" + "\n".join(kept) + "\n")
            add_pictures(study, tmp_path / "rows.csv", pictures)
        signs.append(set(read_study(study).signs))
    assert signs[0] == signs[1]
    assert len(signs[0]) == 6


def test_a_table_may_name_one_placeholder_for_two_generators(tmp_path: Path, study: Path) -> None:
    pictures = write_pictures(tmp_path / "pictures", "black.png")
    (tmp_path / "rows.csv").write_text("prompt,file,generator\nA,black.png,sdxl\nA,black.png,flux\n")
    added = add_pictures(study, tmp_path / "rows.csv", pictures)
    assert added.counts == {"text": 1, "image": 2, "comparison": 1}
    assert add_pictures(study, tmp_path / "rows.csv", pictures).new == ()


# Missing pictures


def test_pictures_that_generators_lack_are_reported_or_recorded(tmp_path: Path, study: Path) -> None:
    pictures = write_pictures(tmp_path / "pictures", "sdxl/p1.png", "sdxl/p2.png", "flux/p1.png")
    added = add_pictures(study, tmp_path / "prompts.csv", pictures)
    assert added.notes == (
        "flux has no picture of 1 of 2 prompts (p2); --missing refused, filtered or error records that",
    )
    added = add_pictures(study, tmp_path / "prompts.csv", pictures, missing="refused")
    assert added.counts == {"missing": 1}
    (missing,) = added.study.missing
    assert (missing.generator, missing.reason, missing.title) == ("flux", "refused", "flux/p2.jpg")
    assert add_pictures(study, tmp_path / "prompts.csv", pictures, missing="refused").new == ()
    assert check_study(study) == []
    Image.new("RGB", (9, 9)).save(pictures / "flux" / "p2.png")
    late = add_pictures(study, tmp_path / "prompts.csv", pictures)
    assert f"run: semiosis study remove {study} {missing.id}" in late.notes[-1]


def test_a_row_without_a_file_states_why(tmp_path: Path, study: Path) -> None:
    pictures = write_pictures(tmp_path / "pictures", "1.png")
    table = tmp_path / "rows.csv"
    table.write_text("prompt,file,generator,seed,missing\nA,1.png,sdxl,0,\nA,,sdxl,1,NSFW\nA,,flux,0,error\n")
    added = add_pictures(study, table, pictures)
    assert added.counts == {"text": 1, "image": 1, "missing": 2}
    missing = {(sign.generator, sign.seed, sign.reason) for sign in added.study.missing}
    assert missing == {("sdxl", "1", "filtered"), ("flux", "0", "error")}
    table.write_text("prompt,file,generator,missing\nA,,wan,because\nB,,wan,\nC,,,error\n")
    with pytest.raises(DataError) as caught:
        add_pictures(study, table, pictures)
    assert "line 2: the reason 'because' is none of refused, filtered, error" in str(caught.value)
    assert "line 3: the file name is empty; if the generator made no picture" in str(caught.value)
    assert "line 4: a missing picture needs its generator" in str(caught.value)


def test_copies_of_a_placeholder_are_missing_pictures(tmp_path: Path, study: Path) -> None:
    pictures = write_pictures(tmp_path / "pictures", "sdxl/p1.png", "flux/p1.png", "flux/p2.png")
    (pictures / "sdxl/p2.png").write_bytes((pictures / "sdxl/p1.png").read_bytes())
    black = pictures / "sdxl/p1.png"
    added = add_pictures(study, tmp_path / "prompts.csv", pictures, placeholders=[black])
    assert added.counts == {"text": 2, "image": 2, "missing": 2}
    assert {sign.reason for sign in added.study.missing} == {"filtered"}
    with pytest.raises(UsageError, match="the reason 'x' is none of"):
        add_pictures(study, tmp_path / "prompts.csv", pictures, missing="x")


# Columns


def test_a_column_named_source_is_not_the_picture_before(tmp_path: Path, study: Path) -> None:
    pictures = write_pictures(tmp_path / "pictures", "1.png")
    (tmp_path / "rows.csv").write_text("prompt,file,source\nA,1.png,DrawBench\n")
    added = add_pictures(study, tmp_path / "rows.csv", pictures)
    assert added.notes == ("columns that are not used: 'source'",)


def test_a_guess_about_a_column_can_be_switched_off(tmp_path: Path, study: Path) -> None:
    pictures = write_pictures(tmp_path / "pictures", "1.png")
    (tmp_path / "rows.csv").write_text("prompt,file,previous\nA,1.png,DrawBench\n")
    with pytest.raises(
        DataError, match=r"column 'previous': there is no picture 'DrawBench'.*--column from="
    ):
        add_pictures(study, tmp_path / "rows.csv", pictures)
    added = add_pictures(study, tmp_path / "rows.csv", pictures, columns={"from": ""})
    assert added.counts == {"text": 1, "image": 1}
