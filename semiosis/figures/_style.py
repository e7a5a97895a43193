"""The widths, fonts, colours and line styles of figures, and the functions that save figures."""

import io
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.font_manager import findSystemFonts, fontManager

from semiosis.files import atomic_write
from semiosis.values import Fate, UsageError

Width = Literal["one-column", "two-column"]
"""The width of a figure: one column of a journal (85 mm) or two (178 mm)."""

POINTS: dict[Width, float] = {"one-column": 241.0, "two-column": 505.0}
"""Widths in points (1/72 inch)."""

INK, QUIET, RULE, PAPER = "#1a1a1a", "#5c5c5c", "#c9c9c9", "#ffffff"
HUES = ("#0072b2", "#d55e00", "#00805c", "#a8457f", "#8a6500", "#2f7fb5", "#5b4ea3", "#6b6b6b")
"""The colours of nodes, after Okabe and Ito (2008), darkened so that white text on them is readable."""

FATE_COLOURS: dict[Fate, str] = {
    "kept": "#0072b2",
    "weakened": "#56b4e9",
    "split": "#2f5f8a",
    "merged": "#8cc6e8",
    "diffused": "#b9b9b9",
    "resignified": "#e69f00",
    "reversed": "#b03a00",
    "lost": "#ffffff",
}
"""Fill colour of each fate. Hatches distinguish fates in print without colour."""
FATE_HATCHES: dict[Fate, str] = {
    "kept": "",
    "weakened": "////",
    "split": "||||",
    "merged": "----",
    "diffused": "....",
    "resignified": "\\\\\\\\",
    "reversed": "xxxx",
    "lost": "",
}
FATE_LINES: dict[Fate, tuple[str, Any, float]] = {
    "kept": ("#0072b2", "-", 1.6),
    "weakened": ("#0072b2", (0, (4, 2)), 1.2),
    "split": ("#0072b2", "-", 1.0),
    "merged": ("#0072b2", "-", 0.7),
    "diffused": ("#5c5c5c", (0, (1, 1.5)), 1.2),
    "resignified": ("#b03a00", (0, (6, 2, 1, 2)), 1.2),
    "reversed": ("#b03a00", (0, (2, 1)), 1.6),
    "lost": ("#5c5c5c", "-", 0.7),
}
"""Colour, dashes and width of the line from a node to its targets."""

EMERGENT = INK
"""Colour of emergent nodes: black, which no node of a prompt has."""

_LATIN = ("Noto Sans", "Source Sans 3", "Open Sans", "Liberation Sans", "Arial", "DejaVu Sans")
_OTHER = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "Droid Sans Fallback", "PingFang SC"),
    *("Microsoft YaHei", "Noto Sans Arabic", "Noto Naskh Arabic", "Noto Sans Hebrew", "Noto Sans Devanagari"),
    "DejaVu Sans",
)
_FORMATS = (".pdf", ".svg", ".png")
_GLYPH = re.compile(r"Glyph (\d+) ")
PNG_DPI = 300


@cache
def font_families() -> tuple[str, ...]:
    """Return the installed font families that figures use: one for Latin, then those for other scripts."""
    # Few Chinese fonts have a bold face. Matplotlib uses the normal face and logs a warning each time.
    logging.getLogger("matplotlib.font_manager").addFilter(
        lambda record: "font weight" not in str(record.msg)
    )
    listed = {entry.fname for entry in fontManager.ttflist}
    for file in sorted(set(findSystemFonts()) - listed):  # fonts installed after Matplotlib made its list
        try:
            fontManager.addfont(file)
        except (OSError, RuntimeError):  # Matplotlib cannot read every format, such as colour bitmaps
            continue
    installed = {entry.name for entry in fontManager.ttflist}
    latin = next(name for name in _LATIN if name in installed)  # DejaVu Sans comes with Matplotlib
    return tuple(dict.fromkeys([latin, *(name for name in _OTHER if name in installed)]))


@contextmanager
def house_style() -> Iterator[None]:
    """Apply the common style while a figure is drawn or saved."""
    settings: Any = {
        "font.family": list(font_families()),
        "font.size": 7,
        "axes.titlesize": 7.5,
        "axes.labelsize": 7,
        "axes.linewidth": 0.5,
        "axes.edgecolor": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlelocation": "left",
        "axes.titleweight": "bold",
        "xtick.labelsize": 6.5,
        "ytick.labelsize": 6.5,
        "xtick.major.width": 0.5,
        "ytick.major.width": 0.5,
        "xtick.major.size": 2.5,
        "ytick.major.size": 2.5,
        "hatch.linewidth": 0.4,
        "text.parse_math": False,
        "pdf.fonttype": 42,
        "ps.fonttype": 42,
        "svg.fonttype": "path",
        "svg.hashsalt": "semiosis",
        "savefig.dpi": PNG_DPI,
        "axes.unicode_minus": True,
    }
    with mpl.rc_context(settings), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")  # `save_figure` reports them
        yield


def blank_figure(width: float, height: float, description: str) -> Figure:
    """Return an empty figure of this size in points. Its label is the text alternative."""
    figure = Figure(figsize=(width / 72, height / 72), facecolor=PAPER)
    figure.set_label(description)
    return figure


def figure_bytes(figure: Figure, file_format: str = "png") -> tuple[bytes, tuple[str, ...]]:
    """Return a figure as a PDF, SVG or PNG file, and the characters that no installed font has.

    The same figure always gives the same bytes, because the file contains no time and no version.
    """
    if f".{file_format}" not in _FORMATS:
        raise UsageError(f"a figure cannot be written as {file_format!r}", fix="choose pdf, svg or png")
    title = str(figure.get_label())
    metadata: dict[str, dict[str, Any]] = {
        "pdf": {"CreationDate": None, "Producer": None, "Creator": "Semiosis", "Title": title},
        "svg": {"Date": None, "Creator": "Semiosis", "Title": title},
        "png": {"Software": None, "Title": title.encode("latin-1", "replace").decode("latin-1")},
    }
    out = io.BytesIO()
    with house_style(), warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", message="Glyph .* missing from font")
        figure.savefig(out, format=file_format, metadata=metadata[file_format])
    missing = {int(glyph[1]) for w in caught if (glyph := _GLYPH.match(str(w.message)))}
    return out.getvalue(), tuple(chr(point) for point in sorted(missing))


def save_figure(figure: Figure, path: str | Path) -> tuple[str, ...]:
    """Write a figure to a .pdf, .svg or .png file and return the characters that no installed font has."""
    file = Path(path)
    if file.suffix.lower() not in _FORMATS:
        raise UsageError(
            f"{file.name!r} does not name a figure format", fix="end the name in .pdf, .svg or .png"
        )
    content, missing = figure_bytes(figure, file.suffix.lower()[1:])
    file.parent.mkdir(parents=True, exist_ok=True)
    atomic_write(file, content)
    return missing
