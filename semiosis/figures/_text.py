"""The measuring and wrapping of text, in the reading direction of its script."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from typing import Any
from unicodedata import bidirectional, category, east_asian_width

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.font_manager import FontProperties

from semiosis.figures._style import INK, font_families
from semiosis.files import one_line

_DPI = 1440
LEADING = 1.28
"""Distance between two baselines as a multiple of the font size."""
_TOKENS = re.compile(r"\s+|\S+")


@dataclass(frozen=True, slots=True)
class Style:
    """Font and colours of a text."""

    size: float = 7.0
    weight: str = "normal"
    italic: bool = False
    colour: str = INK
    mark: str = ""
    """Background colour; empty for none."""
    rise: float = 0.0
    """Height above the baseline, in points."""


@dataclass(frozen=True, slots=True)
class StyledText:
    """A text in one style."""

    text: str
    style: Style = Style()


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text in one style on one line, with its distance from the left edge."""

    x: float
    width: float
    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of wrapped text."""

    runs: tuple[TextRun, ...]
    size: float

    @property
    def height(self) -> float:
        """Distance to the next baseline."""
        return self.size * LEADING


@dataclass(frozen=True, slots=True)
class _Atom:
    """Text that is not broken across lines."""

    text: str
    space_before: bool
    style: Style
    rtl: bool | None


def wrap_text(texts: Iterable[StyledText] | str, width: float, style: Style | None = None) -> list[TextLine]:
    """Return text in lines of at most this many points. A word that is longer than a line is divided.

    Lines break at spaces and between wide letters, such as Chinese ones. A text whose first strong letter
    is Arabic or Hebrew is aligned to the right.
    """
    styled = [StyledText(texts, style or Style())] if isinstance(texts, str) else list(texts)
    atoms = _split(styled, width)
    rtl_line = next((atom.rtl for atom in atoms if atom.rtl is not None), False)
    return [_lay_out(line, width, rtl_line) for line in _fill_lines(atoms, width)]


def total_height(lines: Sequence[TextLine]) -> float:
    """Return the height of lines in points."""
    return math.fsum(line.height for line in lines)


def text_width(text: str, style: Style) -> float:
    """Return the width of text on one line, in points."""
    return _width(text, style.size, style.weight, style.italic)


def font(style: Style) -> FontProperties:
    """Return the font of a style, with a fallback for each script that has an installed font."""
    return _font(style.size, style.weight, style.italic)


@cache
def _font(size: float, weight: str, italic: bool) -> FontProperties:
    families = list(font_families())
    return FontProperties(family=families, size=size, weight=weight, style="italic" if italic else "normal")


@cache
def _renderer() -> RendererAgg:
    return RendererAgg(8, 8, _DPI)  # type: ignore[no-untyped-call]  # Matplotlib has no types for it


@cache
def _width(text: str, size: float, weight: str, italic: bool) -> float:
    measure: Any = _renderer().get_text_width_height_descent
    pixels = measure(text, _font(size, weight, italic), False)[0]
    return float(pixels) * 72 / _DPI


def _split(texts: Sequence[StyledText], width: float) -> list[_Atom]:
    """Return the atoms of all texts. A space at the end of a text belongs to the first atom of the next."""
    atoms: list[_Atom] = []
    trailing = False
    for styled in texts:
        pieces = list(_atoms_of(styled, width))
        if pieces and trailing:
            pieces[0] = replace(pieces[0], space_before=True)
        atoms += pieces
        trailing = styled.text[-1:].isspace() or (trailing and not pieces)
    return atoms


def _atoms_of(styled: StyledText, width: float) -> Iterator[_Atom]:
    space_before = styled.text[:1].isspace()
    for token in _TOKENS.findall(_remove_controls(styled.text)):
        if token.isspace():
            space_before = True
            continue
        for part in _breakable_parts(token):
            style = _supported_style(styled.style, part)
            for bit in _cut_to_width(part, style, width):
                yield _Atom(bit, space_before, style, _is_rtl(bit))
                space_before = False


def _supported_style(style: Style, text: str) -> Style:
    """Return the style without italics for scripts whose fonts have no italic letters."""
    slanted = all(not c.isalpha() or c < "\u0530" or "\u1e00" <= c < "\u2000" for c in text)
    return style if slanted or not style.italic else replace(style, italic=False)


def _remove_controls(text: str) -> str:
    """Return the text without control characters; spaces at its ends are kept."""
    lead, tail = (" " if text[:1].isspace() else ""), (" " if text[-1:].isspace() else "")
    return f"{lead}{one_line(text)}{tail}"


def _breakable_parts(word: str) -> Iterator[str]:
    """Yield the parts of a word between which a line may break: around wide letters, not before a comma."""
    part = ""
    for letter in word:
        closing = category(letter) in ("Pe", "Pf", "Po", "Mn")
        if part and not closing and (_wide(part[-1]) or _wide(letter)) and category(part[-1]) != "Ps":
            yield part
            part = ""
        part += letter
    yield part


def _wide(letter: str) -> bool:
    return east_asian_width(letter) in "WF"


def _cut_to_width(part: str, style: Style, width: float) -> Iterator[str]:
    """Yield the part, divided if it is wider than a line."""
    start = 0
    while start < len(part):
        end = _line_end(part, start, style, width)
        yield part[start:end]
        start = end


def _line_end(part: str, start: int, style: Style, width: float) -> int:
    """Return the end of the longest piece that fits on a line, which has at least one letter.

    The widths of single letters give the first guess, so that the time grows with the length of a word and
    not with its square. Kerning changes the width of a piece a little, so the guess is then corrected.
    """
    end, used = start + 1, text_width(part[start], style)
    while end < len(part) and used <= width:
        used += text_width(part[end], style)
        end += 1
    while end > start + 1 and text_width(part[start:end], style) > width:
        end -= 1
    while end < len(part) and text_width(part[start : end + 1], style) <= width:
        end += 1
    return end


def _is_rtl(text: str) -> bool | None:
    strong = next((kind for kind in map(bidirectional, text) if kind in ("L", "R", "AL")), None)
    return None if strong is None else strong != "L"


def _fill_lines(atoms: Sequence[_Atom], width: float) -> Iterator[list[_Atom]]:
    line: list[_Atom] = []
    used = 0.0
    for cluster in _clusters(atoms):
        cluster_width = math.fsum(text_width(atom.text, atom.style) for atom in cluster)
        gap = text_width(" ", cluster[0].style) if cluster[0].space_before and line else 0.0
        if line and used + gap + cluster_width > width:
            yield line
            line, used, gap = [], 0.0, 0.0
        line += cluster
        used += gap + cluster_width
    if line:
        yield line


def _clusters(atoms: Sequence[_Atom]) -> Iterator[list[_Atom]]:
    """Yield groups of atoms that stay on one line: a word with the punctuation and the badge after it."""
    cluster: list[_Atom] = []
    for atom in atoms:
        first = atom.text[0]
        closing = category(first) in ("Pe", "Pf", "Po") or first == "\N{WORD JOINER}"
        if cluster and (atom.space_before or not closing):
            yield cluster
            cluster = []
        cluster.append(atom)
    if cluster:
        yield cluster


def _lay_out(atoms: Sequence[_Atom], width: float, rtl_line: bool) -> TextLine:
    """Return a line of text as runs from left to right.

    A line in one style is one run, which Matplotlib puts into visual order. Other lines are divided into
    runs of one style and direction, which this function puts into visual order.
    """
    if len({atom.style for atom in atoms}) == 1:
        visual = [(_add_direction_mark(_text_of(atoms), rtl_line), 0.0, atoms[0].style)]
    else:
        visual = _in_visual_order(list(_runs(atoms, rtl_line)), rtl_line)
    x, placed = 0.0, []
    for text, gap, style in visual:
        x += gap
        run_width = text_width(text, style)
        placed.append(TextRun(x, run_width, text, style))
        x += run_width
    shift = width - x if rtl_line else 0.0
    moved = tuple(TextRun(run.x + shift, run.width, run.text, run.style) for run in placed)
    return TextLine(moved, max(run.style.size for run in placed))


def _runs(atoms: Sequence[_Atom], rtl_line: bool) -> Iterator[tuple[str, bool, Style, bool]]:
    for (style, rtl), group in groupby(
        _with_directions(atoms, rtl_line), key=lambda pair: (pair[0].style, pair[1])
    ):
        members = [atom for atom, _ in group]
        yield _text_of(members), members[0].space_before, style, rtl


def _text_of(atoms: Sequence[_Atom]) -> str:
    return "".join(
        f"{' ' if atom.space_before and position else ''}{atom.text}" for position, atom in enumerate(atoms)
    )


def _add_direction_mark(text: str, rtl_line: bool) -> str:
    """Return a line, with a direction mark if its first strong letter has the other direction."""
    first = _is_rtl(text)
    if first is None or first == rtl_line:
        return text
    return ("\N{RIGHT-TO-LEFT MARK}" if rtl_line else "\N{LEFT-TO-RIGHT MARK}") + text


def _with_directions(atoms: Sequence[_Atom], rtl_line: bool) -> Iterator[tuple[_Atom, bool]]:
    """Yield each atom, and whether it runs from right to left. A neutral atom has the direction before it."""
    before = rtl_line
    for atom in atoms:
        before = before if atom.rtl is None else atom.rtl
        yield atom, before


def _in_visual_order(
    runs: Sequence[tuple[str, bool, Style, bool]], rtl_line: bool
) -> list[tuple[str, float, Style]]:
    """Return runs from left to right in the order of the Unicode algorithm, with the gap before each."""
    ordered: list[tuple[str, bool, Style]] = []
    for rtl, group in groupby(runs, key=lambda run: run[3]):
        members = [(text, space_before, style) for text, space_before, style, _ in group]
        ordered += members if rtl == rtl_line else members[::-1]
    if rtl_line:
        ordered.reverse()
    gaps = [text_width(" ", style) if space_before else 0.0 for _, space_before, style in ordered]
    if rtl_line:  # in a right-to-left line, the space before a run is on its right
        gaps = [0.0, *gaps[:-1]]
    else:
        gaps[0] = 0.0
    return [(text, gap, style) for (text, _, style), gap in zip(ordered, gaps, strict=True)]
