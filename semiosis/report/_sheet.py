"""A sheet: a title, remarks, and a table of what is kept, lost or new; for terminal, Markdown and HTML."""

from dataclasses import dataclass
from io import StringIO
from typing import Literal

from markupsafe import Markup, escape

from semiosis.report._visible import visible

Mark = Literal["kept", "lost", "new", "mixed"]
_COLOURS: dict[Mark, str] = {"kept": "", "lost": "red", "new": "green", "mixed": "yellow"}
_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid #8884; text-align: start; vertical-align: top; }
tr.lost td { background: #c0392b22; } tr.new td { background: #27ae6022; }
tr.mixed td { background: #f1c40f22; }
@media (prefers-color-scheme: dark) { body { background: #1b1b1f; color: #e4e4e7; } }
"""
_MARKDOWN = str.maketrans(
    {**{mark: f"\\{mark}" for mark in r"\`*_[]|~#$!"}, "<": "&lt;", ">": "&gt;", "&": "&amp;"}
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a sheet."""

    mark: Mark
    """Kept, lost, new, or kept here and lost there."""
    cells: tuple[str, ...]
    """What the columns say."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a diff shows, whatever it is shown on."""

    title: str
    """The result in one line."""
    remarks: tuple[str, ...]
    """What one must know to read it."""
    columns: tuple[str, ...]
    """Heads of the columns."""
    rows: tuple[Row, ...]
    """The lines."""

    def terminal(self, *, width: int = 100, colour: bool = False) -> str:
        """For a terminal of this width: cells wrap, and wide characters take the columns they need."""
        from rich.box import SIMPLE_HEAD  # loaded at first use
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False, expand=False)
        for column in self.columns:
            table.add_column(Text(column), overflow="fold")
        for row in self.rows:
            table.add_row(*(Text(visible(cell)) for cell in row.cells), style=_COLOURS[row.mark] or None)
        console = Console(
            width=width, file=StringIO(), force_terminal=colour, color_system="standard" if colour else None,
            legacy_windows=False, emoji=False, highlight=False, markup=False,
        )  # fmt: skip
        console.print(visible(self.title), style="bold")
        for remark in self.remarks:
            console.print(visible(remark), style="dim")
        console.print(table)
        printed: StringIO = console.file  # type: ignore[assignment]  # the file it was given above
        return "\n".join(line.rstrip() for line in printed.getvalue().splitlines()).rstrip() + "\n"

    def markdown(self) -> str:
        """A Markdown table; what the nodes say cannot become markup."""
        lines = [f"**{_plain(self.title)}**", "", *(f"{_plain(remark)}  " for remark in self.remarks), ""]
        lines += [_line(self.columns), _line(["---"] * len(self.columns))]
        lines += [_line([_plain(cell) for cell in row.cells]) for row in self.rows]
        return "\n".join(lines) + "\n"

    def html(self) -> str:
        """A whole page. Each cell finds its own direction, so that Arabic stands beside Latin."""
        head = Markup("").join(Markup("<th>{}</th>").format(visible(name)) for name in self.columns)
        body = Markup("\n").join(
            Markup('<tr class="{}">{}</tr>').format(
                row.mark,
                Markup("").join(Markup('<td dir="auto">{}</td>').format(visible(cell)) for cell in row.cells),
            )
            for row in self.rows
        )
        remarks = Markup("\n").join(Markup('<p dir="auto">{}</p>').format(visible(r)) for r in self.remarks)
        title = escape(visible(self.title))
        return (
            f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>{title}</title>\n'
            f"<style>{_STYLE}</style>\n<h1>{title}</h1>\n{remarks}\n"
            f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</html>\n"
        )


def _plain(text: str) -> str:
    return " ".join(visible(text).split()).translate(_MARKDOWN)


def _line(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
