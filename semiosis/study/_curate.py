"""Merges studies, makes a study from a part of another, and finds values by name."""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from semiosis.files import STUDY_FILE, append_record, from_folder, new_folder, record_files, stream_record
from semiosis.study._adding import ImportResult, add_values, content_text, recorded_value
from semiosis.study._names import SignNames
from semiosis.study._study import Study, new_study, read_study
from semiosis.values import HSG, AnySign, DataError, Observation, Recorded, UsageError, parts_of, references


def merge_studies(target: str | Path, source: str | Path, *, dry_run: bool = False) -> ImportResult:
    """Add everything in the record of `source` to the study `target`, all or nothing.

    An observation that both have must say the same in both. Merging twice changes nothing.
    """
    into = read_study(target)
    read_study(source)  # refuses a folder that is not a study
    known = {value.id for _, value in _record(into.folder)}
    new: dict[str, Recorded] = {}
    n = 0
    for _, value in _record(Path(source)):
        n += 1
        recorded = recorded_value(into, value)
        if recorded is not None and isinstance(value, Observation):
            _check_same(recorded, value, source)
        if value.id not in known:
            new[value.id] = value
    added = add_values(into, new, "merged", dry_run=dry_run)
    return ImportResult(added.study, added.new, n - len(added.new))


def subset_study(source: str | Path, target: str | Path, prompts: Sequence[str]) -> Study:
    """Create a study with some prompts of another one, their artifacts, and the values about them.

    If that fails, no new folder remains.
    """
    folder = new_folder(target)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError("this folder is not empty", where=str(target), fix="choose another folder")
    study = read_study(source)
    names = SignNames(study.signs.values(), study.comparisons.values())
    try:
        kept = {names.prompt(name) for name in prompts}
    except ValueError as error:
        raise UsageError(str(error), where=str(source), fix="name prompts by title, text or id") from error
    kept |= {artifact for artifact, prompt in names.prompt_of.items() if prompt in kept}
    new: dict[str, list[Recorded]] = {}
    for run, value in _record(study.folder):
        if _concerns_only(value, kept):
            kept.add(value.id)
            if isinstance(value, HSG):
                kept.update(part.id for part in parts_of(value.sign))
            new.setdefault(run, []).append(value)
    about = study.head.model_dump(include={"title", "about", "licence", "language"})
    draft = folder.with_name(f".{folder.name}.{os.getpid()}.draft")
    try:
        made = new_study(draft, name=folder.resolve().name, **about)
        for run, values in new.items():
            append_record(made.folder, values, run)
        if folder.exists():
            folder.rmdir()
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return read_study(target)


def ids_of(folder: str | Path, names: Sequence[str]) -> list[str]:
    """Return the names, with names of prompts and pictures replaced by the ids of the signs."""
    if all(map(_ID.fullmatch, names)) or not (Path(folder) / STUDY_FILE).is_file():
        return list(names)
    study = read_study(folder)
    known = SignNames(study.signs.values(), study.comparisons.values())
    unknown = next((name for name in names if not known.has(name) and not _ID.fullmatch(name)), None)
    if unknown is not None:
        raise DataError(
            f"no value has the id {unknown!r}, and no prompt or picture has this name",
            where=str(folder),
            fix="name a prompt by title or text, a picture by its file, and any other value by its id",
        )
    try:
        return [known.sign(name) if known.has(name) else name for name in names]
    except ValueError as error:
        raise UsageError(
            str(error), where=str(folder), fix="name a picture by its file or by its id"
        ) from error


_ID = re.compile(r"[0-9a-f]{20}")


def _concerns_only(value: Recorded, kept: set[str]) -> bool:
    """Return whether a value is kept or refers to kept values only. The record has signs and HSGs first."""
    if isinstance(value, AnySign):
        return value.id in kept
    named = [reference.value_id for reference in references(value)]
    return set(named) <= kept


def _record(folder: Path) -> Iterator[tuple[str, Recorded]]:
    """Yield every value of a record with the name of its run, in an order in which references come first."""
    for file in record_files(folder):
        for line in stream_record(file):
            yield file.stem, from_folder(line.value, folder)


def _check_same(recorded: Recorded, value: Recorded, source: str | Path) -> None:
    theirs, ours = content_text(value), content_text(recorded)
    if theirs != ours:
        raise DataError(
            f"{value.kind} {value.id} says {theirs!r} here and {ours!r} in the other study",
            where=str(source),
            fix="remove one of them first: semiosis study remove",
        )
