"""The page of a comparison without a diff, with the signs, readings and verdicts that the study has."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import get_args

from semiosis.report._comparison import Panel, page_style, sign_parts
from semiosis.report._judgments import judgments
from semiosis.report._node_views import Letter, separate_graphs
from semiosis.report._template import render_page
from semiosis.study import Study
from semiosis.values import (
    HSG,
    MODES,
    AnySign,
    Comparison,
    ImageSign,
    TextSign,
    Verdict,
    parts_of,
)

_NAMES = ("Prompt", "Artifact A", "Artifact B")


@dataclass(frozen=True, slots=True)
class SignView:
    """One sign of the comparison, with its reading if there is one."""

    letter: Letter
    """Prompt, a or b."""
    name: str
    """The name of the sign on the page."""
    sign: AnySign
    """The sign."""
    panel: Panel | None
    """The sign with its places and its graph; None if the sign has no reading."""
    plain: tuple[tuple[TextSign | ImageSign, str], ...]
    """The parts of the sign, each with the path of its file if it is an image."""


def unaligned_page(
    study: Study,
    comparison: Comparison,
    verdicts: Sequence[Verdict],
    *,
    title: str,
    image_file: Callable[[ImageSign], str],
    index: str,
) -> str:
    """Return a comparison without a diff as a page. Citations point at the readings that the page shows."""
    signs = [study.signs[id_] for id_ in (comparison.prompt, comparison.a, comparison.b)]
    letters: tuple[Letter, ...] = get_args(Letter)
    read = {
        letter: hsg
        for letter, sign in zip(letters, signs, strict=True)
        if (hsg := _reading(study, sign.id, verdicts))
    }
    graphs = separate_graphs(read)
    panels = {graph.letter: Panel(graph, tuple(sign_parts(graph, image_file))) for graph in graphs}
    sides = [
        SignView(letter, name, sign, panels.get(letter), tuple(_plain(sign, image_file)))
        for letter, name, sign in zip(letters, _NAMES, signs, strict=True)
    ]
    return render_page(
        "comparison_unaligned.html",
        page_style(list(panels.values())),
        image_source="'self'",
        title=title,
        index=index,
        reason=_reason([side.name for side in sides if side.panel is None]),
        sides=sides,
        panels=list(panels.values()),
        judgments=judgments(verdicts, graphs, study.judge_labels),
        modes=MODES,
    )


def _plain(sign: AnySign, image_file: Callable[[ImageSign], str]) -> list[tuple[TextSign | ImageSign, str]]:
    return [(part, image_file(part) if isinstance(part, ImageSign) else "") for part in parts_of(sign)]


def _reason(unread: Sequence[str]) -> str:
    if unread:
        return f"these signs have no reading: {', '.join(unread)}. Run semiosis read, then semiosis align."
    return "no reading of the prompt is aligned with both artifacts. Run semiosis align."


def _reading(study: Study, sign: str, verdicts: Sequence[Verdict]) -> HSG | None:
    """Return the reading of a sign that the verdicts cite most, or else the first blind one."""
    cited = Counter(citation.hsg for verdict in verdicts for citation in verdict.citations)
    return max(study.readings(sign), key=lambda hsg: (cited[hsg.id], hsg.blind), default=None)
