"""Atomic writes: a reader sees either the old file or the new one."""

import os
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from semiosis.values import MachineError


def atomic_write(file: Path, content: str | bytes) -> None:
    """Write a whole file. If this fails, the old file is kept and a `MachineError` is raised."""
    with atomic_writer(file) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def atomic_writer(file: Path) -> Iterator[BinaryIO]:
    """Yield a binary stream whose content replaces `file` when the block ends without an error."""
    # The draft is in the same folder, because a rename across file systems is not atomic.
    draft = file.with_name(f".{file.name}.{os.getpid()}-{threading.get_ident()}.draft")
    try:
        try:
            with draft.open("wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise write_error(error, file) from error


def write_zip(target: Path, files: Mapping[str, Path], compression: int = zipfile.ZIP_STORED) -> None:
    """Write files as a zip archive whose bytes depend only on the names and contents of the files."""
    with atomic_writer(target) as stream, zipfile.ZipFile(stream, "w") as archive:
        for name, file in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, file.read_bytes(), compression)


def write_error(error: OSError, path: Path) -> MachineError:
    """Return the error that says why `path` cannot be written."""
    return MachineError(
        f"cannot write: {error.strerror or error}",
        where=str(path),
        fix="free some space, or choose a folder that you can write to",
    )
