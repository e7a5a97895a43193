"""The display of values in notebooks. The report package renders them and is imported on first display."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

_TYPES = (
    ("semiosis.values._hsg", "HSG"),
    ("semiosis.values._alignment", "Alignment"),
    ("semiosis.values._outcome", "Outcome"),
    ("semiosis.stats._compare", "JudgeTable"),
    ("semiosis.stats._tables", "Ablation"),
    ("semiosis.stats._tables", "BiasTable"),
    ("semiosis.study._profile", "GeneratorProfile"),
    ("semiosis.tables._table", "Table"),
    ("semiosis.report._diff_report", "DiffReport"),
)
"""The classes that notebooks display, by module and name, so that nothing is imported here."""


def register_formatters(shell: Any) -> None:
    """Register formatters with an IPython shell: HTML and text for values, PNG for Matplotlib figures."""
    formatters = shell.display_formatter.formatters
    for module, name in _TYPES:
        formatters["text/html"].for_type_by_name(module, name, _render("notebook_html"))
        formatters["text/plain"].for_type_by_name(module, name, _print)
    # Without this formatter, IPython shows only the size of a figure. Importing pyplot replaces it.
    formatters["image/png"].for_type_by_name("matplotlib.figure", "Figure", _figure)


def _render(function: str) -> Callable[[object], str]:
    return lambda value: str(getattr(import_module("semiosis.report"), function)(value))


def _print(value: object, printer: Any, cycle: bool) -> None:  # noqa: ARG001  # IPython passes it
    printer.text(_render("notebook_text")(value))


def _figure(figure: Any) -> tuple[bytes, dict[str, int]]:
    content, _ = import_module("semiosis.figures").figure_bytes(figure, "png")
    return content, {"width": round(figure.get_figwidth() * 96)}
