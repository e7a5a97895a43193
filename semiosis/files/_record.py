"""The record of a study: JSON Lines files that are only appended to, by one writer at a time."""

import errno
import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from io import FileIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

import filelock

from semiosis.files._image import image_bytes
from semiosis.files._read import MAX_LINE_BYTES, is_file, line_too_long, read_lines, resolve_path
from semiosis.files._unfinished import (
    all_or_none,
    record_lock,
    refuse_unfinished,
    undo_unfinished,
)
from semiosis.files._write import atomic_write, write_error
from semiosis.values import (
    HSG,
    KINDS,
    AnySign,
    CompositeSign,
    DataError,
    ImageSign,
    MachineError,
    Recorded,
    TextSign,
    UsageError,
    from_json,
    json_object,
    parts_of,
    to_json,
)

_SUFFIX = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif"}
RecordedT = TypeVar("RecordedT", bound=Recorded)

_BLOCK_BYTES = 1 << 16


class RecordLine(NamedTuple):
    """A line of a record file."""

    value: Recorded
    """The value on the line."""
    end: int
    """The offset of the end of the line."""
    text: str
    """The line itself."""


def record_files(folder: Path) -> list[Path]:
    """Return the record files of a study, signs first. Unfinished writes of killed processes are undone."""
    undo_unfinished(folder)
    plain = [folder / f"{section}.jsonl" for section in _sections(per_run=False)]
    runs = [file for section in _sections(per_run=True) for file in _run_files(folder / section)]
    found = [file for file in (*plain, *runs) if os.path.lexists(file)]
    _refuse_odd_files(found, folder)
    return found


def _run_files(section: Path) -> list[Path]:
    if os.path.lexists(section) and not section.is_dir():
        raise DataError("the record needs a folder here", where=str(section), fix="restore it from a backup")
    return sorted(section.glob("*.jsonl"))


def _refuse_odd_files(files: Iterable[Path], folder: Path) -> None:
    """Refuse a record file that cannot be one.

    Writing to a link out of the study would change another file. A pipe, a folder or a broken link would be
    left out of the study silently.
    """
    resolved_folder = resolve_path(folder)
    for file in files:
        if os.path.lexists(file) and not file.is_file():
            raise DataError(
                "the record file is not a regular file", where=str(file), fix="restore it from a backup"
            )
        if not resolve_path(file).is_relative_to(resolved_folder):
            raise DataError(
                "the record file is a link that leads outside the study",
                where=str(file),
                fix="replace the link with a copy of the file",
            )


def _sections(per_run: bool) -> list[str]:
    return list(dict.fromkeys(kind.section for kind in KINDS.values() if kind.per_run == per_run))


def record_path(value: Recorded, run: str) -> str:
    """Return the path in a study of the file that records this value."""
    kind = KINDS[value.kind]
    return f"{kind.section}/{_run_name(run)}.jsonl" if kind.per_run else f"{kind.section}.jsonl"


def stream_record(file: Path, start: int = 0) -> Iterator[RecordLine]:
    """Yield the lines of a record file, starting at an offset. An incomplete last line is left out."""
    end = start
    with file.open("rb") as stream:
        stream.seek(start)
        for number, line in enumerate(read_lines(stream, file), start=1):
            if not line.endswith(b"\n"):
                return
            end += len(line)
            if line.strip():
                where = f"{file}:{number}" if start == 0 else f"{file} (line {number} after byte {start})"
                text = line.decode(errors="replace").rstrip("\n")
                yield RecordLine(from_json(line, where=where), end, text)


def torn_line(file: Path) -> bytes:
    """Return the incomplete last line that a crash left in a record file; empty if there is none."""
    with file.open("rb") as stream:
        stream.seek(_end_of_last_line(stream, file))
        return stream.read(MAX_LINE_BYTES)


def append_record(
    folder: Path, values: Iterable[Recorded], run: str = "saved", *, link: bool = False
) -> list[Recorded]:
    """Append values to a study's record under a run's name; return them as recorded.

    Image files outside the folder are copied into it, or hard-linked with `link`. The record files are locked
    while they are written. If a write fails or the process is killed, all of them are restored.
    """
    by_file: dict[Path, list[Recorded]] = {}
    for value in values:
        by_file.setdefault(folder / record_path(value, run), []).append(value)
    added = [value for group in by_file.values() for value in group]
    image_files = {target for value in added for target in _new_image_files(value, folder)}
    _refuse_odd_files(by_file, folder)
    undo_unfinished(folder)
    recorded: list[Recorded] = []
    with ExitStack() as locks:
        # Locks are always taken in the same order, so that two processes never wait for each other.
        writes = {file: locks.enter_context(writer(folder, file)) for file in sorted(by_file)}
        if image_files or len(added) > 1:
            sizes = {file: _size(file) for file in by_file}
            locks.enter_context(all_or_none(folder, sizes, image_files))
        for file, group in by_file.items():
            new = [_into_folder(value, folder, link=link) for value in group]
            writes[file]("".join(map(_line, new)))
            recorded += new
    return recorded


def _line(value: Recorded) -> str:
    line = to_json(value) + "\n"
    if len(line.encode()) > MAX_LINE_BYTES:  # it could not be read again
        raise DataError(
            f"the {value.kind} {value.id} has more than {MAX_LINE_BYTES:,} bytes",
            fix="record less text in it",
        )
    return line


def _size(file: Path) -> int:
    """Return the size of a record file without an incomplete last line; 0 if there is no file."""
    if not file.is_file():
        return 0
    with file.open("rb") as stream:
        return _end_of_last_line(stream, file)


def remove_recorded(folder: Path, ids: Collection[str]) -> None:
    """Remove the lines of these values from a study's record. Image files stay in the folder."""
    # Files are changed in reverse order: values refer to values of earlier files, so a crash leaves no
    # dangling reference.
    for file in reversed(record_files(folder)):
        with writer(folder, file):
            lines = file.read_bytes().splitlines(keepends=True)
            kept = [line for line in lines if _recorded_id(line) not in ids]
            if len(kept) < len(lines):
                atomic_write(file, b"".join(kept))


def _recorded_id(line: bytes) -> object:
    """Return the id of the value on a line; None for an empty or incomplete line."""
    whole = line.endswith(b"\n") and line.strip()
    return json_object(line).get("id") if whole else None


def _run_name(run: str) -> str:
    if not run or not all(letter.isalnum() or letter in "-_." for letter in run) or run.startswith("."):
        raise UsageError(f"{run!r} is not a valid run name", fix="use letters, digits, '-', '_' and '.'")
    return run


@contextmanager
def writer(folder: Path, file: Path) -> Iterator[Any]:
    """Lock a record file; yield a function that appends text and syncs it to disk."""
    lock = record_lock(folder, file)
    try:
        with lock:
            refuse_unfinished(folder, file)
            file.parent.mkdir(parents=True, exist_ok=True)
            yield lambda text: _append(file, text.encode())
    except filelock.Timeout as error:
        raise MachineError(
            "another process is writing this file",
            where=str(file),
            fix="wait until it ends, or use another run name",
        ) from error
    except OSError as error:
        raise write_error(error, file) from error


def _append(file: Path, blob: bytes) -> None:
    """Append to a file, or leave it as it was. The incomplete line of an earlier crash is removed first."""
    # The file is unbuffered: on a full disk, flushing a buffer would fail again before the file is truncated.
    with file.open("ab+", buffering=0) as stream:
        end = _end_of_last_line(stream, file)
        try:
            stream.truncate(end)
            rest = memoryview(blob)
            while rest:
                rest = rest[stream.write(rest) :]
            os.fsync(stream.fileno())
        except OSError as error:
            stream.truncate(end)
            raise write_error(error, file) from error


def _end_of_last_line(stream: BinaryIO | FileIO, file: Path) -> int:
    """Return the offset after the last complete line. The file is read in blocks, from its end."""
    end, block = stream.seek(0, os.SEEK_END), 1
    least = end - MAX_LINE_BYTES
    while end > 0:
        if end < least:  # a damaged file may be huge and have no line ends
            raise line_too_long(file)
        start = max(0, end - block)
        stream.seek(start)
        if found := stream.read(end - start).rfind(b"\n") + 1:
            return start + found
        end, block = start, _BLOCK_BYTES
    return 0


def _into_folder(value: RecordedT, folder: Path, *, link: bool = False) -> RecordedT:
    """Return the value with its images inside the folder and their paths relative to it."""
    return _with_signs(value, lambda image: _into_study(image, folder, link=link))


def from_folder(value: RecordedT, folder: Path) -> RecordedT:
    """Return a recorded value with absolute paths. A path that leads out of the folder is refused."""
    return _with_signs(value, lambda image: _absolute_path(image, folder))


def _with_signs(value: RecordedT, change: Any) -> RecordedT:
    changed: Any = value
    if isinstance(value, ImageSign):
        changed = change(value)
    elif isinstance(value, CompositeSign):
        parts = tuple(part if isinstance(part, TextSign) else change(part) for part in value.parts)
        changed = value.model_copy(update={"parts": parts})
    elif isinstance(value, HSG) and not isinstance(value.sign, TextSign):
        changed = value.with_sign(_with_signs(value.sign, change))
    return changed  # type: ignore[no-any-return]  # of the same type as `value`


def _new_image_files(value: Recorded, folder: Path) -> Iterator[Path]:
    """Yield the image files that recording a value adds to the folder."""
    sign = value.sign if isinstance(value, HSG) else value
    for image in parts_of(sign) if isinstance(sign, AnySign) else ():
        if (
            isinstance(image, ImageSign)
            and _is_outside(image, folder)
            and not _image_path(image, folder).exists()
        ):
            yield _image_path(image, folder)


def _is_outside(image: ImageSign, folder: Path) -> bool:
    if not image.path or (not Path(image.path).is_absolute() and is_file(folder / image.path)):
        return False
    return not resolve_path(Path(image.path)).is_relative_to(resolve_path(folder))


def _image_path(image: ImageSign, folder: Path) -> Path:
    return folder / "images" / f"{image.id}{_SUFFIX[image.media_type]}"


def _into_study(image: ImageSign, folder: Path, *, link: bool) -> ImageSign:
    if not image.path:
        return image
    if not Path(image.path).is_absolute() and is_file(folder / image.path):
        return _absolute_path(image, folder).model_copy(update={"path": image.path})
    file = Path(image.path)
    if _is_outside(image, folder):
        file = _image_path(image, folder)
        _add_image_file(image, file, link=link)
    return image.model_copy(update={"path": resolve_path(file).relative_to(resolve_path(folder)).as_posix()})


def _add_image_file(image: ImageSign, target: Path, *, link: bool) -> None:
    """Copy or link the file of an image into the study."""
    blob = image_bytes(image)  # raises if the file is not the image
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if link and not target.exists():
            os.link(image.path, target)
    except OSError as error:
        if error.errno in (errno.EPERM, errno.EXDEV, errno.EOPNOTSUPP):
            fix = "omit --link to copy the files"
            raise DataError(f"cannot link: {error.strerror}", where=image.path, fix=fix) from error
        raise write_error(error, target) from error
    if not link:
        atomic_write(target, blob)


def _absolute_path(image: ImageSign, folder: Path) -> ImageSign:
    if not image.path:
        return image
    file = resolve_path(folder / image.path)
    if not file.is_relative_to(resolve_path(folder)):
        raise DataError(
            f"the image path {image.path!r} leads outside the study",
            where=str(folder),
            fix="keep images inside the study folder",
        )
    return image.model_copy(update={"path": str(file)})
