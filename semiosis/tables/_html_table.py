"""Tables as HTML, and the formats in which a table can be printed."""

from collections.abc import Callable

from markupsafe import Markup, escape

from semiosis.files import visible
from semiosis.stats import Estimate
from semiosis.tables._latex_table import to_latex
from semiosis.tables._table import Cell, Table, cell_text, to_csv, to_markdown, to_text

RENDERERS: dict[str, Callable[[Table], str]] = {
    "text": to_text,
    "markdown": to_markdown,
    "csv": to_csv,
    "latex": to_latex,
}
"""The functions that render tables, by the name of the format."""
SHOWN_NOTES = 3
"""The number of notes that are shown at once. More are folded, so that they do not hide the table."""


def to_html(table: Table) -> str:
    """Return the table as an HTML `table` element, followed by its notes. Every text is escaped."""
    title = _escaped(table.title)
    notes = [f'<p class="note">{_escaped(note)}</p>' for note in table.remarks]
    if len(notes) > SHOWN_NOTES:
        notes = ['<details class="notes"><summary>Notes</summary>', *notes, "</details>"]
    if not table.rows:
        return "\n".join([f"<h3>{title}</h3>", *notes]) + "\n"
    columns = "".join(f'<th scope="col">{_escaped(name)}</th>' for name in table.columns)
    lines = [
        f'<div class="table-scroll" tabindex="0" role="region" aria-label="{title}">',
        f'<table class="semiosis-table">\n<caption>{title}</caption>',
        f"<thead><tr>{columns}</tr></thead>\n<tbody>",
        *(f"<tr>{_row_html([_unbroken(cell) for cell in row])}</tr>" for row in table.rows),
        "</tbody>\n</table>\n</div>",
    ]
    return "\n".join([*lines, *notes]) + "\n"


def _unbroken(cell: Cell) -> str:
    """Return the text of a cell, in which a line does not break inside an interval."""
    text = cell_text(cell)
    return text.replace(", ", ",\N{NO-BREAK SPACE}") if isinstance(cell, Estimate) else text


def _row_html(cells: list[str]) -> str:
    """Return the cells of a row. `bdi` keeps an Arabic or Hebrew name from reordering the cells beside it."""
    first, *values = [f"<bdi>{_escaped(cell)}</bdi>" for cell in cells]
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in values)


def _escaped(text: str) -> Markup:
    return escape(visible(text))
