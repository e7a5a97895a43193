"""Languages and scripts of readings, and the errors for those that an embedder cannot compare."""

import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from semiosis.values import HSG, UsageError

_FAMILY = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HALFWIDTH": "CJK", "FULLWIDTH": "LATIN"}
"""Scripts that count as another one: Japanese mixes three."""
_SCRIPTS = {"ar": "ARABIC", "el": "GREEK", "he": "HEBREW", "ja": "CJK", "ko": "HANGUL", "ru": "CYRILLIC",
            "th": "THAI", "zh": "CJK"}  # fmt: skip
"""Scripts of languages that are not written in Latin letters."""


class UnmeasuredLanguageWarning(UserWarning):
    """The quality of an embedder's alignments was not measured in this language."""


class Writing(NamedTuple):
    """The language and script of an HSG."""

    language: str
    """The language that the reading states, as an ISO 639 code without region; empty if it states none."""
    script: str
    """The script of most letters; empty if there are none."""

    def __str__(self) -> str:
        letters = f"{self.script.title()} letters" if self.script else "no letters"
        return f"{self.language!r}, {letters}" if self.language else letters

    def differs(self, other: "Writing") -> bool:
        """Return whether two HSGs state different languages, or are in different scripts."""
        pairs = zip(self, other, strict=True)
        return any(here and there and here != there for here, there in pairs)


def writing_of(hsg: HSG, texts: Iterable[str]) -> Writing:
    """Return the language that a reading states and the script of its nodes' texts."""
    return Writing(hsg.reading.language.partition("-")[0].lower(), script_of(texts))


def script_of(texts: Iterable[str]) -> str:
    """Return the script of most letters, such as `LATIN` or `CJK`, or "" if there are none.

    >>> script_of(["the lily", "百合"])
    'LATIN'
    """
    letters = Counter("".join(texts))
    scripts: Counter[str] = Counter()
    for letter, count in letters.items():
        if script := _script(letter):
            scripts[script] += count
    return scripts.most_common(1)[0][0] if scripts else ""


@cache
def _script(letter: str) -> str:
    if not letter.isalpha():
        return ""
    script = unicodedata.name(letter, "UNKNOWN").split()[0]
    return _FAMILY.get(script, script)


def mixing_error(
    pairs: Sequence[tuple[HSG, HSG]], writings: Mapping[str, Writing], embedder: str
) -> UsageError | None:
    """Return the error for pairs in two languages or scripts, which lists the readings to repeat.

    `writings` has each HSG's writing by id. The readings to repeat are those in the rarer writing. The
    result is None if every pair can be compared.
    """
    mixed = [pair for pair in pairs if writings[pair[0].id].differs(writings[pair[1].id])]
    if not mixed:
        return None
    common = Counter(writings[hsg.id] for pair in pairs for hsg in pair).most_common(1)[0][0]
    repeated = {
        hsg.id: hsg
        for pair in mixed
        for hsg in [each for each in pair if writings[each.id].differs(common)] or pair[1:]
    }
    listed = "; ".join(f"{_title(hsg)} ({writings[id_]}; HSG {id_})" for id_, hsg in repeated.items())
    return UsageError(
        f"{len(mixed)} of {len(pairs)} pairs mix languages or scripts, which {embedder!r} cannot compare; "
        f"the readings to repeat are {listed}",
        fix=f"read these signs in the language of the other readings ({common}) with semiosis read "
        "--language; or compare them with the multilingual embedder (--embedder use-multilingual) "
        "or with a model (--model)",
    )


def warn_of_unmeasured(writing: Writing, languages: Sequence[str], embedder: str) -> None:
    """Warn if an embedder was not measured in the language, or in any language with the script."""
    if writing.language:
        measured = writing.language in languages
    else:
        measured = writing.script in {"", *(_SCRIPTS.get(language, "LATIN") for language in languages)}
    if not measured:
        warnings.warn(
            f"alignments with {embedder!r} were measured in {', '.join(languages)} only; their quality on "
            f"readings in other languages ({writing}) is unknown",
            UnmeasuredLanguageWarning,
            stacklevel=2,
        )


def _title(hsg: HSG) -> str:
    return repr(hsg.sign.title or getattr(hsg.sign, "text", "") or hsg.sign.id)
