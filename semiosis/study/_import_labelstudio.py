"""Imports pairwise choices and ratings from an export of Label Studio."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qs, unquote, urlsplit

from semiosis.study._adding import ImportResult, add_values
from semiosis.study._collect import ImportOptions, ObservationCollector, choice_sides
from semiosis.study._import_vote import vote
from semiosis.study._labelstudio import Annotation, ControlResult, Export, is_table, read_export
from semiosis.study._study import Study, read_study
from semiosis.study._table import MAX_NAMED, InputTable, problem_text
from semiosis.values import DataError, Evaluator, ImageSign, Rating, UsageError, Verdict

KEYS: dict[str, tuple[str, ...]] = {
    "prompt": ("prompt", "text", "caption", "prompt_id"),
    "a": ("a", "image_a", "left", "image1", "img_left", "answer1"),
    "b": ("b", "image_b", "right", "image2", "img_right", "answer2"),
    "file": ("file", "image", "picture"),
}
"""The keys of a task's data, each with the other names that are recognised."""
_SIDES = {"left": "a", "right": "b", "a": "a", "b": "b", "tie": "tie"}
_UPLOAD = re.compile(r"^[0-9a-f]{8}-")
"""The prefix that Label Studio adds to the name of an uploaded file."""
_NOT_UPLOADED = re.compile(r"[^-\w.]")
"""The characters that it removes from the name, after it has replaced spaces."""


@dataclass(frozen=True)
class _Project:
    """How the tasks of a project are interpreted."""

    keys: Mapping[str, str]
    """The keys of the data that hold `prompt`, `a`, `b` and `file`."""
    controls: Collection[str]
    """The names of the controls to read; empty for all."""
    choices: Mapping[str, str]
    """The side that each choice means, `a`, `b` or `tie`, by the choice in lower case."""
    uploaded: Mapping[str, str] = field(default_factory=dict)
    """The names of pictures by the names that they have after an upload, where these differ."""
    choice_controls: set[str] = field(default_factory=set)
    """The controls whose entries are choices and not free text, because one of them names a side."""
    unread: Counter[str] = field(default_factory=Counter)
    """The number of results that were left out, by control."""


def import_labelstudio(
    folder: str | Path,
    path: str | Path,
    *,
    options: ImportOptions | None = None,
    keys: Mapping[str, str] | None = None,
    controls: Collection[str] = (),
    choices: Mapping[str, str] | None = None,
    dry_run: bool = False,
) -> ImportResult:
    """Add the annotations of a Label Studio export (JSON, JSON-MIN or CSV) to a study, all of them or none.

    A pairwise selection or a single choice of left, right, a, b or tie becomes a verdict. A rating becomes a
    rating of one picture, on a scale named after its control. A second annotation of a pair by the same
    annotator is a repeat. `keys` names the keys of the data that hold `prompt`, `a`, `b` and `file`,
    `controls` the controls to read (all if empty), and `choices` what other choices mean:
    `{"the left one": "a"}`. Errors name a task by its position or line, and by its id.
    """
    if unknown := set(keys or ()) - KEYS.keys():
        raise UsageError(f"unknown key {min(unknown)!r}", fix=f"use one of {', '.join(KEYS)}")
    study = read_study(folder)
    table = InputTable(Path(path), [], [])
    meanings = {**_SIDES, **choice_sides(choices or {})}
    project = _Project(keys or {}, controls, meanings, _uploaded_names(study))
    collector = ObservationCollector(study, table.reject, options or ImportOptions())
    export = read_export(Path(path), table.reject)
    project.choice_controls.update(_choice_controls(export, project))
    repeats: Counter[tuple[str, ...]] = Counter()
    for annotation in export.annotations:
        try:
            for value in _observations(annotation, collector, project):
                collector.add(annotation.number, _with_repeat(value, repeats))
        except ValueError as error:
            table.reject(annotation.number, f"task {annotation.task}: {problem_text(error)}")
    _raise_if_bad(table)
    if not collector.lines:
        found = sorted({result.control for each in export.annotations for result in each.results})
        raise DataError(
            "there are no pairwise selections, choices or ratings in this file",
            where=str(path),
            fix=f"name the controls to read with --control; the file has {', '.join(found) or 'none'}",
        )
    notes = [*_notes_on_omissions(export, project.unread), *collector.notes]
    return add_values(study, collector.values, "import", notes=notes, dry_run=dry_run)


def _with_repeat(value: Verdict | Rating, repeats: Counter[tuple[str, ...]]) -> Verdict | Rating:
    """Return an observation with the number of its repeat: 0 for the first of an annotator."""
    if isinstance(value, Verdict):
        key: tuple[str, ...] = (value.evaluator.name, value.comparison, value.shown)
    else:
        key = (value.evaluator.name, value.about, value.scale)
    repeats[key] += 1
    return value.model_copy(update={"repeat": repeats[key] - 1})


def _notes_on_omissions(export: Export, unread: Counter[str]) -> Iterator[str]:
    """Yield notes on what the export contains and the study does not."""
    if export.skipped:
        yield f"skipped annotations that are left out: {export.skipped:,}"
    if export.predictions:
        yield f"predictions that are left out: {export.predictions:,}"
    for control, n in unread.items():
        yield f"results of the control {control!r} that are left out, as they hold no choice or rating: {n:,}"


def _raise_if_bad(table: InputTable) -> None:
    if table.bad:
        unit = "line" if is_table(table.path) else "number"
        named = [f"{unit} {number}: {what}" for number, what in sorted(table.bad.items())[:MAX_NAMED]]
        more = [f"and {len(table.bad) - MAX_NAMED:,} more"] if len(table.bad) > MAX_NAMED else []
        count = f"{len(table.bad):,} bad task{'' if len(table.bad) == 1 else 's'}; nothing was written"
        raise DataError(
            "\n  ".join([count, *named, *more]),
            where=str(table.path),
            fix="correct these tasks, or add the signs they name",
        )


def _choice_controls(export: Export, project: _Project) -> Iterator[str]:
    """Yield the controls whose entries are choices, because one of them names a side."""
    for annotation in export.annotations:
        for result in annotation.results:
            if result.maybe_text and str(result.value["choices"][0]).casefold() in project.choices:
                yield result.control


def _observations(
    annotation: Annotation, collector: ObservationCollector, project: _Project
) -> Iterator[Verdict | Rating]:
    """Yield the ratings of an annotation, and its verdict if it has one."""
    evaluator = collector.evaluator(annotation.annotator)
    sides: dict[str, str] = {}
    for result in annotation.results:
        if project.controls and result.control not in project.controls:
            continue
        if "rating" in result.value:
            yield _rating(annotation, result, collector, evaluator, project)
        elif side := _side(annotation, result, project):
            sides[result.control] = side
        elif not result.maybe_text and not result.value.keys() & {"selected", "choices"}:
            project.unread[result.control] += 1
    if len(sides) > 1:
        raise ValueError(f"several controls name a side: {', '.join(sides)}; choose one with --control NAME")
    for side in sides.values():
        a, b = (_picture(annotation, project, each) for each in ("a", "b"))
        yield vote(collector, (_text(annotation, project, "prompt"), a, b), evaluator, side)


def _side(annotation: Annotation, result: ControlResult, project: _Project) -> str:
    """Return the side that a pairwise selection or a choice names, or an empty text if there is none."""
    entered = [result.value["selected"]] if "selected" in result.value else result.value.get("choices") or []
    if entered in ([], [None], ["none"]):  # "none" is a selection that was withdrawn
        return ""
    if len(entered) > 1:
        raise ValueError(
            f"the control {result.control!r} has {len(entered)} choices, and a verdict is one choice; "
            "name the controls to read with --control NAME"
        )
    keys = {key.casefold(): side for side in ("a", "b") if (key := _key(annotation, project, side))}
    choice = str(entered[0])
    side = {**keys, **project.choices}.get(choice.casefold())
    choice_controls = {*project.controls, *project.choice_controls}
    if side is None and result.maybe_text and result.control not in choice_controls:
        return ""
    if side is None:
        raise ValueError(
            f"the choice {choice!r} of the control {result.control!r} is not left, right, a, b or tie; "
            f"state its meaning, such as --choice tie={choice!r}, or name the controls to read with --control"
        )
    return side


def _rating(
    annotation: Annotation,
    result: ControlResult,
    collector: ObservationCollector,
    evaluator: Evaluator,
    project: _Project,
) -> Rating:
    prompt = _text(annotation, project, "prompt")
    about = collector.names.sign(
        _rated_picture(annotation, result, project), collector.names.prompt(prompt) if prompt else ""
    )
    low, high = collector.options.low or 0.0, collector.options.high
    high = 5.0 if high is None else high
    low = 1.0 if collector.options.low is None else low
    value = _number(result)
    if not low <= value <= high:
        raise ValueError(
            f"the rating {value:g} is not on the scale from {low:g} to {high:g}; set --low and --high"
        )
    scale = result.control
    return Rating(
        evaluator=evaluator, about=about, about_kind="sign", scale=scale, low=low, high=high, value=value
    )


def _number(result: ControlResult) -> float:
    entered = result.value["rating"]
    if type(entered) in (int, float):
        return float(entered)
    raise ValueError(f"the rating {entered!r} of the control {result.control!r} is not a number")


def _rated_picture(annotation: Annotation, result: ControlResult, project: _Project) -> str:
    """Return the name of the picture that a rating is about."""
    if "," in result.objects:
        raise ValueError(
            f"the rating {result.control!r} is about several pictures; name the other controls to read with "
            "--control NAME"
        )
    sides = {_key(annotation, project, side) for side in ("a", "b")}
    if result.objects in sides:
        return _file_name(str(annotation.data[result.objects]), project)
    return _picture(annotation, project, "file")


def _key(annotation: Annotation, project: _Project, name: str) -> str | None:
    """Return the key of the data that holds a, b, the prompt or the file; None if there is none."""
    if name in project.keys:
        return project.keys[name]
    return next((each for each in KEYS[name] if each in annotation.data), None)


def _text(annotation: Annotation, project: _Project, name: str) -> str:
    key = _key(annotation, project, name)
    return str(annotation.data.get(key) or "") if key else ""


def _picture(annotation: Annotation, project: _Project, name: str) -> str:
    found = _text(annotation, project, name)
    if not found:
        raise ValueError(f"its data has no {name!r}; name its key with --key {name}=KEY")
    return _file_name(found, project)


def _uploaded_names(study: Study) -> dict[str, str]:
    """Return the names of pictures by the names that Label Studio gives them, where these differ."""
    names = [PurePosixPath(sign.title).name for sign in study.signs.values() if isinstance(sign, ImageSign)]
    uploaded = {_NOT_UPLOADED.sub("", name.strip().replace(" ", "_")): name for name in names}
    return {after: name for after, name in uploaded.items() if after != name and after not in names}


def _file_name(address: str, project: _Project) -> str:
    """Return the name of a picture from its address in Label Studio."""
    parts = urlsplit(address)
    local = parse_qs(parts.query).get("d")
    path = local[0] if local else unquote(parts.path)
    if "/upload/" in path:
        name = _UPLOAD.sub("", path.rpartition("/")[2])
        return project.uploaded.get(PurePosixPath(name).stem, name)
    return path.rpartition("/")[2] if parts.scheme else path
