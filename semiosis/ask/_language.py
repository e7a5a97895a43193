"""The languages in which models can be asked to write, and how prompts state lengths in them."""

from semiosis.values import UsageError

LANGUAGES = {
    "ar": "Arabic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "pt": "Portuguese",
    "ru": "Russian",
    "zh": "Chinese",
    "zh-Hans": "Simplified Chinese",
    "zh-Hant": "Traditional Chinese",
}
"""Languages that graphs and rationales can be written in, by BCP 47 tag."""

DEFAULT_LANGUAGE = "en"
"""The language of graphs and rationales unless another one is asked for."""

_WITHOUT_SPACES = {"ja", "zh", "zh-Hans", "zh-Hant"}
_CHARACTERS_PER_WORD = 2


def language_name(tag: str) -> str:
    """Return the English name of a language.

    >>> language_name("de")
    'German'
    """
    if tag not in LANGUAGES:
        tags = ", ".join(sorted(LANGUAGES))
        raise UsageError(f"the language {tag!r} is not known", fix=f"choose one of {tags}")
    return LANGUAGES[tag]


def about_length(*words: int, language: str) -> str:
    """Return a length or a range of lengths in words, or in characters for a script without spaces.

    >>> about_length(15, language="en"), about_length(1, 4, language="zh")
    ('about 15 words', 'about 2 to 8 characters')
    """
    if language in _WITHOUT_SPACES:
        return f"about {' to '.join(str(_CHARACTERS_PER_WORD * number) for number in words)} characters"
    return f"about {' to '.join(map(str, words))} words"
