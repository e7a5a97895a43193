"""Folders on the user's machine, and the files that come with the package."""

import os
import re
from pathlib import Path

from semiosis.values import UsageError

CACHE_VARIABLE = "SEMIOSIS_CACHE"
"""The environment variable that moves the cache folder."""

_PACKAGE = Path(__file__).parents[1]
_ROOTS = (_PACKAGE / "_data", _PACKAGE.parent)
"""A wheel has the data inside the package; a checkout has it next to the package."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")  # one letter is a Windows drive


def has_scheme(address: str | Path) -> bool:
    """Return whether an address starts like ``http:`` or ``neo4j://``, and is not the path of a folder."""
    return isinstance(address, str) and _SCHEME.match(address) is not None


def without_login(address: str) -> str:
    """Return an address without its user name and password, for messages.

    >>> without_login("http://ada:secret@example.org/store")
    'http://…@example.org/store'
    """
    return re.sub(r"//[^/?#]*@", "//…@", address)


def new_folder(address: str | Path) -> Path:
    """Return the path of a folder to create. An address such as ``http://example.org`` is refused."""
    if has_scheme(address):
        raise UsageError(
            f"a folder cannot be created at {without_login(str(address))!r}",
            fix="give a folder (with ./ before a name that has a colon)",
        )
    return Path(address)


def data(path: str) -> Path:
    """Return the packaged file or folder at this path, such as `graphs/queries`."""
    for root in _ROOTS:
        if (root / path).exists():
            return root / path
    raise UsageError(f"the package has no data file {path!r}", fix="reinstall semiosis")


def cache_folder() -> Path:
    """Return the folder for files that can be recreated: `$SEMIOSIS_CACHE`, or the user's cache folder."""
    from platformdirs import user_cache_path

    own = os.environ.get(CACHE_VARIABLE)
    return Path(own) if own else user_cache_path("semiosis", appauthor=False)


def data_folder() -> Path:
    """Return the folder for files that must be kept, such as the data of a local Neo4j."""
    from platformdirs import user_data_path

    return user_data_path("semiosis", appauthor=False)
