"""Finds the span of a verbatim quote: exactly, or ignoring differences that do not matter."""

import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

from semiosis.values._place import Span, UnresolvedPlace

_MARKS = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»「」『』〝〞〟＂", '"'),
        **dict.fromkeys("‘’‚‛‹›`´", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        # Variation selectors, zero-width characters, byte-order mark, Arabic tatweel, soft hyphen.
        **dict.fromkeys("\ufe0e\ufe0f\u200b\u200c\u2060\ufeff\u0640\u00ad", ""),
        # Vowel points of Arabic and Hebrew: the same words are written with and without them.
        **dict.fromkeys([*range(0x064B, 0x0653), 0x0670, *range(0x05B0, 0x05BD), 0x05C1, 0x05C2], ""),
    }
)
_JOINER = "\u200d"
_CONTINUING = {
    _JOINER,
    *map(chr, range(0x1F3FB, 0x1F400)),  # emoji skin tones
    *map(chr, range(0x1160, 0x1200)),  # vowels and finals of a Korean syllable
    *"\u0e33\u0eb3",  # vowels of Thai and Lao that are drawn on their consonant
}
_FLAG_LETTERS = set(map(chr, range(0x1F1E6, 0x1F200)))


class _Cluster(NamedTuple):
    """A user-perceived character, folded, and its position in the text."""

    folded: str
    start: int
    end: int


def find_span(text: str, quote: str, *, occurrence: int = 1, part: int = 0) -> Span | UnresolvedPlace:
    """Return the span of the quote's n-th occurrence, or an unresolved place with the reason.

    If there is no exact match, differences in white space, case, quotation marks and Unicode normalisation
    are ignored. The span always refers to the original text.

    >>> find_span("A “White”  lily", 'a "white" lily').quote
    'A “White”  lily'
    >>> find_span("a lily", "a rose").reason
    'the text does not contain these words'
    """
    if occurrence < 1:
        return UnresolvedPlace(part=part, claim=quote, reason="occurrences are numbered from 1")
    found = list(_exact(text, quote)) or list(_folded(text, quote))
    if len(found) >= occurrence:
        start, end = found[occurrence - 1]
        return Span(part=part, start=start, end=end, quote=text[start:end])
    # HSG ids hash these reasons, so their wording is fixed.
    times = {0: "the text does not contain these words", 1: "the text contains these words only once"}
    reason = times.get(len(found), f"the text contains these words only {len(found)} times")
    return UnresolvedPlace(part=part, claim=quote, reason=reason)


def _exact(text: str, quote: str) -> Iterator[tuple[int, int]]:
    start = text.find(quote) if quote.strip() else -1
    while start >= 0:
        end = start + len(quote)
        whole = not _splits_character(text, start) and not _splits_character(text, end)
        if whole:
            yield start, end
        start = text.find(quote, end if whole else start + 1)


def _splits_character(text: str, at: int) -> bool:
    """Return whether a cut here would split a user-perceived character: é, 👩‍🎨, a flag, 각."""
    if not 0 < at < len(text):
        return False
    kind = unicodedata.category(text[at])
    if kind.startswith("M") or text[at] in _CONTINUING:
        return True
    if text[at - 1] == _JOINER:
        return kind[0] in "LS"
    return _splits_flag(text, at)


def _splits_flag(text: str, at: int) -> bool:
    """Return whether a cut here splits a flag. A flag is a pair of regional indicator letters."""
    start = at
    while start > 0 and text[start - 1] in _FLAG_LETTERS:
        start -= 1
    return text[at] in _FLAG_LETTERS and (at - start) % 2 == 1


def _folded(text: str, quote: str) -> Iterator[tuple[int, int]]:
    clusters = _merge_spaces(_clusters(text))
    wanted = "".join(cluster.folded for cluster in _merge_spaces(_clusters(quote.strip())))
    haystack = "".join(cluster.folded for cluster in clusters)
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    position = 0
    for cluster in clusters:
        starts.setdefault(position, cluster.start)
        position += len(cluster.folded)
        ends[position] = cluster.end
    at = haystack.find(wanted) if wanted else -1
    while at >= 0:
        whole = at in starts and at + len(wanted) in ends
        if whole:
            yield starts[at], ends[at + len(wanted)]
        at = haystack.find(wanted, at + (len(wanted) if whole else 1))


def _clusters(text: str) -> Iterator[_Cluster]:
    start = 0
    for end in range(1, len(text) + 1):
        if end == len(text) or not _splits_character(text, end):
            folded = _fold(text[start:end])
            if folded:
                yield _Cluster(folded, start, end)
            start = end


def _fold(cluster: str) -> str:
    decomposed = unicodedata.normalize("NFKD", cluster.translate(_MARKS))
    folded = unicodedata.normalize("NFKD", decomposed.casefold()).translate(_MARKS)
    return " " if folded.isspace() else folded


def _merge_spaces(clusters: Iterator[_Cluster]) -> list[_Cluster]:
    merged: list[_Cluster] = []
    for cluster in clusters:
        if cluster.folded == " " and merged and merged[-1].folded == " ":
            merged[-1] = merged[-1]._replace(end=cluster.end)
        else:
            merged.append(cluster)
    return merged
