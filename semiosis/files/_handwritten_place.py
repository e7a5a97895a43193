"""Reads places in hand-written HSGs: quotes become spans, percentages and pixels become boxes."""

import re
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from semiosis.files._yaml import YamlNode
from semiosis.values import (
    AnySign,
    Box,
    ImageSign,
    Place,
    Span,
    TextSign,
    UnresolvedPlace,
    find_span,
    parts_of,
)

_BOX = re.compile(r"(?P<numbers>[-\d.%,\s]+?)\s*(?P<unit>px)?")
_EXAMPLE = "write four numbers: 'x0 y0 x1 y1' from the upper left, '10% 20% 40% 60%' or '77 150 307 460 px'"

_KINDS = {
    "quote": ("occurrence", "part"),
    "box": ("part",),
    "claim": ("reason", "part"),
    "nowhere": (),
    "absent": (),
}
"""The kinds of place, and the further fields of each."""
_FIELDS = ("quote", "occurrence", "box", "nowhere", "absent", "claim", "reason", "part")

SignT = TypeVar("SignT", TextSign, ImageSign)


class Reason(NamedTuple):
    """Why a node has no place."""

    text: str
    absent: bool
    """Whether the sign is an absence that the reader states on purpose."""


class NodePlaces(NamedTuple):
    """The places of a node, claims that do not resolve, and why it has no place."""

    places: tuple[Place, ...]
    unresolved: tuple[UnresolvedPlace, ...]
    nowhere: str
    absent: bool


def read_places(entry: YamlNode, fields: dict[str, YamlNode], sign: AnySign) -> NodePlaces:
    """Return the places in the fields of a node."""
    stated_places = [_place(place, sign) for place in _place_list(entry, fields)]
    reasons = [place for place in stated_places if isinstance(place, Reason)]
    return NodePlaces(
        places=tuple(place for place in stated_places if isinstance(place, Span | Box)),
        unresolved=tuple(place for place in stated_places if isinstance(place, UnresolvedPlace)),
        nowhere="; ".join(reason.text for reason in reasons),
        absent=any(reason.absent for reason in reasons),
    )


def _place_list(entry: YamlNode, fields: dict[str, YamlNode]) -> list[YamlNode]:
    if "place" in fields and "places" in fields:
        raise entry.error("the node has both 'place' and 'places'", "keep one of them")
    listed = (
        fields["places"].items() if "places" in fields else [fields["place"]] if "place" in fields else []
    )
    if (
        not listed and "takes_up" not in fields
    ):  # the sign of such a node is an interpretant, which has no place
        # An omitted place must not be read as a statement that the node has none.
        raise entry.error("this node has no place", "add 'place: …', or 'place: {nowhere: why it has none}'")
    return listed


def _place(entry: YamlNode, sign: AnySign) -> Span | Box | UnresolvedPlace | Reason:
    """Return a span, a box, a claim that does not resolve, or the reason why there is no place."""
    if entry.is_text:
        return _span(entry, 1, *_choose_part(entry, sign, TextSign, None))
    fields = entry.fields(_FIELDS)
    kinds = [kind for kind in _KINDS if kind in fields]
    if len(kinds) != 1:
        raise entry.error(
            "a place has exactly one of quote, box, claim, nowhere and absent",
            "write 'place: words of the text' or 'place: {box: 10% 20% 40% 60%}'; 'places:' takes a list",
        )
    entry.fields((kinds[0], *_KINDS[kinds[0]]))
    return _READERS[kinds[0]](entry, fields, sign)


def _read_quote(entry: YamlNode, fields: dict[str, YamlNode], sign: AnySign) -> Span:
    occurrence = fields["occurrence"].number() if "occurrence" in fields else 1
    return _span(
        fields["quote"], occurrence, *_choose_part(entry, sign, TextSign, _part_number(fields, sign))
    )


def _read_box(entry: YamlNode, fields: dict[str, YamlNode], sign: AnySign) -> Box:
    return _box(fields["box"], *_choose_part(entry, sign, ImageSign, _part_number(fields, sign)))


def _read_claim(_written: YamlNode, fields: dict[str, YamlNode], sign: AnySign) -> UnresolvedPlace:
    reason = fields["reason"].nonempty_text() if "reason" in fields else "the reader cannot place it"
    return UnresolvedPlace(
        part=_part_number(fields, sign) or 0, claim=fields["claim"].nonempty_text(), reason=reason
    )


def _read_nowhere(_written: YamlNode, fields: dict[str, YamlNode], _sign: AnySign) -> Reason:
    return Reason(fields["nowhere"].nonempty_text(), absent=False)


def _read_absent(_written: YamlNode, fields: dict[str, YamlNode], _sign: AnySign) -> Reason:
    return Reason(fields["absent"].nonempty_text(), absent=True)


_READERS: dict[
    str, Callable[[YamlNode, dict[str, YamlNode], AnySign], Span | Box | UnresolvedPlace | Reason]
] = {
    "quote": _read_quote,
    "box": _read_box,
    "claim": _read_claim,
    "nowhere": _read_nowhere,
    "absent": _read_absent,
}


def _part_number(fields: dict[str, YamlNode], sign: AnySign) -> int | None:
    if "part" not in fields:
        return None
    entry = fields["part"]
    number = entry.number()
    if not 1 <= number <= len(parts_of(sign)):
        raise entry.error(
            f"there is no part {number}", f"the sign has {len(parts_of(sign))} part(s), counted from 1"
        )
    return number - 1


def _choose_part(entry: YamlNode, sign: AnySign, kind: type[SignT], part: int | None) -> tuple[int, SignT]:
    """Return the position and the sign of the named part, or of the only part of this kind."""
    fitting = {index: p for index, p in enumerate(parts_of(sign)) if isinstance(p, kind)}
    if part is None and len(fitting) == 1:
        return next(iter(fitting.items()))
    if part in fitting:
        return part, fitting[part]
    if not fitting:
        needs = {TextSign: "text to quote", ImageSign: "image to draw a box in"}[kind]
        raise entry.error(f"the sign has no {needs}", "use a quote for texts and a box for images")
    numbers = ", ".join(str(index + 1) for index in fitting)
    needed = {TextSign: "a text", ImageSign: "an image"}[kind]
    what = (
        "the place does not say which part it is in" if part is None else f"part {part + 1} is not {needed}"
    )
    raise entry.error(what, f"write 'part: N', where N is one of {numbers}")


def _span(entry: YamlNode, occurrence: int, part: int, sign: TextSign) -> Span:
    quote = entry.text()
    found = find_span(sign.text, quote, occurrence=occurrence, part=part)
    if isinstance(found, UnresolvedPlace):
        shown = sign.text if len(sign.text) <= 120 else sign.text[:117] + "…"
        raise entry.error(
            f"{found.reason}: {quote!r}",
            f"quote words from {shown!r}, or record the claim with 'place: {{claim: …}}'",
        )
    return found


def _box(entry: YamlNode, part: int, sign: ImageSign) -> Box:
    text = entry.text() if entry.is_text else " ".join(item.text() for item in entry.items())
    match = _BOX.fullmatch(text)
    words = match["numbers"].replace(",", " ").split() if match else []
    percent = all(word.endswith("%") for word in words)
    if match is None or len(words) != 4 or percent == bool(match["unit"]):
        raise entry.error(f"{text!r} is not a box", _EXAMPLE)
    across, down = (100, 100) if percent else (sign.width, sign.height)
    try:
        x0, y0, x1, y1 = (float(word.rstrip("%")) for word in words)
    except ValueError:
        raise entry.error(f"{text!r} is not a box", _EXAMPLE) from None
    try:
        return Box(part=part, x0=x0 / across, y0=y0 / down, x1=x1 / across, y1=y1 / down)
    except ValidationError as error:
        raise entry.error(
            f"the box {text!r} does not lie in the image",
            f"the image is {sign.width} × {sign.height} pixels; x0 < x1 and y0 < y1, from the upper left",
        ) from error
