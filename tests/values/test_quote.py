"""Spans from verbatim quotes: exact and folded, in many scripts, and never splitting a character."""

import re
import unicodedata
from typing import Literal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from semiosis.values import Span, UnresolvedPlace, find_span
from tests.strategies import spans, words


def found(text: str, quote: str, occurrence: int = 1) -> tuple[int, int]:
    span = find_span(text, quote, occurrence=occurrence)
    assert isinstance(span, Span), span.reason
    assert text[span.start : span.end] == span.quote
    return span.start, span.end


def reason(text: str, quote: str, occurrence: int = 1) -> str:
    claim = find_span(text, quote, occurrence=occurrence)
    assert isinstance(claim, UnresolvedPlace), claim.quote
    assert claim.claim == quote
    return claim.reason


# Exact


@pytest.mark.parametrize(
    ("text", "quote", "occurrence", "span"),
    [
        ("a white lily", "lily", 1, (8, 12)),
        ("a white lily", "a white lily", 1, (0, 12)),
        ("lily, lily, lily", "lily", 2, (6, 10)),
        ("lily, lily, lily", "lily", 3, (12, 16)),
        ("Lily lily", "lily", 1, (5, 9)),  # the exact one, though the folded one comes first
        ("aaaa", "aa", 2, (2, 4)),  # occurrences do not overlap
        ("one\ntwo", "one\ntwo", 1, (0, 7)),
        ("(a+b)*", "(a+b)*", 1, (0, 6)),  # nothing is a pattern
    ],
)
def test_an_exact_quote(text: str, quote: str, occurrence: int, span: tuple[int, int]) -> None:
    assert found(text, quote, occurrence) == span


plain_text = st.text("ab \n", max_size=30)


@given(plain_text, st.text("ab", min_size=1, max_size=3), plain_text, st.integers(1, 5))
def test_exact_matches_against_regular_expressions(
    before: str, quote: str, after: str, occurrence: int
) -> None:
    text = before + quote + after
    matches = [match.span() for match in re.finditer(re.escape(quote), text)]
    span = find_span(text, quote, occurrence=occurrence)
    if occurrence <= len(matches):
        assert isinstance(span, Span)
        assert (span.start, span.end) == matches[occurrence - 1]
    else:
        assert isinstance(span, UnresolvedPlace)


@given(st.data())
def test_any_stretch_of_plain_text_is_found(data: st.DataObject) -> None:
    text = data.draw(st.text("lily 百合زنبق", min_size=1, max_size=30))
    quote = data.draw(spans(text)).quote
    assume(quote.strip())
    start, end = found(text, quote)
    assert text[start:end] == quote


# Folded


@pytest.mark.parametrize(
    ("text", "quote", "cut"),
    [
        ("A White\n  Lily", "a white lily", "A White\n  Lily"),
        ("a\u00a0b\u3000c", "a b c", "a\u00a0b\u3000c"),
        ("a lily", "  lily  ", "lily"),
        ("he said “yes”", 'he said "yes"', "he said “yes”"),
        ('he said "yes"', "he said «yes»", 'he said "yes"'),
        ("「百合」と", '"百合"', "「百合」"),
        ("the painter’s", "the painter's", "the painter’s"),
        ("dusk—dawn", "dusk-dawn", "dusk—dawn"),
        ("caf\u00e9", "cafe\u0301", "caf\u00e9"),  # NFC text, NFD quote
        ("cafe\u0301", "caf\u00e9", "cafe\u0301"),  # NFD text, NFC quote
        ("\uff4c\uff49\uff4c\uff59", "lily", "\uff4c\uff49\uff4c\uff59"),  # full width, NFKC
        ("Straße", "STRASSE", "Straße"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("and so on…", "so on...", "so on…"),
        ("soft\u00adhyphen", "softhyphen", "soft\u00adhyphen"),
    ],
)
def test_insignificant_differences_are_ignored(text: str, quote: str, cut: str) -> None:
    start, end = found(text, quote)
    assert text[start:end] == cut


def test_the_occurrence_counts_folded_matches_too() -> None:
    assert found("Lily, LILY", "lily", 2) == (6, 10)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@given(text=words)
def test_a_whole_text_is_found_in_any_normal_form(form: Literal["NFC", "NFD"], text: str) -> None:
    assume(re.search(r"\w", text))
    assert isinstance(find_span(text, unicodedata.normalize(form, text)), Span)


@given(words, words, st.integers(1, 3))
def test_a_span_always_cuts_its_text(text: str, quote: str, occurrence: int) -> None:
    span = find_span(text, quote, occurrence=occurrence, part=2)
    assert span.part == 2
    if isinstance(span, Span):
        assert text[span.start : span.end] == span.quote


# Scripts


@pytest.mark.parametrize(
    ("text", "quote", "occurrence", "span"),
    [
        ("水墨画中的白百合，百合", "百合", 1, (6, 8)),
        ("水墨画中的白百合，百合", "百合", 2, (9, 11)),
        ("زَنْبَق أبيض", "زَنْبَق", 1, (0, 7)),  # with vowel marks
        ("زَنْبَق أبيض", "زنبق", 1, (0, 7)),  # quoted without them
        ("زنبق أبيض", "زَنْبَق", 1, (0, 4)),  # quoted with them
        ("زنـــبق", "زنبق", 1, (0, 7)),  # stretched letters
        ("שָׁלוֹם", "שלום", 1, (0, 7)),  # Hebrew points
        ("हिन्दी कविता", "कविता", 1, (7, 12)),
        ("👩\u200d🎨 paints ❤\ufe0f", "👩\u200d🎨", 1, (0, 3)),
        ("👩\u200d🎨 paints ❤\ufe0f", "❤", 1, (11, 13)),  # the variation selector belongs to it
        ("❤ red", "❤\ufe0f", 1, (0, 1)),
        ("🇫🇷🇩🇪", "🇩🇪", 1, (2, 4)),
    ],
)
def test_scripts_and_emoji(text: str, quote: str, occurrence: int, span: tuple[int, int]) -> None:
    assert found(text, quote, occurrence) == span


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("cafe\u0301", "cafe"),  # e without its accent
        ("cafe\u0301s", "\u0301s"),  # the accent without its e
        ("caf\u00e9", "cafe"),
        ("हि", "ह"),  # a consonant without its vowel sign
        ("👩\u200d🎨", "👩"),
        ("👩\u200d🎨", "🎨"),
        ("👍🏽", "👍"),
        ("🇫🇷🇩🇪", "🇷🇩"),
        ("\u1100\u1161\u11a8", "\u1100\u1161"),  # 각 is not 가
        ("각", "가"),
        ("กำ", "ก"),
    ],
)
def test_no_character_is_split(text: str, quote: str) -> None:
    assert reason(text, quote) == "the text does not contain these words"


def test_arabic_hamza_is_not_a_vowel_mark() -> None:
    assert reason("أبيض", "ابيض") == "the text does not contain these words"


def test_a_whole_match_is_found_after_one_that_splits_a_character() -> None:
    assert found("cafe\u0301 cafe", "cafe") == (6, 10)


# Quotes that are not found


@pytest.mark.parametrize(
    ("text", "quote", "occurrence", "why"),
    [
        ("a lily", "a rose", 1, "the text does not contain these words"),
        ("a lily", "", 1, "the text does not contain these words"),
        ("a lily", " \n", 1, "the text does not contain these words"),
        ("a lily", "\u200b", 1, "the text does not contain these words"),
        ("a lily", "lily", 2, "the text contains these words only once"),
        ("lily lily", "lily", 3, "the text contains these words only 2 times"),
        ("a lily", "lily", 0, "occurrences are numbered from 1"),
    ],
)
def test_a_quote_that_is_not_found_has_a_reason(text: str, quote: str, occurrence: int, why: str) -> None:
    assert reason(text, quote, occurrence) == why
