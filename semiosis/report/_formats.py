"""The formats in which a table can be printed."""

from collections.abc import Callable

from semiosis.report._latex import to_latex
from semiosis.report._table import Table, to_csv, to_markdown, to_text

RENDERERS: dict[str, Callable[[Table], str]] = {
    "text": to_text,
    "markdown": to_markdown,
    "csv": to_csv,
    "latex": to_latex,
}
"""The functions that render tables, by the name of the format."""
