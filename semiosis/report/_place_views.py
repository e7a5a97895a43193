"""The places of nodes on a page: boxes over images, and segments of a text between its spans."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from semiosis.report._node_views import NodeView
from semiosis.values import Box, ImageSign, Span

CORNERS = ("tl", "tr", "bl", "br")
TAG_WIDTH, TAG_HEIGHT = 0.075, 0.055
"""The size of a box's tag as a share of the image, in a column 400 pixels wide."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text whose characters are all covered by the same nodes."""

    text: str
    """The characters."""
    nodes: tuple[NodeView, ...]
    """The nodes whose spans cover the segment, the longest span first."""
    closing: tuple[NodeView, ...]
    """The nodes whose spans end with this segment."""


def segments(text: str, spans: Iterable[tuple[Span, NodeView]]) -> tuple[Segment, ...]:
    """Return the text, cut at the start and the end of every span."""
    longest_first = sorted(spans, key=lambda placed: (placed[0].start - placed[0].end, placed[0].start))
    ends = (end for span, _ in longest_first for end in (span.start, span.end))
    cuts = sorted({0, len(text), *ends})
    return tuple(
        Segment(
            text[start:end],
            tuple(node for span, node in longest_first if span.start <= start and end <= span.end),
            tuple(node for span, node in reversed(longest_first) if span.end == end),
        )
        for start, end in pairwise(cuts)
    )


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
    for number, (box, view) in enumerate(sorted(boxes, key=lambda placed: -placed[0].area)):
        corner = _free_corner(box, taken)
        taken.append(_tag_at(box, corner))
        views.append(BoxView(f"{prefix}-{number}", view, box, corner))
    return tuple(views)


def image_rule(name: str, sign: ImageSign) -> str:
    """Return the CSS rule that fits a tall image on one screen and gives the frame its exact size."""
    shape = f"{sign.width}/{sign.height}"
    return f".{name}{{aspect-ratio:{shape};width:min(100%,var(--tallest)*{shape})}}"


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
