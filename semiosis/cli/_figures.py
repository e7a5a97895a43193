"""Loads the figures package, which needs Matplotlib."""

from typing import Any


def figures_package() -> Any:
    """Return `semiosis.figures`, or say how to install what it needs."""
    from semiosis.values import MissingExtraError

    try:
        from semiosis import figures
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise MissingExtraError("figures need Matplotlib", "report") from error
    return figures
