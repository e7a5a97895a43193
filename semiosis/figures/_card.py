"""The card of a reading: a sign with its places, and its semioses (SemJudge, figures 2 and 6 to 10)."""

from matplotlib.figure import Figure

from semiosis.figures._node_cards import KEY, TITLE, ImageLoader, badged_nodes, draw_card, draw_sign
from semiosis.figures._page import Page
from semiosis.figures._style import POINTS, QUIET, Width, house_style
from semiosis.figures._text import Style
from semiosis.files import image_bytes
from semiosis.values import HSG, ImageSign, TextSign, parts_of

GAP = 10.0


def card(hsg: HSG, *, width: Width = "two-column", images: ImageLoader = image_bytes) -> Figure:
    """Draw a sign with the places of its nodes, and the cards of its root and parts to the right.

    `images` returns the bytes of an image sign; by default it reads the sign's file. In one column, the
    cards are below the sign.
    """
    with house_style():
        page = Page(POINTS[width], card_description(hsg))
        nodes = badged_nodes(hsg)
        names = {node.node: node.badge for node in nodes}
        side_by_side = width == "two-column"
        sign_width = page.width * 0.4 if side_by_side else page.width - 2
        top = page.text(1, 1, sign_name(hsg), page.width - 2, TITLE)
        top = page.text(1, top, reading_note(hsg), page.width - 2, Style(6.2, colour=QUIET)) + 4
        below = draw_sign(page, hsg, nodes, (1, top), sign_width, images)
        x, y = (sign_width + GAP, top) if side_by_side else (1.0, below + 2)
        for node in nodes:
            y = draw_card(page, node, (x, y), page.width - x - 1, names)
        bottom = max(y, below)
        return page.finish(_draw_free_relations(page, hsg, names, (1.0, bottom)) + 1)


def card_description(hsg: HSG) -> str:
    """Return a text alternative for a card."""
    root = hsg.semioses[hsg.root]
    return f"{sign_name(hsg)}, read as {root.label}: {root.object}. {len(hsg)} semioses."


def sign_name(hsg: HSG) -> str:
    """Return the title of a sign, or its text or id if it has no title."""
    if hsg.sign.title:
        return hsg.sign.title
    part = parts_of(hsg.sign)[0]
    return part.text if isinstance(part, TextSign) else f"image {part.id}"


def reading_note(hsg: HSG) -> str:
    """Return the line that names the reader of a sign and the kind of reading."""
    reading = hsg.reading
    if reading.interpreter.merges:
        kind = "blind" if hsg.blind else "given"
        return (
            f"Consensus of {len(reading.given)} {kind} readings. Hollow badge, dashed box: not all readers."
        )
    condition = "blind" if hsg.blind else "given more than the sign"
    maker = (
        f" Made by {hsg.sign.generator}." if isinstance(hsg.sign, ImageSign) and hsg.sign.generator else ""
    )
    return f"Read by {reading.interpreter.name} ({reading.interpreter.kind}), {condition}.{maker}"


def _draw_free_relations(page: Page, hsg: HSG, names: dict[str, str], at: tuple[float, float]) -> float:
    x, y = at
    free = [relation for relation in hsg.relations if not relation.hierarchy]
    for relation in free:
        how = f": {relation.how}" if relation.how else ""
        text = f"{names[relation.part]} {relation.relation} {names[relation.whole]}{how}"
        y = page.text(x, y + 2, text, page.width - 2, KEY)
    return y
