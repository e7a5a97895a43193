"""The figure of a prompt, an artifact of the prompt, and the fate of every node of the prompt."""

from dataclasses import replace

from matplotlib.figure import Figure

from semiosis.figures._card import reading_note, sign_name
from semiosis.figures._node_cards import BODY, KEY, TITLE, BadgedNode, ImageLoader, badged_nodes, draw_sign
from semiosis.figures._page import Page
from semiosis.figures._style import EMERGENT, FATE_LINES, POINTS, QUIET, RULE, Width, house_style
from semiosis.figures._text import Style, StyledText, text_width
from semiosis.files import image_bytes
from semiosis.values import FATES, HSG, Alignment, NodeFate, UsageError, count_fates

INDENT = 7.0


def aligned_pair(
    prompt: HSG,
    artifact: HSG,
    alignment: Alignment,
    *,
    width: Width = "two-column",
    images: ImageLoader = image_bytes,
) -> Figure:
    """Draw a prompt, its artifact and the fate of each node of the prompt with its reason.

    The graph of the prompt is on the left, that of the artifact on the right. Each node is indented by its
    depth. Emergent nodes of the artifact come last.
    """
    if (alignment.source.hsg, alignment.target.hsg) != (prompt.id, artifact.id):
        raise UsageError(
            f"alignment {alignment.id} does not align HSG {prompt.id} with {artifact.id}",
            fix="pass the alignment of these two HSGs",
        )
    with house_style():
        return _draw(
            Page(POINTS[width], _description(prompt, artifact, alignment)),
            prompt,
            artifact,
            alignment,
            images,
        )


def _description(prompt: HSG, artifact: HSG, alignment: Alignment) -> str:
    return (
        f"{sign_name(prompt)} and {sign_name(artifact)}: {count_fates(alignment)}, "
        f"{len(alignment.emergent)} emergent, distance {alignment.distance:.2f}, by {alignment.aligned_by}."
    )


def _draw(page: Page, prompt: HSG, artifact: HSG, alignment: Alignment, images: ImageLoader) -> Figure:
    prompt_nodes = badged_nodes(prompt, "P")
    artifact_nodes = _colour_by_fate(badged_nodes(artifact, "A"), prompt_nodes, alignment)
    column = (page.width - 2) * 0.36
    y = _draw_signs(
        page, (prompt, prompt_nodes), (artifact, list(artifact_nodes.values())), alignment, images
    )
    page.rule(1, y, page.width - 2)
    right = page.width - 1 - column
    for x, name in ((1.0, "In the prompt"), (right, "In the artifact")):
        page.text(x, y + 3, name, column, TITLE)
    y += 15
    explained: set[str] = set()
    for node in prompt_nodes:
        y = _draw_row(page, node, alignment, artifact_nodes, explained, y, column)
    for name in alignment.emergent:
        y = _draw_emergent(page, artifact_nodes[name], y, column)
    return page.finish(y + 2)


def _colour_by_fate(
    nodes: list[BadgedNode], prompt_nodes: list[BadgedNode], alignment: Alignment
) -> dict[str, BadgedNode]:
    """Return the artifact's nodes by id, each in the colour of the prompt's node with the best fate."""
    colours: dict[str, str] = {}
    by_id = {node.node: node for node in prompt_nodes}
    for fate in sorted(alignment.fates, key=lambda fate: FATES.index(fate.fate)):
        for target in fate.targets:
            colours.setdefault(target, by_id[fate.node].colour)
    return {node.node: replace(node, colour=colours.get(node.node, EMERGENT)) for node in nodes}


def _draw_signs(
    page: Page,
    prompt: tuple[HSG, list[BadgedNode]],
    artifact: tuple[HSG, list[BadgedNode]],
    alignment: Alignment,
    images: ImageLoader,
) -> float:
    narrow = page.width < POINTS["two-column"]
    side = page.width - 2 if narrow else page.width * 0.36
    y = page.text(1, 1, sign_name(prompt[0]), side, TITLE) + 2
    y = draw_sign(page, *prompt, (1, y), side, images)
    y = page.text(1, y, reading_note(prompt[0]), side, KEY)
    picture = page.width * (0.6 if narrow else 0.3)
    x, top = (page.width * 0.2, y + 4) if narrow else (side + 12, 2.0)
    below = draw_sign(page, *artifact, (x, top), picture, images)
    x, top = (1.0, below) if narrow else (x + picture + 12, 1.0)
    end = _draw_summary(page, artifact[0], alignment, (x, top), page.width - x - 1)
    return max(y, below, end) + 4


def _draw_summary(
    page: Page, artifact: HSG, alignment: Alignment, at: tuple[float, float], width: float
) -> float:
    x, y = at
    y = page.text(x, y, sign_name(artifact), width, TITLE)
    y = page.text(x, y, reading_note(artifact), width, KEY) + 5
    y = page.text(x, y, f"Distance Δo {alignment.distance:.2f}", width, replace(BODY, weight="bold"))
    y = page.text(x, y, f"{count_fates(alignment)}, {len(alignment.emergent)} emergent", width, BODY)
    prompt_nodes, artifact_nodes = len(alignment.source.nodes), len(alignment.target.nodes)
    counts = f"n = {prompt_nodes} nodes of the prompt, {artifact_nodes} of the artifact"
    y = page.text(x, y, counts, width, BODY)
    return page.text(x, y, f"Aligned by {alignment.aligned_by}, {alignment.condition} readings.", width, KEY)


def _draw_row(
    page: Page,
    node: BadgedNode,
    alignment: Alignment,
    artifact_nodes: dict[str, BadgedNode],
    explained: set[str],
    y: float,
    column: float,
) -> float:
    fate = alignment.fate_of(node.node)
    page.rule(1, y, page.width - 2)
    y += 4
    left = _draw_node(page, node, (1, y), column)
    x = page.width - 1 - column
    right, middles = y, []
    for target in fate.targets:
        middles.append(right + 5)
        repeated = target in explained
        explained.add(target)
        right = _draw_node(page, artifact_nodes[target], (x, right), column, repeated=repeated) + 2
    centre = _draw_fate(page, fate, alignment, (1 + column + 5, y), x - column - 11, middles)
    return max(left, right, centre) + 3


def _draw_node(
    page: Page, node: BadgedNode, at: tuple[float, float], width: float, *, repeated: bool = False
) -> float:
    x, y = at[0] + node.depth * INDENT, at[1]
    badge = page.badge(x, y, node.badge, node.colour, hollow=repeated)
    available = width - node.depth * INDENT - badge - 4
    texts = [StyledText(node.semiosis.label, replace(BODY, weight="bold"))]
    if not repeated:
        texts.append(StyledText(f": {node.semiosis.object}", BODY))
    return page.text(x + badge + 4, y, texts, available)


def _draw_fate(
    page: Page, fate: NodeFate, alignment: Alignment, at: tuple[float, float], width: float, ends: list[float]
) -> float:
    """Draw the line from a node to its targets with the fate above it and the reason below."""
    x, y = at
    colour, dashes, thick = FATE_LINES[fate.fate]
    word = "matched" if alignment.aligner == "embedder" and fate.fate == "kept" else fate.fate
    shown_p = f" {fate.p:.2f}" if fate.p is not None and alignment.aligner != "person" and fate.links else ""
    style = Style(7.0, "bold", colour=colour if fate.fate != "lost" else QUIET)
    name = text_width(f"{word}{shown_p}", style)
    page.text(x, y, f"{word}{shown_p}", width, style)
    start = x + name + 4
    for end in ends or [y + 5]:
        stop = x + width if ends else min(start + 14, x + width)
        page.line((start, start + 4, stop), (y + 5, end, end), colour, linestyle=dashes, linewidth=thick)
        page.line((stop,), (end,), colour, marker=">" if ends else "x", markersize=4, markeredgewidth=1.0)
    return page.text(x, y + 10.5, fate.why, width, Style(6.2, colour=QUIET)) if fate.why else y + 11


def _draw_emergent(page: Page, node: BadgedNode, y: float, column: float) -> float:
    page.line((1 + column + 5, page.width - 1), (y, y), RULE)
    y += 4
    style = Style(7.0, "bold", colour=EMERGENT)
    page.text(1 + column + 5, y, "+ emergent", page.width - 2 * column - 12, style)
    return _draw_node(page, node, (page.width - 1 - column, y), column) + 3
