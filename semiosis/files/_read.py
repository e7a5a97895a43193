"""Reads a user's file, with a limit on its size."""

import stat
from pathlib import Path

from semiosis.values import DataError


def read_bytes(file: Path, limit: int, name: str = "the file") -> bytes:
    """Return the content of a regular file of at most `limit` bytes.

    A pipe would wait for its writer and a device such as `/dev/zero` never ends, so both are refused.
    """
    try:
        status = file.stat()
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(21, "Is a directory")
        if not stat.S_ISREG(status.st_mode):
            raise DataError(f"{name} is not a regular file", where=str(file), fix="save it to a file first")
        with file.open("rb") as stream:
            content = stream.read(limit + 1)  # the size of a file that is being written may change
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"cannot read {name}: {why}", where=str(file), fix="check the path") from error
    if len(content) > limit:
        raise DataError(f"{name} has more than {limit:,} bytes", where=str(file), fix="use a smaller file")
    return content


def read_text(file: Path, limit: int, name: str = "the file") -> str:
    """Return the text of a regular UTF-8 file of at most `limit` bytes, with LF line endings."""
    try:
        text = read_bytes(file, limit, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(
            f"cannot read {name}: not UTF-8 at byte {error.start}", where=str(file), fix="save it as UTF-8"
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
