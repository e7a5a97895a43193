"""Tables as HTML."""

from semiosis.report._table import Table, cell_text
from semiosis.report._template import environment


def to_html(table: Table) -> str:
    """Return the table as an HTML `table` element, followed by its notes. Every text is escaped."""
    rows = [[cell_text(cell) for cell in row] for row in table.rows]
    return environment().get_template("table.html").render(table=table, rows=rows)
