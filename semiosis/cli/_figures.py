"""The import of the figures package, which needs Matplotlib."""

from typing import Any


def figures_package() -> Any:
    """Return `semiosis.figures`. Raises MissingExtraError if Matplotlib is not installed."""
    from semiosis.values import MissingExtraError

    try:
        from semiosis import figures
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        raise MissingExtraError("figures need Matplotlib", "report") from error
    return figures
