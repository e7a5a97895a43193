"""Renders signs and HSGs for a request: fenced as data, with node names that can be cited."""

import json
from typing import Any

from semiosis.ask._picture import Picture, picture
from semiosis.ask._profile import Profile
from semiosis.ask._prompt import fence
from semiosis.ask._request import Passage
from semiosis.values import HSG, AnySign, Box, CompositeSign, Semiosis, Span, TextSign, parts_of

Parts = tuple[Passage | Picture, ...]

_BOX_SCALE = 1000


def render_sign(
    sign: AnySign,
    profile: Profile,
    name: str,
    *,
    shared: bool = False,
) -> Parts:
    """Return the parts of a request that show a sign. The parts of a composite sign are numbered."""
    several = isinstance(sign, CompositeSign)
    # The parts of a composite sign are called items, because "part" also means a node's child.
    rendered: list[Passage | Picture] = []
    for number, part in enumerate(parts_of(sign), start=1):
        about = f"{name}, item {number}" if several else name
        if isinstance(part, TextSign):
            rendered.append(Passage(f"{about}:\n{fence('sign', part.text)}", shared))
        else:
            rendered += [Passage(f"{about}: the picture that follows"), picture(part, profile)]
    return tuple(rendered)


def render_hsg(
    hsg: HSG,
    profile: Profile,
    prefix: str,
    *,
    shared: bool = False,
) -> Passage:
    """Return the passage that lists the nodes of an HSG. Their ids carry a prefix, such as `P.root`."""
    nodes = [_node(hsg, node, profile, prefix) for _, node in hsg.outline()]
    lines = "\n".join(json.dumps(node, ensure_ascii=False) for node in nodes)
    return Passage(f"Nodes of {prefix}:\n{fence('hsg', lines)}", shared)


def _node(hsg: HSG, node: str, profile: Profile, prefix: str) -> dict[str, Any]:
    semiosis = hsg.semioses[node]
    entry: dict[str, Any] = {"id": f"{prefix}.{node}"}
    for relation in hsg.relations:
        if relation.part == node:
            entry.setdefault("relations", []).append(
                f"{relation.relation} {prefix}.{relation.whole}: {relation.how}"
            )
    fields = ("label", "sign", "object", "dynamic_object", "interpretant")
    entry |= {field: text for field in fields if (text := getattr(semiosis, field))}
    return entry | _grounds(semiosis) | _places(semiosis, profile)


def _grounds(semiosis: Semiosis) -> dict[str, str]:
    grounds = semiosis.grounds
    modes = {"iconic": grounds.iconic, "indexical": grounds.indexical, "symbolic": grounds.symbolic}
    return {name: f"{round(ground.strength * 100)} {ground.why}".strip() for name, ground in modes.items()}


def _places(semiosis: Semiosis, profile: Profile) -> dict[str, Any]:
    if not semiosis.places:
        return {"nowhere": semiosis.nowhere} if semiosis.nowhere else {}
    return {
        "places": [
            place.quote if isinstance(place, Span) else _edges(place, profile) for place in semiosis.places
        ]
    }


def _edges(box: Box, profile: Profile) -> list[int]:
    edges = (box.x0, box.y0, box.x1, box.y1) if profile.boxes == "xyxy" else (box.y0, box.x0, box.y1, box.x1)
    return [round(edge * _BOX_SCALE) for edge in edges]
