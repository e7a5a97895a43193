"""The indicators of tier I for critiques of artworks, from keywords and TF-IDF (VULCA, section 3).

They show what a critique mentions, not whether it is right. They are risk indicators, not scores.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from semiosis.values import DataError, Unscored, UsageError

LEVELS = 5
FULL_LENGTH = 2_000
SENTENCE_SMOOTHING = 3

_HAN = r"぀-ヿ㐀-䶿一-鿿가-힯"
_TOKEN = re.compile(rf"[{_HAN}]+|[^\W_{_HAN}][^\W{_HAN}]+")
_SENTENCE = re.compile(r"[^.!?。！？…]*\w[^.!?。！？…]*(?:[.!?。！？…]+|$)")


@dataclass(frozen=True)
class TierOne:
    """The four indicators of one critique, each in [0, 1], and their rescaled mean S_I on 1–5."""

    dcr: float
    csa: float
    cds: float
    lqs: float
    score: float

    def __str__(self) -> str:
        parts = f"DCR {self.dcr:.2f}, CSA {self.csa:.2f}, CDS {self.cds:.2f}, LQS {self.lqs:.2f}"
        return f"S_I {self.score:.2f} ({parts})"


def dcr(covered: int, dimensions: int) -> float:
    """Return the dimension coverage ratio, the share of the culture's dimensions covered (VULCA, equation 1).

    >>> dcr(15, 30)
    0.5
    """
    if not 0 <= covered <= dimensions or dimensions == 0:
        raise DataError(
            f"{covered} of {dimensions} dimensions cannot be covered",
            fix="give at least one dimension, and between 0 and all of them as covered",
        )
    return covered / dimensions


def csa(critique: str, vocabularies: Mapping[str, str | Iterable[str]], culture: str) -> float | Unscored:
    """Return the cultural semantic alignment, a TF-IDF cosine with a vocabulary (VULCA, equation 2).

    The idf is fitted on the vocabularies as documents, idf = ln((1 + N)/(1 + df)) + 1. Words outside all
    vocabularies do not count. Chinese, Japanese and Korean text counts as pairs of neighbouring characters.

    >>> round(csa("ink and mist", {"cn": "ink mist brush", "we": "oil canvas"}, "cn"), 4)
    0.8165
    """
    documents = {name: Counter(tokens(_as_text(words))) for name, words in vocabularies.items()}
    if culture not in documents:
        raise DataError(f"there is no vocabulary for {culture!r}", fix=f"use one of {', '.join(documents)}")
    for text, words in (("critique", tokens(critique)), (f"vocabulary of {culture}", documents[culture])):
        if not words:
            return Unscored(reason="undefined", detail=f"the {text} has no words")
    frequencies = Counter(word for counts in documents.values() for word in counts)
    idf = {word: math.log((1 + len(documents)) / (1 + df)) + 1 for word, df in frequencies.items()}
    found = {word: count * idf[word] for word, count in Counter(tokens(critique)).items() if word in idf}
    own = {word: count * idf[word] for word, count in documents[culture].items()}
    length = _norm(found) * _norm(own)
    return math.fsum(value * own.get(word, 0.0) for word, value in found.items()) / length if length else 0.0


def _norm(vector: Mapping[str, float]) -> float:
    return math.sqrt(math.fsum(value * value for value in vector.values()))


def cds(levels: Iterable[int]) -> float:
    """Return the critique depth, Σ ℓ/15 over the levels 1–5 that are covered (VULCA, equation 3).

    >>> round(cds([1, 2, 5]), 6)
    0.533333
    """
    covered = set(levels)
    if not covered <= set(range(1, LEVELS + 1)):
        raise DataError(
            f"levels {sorted(covered)} are not all between 1 and {LEVELS}", fix=f"use levels 1 to {LEVELS}"
        )
    return math.fsum(covered) / (LEVELS * (LEVELS + 1) / 2)


def lqs(critique: str | int, sentences: int | None = None) -> float:
    """Return the linguistic quality, min(1, |c|/2000)·n/(n + 3) (VULCA, equation 4).

    |c| is the number of characters and n that of sentences. `critique` is the text, or its number of
    characters if `sentences` is given.

    >>> lqs(1000, 3), lqs("Ink. Mist.") == lqs(10, 2)
    (0.25, True)
    """
    characters = len(critique) if isinstance(critique, str) else critique
    if sentences is None:
        if not isinstance(critique, str):
            raise UsageError("the number of sentences is missing", fix="give it, or give the critique itself")
        sentences = count_sentences(critique)
    return min(1.0, characters / FULL_LENGTH) * sentences / (sentences + SENTENCE_SMOOTHING)


def rescale(indicator: float) -> float:
    """Return an indicator on 1–5: 1 + 4·clip(m, 0, 1) (VULCA, section 3).

    >>> rescale(0.25), rescale(1.7)
    (2.0, 5.0)
    """
    return 1 + 4 * min(1.0, max(0.0, indicator))


def tier_one(
    critique: str,
    keywords: Mapping[str, Sequence[str]],
    vocabularies: Mapping[str, str | Iterable[str]],
    culture: str,
) -> TierOne | Unscored:
    """Return the four indicators of a critique and their mean on 1–5.

    `keywords` maps each dimension of the culture, named like CN_L1_D1, to its words in any language. A level
    counts as covered if one of its dimensions is covered. This rule is not from the paper.
    """
    aligned = csa(critique, vocabularies, culture)
    if isinstance(aligned, Unscored):
        return aligned
    covered = covered_dimensions(critique, keywords)
    parts = (
        dcr(len(covered), len(keywords)),
        aligned,
        cds(level_of(dimension) for dimension in covered),
        lqs(critique),
    )
    return TierOne(*parts, score=math.fsum(rescale(part) for part in parts) / len(parts))


def covered_dimensions(critique: str, keywords: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the dimensions that have a keyword in the critique.

    Keywords match whole words, or any characters in scripts without spaces.

    >>> covered_dimensions("留白 and dry brush", {"CN_L1_D1": ["留白", "void"], "CN_L2_D1": ["brushwork"]})
    ['CN_L1_D1']
    """
    text = critique.casefold()
    return [
        name for name, words in keywords.items() if any(_mentions(text, word.casefold()) for word in words)
    ]


def level_of(dimension: str) -> int:
    """Return the level in a dimension's name.

    >>> level_of("CN_L3_D2")
    3
    """
    found = re.search(r"_L([1-5])_", dimension)
    if found is None:
        raise DataError(f"dimension {dimension!r} does not name its level", fix="name it like CN_L1_D1")
    return int(found[1])


def tokens(text: str) -> list[str]:
    """Return the words of two letters or more, in lower case, and pairs of CJK characters.

    >>> tokens("Ink, 气韵生动!")
    ['ink', '气韵', '韵生', '生动']
    """
    found = []
    for run in _TOKEN.findall(text.casefold()):
        wide = re.match(rf"[{_HAN}]", run) and len(run) > 1
        found += [run[start : start + 2] for start in range(len(run) - 1)] if wide else [run]
    return found


def count_sentences(text: str) -> int:
    """Return the number of sentences, which end with . ! ? … or their Chinese forms.

    >>> count_sentences("One. Two! 三。四？ five")
    5
    """
    return len(_SENTENCE.findall(text))


def _mentions(text: str, word: str) -> bool:
    if re.search(rf"[{_HAN}]", word):
        return word in text
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _as_text(words: str | Iterable[str]) -> str:
    return words if isinstance(words, str) else " ".join(words)
