"""Draw the artifacts on one sheet with a column per prompt: `python graphs/sample/sheet.py FILE.jpg`."""

from __future__ import annotations

import sys
from pathlib import Path

import yaml
from PIL import Image

HERE = Path(__file__).parent
ROW = 250
GAP = 12
PAPER = (247, 244, 238)


def contact_sheet() -> Image.Image:
    """Return a sheet with all twenty-four artifacts, in the order of sources/signs.yaml."""
    prompts = yaml.safe_load((HERE / "sources" / "signs.yaml").read_text(encoding="utf-8"))["prompts"]
    columns = [
        [_small(f"{name}-{maker}") for maker in entry["artifacts"]]
        for name, entry in prompts.items()
        if entry["artifacts"]
    ]
    width = GAP + sum(column[0].width + GAP for column in columns)
    sheet = Image.new("RGB", (width, GAP + len(columns[0]) * (ROW + GAP)), PAPER)
    left = GAP
    for column in columns:
        for number, picture in enumerate(column):
            sheet.paste(picture, (left, GAP + number * (ROW + GAP)))
        left += column[0].width + GAP
    return sheet


def _small(name: str) -> Image.Image:
    picture = Image.open(HERE / "images" / f"{name}.png").convert("RGB")
    return picture.resize((round(picture.width * ROW / picture.height), ROW), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    contact_sheet().save(sys.argv[1], quality=82, optimize=True)
