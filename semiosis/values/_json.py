"""Versioned JSON: every value out as one line, and back exactly."""

from typing import Any, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError
from pydantic_core import from_json as parse_json
from pydantic_core import to_json as write_json

from semiosis.values._alignment import Alignment
from semiosis.values._errors import DataError, UsageError
from semiosis.values._hsg import HSG
from semiosis.values._observation import Answer, Comparison, Question, Rating, Score, Verdict
from semiosis.values._reading import Reading
from semiosis.values._semiosis import Relation, Semiosis
from semiosis.values._sign import CompositeSign, ImageSign, Sign, TextSign
from semiosis.values._value import NodeId, Value, told

VERSION = 1
"""Version of the JSON. `semiosis migrate` brings older files to it."""


class Node(Semiosis):
    """A semiosis with its name in the HSG."""

    id: NodeId
    """Its name, such as `root` or `n2`."""


class HSGRecord(Value):
    """An HSG as it stands in JSON: flat lists of nodes and relations."""

    kind: Literal["hsg"] = "hsg"
    """Tells values apart in JSON."""
    sign: Sign
    """What was read."""
    reading: Reading
    """Who read it, and how."""
    semioses: tuple[Node, ...] = Field(min_length=1)
    """The nodes, whole before part."""
    relations: tuple[Relation, ...]
    """The edges."""

    @classmethod
    def of(cls, hsg: HSG) -> Self:
        """The record of an HSG."""
        nodes = tuple(Node(id=node, **dict(semiosis)) for node, semiosis in hsg.semioses.items())
        return cls(sign=hsg.sign, reading=hsg.reading, semioses=nodes, relations=hsg.relations)

    def hsg(self) -> HSG:
        """The HSG it records, checked."""
        # Checked already, when the record was made: `model_construct` leaves out what is no field, the id.
        semioses = {node.id: Semiosis.model_construct(**node.__dict__) for node in self.semioses}
        if len(semioses) != len(self.semioses):
            raise DataError("two nodes have the same id", fix="node ids are unique in their HSG")
        return HSG(self.sign, semioses, self.relations, self.reading)


Recorded = (
    TextSign
    | ImageSign
    | CompositeSign
    | HSG
    | Alignment
    | Comparison
    | Question
    | Verdict
    | Rating
    | Answer
    | Score
)
"""A value with a line of its own in a study's record."""

MODELS: dict[str, type[Value]] = {
    "text": TextSign,
    "image": ImageSign,
    "composite": CompositeSign,
    "hsg": HSGRecord,
    "alignment": Alignment,
    "comparison": Comparison,
    "question": Question,
    "verdict": Verdict,
    "rating": Rating,
    "answer": Answer,
    "score": Score,
}


def kind_of(value: Recorded) -> str:
    """The value's kind, as its JSON names it."""
    return "hsg" if isinstance(value, HSG) else value.kind


def to_json(value: Recorded) -> str:
    """One line of JSON: kind, version, id, then the fields.

    >>> from semiosis.values import text
    >>> from_json(to_json(text("a lily"))) == text("a lily")
    True
    """
    model = HSGRecord.of(value) if isinstance(value, HSG) else value
    fields = model.model_dump(mode="json")
    head = {"kind": fields.pop("kind"), "version": VERSION, "id": value.id}
    try:
        return write_json(head | fields).decode()
    except PydanticSerializationError as error:
        raise DataError(
            "a text holds half of a surrogate pair, which is no character", fix="decode the text as UTF-8"
        ) from error


def from_json(line: str | bytes, *, where: str = "") -> Recorded:
    """The value a line of JSON spells, checked against the id it carries."""
    fields = json_object(line, where=where)
    kind, version, given_id = fields.pop("kind", None), fields.pop("version", None), fields.pop("id", None)
    if not isinstance(kind, str) or kind not in MODELS:
        raise DataError(f"unknown kind {kind!r}", where=where, fix=f"kinds are {', '.join(MODELS)}")
    _check_version(version, where)
    value = _build(kind, fields, where)
    if given_id is not None and given_id != value.id:
        raise DataError(
            f"the content does not match its id: {given_id!r} is written, {value.id!r} is true",
            where=where,
            fix="the value was changed by hand: remove the id, or restore the content",
        )
    return value


def json_object(line: str | bytes, *, where: str = "") -> dict[str, Any]:
    """The JSON object on a line."""
    try:
        fields = parse_json(line, allow_inf_nan=False)
    except ValueError as error:
        raise DataError(f"not JSON: {error}", where=where, fix="restore the line from its source") from error
    if not isinstance(fields, dict):
        raise DataError("not a JSON object", where=where, fix="a value is written {…}")
    return fields


def _check_version(version: object, where: str) -> None:
    if type(version) is int and version > VERSION:
        raise DataError(
            f"written by a newer Semiosis (version {version})",
            where=where,
            fix="pip install --upgrade semiosis",
        )
    if type(version) is not int or version != VERSION:  # True and 1.0 equal 1
        raise DataError(
            f"version {version!r}, this is {VERSION}", where=where, fix="run: semiosis migrate FILE"
        )


def _build(kind: str, fields: dict[str, Any], where: str) -> Recorded:
    try:
        model = MODELS[kind].model_validate(fields)
        value: Any = model.hsg() if isinstance(model, HSGRecord) else model
    except ValidationError as error:
        raise DataError(
            f"not a valid {kind}: {told(error)}", where=where, fix="see: semiosis schema " + kind
        ) from error
    except DataError as error:
        raise DataError(error.what, where=where or error.where, node=error.node, fix=error.fix) from error
    return value  # type: ignore[no-any-return]  # validated against the kind


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a kind, with the keys every line carries."""
    if kind not in MODELS:
        raise UsageError(f"unknown kind {kind!r}", fix=f"kinds are {', '.join(MODELS)}")
    described = TypeAdapter(MODELS[kind]).json_schema(mode="validation")
    head = {
        "version": {"const": VERSION, "type": "integer", "description": "Version of the JSON."},
        "id": {"type": "string", "description": "The hash of the value's content."},
    }
    described["properties"] = head | described["properties"]
    described["required"] = sorted({"kind", "version", *described.get("required", ())})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described}
