"""A folder with a table of prompts and pictures, and a study made from it."""

from pathlib import Path

from PIL import Image

from semiosis.study import Study, add_pictures, new_study

GENERATORS = ("sdxl", "flux", "dalle")


def make_folder(folder: Path, prompts: int = 2) -> Path:
    """Write `prompts.csv` and pictures such as `images/p01_sdxl.png`, each in a colour of its own."""
    (folder / "images").mkdir(parents=True)
    rows = [f"p{number:02},Prompt {number},christian" for number in range(1, prompts + 1)]
    (folder / "prompts.csv").write_text("\n".join(["id,prompt,tradition", *rows]), encoding="utf-8")
    for number in range(1, prompts + 1):
        for position, generator in enumerate(GENERATORS):
            colour = (number, 40 * position, 90)
            Image.new("RGB", (8, 6), colour).save(folder / "images" / f"p{number:02}_{generator}.png")
    return folder


def make_study(folder: Path, prompts: int = 2) -> Study:
    """Return a study with the prompts, pictures and comparisons of a made-up folder."""
    source = make_folder(folder / "source", prompts)
    new_study(folder / "study")
    return add_pictures(folder / "study", source / "prompts.csv", source / "images").study


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the content of every file in a folder, apart from locks."""
    files = (path for path in folder.rglob("*") if path.is_file() and ".semiosis" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
