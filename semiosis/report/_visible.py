"""Makes characters visible that would reorder, hide or break text."""

import re

from markupsafe import Markup

_NOTATION = "⟨U+{:04X}⟩"
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb]")
_DIRECTION = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
"""Embeddings, overrides and isolates. Plain marks (LRM, RLM, ALM) and joiners stay: scripts need them."""


def visible(text: str) -> str:
    """Return the text with control and direction-override characters replaced by their code points.

    An unclosed override or isolate reorders all text after it, and a stray closing isolate ends the isolation
    that the page sets up. Both can change what the page appears to say.

    >>> visible("lily\\u202egnp.exe")
    'lily⟨U+202E⟩gnp.exe'
    """
    return _DIRECTION.sub(_spelled, _CONTROLS.sub(_spelled, text))


def visible_value(value: object) -> object:
    """Apply `visible` to a template value that is text. Jinja calls this before it escapes the value."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _spelled(found: re.Match[str]) -> str:
    return _NOTATION.format(ord(found[0]))
