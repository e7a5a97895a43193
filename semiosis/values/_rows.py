"""The nodes and edges by which the property graph represents the values of each kind, for every store."""

import re
from collections.abc import Iterator
from textwrap import shorten
from typing import Any, NamedTuple

from semiosis.values._alignment import Alignment
from semiosis.values._fate import NodeFate
from semiosis.values._hsg import HSG
from semiosis.values._observation import (
    Answer,
    Comparison,
    Evaluator,
    Question,
    Rating,
    Score,
    Unscored,
    Verdict,
)
from semiosis.values._place import Span
from semiosis.values._reading import Interpreter
from semiosis.values._semiosis import MODES, Semiosis
from semiosis.values._sign import AnySign, CompositeSign, ImageSign, MissingSign, TextSign, parts_of
from semiosis.values._write_json import to_json

Props = dict[str, Any]

_HEADING_LENGTH = 80
"""Characters of a prompt's text that are shown if it has no title."""
_CJK = re.compile(r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff])")
"""Letters of scripts written without spaces. The full-text indexes need spaces between them."""


class NodeRow(NamedTuple):
    """A node, merged by its id."""

    label: str
    id: str
    props: Props
    only_if_new: bool = False
    """Whether the properties are set only on a new node, as for the copy of a sign in an HSG."""


class EdgeRow(NamedTuple):
    """An edge between two nodes. Parallel edges are distinguished by `key`."""

    type: str
    source: tuple[str, str]
    """Label and id of the node it starts from."""
    target: tuple[str, str]
    """Label and id of the node it points at."""
    props: Props
    key: str = ""


GraphRow = NodeRow | EdgeRow
"""A row that a store writes."""


def separate_cjk(text: str) -> str:
    """Return the text for the full-text index: letters of scripts without spaces are separated by spaces."""
    return " ".join(_CJK.sub(r" \1 ", text).split())


def study_rows(name: str, about: str, signs: list[str]) -> Iterator[GraphRow]:
    """Yield the node of a study and the edges to its signs."""
    yield NodeRow("Study", name, {"about": about})
    for sign in signs:
        yield EdgeRow("INCLUDES", ("Study", name), ("Sign", sign), {})


def sign_rows(sign: AnySign, json: str) -> Iterator[GraphRow]:
    yield from _sign_nodes(sign, json, only_if_new=False)
    if sign.generator and not isinstance(sign, MissingSign):
        yield NodeRow("Generator", sign.generator, {})
        yield EdgeRow("MADE", ("Generator", sign.generator), ("Sign", sign.id), {})
    if sign.prompt:
        yield EdgeRow("PROMPTED", ("Sign", sign.prompt), ("Sign", sign.id), {"round": sign.round})


def _sign_nodes(sign: AnySign, json: str, only_if_new: bool) -> Iterator[GraphRow]:
    yield NodeRow("Sign", sign.id, _sign_props(sign) | {"json": json}, only_if_new)
    if isinstance(sign, CompositeSign):
        for number, part in enumerate(sign.parts):
            yield from _sign_nodes(part, to_json(part), only_if_new=True)
            yield EdgeRow("HAS_PART", ("Sign", sign.id), ("Sign", part.id), {}, key=str(number))


def _sign_props(sign: AnySign) -> Props:
    props: Props = {
        "kind": sign.kind,
        "heading": sign.title or _start_of_text(sign),
        "tradition": sign.tradition,
        "tags": list(sign.tags),
    }
    props |= {"generator": sign.generator, "round": sign.round, "seed": sign.seed}
    if isinstance(sign, MissingSign):
        return props | {"reason": sign.reason}
    if isinstance(sign, TextSign):
        return props | {"text": sign.text, "language": sign.language}
    if isinstance(sign, ImageSign):
        size = {"width": sign.width, "height": sign.height}
        return props | size | {"sha256": sign.sha256, "path": sign.path, "instance": sign.instance}
    return props | {"text": "\n".join(part.text for part in sign.parts if isinstance(part, TextSign))}


def _start_of_text(sign: AnySign) -> str:
    """Return the text that tables show for a sign without a title; empty for an image."""
    text = " ".join(part.text for part in parts_of(sign) if isinstance(part, TextSign))
    return shorten(text, _HEADING_LENGTH, placeholder=" …")


def hsg_rows(hsg: HSG, json: str) -> Iterator[GraphRow]:
    value_key, reading = ("HSG", hsg.id), hsg.reading
    yield from _sign_nodes(hsg.sign, to_json(hsg.sign), only_if_new=True)
    props = {
        "detail": reading.detail,
        "language": reading.language,
        "repeat": reading.repeat,
        "blind": hsg.blind,
    }
    yield NodeRow(*value_key, props | {"json": json})
    yield EdgeRow("READ_AS", ("Sign", hsg.sign.id), value_key, {})
    yield from _interpreter_rows(value_key, reading.interpreter)
    for given in reading.given:
        yield EdgeRow("GIVEN", value_key, ("HSG", given), {})
    for beside in reading.beside:
        yield EdgeRow("BESIDE", value_key, ("Sign", beside), {})
    for absence in hsg.absences:
        absent = ("Semiosis", f"{absence.hsg}/{absence.node}")
        yield EdgeRow("LACKS", value_key, absent, {"status": absence.status, "by": absence.by})
    for node, semiosis in hsg.semioses.items():
        yield NodeRow("Semiosis", f"{hsg.id}/{node}", {"node": node} | _semiosis_props(semiosis))
        yield EdgeRow(
            "HAS_ROOT" if node == hsg.root else "HAS_NODE", value_key, ("Semiosis", f"{hsg.id}/{node}"), {}
        )
        yield from _place_rows(hsg, node, semiosis)
        if semiosis.takes_up is not None:
            taken = ("Semiosis", f"{hsg.id}/{semiosis.takes_up}")
            yield EdgeRow("TAKES_UP", ("Semiosis", f"{hsg.id}/{node}"), taken, {})
        for source in semiosis.sources:
            yield EdgeRow("MERGES", ("Semiosis", f"{hsg.id}/{node}"), ("Semiosis", source), {})
    yield from _relation_rows(hsg)


def _interpreter_rows(value_key: tuple[str, str], interpreter: Interpreter) -> Iterator[GraphRow]:
    agent = ("Interpreter", interpreter.id)
    props = {"kind": interpreter.kind, "who": interpreter.name, "model": interpreter.model}
    yield NodeRow(*agent, props | {"served": interpreter.served})
    yield EdgeRow("READ_BY", value_key, agent, {})


def _semiosis_props(semiosis: Semiosis) -> Props:
    searched = ("label", "sign", "object", "interpretant", "dynamic_object")
    fields = (*searched, "location", "nowhere")
    props: Props = {field: getattr(semiosis, field) for field in fields}
    for mode in MODES:
        ground = getattr(semiosis.grounds, mode)
        props |= {mode: float(ground.strength), f"{mode}_why": ground.why}
    if semiosis.importance is not None:
        props["importance"] = semiosis.importance
    props["claimed"] = "; ".join(f"{claim.claim} ({claim.reason})" for claim in semiosis.unresolved)
    # kglite needs the same properties on all nodes of a label, so every node has these two.
    props |= {"sources": len(semiosis.sources), "share": float(semiosis.share or 1.0)}
    return props | {"words": separate_cjk(" ".join(props[field] for field in searched))}


def _place_rows(hsg: HSG, node: str, semiosis: Semiosis) -> Iterator[GraphRow]:
    parts = parts_of(hsg.sign)
    for number, place in enumerate(semiosis.places):
        if isinstance(place, Span):
            props: Props = {"quote": place.quote, "start": place.start, "end": place.end}
        else:
            props = {
                "x0": place.x0,
                "y0": place.y0,
                "x1": place.x1,
                "y1": place.y1,
                "position": place.position,
            }
        part = ("Sign", parts[place.part].id)
        yield EdgeRow("LOCATED_IN", ("Semiosis", f"{hsg.id}/{node}"), part, props, key=str(number))


def _relation_rows(hsg: HSG) -> Iterator[GraphRow]:
    for relation in hsg.relations:
        whole, part = (("Semiosis", f"{hsg.id}/{node}") for node in (relation.whole, relation.part))
        if relation.hierarchy:
            yield EdgeRow("HAS_PART", whole, part, {})
        how = {"how": relation.how, "hierarchy": relation.hierarchy}
        yield EdgeRow(relation.relation.upper(), part, whole, how)


def alignment_rows(alignment: Alignment, json: str) -> Iterator[GraphRow]:
    value_key, source, target = ("Alignment", alignment.id), alignment.source.hsg, alignment.target.hsg
    fields = ("method", "embedder", "weights", "condition", "aligner", "aligned_by", "procedure")
    props: Props = {field: getattr(alignment, field) for field in fields}
    props |= {"matched_share": alignment.matched_share, "repeat": alignment.repeat}
    yield NodeRow(*value_key, props | {"distance": alignment.distance, "json": json})
    yield EdgeRow("FROM", value_key, ("HSG", source), {})
    yield EdgeRow("TO", value_key, ("HSG", target), {})
    yield from _evaluator_rows(value_key, alignment.evaluator or _embedder(alignment))
    for node in alignment.emergent:
        yield EdgeRow("EMERGENT", value_key, ("Semiosis", f"{target}/{node}"), {})
    for fate in alignment.fates:
        yield from _fate_rows(value_key, fate, source, target)


def _embedder(alignment: Alignment) -> Evaluator:
    """Return an embedder as an evaluator, so that every alignment has an edge to who made it."""
    parameters = {"method": alignment.method, "weights": alignment.weights}
    return Evaluator(kind="program", name=alignment.embedder or "unnamed", parameters=parameters)


def _fate_rows(value_key: tuple[str, str], fate: NodeFate, source: str, target: str) -> Iterator[GraphRow]:
    node = ("Semiosis", f"{source}/{fate.node}")
    stated: Props = {"why": fate.why} | ({} if fate.p is None else {"p": fate.p})
    if fate.fate == "lost":
        yield EdgeRow("LOST", value_key, node, stated)
    for link in fate.links:
        shift = link.ground_shift
        props = stated | {
            "fate": fate.fate,
            # The parts of a split node add up to 1, so that sums over edges count the node once.
            "part": 1 / len(fate.links),
            "ground_shift": (abs(shift.iconic) + abs(shift.indexical) + abs(shift.symbolic)) / 3,
            "objects_differ": link.objects_differ,
            "spatial": link.spatial,
        }
        yield EdgeRow("REALIZED_AS", node, ("Semiosis", f"{target}/{link.target}"), props, key=value_key[1])


def comparison_rows(comparison: Comparison, json: str) -> Iterator[GraphRow]:
    value_key = ("Comparison", comparison.id)
    yield NodeRow(*value_key, {"json": json})
    for key in ("prompt", "a", "b"):
        yield EdgeRow("OF", value_key, ("Sign", getattr(comparison, key)), {}, key=key)


def question_rows(question: Question, json: str) -> Iterator[GraphRow]:
    value_key = ("Question", question.id)
    props = {"text": question.text, "correct": question.correct, "sort": question.type}
    yield NodeRow(*value_key, props | {"json": json})
    yield EdgeRow("ABOUT", value_key, ("Sign", question.sign), {})


def _evaluator_rows(value_key: tuple[str, str], evaluator: Evaluator) -> Iterator[GraphRow]:
    agent = ("Evaluator", evaluator.id)
    yield NodeRow(*agent, {"kind": evaluator.kind, "who": evaluator.name})
    yield EdgeRow("BY", value_key, agent, {})


def _value_or_reason(name: str, value: object) -> Props:
    return {"unscored": value.reason} if isinstance(value, Unscored) else {name: value}


def verdict_rows(verdict: Verdict, json: str) -> Iterator[GraphRow]:
    value_key = ("Verdict", verdict.id)
    props: Props = {} if verdict.order_unknown else {"shown": verdict.shown}
    props |= {"repeat": verdict.repeat, "rationale": verdict.rationale}
    props |= _value_or_reason("winner", verdict.winner) | {
        "dropped": len(verdict.dropped),
        "json": json,
    }
    yield NodeRow(*value_key, props | ({} if verdict.p_a is None else {"p_a": verdict.p_a}))
    yield EdgeRow("ON", value_key, ("Comparison", verdict.comparison), {})
    yield from _evaluator_rows(value_key, verdict.evaluator)
    for hsg in verdict.used:
        yield EdgeRow("USED", value_key, ("HSG", hsg), {})
    for number, citation in enumerate(verdict.citations):
        node = ("Semiosis", f"{citation.hsg}/{citation.node}")
        cited = {"stance": citation.stance, "rationale": citation.rationale}
        yield EdgeRow("CITES", value_key, node, cited, key=str(number))


def rating_rows(rating: Rating, json: str) -> Iterator[GraphRow]:
    value_key = ("Rating", rating.id)
    label = {"sign": "Sign", "node": "Semiosis", "verdict": "Verdict"}[rating.about_kind]
    props = {"scale": rating.scale, "low": float(rating.low), "high": float(rating.high)}
    yield NodeRow(*value_key, props | _value_or_reason("value", rating.value) | {"json": json})
    yield EdgeRow("ABOUT", value_key, (label, rating.about), {})
    yield from _evaluator_rows(value_key, rating.evaluator)


def answer_rows(answer: Answer, json: str) -> Iterator[GraphRow]:
    value_key = ("Answer", answer.id)
    props = _value_or_reason("choice", answer.choice) | {"repeat": answer.repeat}
    yield NodeRow(*value_key, props | {"json": json})
    yield EdgeRow("ABOUT", value_key, ("Question", answer.question), {})
    yield from _evaluator_rows(value_key, answer.evaluator)
    for hsg in answer.used:
        yield EdgeRow("USED", value_key, ("HSG", hsg), {})


def score_rows(score: Score, json: str) -> Iterator[GraphRow]:
    value_key = ("Score", score.id)
    props = _value_or_reason("value", score.value) | {"repeat": score.repeat}
    yield NodeRow(*value_key, props | {"json": json})
    yield EdgeRow("ABOUT", value_key, ("Sign", score.artifact), {}, key="artifact")
    if score.prompt:
        yield EdgeRow("ABOUT", value_key, ("Sign", score.prompt), {}, key="prompt")
    yield from _evaluator_rows(value_key, score.evaluator)
    for hsg in score.used:
        yield EdgeRow("USED", value_key, ("HSG", hsg), {})
