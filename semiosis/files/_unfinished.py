"""Undoes unfinished writes, so that either all values are added to a record or none.

The state before a write is on disk before the first byte is written. If the process is killed, the next
process that reads or writes the study restores that state.
"""

import json
import os
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import filelock

from semiosis.files._read import read_text, resolve_path
from semiosis.files._write import atomic_write, write_error
from semiosis.values import DataError, MachineError

HIDDEN_FOLDER = ".semiosis"
"""The folder inside a study for files that can be recreated."""
LOCK_SECONDS = 10.0
"""Seconds to wait for another process that writes the same file."""

_MAX_NOTE_BYTES = 10_000_000
_RECORD = re.compile(r"[a-z]+(/[\w.-]+)?\.jsonl")
_IMAGE = re.compile(r"images/[0-9a-f]{20}\.(png|jpg|webp|gif)")


class _FolderState(NamedTuple):
    """The state of a study folder before a write."""

    sizes: dict[Path, int]
    """The size of each record file without an incomplete last line; 0 if the file did not exist."""
    images: list[Path]
    """The image files that did not exist."""


def record_lock(folder: Path, file: Path) -> filelock.BaseFileLock:
    """Return the lock of a record file. Its holder is the only process that writes the file."""
    locks = folder / HIDDEN_FOLDER / "locks"
    try:
        locks.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(error, locks) from error
    name = file.relative_to(folder).as_posix().replace("/", "_")
    return filelock.FileLock(locks / f"{name}.lock", timeout=LOCK_SECONDS)


@contextmanager
def all_or_none(folder: Path, sizes: dict[Path, int], images: Iterable[Path]) -> Iterator[None]:
    """Undo what the block writes if it ends with an error.

    `sizes` has the current size of each record file that the block appends to; the caller holds their locks.
    `images` are the image files that the block creates.
    """
    before = _FolderState(sizes, list(images))
    note = folder / HIDDEN_FOLDER / f"unfinished-{os.getpid()}-{threading.get_ident()}.json"
    sizes_by_name = {file.relative_to(folder).as_posix(): size for file, size in before.sizes.items()}
    image_names = [image.relative_to(folder).as_posix() for image in before.images]
    atomic_write(note, json.dumps({"sizes": sizes_by_name, "pictures": image_names}))
    try:
        yield
    except BaseException:  # including Ctrl-C
        _undo(before)
        note.unlink()
        raise
    note.unlink()


def undo_unfinished(folder: Path) -> None:
    """Undo the writes of killed processes. Those of running processes are left alone."""
    for note in _notes(folder):
        before = _read_note(folder, note)
        with ExitStack() as locks:
            try:
                for file in sorted(before.sizes):
                    locks.enter_context(record_lock(folder, file).acquire(timeout=0))
            except filelock.Timeout:
                continue  # its writer is still running
            # Before the locks were taken, the write may have ended and another one may have been killed.
            if note.exists() and _read_note(folder, note) == before:
                _undo(before)
                note.unlink()


def refuse_unfinished(folder: Path, file: Path) -> None:
    """Raise if the last writer of a file was killed since `undo_unfinished`. The caller holds the lock."""
    if any(file in _read_note(folder, note).sizes for note in _notes(folder)):
        raise MachineError(
            "the process that wrote this file was stopped before it finished",
            where=str(file),
            fix="run the same command again",
        )


def _notes(folder: Path) -> list[Path]:
    return sorted((folder / HIDDEN_FOLDER).glob("unfinished-*.json"))


def _read_note(folder: Path, note: Path) -> _FolderState:
    """Return the state in a note. Files outside the folder are ignored, because a study may be hostile."""
    try:
        content = json.loads(read_text(note, _MAX_NOTE_BYTES))
        sizes, images = dict(content["sizes"]), list(content["pictures"])
    except (DataError, ValueError, KeyError, TypeError, RecursionError):
        return _FolderState({}, [])
    resolved_folder = resolve_path(folder)
    return _FolderState(
        {
            folder / name: size
            for name, size in sizes.items()
            if _RECORD.fullmatch(name) and isinstance(size, int) and _inside(folder / name, resolved_folder)
        },
        [
            folder / name
            for name in images
            if isinstance(name, str) and _IMAGE.fullmatch(name) and _inside(folder / name, resolved_folder)
        ],
    )


def _inside(path: Path, folder: Path) -> bool:
    return resolve_path(path).is_relative_to(folder)


def _undo(before: _FolderState) -> None:
    for file, size in before.sizes.items():
        if size <= 0 and file.is_file():
            file.unlink()
        elif file.is_file() and file.stat().st_size > size:
            os.truncate(file, size)
    for image in before.images:
        image.unlink(missing_ok=True)
        for draft in image.parent.glob(f".{image.name}.*.draft"):
            draft.unlink(missing_ok=True)
