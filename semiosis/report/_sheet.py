"""A diff laid out as a sheet of rows in columns, and the sheet as terminal text, Markdown and HTML."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import zip_longest
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from semiosis.report._template import environment, style_hash
from semiosis.report._visible import visible

Kind = Literal["matched", "lost", "emergent"]

_COLOURS: dict[Kind, str] = {"matched": "", "lost": "red", "emergent": "green"}
_MARGIN = 8
"""Cells of a terminal line for the mark and the probability."""
_GAP = " │ "
_NARROWEST, _WIDEST = 16, 60
"""A column of a terminal: below the first, cells stand under one another; above the second, lines tire."""
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LRM = "\N{LEFT-TO-RIGHT MARK}"
_MARKUP = re.compile(r"[\\`*_{}\[\]<>|&#~$!]|(?<=www)\.|:(?=//)")
"""What Markdown reads as more than itself, within a line."""


@dataclass(frozen=True, slots=True)
class Item:
    """A node as a sheet shows it, or words in its stead."""

    lead: str = ""
    """What stands before it: a round, a probability, `lost`."""
    node: str = ""
    """Its id; empty for words alone."""
    label: str = ""
    """Its short name."""
    object: str = ""
    """What it stands for."""


Cell = tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """Nodes that belong together."""

    kind: Kind
    """What became of them; decides the colour."""
    mark: str
    """One character for it."""
    p: float | None
    """The probability that they carry one meaning."""
    cells: tuple[Cell, ...]
    """One for each column of the sheet."""
    notes: tuple[str, ...] = ()
    """What else is known of the match."""


@dataclass(frozen=True, slots=True)
class Section:
    """Rows with the same fate."""

    title: str
    """The fate."""
    rows: tuple[Row, ...]
    """The nodes."""

    def filled(self, columns: Sequence[str]) -> list[int]:
        """The columns in which any of its rows has something."""
        return [n for n in range(len(columns)) if any(row.cells[n] for row in self.rows)]

    @property
    def scored(self) -> bool:
        """Whether any of its rows has a probability."""
        return any(row.p is not None for row in self.rows)

    @property
    def noted(self) -> bool:
        """Whether any of its rows has a note."""
        return any(row.notes for row in self.rows)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A diff ready to be shown."""

    title: str
    """What is compared."""
    stat: tuple[str, ...]
    """The counts, n and Δo: one line for each alignment, or one for a drift."""
    facts: tuple[str, ...]
    """Under which conditions it holds."""
    columns: tuple[str, ...]
    """The names of the columns."""
    sections: tuple[Section, ...]
    """The rows by fate; none is empty."""

    def text(self, width: int = 80) -> Text:
        """For a terminal of this width, in colour; its `.plain` is the same without."""
        lines = [Text(_line(self.title), "bold"), *(Text(_line(stat)) for stat in self.stat)]
        lines += [Text(_line(fact), "dim") for fact in self.facts]
        layout = _Layout.fitting(width, len(self.columns))
        wrapped = [part for line in lines for part in layout.wrap(line, width, indent=2)]
        for section in self.sections:
            wrapped += [Text(), *layout.wrap(Text(_line(section.title), "bold"), width, indent=2)]
            wrapped += layout.head(self.columns)
            wrapped += [line for row in section.rows for line in layout.row(row)]
        for line in wrapped:
            line.rstrip()
        return Text("\n").join(wrapped)

    def markdown(self) -> str:
        """A heading, the facts and a table for each section; every text escaped."""
        facts = [f"- {_escaped(line)}" for line in (*self.stat, *self.facts)]
        tables = [_table(section, self.columns) for section in self.sections]
        return "\n\n".join([f"# {_escaped(self.title)}", "\n".join(facts), *tables]) + "\n"

    def html(self) -> str:
        """A fragment for a page of your own: one `section`, every text escaped, no style of its own."""
        return environment().get_template("diff.html").render(sheet=self)

    def page(self) -> str:
        """A complete HTML page: no script, no request."""
        style = resources.files("semiosis.report").joinpath("templates", "diff.css").read_text("utf-8")
        page = environment().get_template("diff_page.html")
        return page.render(sheet=self, style=style, style_hash=style_hash(style))


def _line(text: str) -> str:
    """Text that stays on its line and cannot steer a terminal."""
    return " ".join(visible(text).split())


def _words(item: Item, bold: str = "bold") -> Text:
    name = Text.assemble((_line(item.label), bold), ": ", _line(item.object)) if item.node else Text()
    return Text(" ").join(part for part in (Text(_line(item.lead)), Text(item.node, "dim"), name) if part)


@dataclass(frozen=True, slots=True)
class _Layout:
    """The columns of a terminal."""

    width: int
    each: int
    beside: bool
    console: Console

    @classmethod
    def fitting(cls, width: int, columns: int) -> "_Layout":
        console = Console(width=max(width, 1), color_system=None)
        each = (width - _MARGIN - len(_GAP) * (columns - 1)) // columns
        if each < _NARROWEST:
            return cls(width, max(width - _MARGIN, 1), beside=False, console=console)
        return cls(width, min(each, _WIDEST), beside=True, console=console)

    def wrap(self, text: Text, width: int, indent: int = 0) -> list[Text]:
        """The text in lines of at most this width, those after the first indented."""
        if cell_len(text.plain) <= width:
            return [text]
        first, *rest = text.wrap(self.console, max(width - indent, 1), overflow="fold")
        return [first, *(Text(" " * indent) + line for line in rest)]

    def head(self, columns: Sequence[str]) -> list[Text]:
        if not self.beside:
            return []
        return [self._beside([Text(name, "dim italic") for name in columns], Text(" " * _MARGIN))]

    def row(self, row: Row) -> Iterator[Text]:
        colour = _COLOURS[row.kind]
        cells = [[line for item in cell for line in self._item(item, colour)] for cell in row.cells]
        lines = (
            [list(line) for line in zip_longest(*cells, fillvalue=Text())]
            if self.beside
            else [[line] for cell in cells for line in cell]
        )
        score = "" if row.p is None else f"{row.p:.2f}"
        for number, line in enumerate(lines):
            lead = Text(f"{row.mark} {score}" if number == 0 else "", colour)
            lead.pad_right(_MARGIN - len(lead))
            yield self._beside(line, lead)
        for note in row.notes:
            told = self.wrap(Text(_line(note), "dim"), max(self.width - _MARGIN, 1), indent=2)
            yield from (Text(" " * _MARGIN) + part for part in told)

    def _item(self, item: Item, colour: str) -> list[Text]:
        words = _words(item)
        words.stylize_before(colour)
        return self.wrap(words, self.each, indent=2)

    def _beside(self, cells: Sequence[Text], lead: Text) -> Text:
        """One line of cells. A mark keeps those that run right to left from trading places."""
        padded = []
        for cell in cells:
            space = " " * (self.each - cell_len(cell.plain))
            padded.append(Text.assemble(cell, space, _LRM if _RIGHT_TO_LEFT.search(cell.plain) else ""))
        return lead + Text.assemble((_GAP, "dim")).join(padded)


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda found: f"\\{found[0]}", _line(text))


def _table(section: Section, columns: Sequence[str]) -> str:
    filled = section.filled(columns)
    names = ["p"] * section.scored + [columns[n] for n in filled] + ["notes"] * section.noted
    lines = [names, ["---"] * len(names)]
    for row in section.rows:
        score = ["" if row.p is None else f"{row.p:.2f}"] * section.scored
        notes = ["<br>".join(_escaped(note) for note in row.notes)] * section.noted
        lines.append(score + ["<br>".join(map(_marked, row.cells[n])) for n in filled] + notes)
    return f"## {_escaped(section.title)}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _marked(item: Item) -> str:
    name = f"`{item.node}` **{_escaped(item.label)}**: {_escaped(item.object)}" if item.node else ""
    return " ".join(part for part in (_escaped(item.lead), name) if part)
