"""Images embedded in pages, and the boxes drawn over them."""

import base64
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PIL import Image

from semiosis.files import decode_sign
from semiosis.report._nodes import NodeView
from semiosis.values import Box, ImageSign

MAX_SIDE = 1024
ATTEMPTS = ((MAX_SIDE, 84), (MAX_SIDE, 70), (768, 70), (640, 60), (512, 50), (384, 40))
"""Longest side in pixels and WebP quality, tried in order until an image fits its share of the page."""
IMAGE_BYTES = 960_000
"""The maximum total size of a page's images. In base64 this is 1.28 MB, so that a page has at most 1.5 MB."""

CORNERS = ("tl", "tr", "bl", "br")
TAG_WIDTH, TAG_HEIGHT = 0.075, 0.055
"""The size of a box's tag as a share of the image, in a column 400 pixels wide."""


@dataclass(frozen=True, slots=True)
class BoxView:
    """A box over an image."""

    name: str
    """Its CSS class."""
    view: NodeView
    """The node whose place the box is."""
    box: Box
    """The box."""
    corner: str
    """The corner that shows the node's tag, chosen so that tags do not overlap."""

    @property
    def rule(self) -> str:
        """The CSS rule that places the box. It contains only numbers and fixed names, no user text."""
        box = self.box
        left, top, width, height = box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0
        edges = zip(("left", "top", "width", "height"), (left, top, width, height), strict=True)
        return f".{self.name}{{{';'.join(f'{edge}:{share:.4%}' for edge, share in edges)}}}"


def box_views(prefix: str, boxes: Iterable[tuple[Box, NodeView]]) -> tuple[BoxView, ...]:
    """Return the boxes of one image, larger ones first, so that smaller ones lie above and can be clicked."""
    taken: list[tuple[float, float]] = []
    views = []
    for number, (box, view) in enumerate(sorted(boxes, key=lambda one: -one[0].area)):
        corner = _free_corner(box, taken)
        taken.append(_tag_at(box, corner))
        views.append(BoxView(f"{prefix}-{number}", view, box, corner))
    return tuple(views)


def image_rule(name: str, sign: ImageSign) -> str:
    """Return the CSS rule that fits a tall image on one screen and gives the frame its exact size."""
    shape = f"{sign.width}/{sign.height}"
    return f".{name}{{aspect-ratio:{shape};width:min(100%,var(--tallest)*{shape})}}"


def data_uri(sign: ImageSign, load: Callable[[ImageSign], bytes], limit: int) -> str:
    """Return the image, upright and re-encoded to at most `limit` bytes, as a data: URI.

    Only pixels are copied. Metadata and everything else in the file are left out.
    """
    upright = decode_sign(sign, load(sign)).pixels
    for side, quality in ATTEMPTS:
        blob = _webp(upright, side, quality)
        if len(blob) <= limit:
            break
    return f"data:image/webp;base64,{base64.b64encode(blob).decode('ascii')}"


def _webp(upright: Image.Image, side: int, quality: int) -> bytes:
    scaled = upright.copy()
    scaled.thumbnail((side, side), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    scaled.save(out, "WEBP", quality=quality, method=4)
    return out.getvalue()


def _free_corner(box: Box, taken: list[tuple[float, float]]) -> str:
    for corner in CORNERS:
        x, y = _tag_at(box, corner)
        if all(abs(x - other_x) >= TAG_WIDTH or abs(y - other_y) >= TAG_HEIGHT for other_x, other_y in taken):
            return corner
    return CORNERS[0]


def _tag_at(box: Box, corner: str) -> tuple[float, float]:
    x = box.x0 if corner.endswith("l") else box.x1 - TAG_WIDTH
    y = box.y0 if corner.startswith("t") else box.y1 - TAG_HEIGHT
    return x, y
