"""A script for the stand-in provider that takes its answers from HSGs, such as those of the sample study."""

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from semiosis.testing._step import Call, Script, Step, refuses, says
from semiosis.values import HSG, Box, ImageSign, Semiosis, Span, TextSign, parts_of

_BOX_SCALE = 1000
_SHOWN_NODE = re.compile(r"^(\{\"id\": \"[PA]\d+\".*\})$", re.MULTILINE)

Prefers = Callable[[str, str], bool]
"""Returns whether the picture with the first SHA-256 is better than the picture with the second."""


def answers_from(hsgs: Iterable[HSG], prefers: Prefers = lambda first, second: first < second) -> Script:
    """Return a script that answers every question of readers, judges and examinees.

    Signs are recognised by their text and the hashes of their pictures. A request to read a sign without an
    HSG is refused. Judgments do not depend on the order shown, cite the roots, and prefer the smaller hash
    unless `prefers` is given.
    """
    known = list(hsgs)

    def answer(call: Call) -> Step:
        fields = call.schema.get("properties", {})
        if "fates" in fields:
            return says(fates_by_label(call))
        if "nodes" in fields:
            return _answer_reading(call, known)
        if {"a", "b"} <= fields.keys():
            return _answer_joint_reading(call, known)
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


def wire(hsg: HSG, version: int = 2) -> dict[str, Any]:
    """Return an HSG in the form in which models return it, for a version of the prompts."""
    return _wire_v1(hsg) if version == 1 else _wire_v2(_wire_v1(hsg))


def _wire_v2(graph: dict[str, Any]) -> dict[str, Any]:
    """Return a graph of version 1 in the form of version 2, without places for the root."""
    nodes = [_node_v2(node) for node in graph["nodes"]]
    tree = {frozenset((node["id"], node["parent"])) for node in nodes}
    order = [node["id"] for node in nodes]
    free = [
        _relation_v2(relation, order)
        for relation in graph["relations"]
        if frozenset((relation["part"], relation["whole"])) not in tree
    ]
    return {"nodes": nodes, "relations": free}


def _relation_v2(relation: dict[str, Any], order: list[str]) -> dict[str, Any]:
    """Return a free relation; the source of a contrast is the later node."""
    source, target = relation["part"], relation["whole"]
    if relation["relation"] == "contrasts":
        target, source = sorted((source, target), key=order.index)
    return {"source": source, "target": target, "relation": relation["relation"], "how": relation["how"]}


def _node_v2(node: dict[str, Any]) -> dict[str, Any]:
    root = node["id"] == "root"
    places: dict[str, Any] = {
        kind: []
        if root
        else [
            {("item" if key == "part" else key): value for key, value in place.items()}
            for place in node[kind]
        ]
        for kind in ("quotes", "boxes")
        if kind in node
    }
    placed = any(places.values())
    nowhere = "" if placed else node["nowhere"] or "the whole sign"
    reasons = {name: node[name] or "no reason given" for name in node if name.endswith("_why")}
    how = "" if root else node["how"] or "in its way"
    return {**node, **places, **reasons, "nowhere": nowhere, "how": how}


def _wire_v1(hsg: HSG) -> dict[str, Any]:
    parents = {relation.part: relation for relation in hsg.relations if relation.hierarchy}
    names = {node: "root" if node == hsg.root else f"n{n}" for n, (_, node) in enumerate(hsg.outline())}
    nodes = []
    for node, name in names.items():
        parent = parents.get(node)
        place = {
            "id": name,
            "parent": names[parent.whole] if parent else "",
            "how": parent.how if parent else "",
        }
        nodes.append(
            {
                **place,
                "relation": parent.relation if parent else "root",
                **_node_fields(hsg, hsg.semioses[node]),
            }
        )
    free = [
        {"part": names[r.part], "whole": names[r.whole], "relation": r.relation, "how": r.how}
        for r in hsg.relations
        if not r.hierarchy
    ]
    return {"nodes": nodes, "relations": free}


def _node_fields(hsg: HSG, semiosis: Semiosis) -> dict[str, Any]:
    names = ("label", "sign", "object", "interpretant", "dynamic_object", "nowhere")
    fields: dict[str, Any] = {name: getattr(semiosis, name) for name in names}
    for mode in ("iconic", "indexical", "symbolic"):
        ground = getattr(semiosis.grounds, mode)
        fields |= {mode: round(ground.strength * 100), f"{mode}_why": ground.why}
    kinds = {part.kind for part in parts_of(hsg.sign)}
    if "text" in kinds:
        fields["quotes"] = [_quote_form(hsg, place) for place in semiosis.places if isinstance(place, Span)]
    if "image" in kinds:
        fields["boxes"] = [_box_form(place) for place in semiosis.places if isinstance(place, Box)]
    return fields


def _quote_form(hsg: HSG, span: Span) -> dict[str, Any]:
    text = parts_of(hsg.sign)[span.part]
    before = text.text[: span.start].count(span.quote) if isinstance(text, TextSign) else 0
    return {"part": span.part + 1, "quote": span.quote, "occurrence": before + 1}


def _box_form(box: Box) -> dict[str, Any]:
    edges = (box.x0, box.y0, box.x1, box.y1)
    return {"part": box.part + 1, "box": [round(edge * _BOX_SCALE) for edge in edges]}


def _answer_reading(call: Call, known: list[HSG]) -> Step:
    images = "Frame" in call.schema["$defs"]
    found = [hsg for hsg in known if (_is_shown(hsg, call) and (hsg.sign.kind != "text") == images)]
    return says(_graph(call, call.schema, found[-1])) if found else refuses()


def _answer_joint_reading(call: Call, known: list[HSG]) -> Step:
    read = {hsg.sign.sha256: hsg for hsg in known if isinstance(hsg.sign, ImageSign)}
    first, second = call.images[-2:]
    if first not in read or second not in read:
        return refuses()
    form = call.schema["$defs"]["ImageGraph"]
    return says({"a": _graph(call, form, read[first]), "b": _graph(call, form, read[second])})


def _graph(call: Call, form: dict[str, Any], hsg: HSG) -> dict[str, Any]:
    """Return an HSG in the form that the call asks for."""
    version = 2 if "source" in call.schema["$defs"]["FreeRelation"]["properties"] else 1
    absences: dict[str, Any] = {"absences": []} if "absences" in form["properties"] else {}
    return {**wire(hsg, version), **absences}


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
        other = "B" if winner == "A" else "A"
        citations = [
            {"node": f"{winner}.root", "stance": winner, "rationale": "It carries the whole."},
            {"node": f"{other}.root", "stance": winner, "rationale": "It carries less."},
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
