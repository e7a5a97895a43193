"""Reads a user's file, with limits on its size and depth."""

import os
import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from semiosis.values import DataError

MAX_LINE_BYTES = 10_000_000
"""The longest line of a record file. An HSG is a few kilobytes."""


def resolve_path(path: Path) -> Path:
    """Return the absolute path without symbolic links. Unlike `Path.resolve`, it accepts a loop of links."""
    return Path(os.path.realpath(path))


def is_file(path: Path) -> bool:
    """Return whether this is a file. A name that is too long for a file raises in `Path.is_file`."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


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
            # The size is checked first, so that a huge file is not read, and again because it may change.
            content = stream.read(limit + 1) if status.st_size <= limit else b""
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise DataError(f"cannot read {name}: {why}", where=str(file), fix="check the path") from error
    if max(status.st_size, len(content)) > limit:
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


def read_lines(stream: BinaryIO, file: Path) -> Iterator[bytes]:
    """Yield the lines of a record file, with their line ends. A line that is too long is not read."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES:
            raise line_too_long(file)
        yield line


def line_too_long(file: Path) -> DataError:
    """Return the error for a line of a record file that is longer than `MAX_LINE_BYTES`."""
    return DataError(
        f"a line has more than {MAX_LINE_BYTES:,} bytes", where=str(file), fix="remove this line"
    )


MAX_TOML_BYTES = 1_000_000
"""The largest file that is read. A study file, an experiment or a list of prices is a few kilobytes."""

_DEEP_TABLE = re.compile(r"^[ \t]*\[(?:[^.\n]*\.){50}", re.MULTILINE)
"""A table more than 50 levels deep: `tomllib` walks through every level again for each key in it."""


def parse_toml(source: str, file: str) -> dict[str, Any]:
    """Return the content of a TOML text. `file` is its name for messages."""
    if deep := _DEEP_TABLE.search(source):
        raise _too_deep(f"{file}:{source.count(chr(10), 0, deep.start()) + 1}")
    try:
        return tomllib.loads(source)
    except RecursionError as error:
        raise _too_deep(file) from error
    except ValueError as error:  # a TOMLDecodeError, or a number with thousands of digits
        raise DataError(f"not TOML: {error}", where=file, fix="correct this line") from error


def _too_deep(where: str) -> DataError:
    return DataError("nested too deeply", where=where, fix="use fewer levels")
