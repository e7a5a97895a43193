"""Characters that would reorder, hide or break the page's text, made visible instead."""

import re

from markupsafe import Markup

_NOTATION = "⟨U+{:04X}⟩"
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb]")
_DIRECTION = re.compile(r"[\u202a-\u202e\u2066-\u2069]")
"""Embeddings, overrides and isolates. Plain marks (LRM, RLM, ALM) and joiners stay: scripts need them."""


def visible(text: str) -> str:
    """The text with control and direction-override characters spelled out.

    A stray override or isolate reorders everything after it, and a stray closing isolate ends the
    isolation the page itself sets up; both can make a page say what nobody wrote.

    >>> visible("lily\\u202egnp.exe")
    'lily⟨U+202E⟩gnp.exe'
    """
    return _DIRECTION.sub(_spelled, _CONTROLS.sub(_spelled, text))


def visible_value(value: object) -> object:
    """What Jinja calls on every value before it escapes it; markup it made itself passes."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _spelled(found: re.Match[str]) -> str:
    return _NOTATION.format(ord(found[0]))
