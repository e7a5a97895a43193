"""Puts the places of a reply into the form that was asked for, where their meaning is certain.

Models answer with the forms that they were trained on: a bare list of edges, `bbox_2d`, an object with named
edges, a label beside the box. A reply is paid for, so none of these costs a reading. A place whose meaning is
not certain becomes a claim that does not resolve, and its node is kept as unlocated with the reason.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

SCALE = 1000
"""Boxes are asked for in thousandths of the image."""
_EDGES = 4
_OVERSHOOT = 10
"""Thousandths by which an edge may lie outside of the image and still mean the image's edge."""
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")

_NAMED_EDGES = (
    ("x0", "y0", "x1", "y1"),
    ("x1", "y1", "x2", "y2"),
    ("xmin", "ymin", "xmax", "ymax"),
    ("x_min", "y_min", "x_max", "y_max"),
    ("left", "top", "right", "bottom"),
)
_CORNER_AND_SIZE = (
    ("x", "y", "width", "height"),
    ("x", "y", "w", "h"),
    ("left", "top", "width", "height"),
)
_BOX_KEYS = {"box": "", "bbox": "", "bbox_2d": "xyxy", "box_2d": "yxyx"}
"""The names of a box, and the order of its edges where the name fixes it, as those of Qwen and Gemini do."""


def with_place_fields(node: Any, fields: tuple[str, ...]) -> Any:
    """Return a node in which a missing list of places is empty, or holds the box that stands in its stead."""
    if not isinstance(node, Mapping):
        return node
    filled = dict(node)
    for field in fields:
        if field not in filled:
            name = next((key for key in _BOX_KEYS if key in filled), None) if field == "boxes" else None
            filled[field] = [] if name is None else [{name: filled.pop(name)}]
    return filled


def place_list(value: Any) -> list[Any]:
    """Return the places of a node as a list. One place where a list is expected is a list of one."""
    if value in (None, "", {}):
        return []
    if not isinstance(value, list):
        return [value]
    if len(value) == _EDGES and not any(isinstance(item, Mapping | list) for item in value):
        return [value] if all(_is_number(item) for item in value) else value
    return [item for item in value if item is not None]


def box_fields(value: Any) -> dict[str, Any]:
    """Return a box with the fields `item`, `box` and `order`, whatever else it says."""
    if not isinstance(value, Mapping):
        return {"item": 0, "box": _edges(value), "order": ""}
    name = next((key for key in _BOX_KEYS if key in value), None)
    edges = value if name is None else value[name]
    order = "" if name is None else _BOX_KEYS[name]
    if isinstance(edges, Mapping):
        named = _named_edges(edges)
        edges, order = (named, "named") if named else (_remainder(edges), "")
    return {"item": value.get("item", 0), "box": _edges(edges), "order": order}


def quote_fields(value: Any) -> dict[str, Any]:
    """Return a quote with the fields `item`, `quote` and `occurrence`, whatever else it says."""
    if not isinstance(value, Mapping):
        return {"item": 0, "quote": _text(value), "occurrence": 0}
    words = value.get("quote", value.get("text"))
    return {"item": value.get("item", 0), "quote": _text(words), "occurrence": value.get("occurrence", 0)}


def box_edges(edges: list[int], order: str) -> tuple[int, int, int, int] | str:
    """Return x0, y0, x1, y1 in thousandths of the image, or the reason why the box has no certain meaning.

    Edges in the wrong order are put right if no other meaning fits: named edges, and lists that would leave
    the image if they were a corner and a size. An edge slightly outside of the image is the image's edge.
    """
    x0, y0, x1, y1 = (edges[1], edges[0], edges[3], edges[2]) if order == "yxyx" else edges
    if not all(-_OVERSHOOT <= edge <= SCALE + _OVERSHOOT for edge in edges):
        return "the box extends beyond the image"
    x0, y0, x1, y1 = (min(max(edge, 0), SCALE) for edge in (x0, y0, x1, y1))
    if x0 == x1 or y0 == y1:
        return "the box has no area"
    is_reversed = x0 > x1 or y0 > y1
    if is_reversed and order != "named" and x0 + x1 <= SCALE and y0 + y1 <= SCALE:
        return "the edges of the box are out of order"
    return min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)


def _named_edges(box: Mapping[str, Any]) -> list[Any]:
    """Return x0, y0, x1, y1 of a box with named edges; none if the names are not known."""
    fields = {str(name).lower(): value for name, value in box.items()}
    for names in _NAMED_EDGES:
        if all(name in fields for name in names):
            return [fields[name] for name in names]
    for names in _CORNER_AND_SIZE:
        if all(_is_number(fields.get(name)) for name in names):
            x, y, width, height = (float(fields[name]) for name in names)
            return [x, y, x + width, y + height]
    return []


def _edges(value: Any) -> list[Any]:
    """Return the edges of a box as a list. Fractions of the image become thousandths."""
    if isinstance(value, str) and len(numbers := _NUMBER.findall(value)) == _EDGES:
        value = numbers
    edges = value if isinstance(value, list) else [_text(value)]
    edges = [_text(edge) if isinstance(edge, Mapping | list | None) else edge for edge in edges]
    numbers = [float(edge) for edge in edges if _is_number(edge)]
    is_fraction = len(numbers) == len(edges) and any(number % 1 for number in numbers)
    if is_fraction and all(0 <= number <= 1 for number in numbers):
        return [round(number * SCALE) for number in numbers]
    return edges


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return False
    try:
        return math.isfinite(float(value))
    except (ValueError, OverflowError):
        return False


def _remainder(fields: Mapping[str, Any]) -> str:
    """Return an object whose names are not known, as the text of a claim."""
    return ", ".join(f"{name} {value}" for name, value in fields.items() if name != "item")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)
