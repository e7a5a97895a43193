"""Atomic writes."""

import os
from pathlib import Path


def write_whole(file: Path, content: str | bytes) -> None:
    """Write a file all at once: readers see the old one or the new one; a full disk leaves the old one."""
    draft = file.with_name(f".{file.name}.{os.getpid()}.draft")
    try:
        with draft.open("wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
