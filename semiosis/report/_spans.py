"""Segments of a text between the starts and ends of spans, so that overlapping spans can be shown."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from semiosis.report._nodes import NodeView
from semiosis.values import Span


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
    known = sorted(spans, key=lambda one: (one[0].start - one[0].end, one[0].start))
    cuts = sorted({0, len(text), *(s.start for s, _ in known), *(s.end for s, _ in known)})
    return tuple(
        Segment(
            text[start:end],
            tuple(node for span, node in known if span.start <= start and end <= span.end),
            tuple(node for span, node in reversed(known) if span.end == end),
        )
        for start, end in pairwise(cuts)
    )
