"""The badges and colours of nodes, and the drawing of signs with their places and of cards of semioses."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from PIL import Image

from semiosis.figures._page import Page, badge_width
from semiosis.figures._style import HUES, PAPER, QUIET, RULE
from semiosis.figures._text import Style, StyledText, text_width
from semiosis.files import decode_sign
from semiosis.values import HSG, MODES, Box, ImageSign, Relation, Semiosis, Span, TextSign, parts_of

ImageLoader = Callable[[ImageSign], bytes]
"""Returns the bytes of an image sign."""

KEY = Style(6.0, colour=QUIET)
BODY = Style(6.8)
TITLE = Style(7.6, "bold")


@dataclass(frozen=True, slots=True)
class BadgedNode:
    """A node with its badge and colour in a figure."""

    node: str
    badge: str
    colour: str
    depth: int
    semiosis: Semiosis
    relation: Relation | None

    @property
    def dissenting(self) -> bool:
        """Whether this is a node of a consensus that some readers do not have."""
        return self.semiosis.share is not None and self.semiosis.share < 1


def badged_nodes(hsg: HSG, letter: str = "") -> list[BadgedNode]:
    """Return the nodes in outline order. The badge of the root is the letter, or `R` without a letter."""
    above = {relation.part: relation for relation in hsg.relations if relation.hierarchy}
    return [
        BadgedNode(
            node,
            f"{letter}{number or ''}" if letter else str(number or "R"),
            HUES[number % len(HUES)],
            depth,
            hsg.semioses[node],
            above.get(node),
        )
        for number, (depth, node) in enumerate(hsg.outline())
    ]


def tint(colour: str, share: float = 0.22) -> str:
    """Return a light version of a colour, for the background of text."""
    mixed = (round(255 + (int(colour[at : at + 2], 16) - 255) * share) for at in (1, 3, 5))
    return "#" + "".join(f"{value:02x}" for value in mixed)


def draw_sign(
    page: Page, hsg: HSG, nodes: list[BadgedNode], at: tuple[float, float], width: float, images: ImageLoader
) -> float:
    """Draw each part of a sign with its places and return the y below it."""
    x, y = at
    for number, part in enumerate(parts_of(hsg.sign)):
        if isinstance(part, TextSign):
            style = Style(7.4)
            y = page.text(x, y, list(marked_text(part.text, nodes, number, style)), width) + 4
        else:
            y = draw_picture(page, part, nodes, number, (x, y), width, images) + 4
    return y


def draw_picture(
    page: Page,
    sign: ImageSign,
    nodes: list[BadgedNode],
    part: int,
    at: tuple[float, float],
    width: float,
    images: ImageLoader,
) -> float:
    """Draw an image with the boxes of its nodes and return the y below it."""
    x, y = at
    pixels: Image.Image = decode_sign(sign, images(sign)).pixels
    height = min(width * sign.height / sign.width, width * 1.5)
    picture_width = height * sign.width / sign.height
    page.picture(pixels, x, y, picture_width, height)
    boxes = [
        (node, p) for node in nodes for p in node.semiosis.places if isinstance(p, Box) and p.part == part
    ]
    taken: list[tuple[float, float]] = []
    for node, box in sorted(boxes, key=lambda placed: -placed[1].area):
        left, top = x + box.x0 * picture_width, y + box.y0 * height
        size = ((box.x1 - box.x0) * picture_width, (box.y1 - box.y0) * height)
        if box.position != "whole image":
            page.rectangle(left, top, *size, edge=PAPER, linewidth=2.2)
        dashes = "--" if node.dissenting else "-"
        page.rectangle(left, top, *size, edge=node.colour, linewidth=1.1, linestyle=dashes)
        corner = _badge_corner(node.badge, (left, top), size, taken)
        page.badge(*corner, node.badge, node.colour, hollow=node.dissenting)
    return y + height


def _badge_corner(
    badge: str, at: tuple[float, float], size: tuple[float, float], taken: list[tuple[float, float]]
) -> tuple[float, float]:
    """Return the first corner of a box that no other badge covers."""
    width, height = badge_width(badge), 9.0
    xs, ys = (at[0], at[0] + size[0] - width), (at[1], at[1] + size[1] - height)
    corners = [(x, y) for y in ys for x in xs]
    free = [
        (x, y) for x, y in corners if all(abs(x - u) >= width + 2 or abs(y - v) >= height for u, v in taken)
    ]
    taken.append((free or corners)[0])
    return taken[-1]


def marked_text(text: str, nodes: list[BadgedNode], part: int, style: Style) -> Iterator[StyledText]:
    """Yield a text with the spans of its nodes marked and the badge of each node after its span.

    A span of the whole text is not marked, because it would hide the other marks.
    """
    spans = [
        (place, node)
        for node in nodes
        for place in node.semiosis.places
        if isinstance(place, Span) and place.part == part and place.end - place.start < len(text)
    ]
    cuts = sorted({0, len(text), *(s.start for s, _ in spans), *(s.end for s, _ in spans)})
    for start, end in pairwise(cuts):
        over = [node for span, node in spans if span.start <= start and end <= span.end]
        mark = tint(over[-1].colour) if over else ""
        yield StyledText(text[start:end], Style(style.size, mark=mark))
        for _, node in ((s, n) for s, n in spans if s.end == end):
            small = Style(style.size * 0.7, "bold", colour=node.colour, rise=style.size * 0.3)
            yield StyledText(f"\N{WORD JOINER}{node.badge}", small)


def draw_card(
    page: Page, node: BadgedNode, at: tuple[float, float], width: float, names: Mapping[str, str]
) -> float:
    """Draw one semiosis as a card and return the y below it."""
    x, y = at
    top, inner = y, x + 7
    y += 3
    badge = page.badge(inner, y, node.badge, node.colour, hollow=node.dissenting)
    inner_width = width - 14
    label = [StyledText(node.semiosis.label, TITLE), *_relation(node, names), *_readers(node.semiosis)]
    y = page.text(inner + badge + 4, y, label, inner_width - badge - 4) + 1
    fields = [("perceived", "sign"), ("stands for", "object"), ("brings to mind", "interpretant")]
    if node.semiosis.dynamic_object:
        fields.insert(2, ("driven by", "dynamic_object"))
    names_width = max(text_width(name, KEY) for name, _ in fields) + 5
    for name, field in fields:
        page.text(inner, y + 0.5, name, names_width, KEY)
        y = page.text(
            inner + names_width, y, str(getattr(node.semiosis, field)), inner_width - names_width, BODY
        )
    y = _draw_grounds(page, node, (inner, y + 2.5), inner_width) + 3.5
    page.line((x, x + width), (top, top), RULE)
    page.line((x + 1, x + 1), (top + 1, y - 1), node.colour, linewidth=2)
    return y


def _readers(semiosis: Semiosis) -> Iterator[StyledText]:
    """Yield the number of readers that have a node of a consensus."""
    if semiosis.share is not None:
        readers = len(semiosis.sources)
        yield StyledText(
            f"  {readers} of {round(readers / semiosis.share)} readers", Style(6.2, "bold", colour=QUIET)
        )


def _relation(node: BadgedNode, names: Mapping[str, str]) -> Iterator[StyledText]:
    if node.relation is None:
        yield StyledText(" the whole", KEY)
        return
    how = f": {node.relation.how}" if node.relation.how else ""
    taken = node.semiosis.takes_up
    takes_up = "" if taken is None else f"; takes up {names[taken]}"
    yield StyledText(
        f"  {node.relation.relation} {names[node.relation.whole]}{how}{takes_up}",
        Style(6.2, italic=True, colour=QUIET),
    )


def _draw_grounds(page: Page, node: BadgedNode, at: tuple[float, float], width: float) -> float:
    """Draw the three strengths as bars with their numbers, and the reason why a node has no place."""
    x, y = at
    column_width = min(width / 3, 84.0)
    for number, (mode, strength) in enumerate(zip(MODES, node.semiosis.grounds.strengths, strict=True)):
        left = x + number * column_width
        name = f"{mode} {strength:.1f}"
        page.text(left, y - 1.5, name, column_width, KEY)
        bar = left + text_width("indexical 0.0", KEY) + 3
        page.rectangle(bar, y + 1, 22, 3.4, "#eeeeee", RULE, linewidth=0.3)
        page.rectangle(bar, y + 1, 22 * strength, 3.4, QUIET)
    y += 7
    if node.semiosis.location != "located":
        why = node.semiosis.nowhere or "; ".join(claim.reason for claim in node.semiosis.unresolved)
        note = f"{node.semiosis.location}{': ' if why else ''}{why}"
        y = page.text(x, y, note, width, Style(6.0, italic=True, colour=QUIET))
    return y
