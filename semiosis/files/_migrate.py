"""Converts older JSON to the current version, one step at a time. Ids stay the same."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from semiosis.files._read import read_text
from semiosis.files._write import atomic_write
from semiosis.values import JSON_VERSION, DataError, from_json, json_object, to_json

Fields = dict[str, Any]

_MAX_BYTES = 1_000_000_000


def _from_0(fields: Fields) -> Fields:
    """Convert version 0, which was never released, with `type` for `kind` and one `place` for `places`."""
    fields = {("kind" if name == "type" else name): value for name, value in fields.items()}
    nodes = fields.get("semioses")
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, dict) and "place" in node:
            node["places"] = [node.pop("place")]
    return fields


STEPS: dict[int, Callable[[Fields], Fields]] = {0: _from_0}
"""For each version, the function that converts the fields of a line to the next version."""


def migrate_line(line: str, *, where: str = "") -> str:
    """Return a line of JSON in the current version. A line in this version is returned unchanged."""
    fields = json_object(line, where=where)
    line_version = fields.get("version", 0)
    if (
        type(line_version) is not int or not min(STEPS) <= line_version <= JSON_VERSION
    ):  # True and 1.0 equal 1
        raise DataError(
            f"version {line_version!r} is unknown", where=where, fix="pip install --upgrade semiosis"
        )
    if line_version == JSON_VERSION:
        return line
    for version in range(line_version, JSON_VERSION):
        fields = {**STEPS[version](fields), "version": version + 1}
    return to_json(from_json(json.dumps(fields), where=where))


def migrate_file(file: Path) -> int:
    """Convert a file's lines to the current version, in place and atomically; return how many changed."""
    # `splitlines` is not used, because it also splits at characters that may occur inside a JSON text.
    lines = read_text(file, _MAX_BYTES).removesuffix("\n").split("\n")
    migrated = [
        migrate_line(line, where=f"{file}:{n}") if line.strip() else line for n, line in enumerate(lines, 1)
    ]
    changed = sum(old != new for old, new in zip(lines, migrated, strict=True))
    if changed:
        atomic_write(file, "".join(line + "\n" for line in migrated))
    return changed
