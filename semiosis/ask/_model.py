"""Whom to ask: `provider/name`, with an endpoint and settings that only the user can give."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from semiosis.ask._profile import Profile, Structured, profile_of
from semiosis.values import Primitive, UsageError

OWN_KEY = "SEMIOSIS_API_KEY"
"""The variable with the key of the user's own server, which never receives a provider's key."""


@dataclass(frozen=True)
class Model:
    """A model and how to reach it.

    >>> Model("anthropic/claude-sonnet-5").provider
    'anthropic'
    """

    full_name: str
    """`provider/name`, such as `anthropic/claude-sonnet-5`, `openai/gpt-5`, `local/<folder or hub id>`."""
    base_url: str = ""
    """The user's own server. Never taken from a study file. It receives `SEMIOSIS_API_KEY`, not the
    provider's key."""
    parameters: Mapping[str, Primitive] = field(default_factory=dict)
    """Settings of every call: `temperature`, `max_tokens`, `seed`."""
    structured: Structured | None = None
    """How the answer's form reaches the model, where the profile's way does not suit."""

    def __post_init__(self) -> None:
        provider, slash, name = self.full_name.partition("/")
        if not (provider and slash and name):
            raise UsageError(
                f"{self.full_name!r} does not name a model",
                fix="write provider/model, such as anthropic/claude-sonnet-5 or local/<folder>",
            )

    def __hash__(self) -> int:
        return hash((self.full_name, self.base_url, self.structured))

    @classmethod
    def of(cls, model: "str | Model") -> "Model":
        """A model from its name, or the model itself."""
        return model if isinstance(model, Model) else cls(model)

    @property
    def provider(self) -> str:
        """What stands before the first slash."""
        return self.full_name.partition("/")[0]

    @property
    def name(self) -> str:
        """What stands after the first slash."""
        return self.full_name.partition("/")[2]

    @cached_property
    def profile(self) -> Profile:
        """How to talk to it."""
        profile = profile_of(self.full_name)
        return replace(profile, structured=self.structured) if self.structured else profile
