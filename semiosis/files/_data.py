"""Finds the files that come with the package: queries, schema, sample, prompts."""

from pathlib import Path

from semiosis.values import UsageError

_PACKAGE = Path(__file__).parents[1]
_ROOTS = (_PACKAGE / "_data", _PACKAGE.parent)
"""In a wheel the data stands inside the package; in a checkout, beside it."""


def data(path: str) -> Path:
    """The packaged file or folder at this path, such as `graphs/queries`."""
    for root in _ROOTS:
        if (root / path).exists():
            return root / path
    raise UsageError(f"the package has no {path!r}", fix="reinstall semiosis; its data files are missing")
