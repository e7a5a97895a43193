"""The grid of pictures by prompt and generator."""

from matplotlib.figure import Figure
from PIL import Image

from semiosis.figures._node_cards import ImageLoader
from semiosis.figures._page import Page, text_height
from semiosis.figures._style import POINTS, QUIET, RULE, Width, house_style
from semiosis.figures._text import Style
from semiosis.files import decode_sign, image_bytes
from semiosis.study import GridPicture, GridRow, PictureGrid
from semiosis.values import ImageSign

_NAME, _PROMPT, _NOTE = Style(6.5, "bold"), Style(6.5), Style(5.8, colour=QUIET)
_GAP = 5.0
_PIXELS = 420
"""The longest side of a picture in a cell, enough for 300 dots per inch."""


def generator_grid(
    grid: PictureGrid, *, width: Width = "two-column", images: ImageLoader = image_bytes
) -> Figure:
    """Draw the pictures of each prompt in a row, with a column for each generator.

    If a generator made several pictures for a prompt, the first is drawn and the note states how many there
    are. A picture that a generator failed to make is a frame with the reason.
    """
    with house_style():
        page = Page(POINTS[width], _description(grid))
        names_width = page.width * 0.2
        cell = (page.width - names_width) / len(grid.generators) - _GAP
        lefts = [names_width + number * (cell + _GAP) for number in range(len(grid.generators))]
        y = max(
            page.text(left, 1, name, cell, _NAME) for left, name in zip(lefts, grid.generators, strict=True)
        )
        for row in grid.rows:
            y = _draw_row(page, row, y + 3, names_width, lefts, cell, images)
        return page.finish(page.text(1, y + 4, _note(grid), page.width - 2, _NOTE) + 1)


def _draw_row(
    page: Page,
    row: GridRow,
    top: float,
    names_width: float,
    lefts: list[float],
    cell: float,
    images: ImageLoader,
) -> float:
    """Draw a prompt and its pictures, and return the y below them."""
    bottom = page.text(1, top, row.title, names_width - _GAP - 1, _PROMPT)
    for left, signs in zip(lefts, row.cells, strict=True):
        if signs:
            bottom = max(bottom, _draw_picture(page, signs[0], left, top, cell, images))
    page.rule(0, bottom + 2, page.width)
    return bottom + 2


def _draw_picture(
    page: Page, sign: GridPicture, left: float, top: float, cell: float, images: ImageLoader
) -> float:
    if not isinstance(sign, ImageSign):
        page.rectangle(left, top, cell, cell, "#f4f4f4", RULE, linewidth=0.5, hatch="////")
        reason = f"none: {sign.reason}"
        height = text_height(reason, cell - 4, _NOTE)
        page.rectangle(left + 1, top + (cell - height) / 2 - 1, cell - 2, height + 2, "#f4f4f4")
        page.text(left + 2, top + (cell - height) / 2, reason, cell - 4, _NOTE)
        return top + cell
    pixels = decode_sign(sign, images(sign)).pixels.copy()
    pixels.thumbnail((_PIXELS, _PIXELS), Image.Resampling.LANCZOS)
    height = min(cell * sign.height / sign.width, cell * 1.3)
    width = height * sign.width / sign.height
    page.picture(pixels, left, top, width, height)
    return top + height


def _description(grid: PictureGrid) -> str:
    prompts = f"{len(grid.rows)} prompt{'' if len(grid.rows) == 1 else 's'}"
    return f"Pictures by {', '.join(grid.generators)} for {prompts}."


def _note(grid: PictureGrid) -> str:
    """Return what the cells show, and what they leave out."""
    undrawn = sum(max(0, len(cell) - 1) for row in grid.rows for cell in row.cells)
    notes = [_description(grid), "An empty cell: no picture in the study."]
    if undrawn:
        notes.append(f"The first of several seeds is drawn; {undrawn} more are in the study.")
    if grid.n_missing:
        notes.append(f"Hatched: pictures that a generator did not make ({grid.n_missing}).")
    return " ".join(notes)
