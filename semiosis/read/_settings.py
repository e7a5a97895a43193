"""The settings of a reading: the model, the level of detail, the language and the version of the prompts."""

import hashlib
from dataclasses import dataclass, field

from semiosis.ask import (
    CURRENT_PROMPTS,
    DEFAULT_LANGUAGE,
    Model,
    Profile,
    PromptVersion,
    about_length,
    language_name,
)
from semiosis.values import SUB_SEMIOSES, AnySign, Detail, Primitive, UsageError

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
    prompts: PromptVersion = CURRENT_PROMPTS
    """The version of the prompts."""

    def __post_init__(self) -> None:
        check_language(self.language, self.prompts)

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
        return f"hsg/{self.prompts}"


def check_language(tag: str, prompts: PromptVersion) -> None:
    """Raise UsageError for an unknown language, or one that version 1 of the prompts cannot ask for."""
    language_name(tag)
    if prompts == 1 and tag != DEFAULT_LANGUAGE:
        raise UsageError(
            f"version 1 of the prompts leaves the language to the model, so it cannot ask for {tag!r}",
            fix="leave the language out, or use version 2",
        )
