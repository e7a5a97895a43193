"""Numbers in replies: as lenient as they can be without guessing, with the schema of integers.

A reply is paid for. A coordinate written as `50.0`, `"50"` or `50.4` has an unmistakable meaning, and a wrong
place is a finding to count, so neither is a reason to ask again.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema


def _whole(value: Any) -> Any:
    """Return a number as the nearest integer, and everything else as it is."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return value
    try:
        return round(value) if isinstance(value, int | float) else value
    except (ValueError, OverflowError):  # not a number, or infinite
        return str(value)


def _ordinal(value: Any) -> int:
    """Return a counted number; 0, which counts nothing, for everything else."""
    whole = _whole(value)
    return whole if isinstance(whole, int) and not isinstance(whole, bool) else 0


def _coordinate(value: Any) -> int | str:
    """Return a coordinate as an integer, and everything else as text, which is no coordinate."""
    whole = _whole(value)
    return whole if isinstance(whole, int) and not isinstance(whole, bool) else str(value)


Rounded = BeforeValidator(_whole)
"""Accepts a number with a fraction or in quotes where an integer is asked for."""

Coordinate = Annotated[
    int | str,
    BeforeValidator(_coordinate),
    WithJsonSchema({"type": "integer", "minimum": 0, "maximum": 1000}),
]
"""One edge of a box, from 0 to 1000."""

Ordinal = Annotated[
    int, BeforeValidator(_ordinal), WithJsonSchema({"type": "integer", "minimum": 1, "maximum": 20})
]
"""Which part of a sign, or which occurrence of a quote, counted from 1."""
