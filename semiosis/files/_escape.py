"""Escaping, with one function per target. Control characters are shown by code point, as in `⟨U+202E⟩`."""

import json
import re
from unicodedata import normalize

_CONTROLS = r"\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufff9-\ufffb"
"""Control characters, line separators, and direction embeddings, overrides and isolates.

A tab and a newline are safe. So are plain direction marks (LRM, RLM, ALM) and joiners: scripts need them.
"""
_INVISIBLE = (
    r"\u00ad\u115f\u1160\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
"""Characters without a shape: soft hyphens, zero-width spaces, byte order marks, fillers and tags.

They make different names look the same, and tags can carry text that a model reads and a person does not see.
"""
_UNSAFE = re.compile(f"[{_CONTROLS}{_INVISIBLE}]")
_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>|&#~$!]|(?<=www)\.|:(?=//)")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "−": r"$-$",
    "±": r"$\pm$",
    "Δ": r"$\Delta$",
    "κ": r"$\kappa$",
    "τ": r"$\tau$",
    "ρ": r"$\rho$",
    "γ": r"$\gamma$",
    "∞": r"$\infty$",
    "→": r"$\to$",
}
_CYPHER = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_CYPHER_SPECIAL = re.compile(rf'\\(?=u)|[\\"\t\n{_CONTROLS}\ud800-\udfff]')


def visible(text: str) -> str:
    """Return text that is safe to show in a terminal or on a page.

    A control character can move the cursor. A direction override or isolate reorders the text after it, so
    that a page or a file name is misread. An invisible character hides a difference.

    >>> visible("lily\\u202egnp.exe")
    'lily⟨U+202E⟩gnp.exe'
    """
    return _UNSAFE.sub(_code_point, text)


def one_line(text: str) -> str:
    """Return `visible` text on one line, each run of white space as one space.

    >>> one_line("a white\\n  lily\\x1b[31m")
    'a white lily⟨U+001B⟩[31m'
    """
    return " ".join(visible(text).split())


def escape_markdown(text: str) -> str:
    """Return one line of Markdown that shows the text literally.

    >>> print(escape_markdown("*a* | b"))
    \\*a\\* \\| b
    """
    return _MARKDOWN.sub(lambda found: f"\\{found[0]}", one_line(text))


def escape_latex(text: str) -> str:
    """Return one line of LaTeX that shows the text literally.

    >>> print(escape_latex("50% of x_1"))
    50\\% of x\\_1
    """
    return "".join(_LATEX.get(letter, letter) for letter in one_line(text))


def escape_csv(text: str) -> str:
    """Return a CSV cell that no spreadsheet runs as a formula. The `csv` module adds the quotes.

    >>> escape_csv("=HYPERLINK(A1)")
    "'=HYPERLINK(A1)"
    """
    return "'" + visible(text) if text.startswith(_FORMULA) else visible(text)


def escape_json(text: str) -> str:
    """Return JSON in which control characters are escapes, so that a terminal does not act on them.

    >>> escape_json('"a lily\\u202e"')
    '"a lily\\\\u202e"'
    """
    return _UNSAFE.sub(lambda match: json.dumps(match[0])[1:-1], text)


def file_stem(text: str) -> str:
    """Return a name for a file, without a suffix: ASCII letters in lower case, digits and hyphens.

    Letters that ASCII does not have are left out, because LaTeX and some archives cannot name such a file.

    >>> file_stem("Café at Night, by Lodestar")
    'cafe-at-night-by-lodestar'
    """
    plain = normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].rstrip("-")


def cypher_string(text: str) -> str:
    """Return a Cypher string literal, with its quotes. Control characters are escapes, so the value is kept.

    >>> print(cypher_string('a "white" lily'))
    "a \\"white\\" lily"
    """
    return '"' + _CYPHER_SPECIAL.sub(_cypher_escape, text) + '"'


def _code_point(found: re.Match[str]) -> str:
    return f"⟨U+{ord(found[0]):04X}⟩"


def _cypher_escape(found: re.Match[str]) -> str:
    escaped = _CYPHER.get(found[0]) or f"\\u{ord(found[0]):04x}"
    # Cypher replaces \uXXXX before it looks for strings, so a literal backslash must not touch a following u.
    return escaped + '" + "' if found.string.startswith("\\u", found.start()) else escaped
