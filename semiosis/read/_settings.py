"""The settings of a reading: the model, the level of detail, the and the language."""

import hashlib
from dataclasses import dataclass, field

from semiosis.ask import (
    DEFAULT_LANGUAGE,
    Model,
    Profile,
    about_length,
    language_name,
    load_prompt,
)
from semiosis.values import SUB_SEMIOSES, AnySign, Detail, Primitive

_MAX_TOKENS = {"standard": 4096, "complex": 8192}
_EXPECTED_TOKENS = {"standard": 1100, "complex": 2400}


@dataclass(frozen=True)
class ReadingSettings:
    """How a reading is asked for."""

    model: Model
    """The model that reads."""
    detail: Detail = "standard"
    """The level of detail."""
    repeat: int = 0
    """0 for the first reading, 1 for an independent second one, and so on."""
    root_only: bool = False
    """One semiosis for the whole sign and no parts (SemJudge, figure 4)."""
    limits: dict[str, int] = field(default_factory=lambda: dict(SUB_SEMIOSES))
    """The maximum number of sub-semioses for each level of detail."""
    language: str = DEFAULT_LANGUAGE
    """The language of the graph, as a BCP 47 tag. Quotes stay in the sign's own language."""

    def __post_init__(self) -> None:
        language_name(self.language)  # raises UsageError if the language is unknown

    @property
    def profile(self) -> Profile:
        """How the model takes schemas, boxes and images."""
        return self.model.profile

    @property
    def max_sub_semioses(self) -> int:
        """The maximum number of sub-semioses."""
        return 0 if self.root_only else self.limits[self.detail]

    @property
    def expected_tokens(self) -> int:
        """The usual length of a reply, for estimates."""
        return _EXPECTED_TOKENS[self.detail]

    @property
    def parameters(self) -> dict[str, Primitive]:
        """The parameters of the call: `max_tokens`, unless the model sets its own."""
        return {} if "max_tokens" in self.model.parameters else {"max_tokens": _MAX_TOKENS[self.detail]}

    @property
    def language_name(self) -> str:
        """The name of the language, as the prompts use it."""
        return language_name(self.language)

    def about_length(self, *words: int) -> str:
        """Return a length for a prompt, in words, or in characters if the language has no spaces."""
        return about_length(*words, language=self.language)

    def placeholder_text(self, system: str, sign: AnySign) -> str:
        """Return the text of a placeholder, which differs between readers and signs as their graphs would.

        A dry run counts equal requests once, so requests about two readings must not be equal.
        """
        identity = f"{self.model.full_name} {self.detail} {system} {sign.id}"
        return f"to be read {hashlib.sha256(identity.encode()).hexdigest()[:8]}"

    @property
    def version(self) -> str:
        """The version of the reading prompts, as interpreters record it."""
        return f"hsg/{load_prompt('hsg-prompt').version}"
