"""Reads the annotations in an export of Label Studio, in its formats JSON, JSON-MIN, CSV and TSV."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from semiosis.files import MAX_DIGITS, read_bytes
from semiosis.study._table import MAX_BYTES, read_table
from semiosis.values import DataError, unique_keys

_RECORD_FIELDS = (
    "id",
    "annotator",
    "annotation_id",
    "created_at",
    "updated_at",
    "lead_time",
    "agreement",
    "history",
)
"""Fields of a record in JSON-MIN or CSV that are neither data of the task nor results."""


@dataclass(frozen=True)
class ControlResult:
    """The entry of an annotator in one control of the labelling interface."""

    control: str
    """The name of the control, `from_name` in the export."""
    value: Mapping[str, Any]
    """The entry: `selected`, `choices`, `rating`, or something else."""
    objects: str = ""
    """The names of the objects that the entry is about, `to_name` in the export."""
    maybe_text: bool = False
    """Whether the entry may be free text, which JSON-MIN and CSV write like a choice."""


@dataclass(frozen=True)
class Annotation:
    """The entries of one annotator for one task."""

    number: int
    """The position of the task in the file, from 1; in a CSV, the line."""
    task: Any
    """The id of the task."""
    id: Any
    """The id of the annotation, by which an annotation that the export contains twice is recognised."""
    data: Mapping[str, Any]
    """The data of the task."""
    annotator: str
    """The email address of the annotator, or `annotator` and a number; empty if it is not stated."""
    results: tuple[ControlResult, ...]


@dataclass(frozen=True)
class Export:
    """The annotations of an export in chronological order, and the numbers of those that are left out."""

    annotations: tuple[Annotation, ...]
    skipped: int
    """The number of annotations of skipped tasks."""
    predictions: int
    """The number of predictions of models."""


def read_export(path: Path, reject: Callable[[int, str], None]) -> Export:
    """Return the annotations of an export. `reject` notes what is wrong with a task, by its position."""
    found: dict[Any, Annotation] = {}
    skipped = predictions = 0
    for number, task in _table_tasks(path) if is_table(path) else enumerate(_tasks(path), start=1):
        try:
            predictions += len(task.get("predictions") or ())
            for annotation in _annotations(task, number):
                if annotation is None:
                    skipped += 1
                else:
                    key = len(found) if annotation.id is None else ("id", annotation.id)
                    found.setdefault(key, annotation)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            what = f"it has no {error}" if isinstance(error, KeyError) else "it is not a Label Studio task"
            task_id = task.get("id", "?") if isinstance(task, Mapping) else "?"
            reject(number, f"task {task_id}: {what}")
    # Label Studio numbers annotations in chronological order, and writes them in no fixed order.
    in_order = sorted(found.values(), key=lambda found: found.id if isinstance(found.id, int) else 0)
    return Export(tuple(in_order), skipped, predictions)


def is_table(path: Path) -> bool:
    """Return whether an export is CSV or TSV, so that its annotations are named by line."""
    return path.suffix.lower() in (".csv", ".tsv")


def _table_tasks(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records of a CSV with their lines. Its columns are sorted, so `id` comes first here."""
    table = read_table(path, {"id": (), "annotation_id": ()}, required=["id", "annotation_id"])
    table.raise_if_bad("export again")
    for row in table.rows:
        cells = {name: _cell_value(cell) for name, cell in row.cells.items() if name != "id"}
        numbers = {name: _whole(row.get(name)) for name in ("id", "annotation_id", "annotator")}
        yield row.line, {"id": numbers["id"], **cells, **numbers}


def _whole(cell: str) -> int | str | None:
    return int(cell) if cell.isdecimal() and len(cell) <= MAX_DIGITS else cell or None


def _cell_value(cell: str) -> Any:
    """Return the entry in a cell: JSON, or else a text, which may be a choice. An empty one is no entry."""
    try:
        entry = json.loads(cell) if cell.startswith(("[{", "{")) else cell or None
    except (ValueError, RecursionError):
        return cell
    return entry


def _tasks(path: Path) -> list[Any]:
    try:
        text = read_bytes(path, MAX_BYTES, "the export").decode("utf-8-sig")
        tasks = json.loads(text, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise DataError(
            f"not a JSON file: {error}", where=str(path), fix="export as JSON, JSON-MIN or CSV"
        ) from error
    if isinstance(tasks, dict):
        tasks = [tasks]
    if not isinstance(tasks, list):
        raise DataError("expected a list of tasks", where=str(path), fix="export as JSON, JSON-MIN or CSV")
    return tasks


def _annotations(task: Any, number: int) -> Iterator[Annotation | None]:
    """Yield the annotations of a task; None for one that was skipped."""
    make = partial(Annotation, number, task.get("id", "?"))
    if "annotation_id" in task and "data" not in task:
        if task["annotation_id"] is not None:  # None for a task without annotations
            results = tuple(_short_results(task))
            yield make(task["annotation_id"], task, _annotator_name(task.get("annotator")), results)
        return
    data = dict(task["data"])
    for made in task.get("annotations") or task.get("completions") or ():
        if made.get("was_cancelled") or made.get("skipped"):
            yield None
        else:
            results = tuple(map(_result, made.get("result") or ()))
            yield make(made.get("id"), data, _annotator_name(made.get("completed_by")), results)


def _result(result: Mapping[str, Any]) -> ControlResult:
    value = dict(result.get("value") or {})  # a relation between regions has none
    return ControlResult(str(result.get("from_name", "")), value, str(result.get("to_name", "")))


def _short_results(record: Mapping[str, Any]) -> Iterator[ControlResult]:
    """Yield the results of a record in JSON-MIN, which come after the data of the task and its id."""
    names = list(record)
    for name in names[names.index("id") :] if "id" in names else names:
        entry = record[name]
        if name in _RECORD_FIELDS:
            continue
        if isinstance(entry, str):
            yield ControlResult(name, {"choices": [entry]}, maybe_text=True)
        for value in entry if isinstance(entry, list) else [entry]:
            if isinstance(value, dict):
                yield ControlResult(name, value)


def _annotator_name(annotator: Any) -> str:
    if isinstance(annotator, Mapping):
        annotator = annotator.get("email") or annotator.get("id")
    if isinstance(annotator, int):
        return f"annotator {annotator}"
    return str(annotator or "")
