"""A script for the stand-in provider that takes its answers from HSGs, such as those of the sample study."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from semiosis.testing._step import Call, Script, Step, refuses, says
from semiosis.values import HSG, MODES, Box, ImageSign, Relation, Semiosis, Span, TextSign, parts_of

_BOX_SCALE = 1000
_TEXTS = ("label", "sign", "object", "interpretant", "dynamic_object")
_SHOWN_NODE = re.compile(r"^(\{\"id\": \"[PA]\d+\".*\})$", re.MULTILINE)

Prefers = Callable[[str, str], bool]
"""Returns whether the picture with the first SHA-256 is better than the picture with the second."""


def answers_from(hsgs: Iterable[HSG], prefers: Prefers = lambda first, second: first < second) -> Script:
    """Return a script that answers every question of readers, judges and examinees.

    Signs are recognised by their text and the hashes of their pictures. A request to read a sign without an
    HSG is refused. Judgments do not depend on the order shown, cite the roots, and prefer the smaller hash
    unless `prefers` is given.
    """
    readings = list(hsgs)

    def answer(call: Call) -> Step:
        fields = call.schema.get("properties", {})
        if "fates" in fields:
            return says(fates_by_label(call))
        if "nodes" in fields:
            return _answer_reading(call, readings)
        if {"a", "b"} <= fields.keys():
            return _answer_joint_reading(call, readings)
        if "winner" in fields:
            return says(_judgment_form(call, fields, prefers))
        return says({"rationale": "It is the first.", "choice": 1})

    return answer


def fates_by_label(call: Call) -> dict[str, Any]:
    """Return an alignment that keeps the nodes whose label the artifact repeats and loses the rest."""
    nodes = {node["id"]: node for node in map(json.loads, _SHOWN_NODE.findall(call.text))}
    seen = {node["label"]: name for name, node in nodes.items() if name.startswith("A")}
    return {
        "fates": [
            {
                "node": name,
                "why": f"{node['label']} is compared by its label.",
                "fate": "kept" if node["label"] in seen else "lost",
                "targets": [seen[node["label"]]] if node["label"] in seen else [],
                "probability": 90,
            }
            for name, node in nodes.items()
            if name.startswith("P")
        ]
    }


def wire(hsg: HSG) -> dict[str, Any]:
    """Return an HSG in the form in which models return it."""
    names = {node: "root" if node == hsg.root else f"n{n}" for n, (_, node) in enumerate(hsg.outline())}
    wholes = {relation.part: relation for relation in hsg.relations if relation.hierarchy}
    nodes = [_node_form(hsg, node, names, wholes.get(node)) for node in names]
    tree = {frozenset((relation.whole, relation.part)) for relation in wholes.values()}
    free = [
        _relation_form(relation, names)
        for relation in hsg.relations
        if not relation.hierarchy and frozenset((relation.whole, relation.part)) not in tree
    ]
    return {"nodes": nodes, "relations": free}


def _node_form(hsg: HSG, node: str, names: dict[str, str], above: Relation | None) -> dict[str, Any]:
    """Return a node with what the prompts require: a reason for each ground, and no place for the root."""
    semiosis = hsg.semioses[node]
    places = _places(hsg, semiosis, above is None)
    fields: dict[str, Any] = {
        "id": names[node],
        "parent": names[above.whole] if above else "",
        "relation": above.relation if above else "root",
        "how": above.how or "in its way" if above else "",
        **{name: getattr(semiosis, name) for name in _TEXTS},
        **places,
        "nowhere": "" if any(places.values()) else semiosis.nowhere or "the whole sign",
    }
    if hsg.sign.kind != "image":
        importance = 0.5 if semiosis.importance is None else semiosis.importance
        fields["importance"] = 100 if above is None else round(100 * importance)
    for mode in MODES:
        ground = getattr(semiosis.grounds, mode)
        fields |= {mode: round(ground.strength * 100), f"{mode}_why": ground.why or "no reason given"}
    return fields


def _places(hsg: HSG, semiosis: Semiosis, is_root: bool) -> dict[str, list[dict[str, Any]]]:
    placed = () if is_root else semiosis.places
    places: dict[str, list[dict[str, Any]]] = {}
    kinds = {part.kind for part in parts_of(hsg.sign)}
    if "text" in kinds:
        places["quotes"] = [_quote_form(hsg, place) for place in placed if isinstance(place, Span)]
    if "image" in kinds:
        places["boxes"] = [_box_form(place) for place in placed if isinstance(place, Box)]
    return places


def _relation_form(relation: Relation, names: dict[str, str]) -> dict[str, Any]:
    """Return a free relation; the source of a contrast is the later node."""
    source, target = names[relation.part], names[relation.whole]
    if relation.relation == "contrasts":
        target, source = sorted((source, target), key=list(names.values()).index)
    return {"source": source, "target": target, "relation": relation.relation, "how": relation.how}


def _quote_form(hsg: HSG, span: Span) -> dict[str, Any]:
    text = parts_of(hsg.sign)[span.part]
    before = text.text[: span.start].count(span.quote) if isinstance(text, TextSign) else 0
    return {"item": span.part + 1, "quote": span.quote, "occurrence": before + 1}


def _box_form(box: Box) -> dict[str, Any]:
    edges = (box.x0, box.y0, box.x1, box.y1)
    return {"item": box.part + 1, "box": [round(edge * _BOX_SCALE) for edge in edges]}


def _answer_reading(call: Call, readings: list[HSG]) -> Step:
    images = "Frame" in call.schema["$defs"]
    shown = [hsg for hsg in readings if _is_shown(hsg, call) and (hsg.sign.kind != "text") == images]
    return says(_graph(call.schema, shown[-1])) if shown else refuses()


def _answer_joint_reading(call: Call, readings: list[HSG]) -> Step:
    by_image = {hsg.sign.sha256: hsg for hsg in readings if isinstance(hsg.sign, ImageSign)}
    first, second = call.images[-2:]
    if first not in by_image or second not in by_image:
        return refuses()
    form = call.schema["$defs"]["ImageGraph"]
    return says({"a": _graph(form, by_image[first]), "b": _graph(form, by_image[second])})


def _graph(form: dict[str, Any], hsg: HSG) -> dict[str, Any]:
    """Return an HSG in the form that the call asks for."""
    absences: dict[str, Any] = {"absences": []} if "absences" in form["properties"] else {}
    return {**wire(hsg), **absences}


def _is_shown(hsg: HSG, call: Call) -> bool:
    texts = [part.text for part in parts_of(hsg.sign) if isinstance(part, TextSign)]
    pictures = [part.sha256 for part in parts_of(hsg.sign) if isinstance(part, ImageSign)]
    last = call.images[-len(pictures) :] if pictures else ()
    return all(text in call.text for text in texts) and tuple(pictures) == last


def _judgment_form(call: Call, fields: dict[str, Any], prefers: Prefers) -> dict[str, Any]:
    pair = call.images[-2:] or tuple(hashlib.sha256(side.encode()).hexdigest() for side in _graphs(call))
    winner = "A" if prefers(pair[0], pair[1]) else "B"
    judgment: dict[str, Any] = {"rationale": f"{winner} keeps more of the meaning.", "winner": winner}
    if "closeness" in fields:
        judgment["closeness"] = 2
    if "citations" in fields:
        loser = "B" if winner == "A" else "A"
        citations = [
            {"node": f"{winner}.root", "stance": winner, "rationale": "It carries the whole."},
            {"node": f"{loser}.root", "stance": winner, "rationale": "It carries less."},
            {"node": "P.root", "stance": "neutral", "rationale": "This was meant."},
        ]
        judgment |= {
            "chain_a": "It arrives in part.",
            "chain_b": "It arrives in part.",
            "citations": citations,
        }
    return judgment


def _graphs(call: Call) -> tuple[str, str]:
    """Return the texts of the two graphs without their prefixes, for calls without pictures."""
    _, a, b = call.text.rsplit("Nodes of ", 2)
    return a[1:].replace("A.", "."), b[1:].replace("B.", ".")
