"""Writes values as versioned JSON, one line per value."""

from typing import TYPE_CHECKING

from pydantic_core import PydanticSerializationError
from pydantic_core import to_json as write_json

from semiosis.values._errors import DataError
from semiosis.values._hsg import HSG
from semiosis.values._hsg_record import HSGRecord

if TYPE_CHECKING:  # the table of kinds uses this module
    from semiosis.values._kinds import Recorded

JSON_VERSION = 1
"""Version of the JSON."""


def to_json(value: "Recorded") -> str:
    """Return one line of JSON: kind, version, id, then the fields.

    >>> from semiosis.values import from_json, text
    >>> from_json(to_json(text("a lily"))) == text("a lily")
    True
    """
    model = HSGRecord.of(value) if isinstance(value, HSG) else value
    fields = model.model_dump(mode="json")
    head = {"kind": fields.pop("kind"), "version": JSON_VERSION, "id": value.id}
    try:
        return write_json(head | fields).decode()
    except PydanticSerializationError as error:
        raise DataError(
            "a text contains half of a surrogate pair, which is not a character",
            fix="decode the text as UTF-8",
        ) from error
