"""Which script an HSG is written in. Cosines across scripts mean nothing to a monolingual embedder."""

import unicodedata
from collections import Counter
from collections.abc import Iterable

from semiosis.values import UsageError

_FAMILY = {"HIRAGANA": "CJK", "KATAKANA": "CJK", "HALFWIDTH": "CJK", "FULLWIDTH": "LATIN"}
"""Japanese mixes three scripts; it is one writing here."""


def script_of(texts: Iterable[str]) -> str:
    """The script most letters are in, such as `LATIN` or `CJK`; empty without letters.

    >>> script_of(["the lily", "百合"])
    'LATIN'
    """
    letters = Counter(letter for text in texts for letter in text if letter.isalpha())
    scripts: Counter[str] = Counter()
    for letter, count in letters.items():
        script = unicodedata.name(letter, "UNKNOWN").split()[0]
        scripts[_FAMILY.get(script, script)] += count
    return scripts.most_common(1)[0][0] if scripts else ""


def refuse_two_scripts(source: str, target: str, embedder: str) -> None:
    """Raise where two HSGs are written in different scripts: it would look like loss."""
    if source and target and source != target:
        raise UsageError(
            f"the HSGs are written in {source.title()} and {target.title()} letters, "
            f"which {embedder!r} cannot compare",
            fix="read both signs in one language, or use a multilingual embedder such as "
            "hf:sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        )
