"""The display of values in notebooks, as HTML fragments with their own style or as plain text."""

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from semiosis.files import image_bytes, one_line
from semiosis.report._alignment_report import diff_report
from semiosis.report._diff_report import DiffReport
from semiosis.report._images import data_uri
from semiosis.report._judgments import OUTCOME_WORDS, order_shown
from semiosis.report._node_views import GraphView, reading_graph
from semiosis.report._place_views import BoxView, Segment, box_views, segments
from semiosis.report._template import environment, template_file
from semiosis.stats import Ablation, BiasTable, JudgeTable
from semiosis.study import GeneratorProfile
from semiosis.tables import Table, ablation_table, bias_table, judge_table, profile_table, to_html, to_text
from semiosis.values import (
    HSG,
    Alignment,
    Box,
    Citation,
    ImageSign,
    Outcome,
    SemiosisError,
    Span,
    TextSign,
    Unscored,
    UsageError,
    parts_of,
)

_IMAGE_BYTES = 160_000
"""The maximum size of an embedded image. It is small because a notebook stores every output."""
_MIN_WIDTH = 60


@dataclass(frozen=True, slots=True)
class SignPart:
    """A part of a sign: a text in segments, an image with boxes, or the reason why an image is missing."""

    sign: TextSign | ImageSign
    segments: tuple[Segment, ...] = ()
    uri: str = ""
    boxes: tuple[BoxView, ...] = ()
    missing: str = ""


def notebook_html(value: object) -> str:
    """Return a value as an HTML fragment: an HSG as a card, an alignment as a diff, a table as a table.

    Every text of the value is escaped. The fragment contains no script and loads nothing.
    """
    content = _html(value)
    style = template_file("notebook.css")
    return environment().get_template("notebook.html").render(style=style, content=Markup(content))  # noqa: S704  # rendered by the package's own templates


def notebook_text(value: object) -> str:
    """Return a value as plain text for a terminal, without control characters."""
    match value:
        case HSG():
            return _outline(value)
        case Alignment():
            return _diff_text(diff_report(value))
        case DiffReport():
            return _diff_text(value)
        case Outcome():
            return _outcome_text(value)
    return to_text(_table(value)).rstrip()


def _html(value: object) -> str:
    match value:
        case HSG():
            return _card(value)
        case Alignment():
            return diff_report(value).html()
        case DiffReport():
            return value.html()
        case Outcome():
            return _outcome(value)
    return to_html(_table(value))


_TABLES: dict[type, Callable[[Any], Table]] = {
    Table: lambda table: table,
    JudgeTable: judge_table,
    GeneratorProfile: profile_table,
    Ablation: ablation_table,
    BiasTable: bias_table,
}


def _table(value: object) -> Table:
    make = _TABLES.get(type(value))
    if make is None:
        raise UsageError(f"a notebook cannot display a {type(value).__name__}", fix="use print() instead")
    return make(value)


def _card(hsg: HSG) -> str:
    graph = reading_graph(hsg)
    parts = [_part(graph, number, part) for number, part in enumerate(parts_of(hsg.sign))]
    depths = {node: depth for depth, node in hsg.outline()}
    above = {relation.part: relation for relation in hsg.relations if relation.hierarchy}
    return (
        environment()
        .get_template("notebook_card.html")
        .render(hsg=hsg, graph=graph, parts=parts, depths=depths, above=above)
    )


def _part(graph: GraphView, number: int, sign: TextSign | ImageSign) -> SignPart:
    places = [
        (place, view)
        for view in graph.views.values()
        for place in view.semiosis.places
        if place.part == number
    ]
    if isinstance(sign, TextSign):
        spans = [(place, view) for place, view in places if isinstance(place, Span)]
        return SignPart(sign, segments(sign.text, spans))
    boxes = box_views("box", [(place, view) for place, view in places if isinstance(place, Box)])
    try:
        return SignPart(sign, uri=data_uri(sign, image_bytes, _IMAGE_BYTES), boxes=boxes)
    except SemiosisError as error:  # the reading can still be shown
        return SignPart(sign, missing=str(error))


def _outcome(outcome: Outcome) -> str:
    verdicts = [
        (
            verdict,
            order_shown(verdict, outcome),
            OUTCOME_WORDS[_word(verdict.winner)],
            [(citation, _cited(outcome, citation)) for citation in verdict.citations],
        )
        for verdict in outcome.verdicts
    ]
    word = OUTCOME_WORDS[_word(outcome.winner)]
    template = environment().get_template("notebook_outcome.html")
    return template.render(outcome=outcome, word=word, verdicts=verdicts)


def _cited(outcome: Outcome, citation: Citation) -> str:
    """Return the label of the cited node, or its id if the outcome does not contain the reading."""
    for hsg in outcome.readings:
        if hsg.id == citation.hsg and citation.node in hsg.semioses:
            return hsg.semioses[citation.node].label
    return f"node {citation.node} of HSG {citation.hsg}"


def _word(winner: str | Unscored) -> str:
    return "unscored" if isinstance(winner, Unscored) else winner


def _outline(hsg: HSG) -> str:
    text = next((part.text for part in parts_of(hsg.sign) if isinstance(part, TextSign)), "")
    name = hsg.sign.title or text or f"{hsg.sign.kind} {hsg.sign.id}"
    lines = [f"{name}, read by {hsg.reading.interpreter.name}"]
    for depth, node in hsg.outline():
        semiosis = hsg.semioses[node]
        lines.append(f"{'  ' * depth}{node}  {semiosis.label}: {semiosis.object}")
    return "\n".join(f"{line[: len(line) - len(line.lstrip())]}{one_line(line)}" for line in lines)


def _diff_text(report: DiffReport) -> str:
    return report.text(max(_MIN_WIDTH, shutil.get_terminal_size().columns)).plain


def _outcome_text(outcome: Outcome) -> str:
    lines = [f"{one_line(outcome.evaluator.name)}: {OUTCOME_WORDS[_word(outcome.winner)]}"]
    for verdict in outcome.verdicts:
        order = order_shown(verdict, outcome)
        result = f"saw {order}: " if order else ""
        result += f"{OUTCOME_WORDS[_word(verdict.winner)]}."
        lines.append(f"  {result} {one_line(verdict.rationale)}".rstrip())
        if isinstance(verdict.winner, Unscored):
            lines.append(f"    {verdict.winner.reason}. {one_line(verdict.winner.detail or '')}".rstrip())
        lines += [
            f"    {one_line(_cited(outcome, c))} ({c.stance}): {one_line(c.rationale)}"
            for c in verdict.citations
        ]
    return "\n".join(lines)
