"""Reads values from versioned JSON: every value is one line, which is restored exactly."""

import json
from functools import lru_cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from semiosis.values._alignment import AlignedHSG
from semiosis.values._errors import DataError, UsageError
from semiosis.values._hsg_record import HSGRecord
from semiosis.values._kinds import KINDS, Recorded
from semiosis.values._observation import Evaluator
from semiosis.values._value import Value, format_error
from semiosis.values._write_json import JSON_VERSION


def from_json(line: str | bytes, *, where: str = "") -> Recorded:
    """Return the value in a line of JSON, checked against its id."""
    fields = json_object(line, where=where)
    kind, version, given_id = fields.pop("kind", None), fields.pop("version", None), fields.pop("id", None)
    if not isinstance(kind, str) or kind not in KINDS:
        raise DataError(f"unknown kind {kind!r}", where=where, fix=f"kinds are {', '.join(KINDS)}")
    _check_version(version, where)
    value = _build(kind, fields, where)
    if given_id is not None and given_id != value.id:
        raise DataError(
            f"the content does not match its id: the line says {given_id!r}, the content gives {value.id!r}",
            where=where,
            fix="restore the content, or remove the id if the change is intended",
        )
    return value


def json_object(line: str | bytes, *, where: str = "") -> dict[str, Any]:
    """Return the JSON object on a line. Repeated keys and constants such as NaN are refused."""
    try:
        text = line if isinstance(line, str) else line.decode("utf-8")
        fields = json.loads(text, object_pairs_hook=unique_keys, parse_constant=_refuse_constant)
        if "\\ud" in text.lower():  # an escape may be half of a surrogate pair, which is not a character
            json.dumps(fields, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise DataError(f"not JSON: {error}", where=where, fix="restore the line from a backup") from error
    if not isinstance(fields, dict):
        raise DataError("not a JSON object", where=where, fix="write a value as {…}")
    return fields


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. A key that occurs twice raises a ValueError; `json` would keep the last one."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {repeated!r} occurs twice")
    return fields


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _check_version(version: object, where: str) -> None:
    if type(version) is int and version > JSON_VERSION:
        raise DataError(
            f"written by a newer Semiosis (version {version})",
            where=where,
            fix="pip install --upgrade semiosis",
        )
    if type(version) is not int or version != JSON_VERSION:  # True and 1.0 equal 1
        raise DataError(
            f"the line has version {version!r}, not {JSON_VERSION}",
            where=where,
            fix="restore the file, or make the value again",
        )


def _build(kind: str, fields: dict[str, Any], where: str) -> Recorded:
    for name in _SHARED.keys() & fields.keys():
        fields[name] = _shared(name, json.dumps(fields[name]))
    try:
        model = KINDS[kind].model.model_validate(fields)
        value: Any = model.hsg() if isinstance(model, HSGRecord) else model
    except ValidationError as error:
        raise DataError(
            f"not a valid {kind}: {format_error(error)}", where=where, fix="see: semiosis schema " + kind
        ) from error
    except DataError as error:
        raise DataError(error.what, where=where or error.where, node=error.node, fix=error.fix) from error
    return value  # type: ignore[no-any-return]  # validated against the kind


# Many lines repeat an evaluator with its settings, or a prompt's HSG. Sharing these parts reduces a verdict
# with citations from 7.4 to 4.0 kB, and the time to read a verdict or an alignment by a third.
_SHARED: dict[str, type[Value]] = {"evaluator": Evaluator, "source": AlignedHSG}


@lru_cache(maxsize=1024)
def _shared(name: str, json_text: str) -> Any:
    """Return the part of a value in a JSON text, or its plain content if it is not a valid part.

    Recent parts are cached, so that equal parts are the same object.
    """
    content = json.loads(json_text)
    try:
        return _SHARED[name].model_validate(content)
    except ValidationError:
        return content  # validating the whole value refuses it and names the field


def schema(kind: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind, including the keys that every line has."""
    if kind not in KINDS:
        raise UsageError(f"unknown kind {kind!r}", fix=f"kinds are {', '.join(KINDS)}")
    described = TypeAdapter(KINDS[kind].model).json_schema(mode="validation")
    head = {
        "version": {"const": JSON_VERSION, "type": "integer", "description": "Version of the JSON."},
        "id": {"type": "string", "description": "The hash of the value's content."},
    }
    described["properties"] = head | described["properties"]
    described["required"] = sorted({"kind", "version", *described.get("required", ())})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described}
