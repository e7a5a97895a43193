"""Field types for numbers in replies: the schema asks for integers, and the check is lenient.

A reply is paid for. The meaning of a coordinate written as `50.0`, `"50"` or `50.4` is clear, and a wrong
place is a finding to count. Neither is a reason to ask again.
"""

from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema


def _rounded(value: Any) -> Any:
    """Return a number as the nearest integer, and any other value as it is."""
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
    """Return an ordinal number as an integer, and 0 for anything else."""
    number = _rounded(value)
    return number if isinstance(number, int) and not isinstance(number, bool) else 0


def _coordinate(value: Any) -> int | str:
    """Return a coordinate as an integer, and anything else as text, which later code reports."""
    number = _rounded(value)
    return number if isinstance(number, int) and not isinstance(number, bool) else str(value)


Rounded = BeforeValidator(_rounded)
"""Accepts a number with a fraction, or a number in quotes, for an integer field."""

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
