"""Escaping: one function per target, and one way to show a control character."""

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semiosis.files import (
    cypher_string,
    escape_csv,
    escape_json,
    escape_latex,
    escape_markdown,
    one_line,
    visible,
)
from semiosis.tables import Table, to_csv, to_latex, to_markdown, to_text

OVERRIDE = "lily\u202egnp.exe"
UNSAFE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("escape", [visible, one_line, escape_csv, escape_latex, escape_markdown])
def test_a_direction_override_is_shown_the_same_way_everywhere(escape) -> None:  # type: ignore[no-untyped-def]  # any of them
    assert escape(OVERRIDE) == "lily⟨U+202E⟩gnp.exe"


@pytest.mark.parametrize("render", [to_text, to_markdown, to_csv, to_latex])
def test_tables_show_a_direction_override_the_same_way(render) -> None:  # type: ignore[no-untyped-def]  # any of them
    shown = render(Table("title", ("judge",), ((OVERRIDE,), ("bell\x07",))))
    assert "⟨U+202E⟩" in shown
    assert not UNSAFE.search(shown)


@given(st.text())
def test_nothing_unsafe_is_left(text: str) -> None:
    assert not UNSAFE.search(visible(text))
    assert visible(visible(text)) == visible(text)
    for escape in (one_line, escape_latex, escape_markdown):
        assert "\n" not in escape(text)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t"])
def test_no_cell_is_run_as_a_formula(start: str) -> None:
    assert escape_csv(f"{start}SUM(A1)").startswith("'")


@given(st.text(st.characters(exclude_characters="\0")))
def test_a_csv_cell_is_read_back(text: str) -> None:
    file = io.StringIO()
    csv.writer(file).writerow([escape_csv(text)])
    file.seek(0)
    assert next(csv.reader(file)) == [escape_csv(text)]


def test_a_cypher_string_keeps_its_content_inside_its_quotes() -> None:
    assert cypher_string('a"b\\c\n') == r'"a\"b\\c\n"'
    # Cypher reads \\u0027 as an apostrophe before it looks for strings, so the two halves are kept apart.
    assert cypher_string("\\u0027") == r'"\\" + "u0027"'


@given(st.text())
def test_a_cypher_string_contains_no_control_characters(text: str) -> None:
    assert cypher_string(OVERRIDE) == r'"lily\u202egnp.exe"'
    literal = cypher_string(text)
    assert not UNSAFE.search(literal)
    assert "\n" not in literal


@given(st.text())
def test_escaped_json_keeps_its_content_and_contains_no_control_characters(text: str) -> None:
    escaped = escape_json(json.dumps([text], ensure_ascii=False, indent=2))
    assert json.loads(escaped) == [text]
    assert visible(escaped) == escaped


INVISIBLE = ("\u00ad", "\u200b", "\u2060", "\u3164", "\ufeff", "\U000e0041", "\U000e007f")


@pytest.mark.parametrize("letter", INVISIBLE, ids=[f"U+{ord(letter):04X}" for letter in INVISIBLE])
def test_an_invisible_character_is_shown(letter: str) -> None:
    shown = f"li⟨U+{ord(letter):04X}⟩ly"
    text = f"li{letter}ly"
    assert (visible(text), one_line(text), escape_csv(text)) == (shown, shown, shown)
    document = escape_json(json.dumps(text, ensure_ascii=False))
    assert letter not in document
    assert json.loads(document) == text


def test_joiners_and_variation_selectors_are_kept() -> None:
    """Persian, Hindi and emoji need them."""
    for text in ("می\u200cخواهم", "क्\u200dष", "👩\u200d🎨", "❤\ufe0f", "\u200e\u200f"):
        assert visible(text) == text
