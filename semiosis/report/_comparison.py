"""The comparison page: signs with their places, graphs, diff and verdicts in one HTML file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from semiosis.files import image_bytes
from semiosis.report._images import IMAGE_BYTES, data_uri
from semiosis.report._judgments import judgments
from semiosis.report._node_fates import artifact_summary, node_fates
from semiosis.report._node_views import GraphView, graphs
from semiosis.report._place_views import BoxView, Segment, box_views, image_rule, segments
from semiosis.report._template import render_page, style_sheet
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

_HIGHLIGHT = "main:has(.g{0}:is(:hover,:focus-visible,:target)) .g{0}"
"""The CSS selector of all elements of one group if one of them is under the pointer, has the focus or is the
target of a link. It highlights them together, so the page needs no script."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text, cut into segments at its spans."""

    sign: TextSign
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image with its boxes."""

    name: str
    sign: ImageSign
    uri: str
    boxes: tuple[BoxView, ...]

    @property
    def rules(self) -> Iterator[str]:
        """The CSS rules that size the image and place its boxes."""
        yield image_rule(self.name, self.sign)
        yield from (box.rule for box in self.boxes)


@dataclass(frozen=True, slots=True)
class Panel:
    """One sign of the comparison with its reading."""

    graph: GraphView
    parts: tuple[TextPart | ImagePart, ...]


def comparison_page(
    prompt: HSG,
    a: HSG,
    b: HSG,
    diff_a: Alignment,
    diff_b: Alignment,
    *,
    title: str,
    verdicts: Sequence[Verdict] = (),
    labels: Mapping[str, str] | None = None,
    screening: tuple[Alignment, Alignment] | None = None,
    audited: str = "",
    images: Callable[[ImageSign], bytes] = image_bytes,
    image_file: Callable[[ImageSign], str] | None = None,
    index: str = "",
) -> str:
    """Return one comparison as a complete HTML page without scripts or requests, with embedded images.

    `diff_a` and `diff_b` align the prompt with `a` and with `b`. `verdicts` are the verdicts on this
    comparison, by any evaluators and in any order; `labels` name the evaluators, by id. `screening` are
    alignments of the same pairs by an embedder, shown for comparison. `audited` states whether the study's
    embedder was audited and the result.
    `images` returns the bytes of an image sign; by default it reads the sign's file. If `image_file` is
    given, images are not embedded, and it returns the path of an image relative to the page. `index` is the
    path of the page that a link leads back to.
    """
    _check_diffs(prompt, a, b, diff_a, diff_b)
    if screening:
        _check_diffs(prompt, a, b, *screening)
    _check_verdicts(Comparison(prompt=prompt.sign.id, a=a.sign.id, b=b.sign.id), verdicts)
    views = graphs(prompt, a, b, diff_a, diff_b)
    images_shown = sum(isinstance(part, ImageSign) for graph in views for part in parts_of(graph.hsg.sign))
    limit = IMAGE_BYTES // max(images_shown, 1)
    address = image_file or (lambda sign: data_uri(sign, images, limit))
    panels = [Panel(graph, tuple(sign_parts(graph, address))) for graph in views]
    return render_page(
        "comparison.html",
        page_style(panels),
        image_source="'self'" if image_file else "data:",
        title=title,
        index=index,
        panels=panels,
        rows=node_fates(*views, diff_a, diff_b),
        summaries=(
            artifact_summary("A", views[1], diff_a),
            artifact_summary("B", views[2], diff_b),
        ),
        judgments=judgments(verdicts, views, labels),
        stated=diff_a.aligner != "embedder",
        screening=node_fates(*graphs(prompt, a, b, *screening), *screening) if screening else (),
        screened_by=screening[0].aligned_by if screening else "",
        audited=audited,
        modes=MODES,
    )


def _check_diffs(prompt: HSG, a: HSG, b: HSG, diff_a: Alignment, diff_b: Alignment) -> None:
    for name, artifact, diff in (("a", a, diff_a), ("b", b, diff_b)):
        if (diff.source.hsg, diff.target.hsg) != (prompt.id, artifact.id):
            raise UsageError(
                f"diff_{name} does not align the prompt's HSG {prompt.id} with {name}'s HSG {artifact.id}",
                fix=f"pass their diff; this one aligns {diff.source.hsg} and {diff.target.hsg}",
            )


def _check_verdicts(comparison: Comparison, verdicts: Sequence[Verdict]) -> None:
    for verdict in verdicts:
        if verdict.comparison != comparison.id:
            raise UsageError(
                f"verdict {verdict.id} is about comparison {verdict.comparison}, "
                f"but the page shows {comparison.id}",
                fix="pass only the verdicts on the comparison shown",
            )


def sign_parts(graph: GraphView, address: Callable[[ImageSign], str]) -> Iterator[TextPart | ImagePart]:
    """Yield the parts of a sign with the places of its nodes."""
    placed = [(place, view) for view in graph.views.values() for place in view.semiosis.places]
    for number, part in enumerate(parts_of(graph.hsg.sign)):
        here = [(place, view) for place, view in placed if place.part == number]
        if isinstance(part, TextSign):
            spans = [(place, view) for place, view in here if isinstance(place, Span)]
            yield TextPart(part, segments(part.text, spans))
        else:
            boxes = [(place, view) for place, view in here if isinstance(place, Box)]
            name = f"image-{graph.letter.lower()}{number}"
            yield ImagePart(name, part, address(part), box_views(name, boxes))


def page_style(panels: Sequence[Panel]) -> str:
    """Return the style sheet with the rules for this page's boxes and groups.

    The page has rules instead of style attributes, so that the content security policy needs only one hash.
    """
    image_parts = [part for panel in panels for part in panel.parts if isinstance(part, ImagePart)]
    boxes = [rule for part in image_parts for rule in part.rules]
    groups = sorted({view.group for panel in panels for view in panel.graph.views.values()})
    selectors = ",\n".join(_HIGHLIGHT.format(group) for group in groups)
    highlight = [f"{selectors}{{--lit:1;opacity:1}}"] if groups else []
    return "\n".join([style_sheet("comparison.css"), *boxes, *highlight])
