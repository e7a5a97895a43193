"""Lay the artifacts out on one sheet, a column per prompt: `python graphs/sample/sheet.py FILE.jpg`."""

from __future__ import annotations

import sys
from pathlib import Path

import yaml
from PIL import Image

HERE = Path(__file__).parent
CELL = (236, 256)
GAP = 12
PAPER = (247, 244, 238)


def contact_sheet() -> Image.Image:
    """All twenty-four artifacts, in the order of sources/signs.yaml."""
    prompts = yaml.safe_load((HERE / "sources" / "signs.yaml").read_text(encoding="utf-8"))["prompts"]
    columns = [[f"{name}-{maker}" for maker in told["artifacts"]] for name, told in prompts.items()]
    columns = [column for column in columns if column]
    width, height = (CELL[0] + GAP) * len(columns) + GAP, (CELL[1] + GAP) * len(columns[0]) + GAP
    sheet = Image.new("RGB", (width, height), PAPER)
    for x, column in enumerate(columns):
        for y, name in enumerate(column):
            picture = Image.open(HERE / "images" / f"{name}.png").convert("RGB")
            picture.thumbnail(CELL, Image.Resampling.LANCZOS)
            left = GAP + x * (CELL[0] + GAP) + (CELL[0] - picture.width) // 2
            top = GAP + y * (CELL[1] + GAP) + (CELL[1] - picture.height) // 2
            sheet.paste(picture, (left, top))
    return sheet


if __name__ == "__main__":
    contact_sheet().save(sys.argv[1], quality=82, optimize=True)
