"""The page that shows one comparison: signs with their places, graphs, diff and verdicts, in one file."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

from semiosis.files import image_bytes
from semiosis.report._judgments import judgments
from semiosis.report._ledger import balance, entries
from semiosis.report._nodes import Graph, graphs
from semiosis.report._pictures import PICTURE_BYTES, BoxView, box_views, data_uri, picture_rule
from semiosis.report._spans import Segment, segments
from semiosis.report._template import environment, style_hash
from semiosis.values import (
    HSG,
    MODES,
    Alignment,
    Box,
    Comparison,
    ImageSign,
    Span,
    TextSign,
    UsageError,
    Verdict,
    parts_of,
)

_LIT = "main:has(.g{0}:is(:hover,:focus-visible)) .g{0}"
"""Everything of one meaning lights up together, by style rules alone: the page needs no script."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text with its spans marked."""

    sign: TextSign
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class PicturePart:
    """A picture with its boxes."""

    name: str
    sign: ImageSign
    uri: str
    boxes: tuple[BoxView, ...]

    @property
    def rules(self) -> Iterator[str]:
        """The style rules that size the picture and lay its boxes over it."""
        yield picture_rule(self.name, self.sign)
        yield from (box.rule for box in self.boxes)


@dataclass(frozen=True, slots=True)
class Panel:
    """One sign of the comparison with its reading."""

    graph: Graph
    parts: tuple[TextPart | PicturePart, ...]


def comparison_page(
    prompt: HSG,
    a: HSG,
    b: HSG,
    diff_a: Alignment,
    diff_b: Alignment,
    *,
    title: str,
    verdicts: Sequence[Verdict] = (),
    images: Callable[[ImageSign], bytes] = image_bytes,
) -> str:
    """One comparison as a complete HTML page: no script, no request, every picture inside.

    `diff_a` and `diff_b` align the prompt with `a` and with `b`; `verdicts` are those on this comparison,
    of any evaluators, in any order. `images` gives the bytes of an image sign; by default they are read
    from its path.
    """
    _check_diffs(prompt, a, b, diff_a, diff_b)
    _check_verdicts(Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id), verdicts)
    shown = graphs(prompt, a, b, diff_a, diff_b)
    pictures = sum(isinstance(part, ImageSign) for graph in shown for part in parts_of(graph.hsg.sign))
    limit = PICTURE_BYTES // max(pictures, 1)
    panels = [Panel(graph, tuple(_parts(graph, images, limit))) for graph in shown]
    style = _style(panels)
    return (
        environment()
        .get_template("comparison.html")
        .render(
            title=title,
            panels=panels,
            entries=entries(*shown, diff_a, diff_b),
            balances=(balance("A", shown[1], diff_a), balance("B", shown[2], diff_b)),
            judgments=judgments(verdicts, shown),
            modes=MODES,
            style=style,
            style_hash=style_hash(style),
        )
    )


def _check_diffs(prompt: HSG, a: HSG, b: HSG, diff_a: Alignment, diff_b: Alignment) -> None:
    for name, artifact, diff in (("a", a, diff_a), ("b", b, diff_b)):
        if (diff.source.hsg, diff.target.hsg) != (prompt.id, artifact.id):
            raise UsageError(
                f"diff_{name} does not align the prompt's HSG {prompt.id} with {name}'s HSG {artifact.id}",
                fix=f"pass the diff of these two; this one is of {diff.source.hsg} and {diff.target.hsg}",
            )


def _check_verdicts(comparison: Comparison, verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        if verdict.comparison != comparison.id:
            raise UsageError(
                f"verdict {verdict.id} is about comparison {verdict.comparison}, "
                f"the page about {comparison.id}",
                fix="pass only the verdicts on the comparison shown",
            )


def _parts(
    graph: Graph, images: Callable[[ImageSign], bytes], limit: int
) -> Iterator[TextPart | PicturePart]:
    placed = [(place, view) for view in graph.views.values() for place in view.semiosis.places]
    for number, part in enumerate(parts_of(graph.hsg.sign)):
        here = [(place, view) for place, view in placed if place.part == number]
        if isinstance(part, TextSign):
            spans = [(place, view) for place, view in here if isinstance(place, Span)]
            yield TextPart(part, segments(part.text, spans))
        else:
            boxes = [(place, view) for place, view in here if isinstance(place, Box)]
            name = f"picture-{graph.letter.lower()}{number}"
            yield PicturePart(name, part, data_uri(part, images, limit), box_views(name, boxes))


def _style(panels: Sequence[Panel]) -> str:
    """The style sheet with this page's boxes and groups.

    Rules and not style attributes, so that the content policy can name one hash and forbid every other style.
    """
    sheet = resources.files("semiosis.report").joinpath("templates", "comparison.css").read_text("utf-8")
    pictures = [part for panel in panels for part in panel.parts if isinstance(part, PicturePart)]
    boxes = [rule for picture in pictures for rule in picture.rules]
    groups = sorted({view.group for panel in panels for view in panel.graph.views.values()})
    lit = ",\n".join(_LIT.format(group) for group in groups)
    return "\n".join([sheet, *boxes, f"{lit}{{--lit:1;opacity:1}}"])
