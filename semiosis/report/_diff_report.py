"""The rows and columns of a diff, and their rendering as terminal text, Markdown and HTML."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from semiosis.files import escape_markdown, one_line
from semiosis.report._template import environment, render_page, style_sheet
from semiosis.values import brief_repr

RowKind = Literal["matched", "changed", "lost", "emergent"]

_COLOURS: dict[RowKind, str] = {"matched": "", "changed": "yellow", "lost": "red", "emergent": "green"}
_MARGIN = 8
"""The width of the mark and the score at the start of a terminal line."""
_GAP = " │ "
_MIN_WIDTH, _MAX_WIDTH = 16, 60
"""The range of a column's width. If columns would be narrower, cells are placed below one another."""
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LRM = "\N{LEFT-TO-RIGHT MARK}"


@dataclass(frozen=True, slots=True)
class Item:
    """A node in a cell, or a phrase if there is no node."""

    lead: str = ""
    """The text before the node, such as a round, a score or `lost`."""
    node: str = ""
    """The id of the node; empty for a phrase."""
    label: str = ""
    """The label of the node."""
    object: str = ""
    """The object of the node."""


DiffCell = tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One node with its matches."""

    kind: RowKind
    """The kind of fate, which determines the colour."""
    mark: str
    """One character that represents the kind."""
    p: float | None
    """The score of the match, from 0 to 1; None if a person aligned. An embedder's compares wording."""
    cells: tuple[DiffCell, ...]
    """One cell for each column."""
    notes: tuple[str, ...] = ()
    """Details of the match."""


@dataclass(frozen=True, slots=True)
class Section:
    """Rows with the same fate."""

    title: str
    """The fate."""
    rows: tuple[DiffRow, ...]
    """The rows."""

    def filled(self, columns: Sequence[str]) -> list[int]:
        """Return the columns in which any row of the section has content."""
        return [n for n in range(len(columns)) if any(row.cells[n] for row in self.rows)]

    @property
    def scored(self) -> bool:
        """Whether any row of the section has a score."""
        return any(row.p is not None for row in self.rows)

    @property
    def noted(self) -> bool:
        """Whether any row of the section has a note."""
        return any(row.notes for row in self.rows)


@dataclass(frozen=True, slots=True)
class DiffReport:
    """A diff that can be rendered."""

    __repr__ = brief_repr

    title: str
    """The heading."""
    stat: tuple[str, ...]
    """Counts, n and Δo, in one line for each alignment or one line for a drift."""
    facts: tuple[str, ...]
    """Readers, conditions and method of the diff."""
    columns: tuple[str, ...]
    """The names of the columns."""
    sections: tuple[Section, ...]
    """The rows by fate; no section is empty."""

    def text(self, width: int = 80) -> Text:
        """Return the diff for a terminal of this width; `.plain` is the same text without colour."""
        lines = [Text(one_line(self.title), "bold"), *(Text(one_line(stat)) for stat in self.stat)]
        lines += [Text(one_line(fact), "dim") for fact in self.facts]
        layout = _Layout.fitting(width, len(self.columns))
        wrapped = [part for line in lines for part in layout.wrap(line, width, indent=2)]
        for section in self.sections:
            wrapped += [Text(), *layout.wrap(Text(one_line(section.title), "bold"), width, indent=2)]
            wrapped += layout.head(self.columns)
            wrapped += [line for row in section.rows for line in layout.row(row)]
        for line in wrapped:
            line.rstrip()
        return Text("\n").join(wrapped)

    def markdown(self) -> str:
        """Return Markdown: a heading, the facts and a table for each section."""
        facts = [f"- {escape_markdown(line)}" for line in (*self.stat, *self.facts)]
        tables = [_markdown_table(section, self.columns) for section in self.sections]
        return "\n\n".join([f"# {escape_markdown(self.title)}", "\n".join(facts), *tables]) + "\n"

    def html(self) -> str:
        """Return an HTML fragment for another page: one `section` element without a style."""
        return environment().get_template("diff.html").render(report=self)

    def page(self) -> str:
        """Return a complete HTML page without scripts or requests."""
        return render_page("diff_page.html", style_sheet("diff.css"), title=self.title, report=self)


def _item_text(item: Item) -> Text:
    name = Text.assemble((one_line(item.label), "bold"), ": ", one_line(item.object)) if item.node else Text()
    return Text(" ").join(part for part in (Text(one_line(item.lead)), Text(item.node, "dim"), name) if part)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The column layout of a terminal."""

    width: int
    column_width: int
    side_by_side: bool
    console: Console

    @classmethod
    def fitting(cls, width: int, columns: int) -> "_Layout":
        console = Console(width=max(width, 1), color_system=None)
        column_width = (width - _MARGIN - len(_GAP) * (columns - 1)) // columns
        if column_width < _MIN_WIDTH:
            return cls(width, max(width - _MARGIN, 1), side_by_side=False, console=console)
        return cls(width, min(column_width, _MAX_WIDTH), side_by_side=True, console=console)

    def wrap(self, text: Text, width: int, indent: int = 0) -> list[Text]:
        """Wrap the text to this width and indent all lines but the first."""
        if cell_len(text.plain) <= width:
            return [text]
        first, *rest = text.wrap(self.console, max(width - indent, 1), overflow="fold")
        return [first, *(Text(" " * indent) + line for line in rest)]

    def head(self, columns: Sequence[str]) -> list[Text]:
        if not self.side_by_side:
            return []
        return [self._join([Text(name, "dim italic") for name in columns], Text(" " * _MARGIN))]

    def row(self, row: DiffRow) -> Iterator[Text]:
        colour = _COLOURS[row.kind]
        cells = [[line for item in cell for line in self._item(item, colour)] for cell in row.cells]
        lines = (
            [list(line) for line in zip_longest(*cells, fillvalue=Text())]
            if self.side_by_side
            else [[line] for cell in cells for line in cell]
        )
        score = "" if row.p is None else f"{row.p:.2f}"
        for number, line in enumerate(lines):
            lead = Text(f"{row.mark} {score}" if number == 0 else "", colour)
            lead.pad_right(_MARGIN - len(lead))
            yield self._join(line, lead)
        for note in row.notes:
            wrapped = self.wrap(Text(one_line(note), "dim"), max(self.width - _MARGIN, 1), indent=2)
            yield from (Text(" " * _MARGIN) + part for part in wrapped)

    def _item(self, item: Item, colour: str) -> list[Text]:
        text = _item_text(item)
        text.stylize_before(colour)
        return self.wrap(text, self.column_width, indent=2)

    def _join(self, cells: Sequence[Text], lead: Text) -> Text:
        """Join cells into one line. A left-to-right mark keeps right-to-left cells in their columns."""
        padded = []
        for cell in cells:
            space = " " * (self.column_width - cell_len(cell.plain))
            padded.append(Text.assemble(cell, space, _LRM if _RIGHT_TO_LEFT.search(cell.plain) else ""))
        return lead + Text.assemble((_GAP, "dim")).join(padded)


def _markdown_table(section: Section, columns: Sequence[str]) -> str:
    filled = section.filled(columns)
    names = ["p"] * section.scored + [columns[n] for n in filled] + ["notes"] * section.noted
    lines = [names, ["---"] * len(names)]
    for row in section.rows:
        score = ["" if row.p is None else f"{row.p:.2f}"] * section.scored
        notes = ["<br>".join(escape_markdown(note) for note in row.notes)] * section.noted
        lines.append(score + ["<br>".join(map(_item_markdown, row.cells[n])) for n in filled] + notes)
    return f"## {escape_markdown(section.title)}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _item_markdown(item: Item) -> str:
    name = (
        f"`{item.node}` **{escape_markdown(item.label)}**: {escape_markdown(item.object)}"
        if item.node
        else ""
    )
    return " ".join(part for part in (escape_markdown(item.lead), name) if part)
