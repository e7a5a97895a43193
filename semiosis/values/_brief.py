"""The `repr` of values and results, which fits a screen however much they contain."""

import dataclasses
from collections.abc import Mapping, Sequence, Set, Sized
from pathlib import Path
from typing import Any

from pydantic import BaseModel

_TEXT = 80
"""The maximum length of a text in a repr."""
_OBJECT = 120
"""The maximum length of the repr of an object in a repr."""
_ITEMS = 4
"""The maximum number of items of a collection that are written out."""
_WHOLE = 1_500
"""The maximum length of a repr: about twenty lines of a terminal."""


def brief_repr(value: object) -> str:
    """Return the class and the fields that differ from their defaults, with long ones counted or cut.

    The default repr of a study or of a table of judges fills a notebook with hundreds of kilobytes. What is
    left out can be reached by its field.
    """
    fields = ", ".join(f"{name}={_field(item)}" for name, item in _fields(value))
    text = f"{type(value).__name__}({fields})"
    return text if len(text) <= _WHOLE else f"{text[: _WHOLE - 2]}…)"


def _fields(value: object) -> list[tuple[str, Any]]:
    """Return the names and values of the public fields that differ from their defaults."""
    if isinstance(value, BaseModel):
        defaults = {name: field.get_default() for name, field in type(value).model_fields.items()}
        return [(name, item) for name, item in value if item != defaults[name] or name == "kind"]
    return [
        (field.name, item)
        for field in dataclasses.fields(value)  # type: ignore[arg-type]  # every other caller is a dataclass
        if field.repr and not _is_default(item := getattr(value, field.name), field)
    ]


def _is_default(item: object, field: dataclasses.Field[Any]) -> bool:
    # An array has no single truth value, so equality is asked only of simple defaults.
    return isinstance(item, str | int | float | None | tuple | Path) and item == field.default


def _field(item: object) -> str:
    """Return one field: a short value as it is, a collection with its size, another object by its class."""
    if isinstance(item, str | Path):
        text = str(item)
        return repr(text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…")
    if isinstance(item, Mapping | Set | Sequence) and not isinstance(item, bytes):
        return _collection(item)
    if isinstance(item, int | float | None | bool):
        return repr(item)
    text = repr(item)
    is_array = hasattr(item, "dtype")  # values do not import NumPy
    if not is_array and len(text) <= _OBJECT and "\n" not in text and " object at 0x" not in text:
        return text
    size = f" of {len(item)}" if isinstance(item, Sized) else ""
    return f"<{type(item).__name__}{size}>"


def _collection(items: Mapping[Any, Any] | Set[Any] | Sequence[Any]) -> str:
    """Return a short collection as it is, and a long one as its size and the class of its items."""
    if len(items) <= _ITEMS and type(items) in (tuple, list, dict, set, frozenset):
        text = repr(items)
        if len(text) <= _TEXT:
            return text
    values = items.values() if isinstance(items, Mapping) else items
    # The items of an index of readings are read from disk when they are asked for, so none is asked for.
    classes = {type(item).__name__ for item in values} if type(items) in (tuple, list, dict) else set()
    names = " or ".join(sorted(classes)) if 0 < len(classes) <= 2 else "item"
    return f"<{len(items):,} × {names}>"
