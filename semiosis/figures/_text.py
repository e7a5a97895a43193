"""Text that is measured, wrapped and set in the reading direction of its script."""

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
"""Distance of two baselines as a multiple of the font size."""
_TOKENS = re.compile(r"\s+|\S+")


@dataclass(frozen=True, slots=True)
class Style:
    """How a piece of text looks."""

    size: float = 7.0
    weight: str = "normal"
    italic: bool = False
    colour: str = INK
    mark: str = ""
    """Colour behind the text; empty for none."""
    rise: float = 0.0
    """How far the text is above the baseline, in points."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Text in one style."""

    text: str
    style: Style = Style()


@dataclass(frozen=True, slots=True)
class Placed:
    """A run of one line, at its distance from the left edge."""

    x: float
    width: float
    text: str
    style: Style


@dataclass(frozen=True, slots=True)
class Line:
    """One line of wrapped text."""

    runs: tuple[Placed, ...]
    size: float

    @property
    def height(self) -> float:
        """Distance to the next baseline."""
        return self.size * LEADING


@dataclass(frozen=True, slots=True)
class _Atom:
    text: str
    spaced: bool
    style: Style
    rtl: bool | None


def wrapped(pieces: Iterable[Piece] | str, width: float, style: Style | None = None) -> list[Line]:
    """Return text in lines of at most this many points. No letter is left out, however long a word is.

    Lines break at spaces and between wide letters, such as Chinese ones. A text whose first strong letter
    is Arabic or Hebrew is set from the right.
    """
    given = [Piece(pieces, style or Style())] if isinstance(pieces, str) else list(pieces)
    atoms = _joined(given, width)
    base = next((atom.rtl for atom in atoms if atom.rtl is not None), False)
    return [_placed(line, width, base) for line in _filled(atoms, width)]


def height_of(lines: Sequence[Line]) -> float:
    """Return the height of lines in points."""
    return sum(line.height for line in lines)


def text_width(text: str, style: Style) -> float:
    """Return the width of text on one line, in points."""
    return _width(text, style.size, style.weight, style.italic)


def font(style: Style) -> FontProperties:
    """Return the font of a style, with a fallback for every script that is installed."""
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
    found = measure(text, _font(size, weight, italic), False)[0]
    return float(found) * 72 / _DPI


def _joined(pieces: Sequence[Piece], width: float) -> list[_Atom]:
    """Return the atoms of all pieces. A space at the end of a piece goes to the first atom of the next."""
    atoms: list[_Atom] = []
    trailing = False
    for piece in pieces:
        found = list(_atoms(piece, width))
        if found and trailing:
            found[0] = replace(found[0], spaced=True)
        atoms += found
        trailing = piece.text[-1:].isspace() or (trailing and not found)
    return atoms


def _atoms(piece: Piece, width: float) -> Iterator[_Atom]:
    spaced = piece.text[:1].isspace()
    for token in _TOKENS.findall(_inert(piece.text)):
        if token.isspace():
            spaced = True
            continue
        for part in _breakable(token):
            style = _upright(piece.style, part)
            for bit in _fitting(part, style, width):
                yield _Atom(bit, spaced, style, _is_rtl(bit))
                spaced = False


def _upright(style: Style, text: str) -> Style:
    """Return the style without italics for scripts that have none: fonts lack their slanted letters."""
    slanted = all(not c.isalpha() or c < "\u0530" or "\u1e00" <= c < "\u2000" for c in text)
    return style if slanted or not style.italic else replace(style, italic=False)


def _inert(text: str) -> str:
    """Return the text without control characters; spaces at its ends are kept."""
    lead, tail = (" " if text[:1].isspace() else ""), (" " if text[-1:].isspace() else "")
    return f"{lead}{one_line(text)}{tail}"


def _breakable(word: str) -> Iterator[str]:
    """Yield the parts of a word between which a line may break: after a wide letter, not before a comma."""
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


def _fitting(part: str, style: Style, width: float) -> Iterator[str]:
    """Yield the part, cut where it is wider than a line."""
    while len(part) > 1 and text_width(part, style) > width:
        cut = len(part) - 1
        while cut > 1 and text_width(part[:cut], style) > width:
            cut -= 1
        yield part[:cut]
        part = part[cut:]
    yield part


def _is_rtl(text: str) -> bool | None:
    strong = next((kind for kind in map(bidirectional, text) if kind in ("L", "R", "AL")), None)
    return None if strong is None else strong != "L"


def _filled(atoms: Sequence[_Atom], width: float) -> Iterator[list[_Atom]]:
    line: list[_Atom] = []
    used = 0.0
    for cluster in _clusters(atoms):
        wide = sum(text_width(atom.text, atom.style) for atom in cluster)
        gap = text_width(" ", cluster[0].style) if cluster[0].spaced and line else 0.0
        if line and used + gap + wide > width:
            yield line
            line, used, gap = [], 0.0, 0.0
        line += cluster
        used += gap + wide
    if line:
        yield line


def _clusters(atoms: Sequence[_Atom]) -> Iterator[list[_Atom]]:
    """Yield atoms that stay on one line together: a word with the punctuation and the badge after it."""
    cluster: list[_Atom] = []
    for atom in atoms:
        first = atom.text[0]
        closing = category(first) in ("Pe", "Pf", "Po") or first == "\N{WORD JOINER}"
        if cluster and (atom.spaced or not closing):
            yield cluster
            cluster = []
        cluster.append(atom)
    if cluster:
        yield cluster


def _placed(atoms: Sequence[_Atom], width: float, base: bool) -> Line:
    """Return a line of text in runs from left to right.

    A line in one style is one run, which Matplotlib sets in visual order. Other lines are divided into
    runs of one style and direction, which are ordered here word by word.
    """
    if len({atom.style for atom in atoms}) == 1:
        visual = [(_marked(_text_of(atoms), base), 0.0, atoms[0].style)]
    else:
        visual = _visual(list(_runs(atoms, base)), base)
    x, placed = 0.0, []
    for text, gap, style in visual:
        x += gap
        wide = text_width(text, style)
        placed.append(Placed(x, wide, text, style))
        x += wide
    shift = width - x if base else 0.0
    moved = tuple(Placed(run.x + shift, run.width, run.text, run.style) for run in placed)
    return Line(moved, max(run.style.size for run in placed))


def _runs(atoms: Sequence[_Atom], base: bool) -> Iterator[tuple[str, bool, Style, bool]]:
    for (style, rtl), group in groupby(_directed(atoms, base), key=lambda pair: (pair[0].style, pair[1])):
        members = [atom for atom, _ in group]
        yield _text_of(members), members[0].spaced, style, rtl


def _text_of(atoms: Sequence[_Atom]) -> str:
    return "".join(f"{' ' if atom.spaced and place else ''}{atom.text}" for place, atom in enumerate(atoms))


def _marked(text: str, base: bool) -> str:
    """Return a line with a mark of its direction where its first strong letter has the other one."""
    first = _is_rtl(text)
    if first is None or first == base:
        return text
    return ("\N{RIGHT-TO-LEFT MARK}" if base else "\N{LEFT-TO-RIGHT MARK}") + text


def _directed(atoms: Sequence[_Atom], base: bool) -> Iterator[tuple[_Atom, bool]]:
    before = base
    for atom in atoms:
        before = before if atom.rtl is None else atom.rtl
        yield atom, before


def _visual(runs: Sequence[tuple[str, bool, Style, bool]], base: bool) -> list[tuple[str, float, Style]]:
    """Return runs from left to right with the gap before each, in the order of the Unicode algorithm."""
    ordered: list[tuple[str, bool, Style]] = []
    for rtl, group in groupby(runs, key=lambda run: run[3]):
        members = [(text, spaced, style) for text, spaced, style, _ in group]
        ordered += members if rtl == base else members[::-1]
    if base:
        ordered.reverse()
    gaps = [text_width(" ", style) if spaced else 0.0 for _, spaced, style in ordered]
    if base:  # the space of a run lies on its right when it is read from the right
        gaps = [0.0, *gaps[:-1]]
    else:
        gaps[0] = 0.0
    return [(text, gap, style) for (text, _, style), gap in zip(ordered, gaps, strict=True)]
