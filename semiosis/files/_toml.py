"""Reads TOML with limits on its size and depth."""

import re
import tomllib
from typing import Any

from semiosis.values import DataError

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
