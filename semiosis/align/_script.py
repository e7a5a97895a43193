"""Scripts and languages: cosines across scripts mean nothing to an embedder that knows one language."""

import unicodedata
import warnings
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from semiosis.values import HSG, UsageError

_FAMILY = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HALFWIDTH": "CJK", "FULLWIDTH": "LATIN"}
"""Japanese mixes three scripts, which count as one."""
_SCRIPTS = {"ar": "ARABIC", "el": "GREEK", "he": "HEBREW", "ja": "CJK", "ko": "HANGUL", "ru": "CYRILLIC",
            "th": "THAI", "zh": "CJK"}  # fmt: skip
"""Scripts of languages that are not written in Latin letters."""


class UnmeasuredLanguageWarning(UserWarning):
    """The quality of an embedder's alignments was not measured in this script or language."""


def script_of(texts: Iterable[str]) -> str:
    """The script most letters are in, such as `LATIN` or `CJK`; empty without letters.

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


def refuse_mixed_scripts(pairs: Sequence[tuple[HSG, HSG]], scripts: dict[str, str], embedder: str) -> None:
    """Raise if the two HSGs of a pair are in different scripts, and list the readings to make again.

    `scripts` gives each HSG's script by id. The readings to make again are those in the rarer script.
    """
    mixed = [pair for pair in pairs if not same_script(*(scripts[hsg.id] for hsg in pair))]
    if not mixed:
        return
    common = Counter(scripts[hsg.id] for pair in pairs for hsg in pair).most_common(1)[0][0]
    again = {hsg.id: hsg for pair in mixed for hsg in pair if scripts[hsg.id] != common}
    listed = "; ".join(f"{_title(hsg)} ({scripts[id_].title()}, HSG {id_})" for id_, hsg in again.items())
    raise UsageError(
        f"{len(mixed)} of {len(pairs)} pairs mix scripts, which {embedder!r} cannot compare: {listed}",
        fix=f"make these readings again in the language of the others ({common.title()} letters), "
        "or use the multilingual embedder: --embedder use-multilingual",
    )


def warn_of_unmeasured(script: str, languages: Sequence[str], embedder: str) -> None:
    """Warn if an embedder was not measured on a language that is written in this script."""
    if script and script not in {_SCRIPTS.get(language, "LATIN") for language in languages}:
        warnings.warn(
            f"alignments with {embedder!r} were measured in {', '.join(languages)} only, "
            f"and this HSG is in {script.title()} letters: how good they are is unknown",
            UnmeasuredLanguageWarning,
            stacklevel=2,
        )


def same_script(one: str, other: str) -> bool:
    """Return whether two scripts are the same; texts without letters fit every script."""
    return not one or not other or one == other


def _title(hsg: HSG) -> str:
    return repr(hsg.sign.title or getattr(hsg.sign, "text", "") or hsg.sign.id)
