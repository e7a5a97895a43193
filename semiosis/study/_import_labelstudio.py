"""Imports pairwise choices and ratings from a JSON export of Label Studio."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from semiosis.files import read_bytes
from semiosis.study._adding import ImportResult, add_values
from semiosis.study._collect import ImportOptions, ObservationCollector
from semiosis.study._import_vote import vote
from semiosis.study._study import read_study
from semiosis.study._table import MAX_BYTES, InputTable
from semiosis.values import DataError, Observation, Rating

KEYS: dict[str, tuple[str, ...]] = {
    "prompt": ("prompt", "text", "caption", "prompt_id"),
    "a": ("a", "image_a", "left", "image1", "img_left"),
    "b": ("b", "image_b", "right", "image2", "img_right"),
    "file": ("file", "image", "picture"),
}
"""The keys of a task's data, and other names under which they are found."""
_SIDES = {"left": "a", "right": "b", "a": "a", "b": "b", "tie": "tie"}
_UPLOAD = re.compile(r"^[0-9a-f]{8}-")
"""What Label Studio puts before the name of an uploaded file."""


def import_labelstudio(
    folder: str | Path,
    path: str | Path,
    *,
    options: ImportOptions | None = None,
    keys: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> ImportResult:
    """Add the annotations of a Label Studio export (JSON) to a study, all of them or none.

    A pairwise selection or a single choice of left, right, a, b or tie is a verdict; a rating is a rating of
    the task's picture on a scale called after its control. A bad task is named by its position and id.
    """
    study = read_study(folder)
    tasks = _tasks(Path(path))
    table = InputTable(Path(path), [], [])
    collector = ObservationCollector(study, table.reject, options or ImportOptions())
    for number, task in enumerate(tasks, start=1):
        try:
            for value in _observations(task, collector, keys or {}):
                collector.add(number, value)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            what = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
            table.reject(number, f"task {task.get('id', '?') if isinstance(task, dict) else '?'}: {what}")
    _raise_if_bad(table)
    return add_values(study, collector.values, "import", notes=collector.notes, dry_run=dry_run)


def _tasks(path: Path) -> list[Any]:
    try:
        tasks = json.loads(read_bytes(path, MAX_BYTES, "the export").decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise DataError(f"not a JSON file: {error}", where=str(path), fix="export as JSON") from error
    if not isinstance(tasks, list):
        raise DataError("expected a list of tasks", where=str(path), fix="export as JSON, not JSON-MIN")
    return tasks


def _raise_if_bad(table: InputTable) -> None:
    if table.bad:
        named = [f"number {number}: {what}" for number, what in list(table.bad.items())[:10]]
        what = "\n  ".join([f"{len(table.bad):,} bad tasks; nothing was written", *named])
        raise DataError(what, where=str(table.path), fix="correct these tasks, or add the signs they name")


def _observations(
    task: Any, collector: ObservationCollector, keys: Mapping[str, str]
) -> Iterator[Observation]:
    data = _fields(task["data"], keys)
    for annotation in task.get("annotations", ()):
        if annotation.get("was_cancelled"):
            continue
        evaluator = collector.evaluator(_who(annotation.get("completed_by")))
        for result in annotation.get("result", ()):
            value = result["value"]
            if "rating" in value:
                prompt = collector.names.prompt(data["prompt"]) if data.get("prompt") else ""
                about = collector.names.sign(data["file"], prompt)
                low, high = collector.options.low, collector.options.high
                fields = {"scale": result["from_name"], "low": low, "high": high}
                rating = float(value["rating"])
                yield Rating(evaluator=evaluator, about=about, about_kind="sign", value=rating, **fields)
            elif side := _side(value):
                yield vote(collector, (data.get("prompt", ""), data["a"], data["b"]), evaluator, side)


def _side(value: Mapping[str, Any]) -> str:
    """Return the side that a pairwise selection or a choice names; empty for another kind of result."""
    selected = value.get("selected") or (value.get("choices") or [""])[0]
    if not selected:
        return ""
    side = _SIDES.get(str(selected).casefold())
    if side is None:
        raise ValueError(f"the choice {selected!r} is none of left, right, a, b and tie")
    return side


def _fields(data: Mapping[str, Any], keys: Mapping[str, str]) -> dict[str, str]:
    found = {}
    for name, spellings in KEYS.items():
        key = keys.get(name) or next((each for each in spellings if each in data), "")
        if key in data:
            found[name] = str(data[key]) if name == "prompt" else _file_name(str(data[key]))
    return found


def _file_name(address: str) -> str:
    """Return the name of a picture from its address in Label Studio."""
    parts = urlsplit(address)
    local = parse_qs(parts.query).get("d")
    path = local[0] if local else unquote(parts.path)
    if "/upload/" in path:
        return _UPLOAD.sub("", path.rpartition("/")[2])
    return path.rpartition("/")[2] if parts.scheme else path


def _who(completed_by: Any) -> str:
    if isinstance(completed_by, Mapping):
        return str(completed_by.get("email") or completed_by.get("id") or "")
    return f"annotator {completed_by}" if completed_by is not None else ""
