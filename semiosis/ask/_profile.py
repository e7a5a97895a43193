"""How providers differ, as one table: API, schema mode, keys, endpoints, images, boxes, batches."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, get_args

from semiosis.ask._image_tokens import ImageTokens, image_tokens_of, pixel_tokens

Structured = Literal["tools", "schema", "native"]
"""How the answer's schema reaches the model: a forced tool call, OpenAI's `response_format: json_schema`, or
Anthropic's `output_config`."""

STRUCTURED: tuple[Structured, ...] = get_args(Structured)
"""The ways that a user can choose."""

Api = Literal["anthropic", "openai", "local"]
"""The API of a model: Anthropic's Messages, OpenAI's chat completions, or transformers in this process."""

SCHEMA_MODES: dict[Api, tuple[Structured, ...]] = {
    "anthropic": ("tools", "native"),
    "openai": ("tools", "schema"),
    "local": ("schema",),
}
"""The ways in which each API accepts a schema."""

BoxForm = Literal["xyxy", "yxyx"]
"""Order of a box's four integers 0-1000: x0 y0 x1 y1, or y0 x0 y1 x1, which Gemini models return."""


_BY_AREA = pixel_tokens(750)


@dataclass(frozen=True)
class Profile:
    """How one family of models is asked."""

    structured: Structured
    """How the answer's schema reaches the model."""
    api: Api = "openai"
    """The API of the models."""
    key_variable: str = ""
    """The environment variable with the provider's key; empty if it needs none."""
    key_header: str = "authorization"
    """The header that carries the key."""
    url_variable: str = ""
    """The environment variable that moves the provider's endpoint."""
    url: str = ""
    """The provider's own endpoint; empty if only the user's environment names it, or if there is none."""
    url_path: str = ""
    """The path that every endpoint of the provider ends with, added to the address in `url_variable`."""
    max_tokens_as: str = "max_tokens"
    """What the provider calls `max_tokens` at its own endpoint."""
    boxes: BoxForm = "xyxy"
    """The order in which it returns the edges of a box."""
    image_edge: int = 1568
    """Longest side sent, in pixels; larger pictures are scaled down."""
    image_bytes: int = 3_700_000
    """Largest picture sent, before base64."""
    image_tokens: ImageTokens = _BY_AREA
    """For estimates: how many input tokens a picture takes."""
    caches: bool = False
    """Whether it accepts cache markers, which state the prefix to cache."""
    batches: bool = False
    """Whether it accepts batches of requests."""
    batch_price: float = 0.5
    """The share of the normal price that a request in a batch costs."""


_GEMINI_IMAGES: dict[str, Any] = {
    "boxes": "yxyx",
    "image_edge": 3072,
}


def _provider(variables: str, url: str = "", **settings: Any) -> Profile:
    """Return the profile of a provider with OpenAI's chat completions and its own key and endpoint."""
    names = {"key_variable": f"{variables}_API_KEY", "url_variable": f"{variables}_BASE_URL"}
    return Profile(**{"structured": "tools", "url": url, **names, **settings})


_OPENROUTER = _provider("OPENROUTER", "https://openrouter.ai/api/v1")
_OPENAI_IMAGES: dict[str, Any] = {
    "max_tokens_as": "max_completion_tokens",  # newer models refuse the older name
    "image_edge": 2048,
    "image_bytes": 15_000_000,
}

_PROFILES: tuple[tuple[str, Profile], ...] = (
    (
        r"anthropic/",
        Profile(
            "tools",
            "anthropic",
            key_variable="ANTHROPIC_API_KEY",
            key_header="x-api-key",
            url_variable="ANTHROPIC_BASE_URL",
            url="https://api.anthropic.com",
            caches=True,
            batches=True,
        ),
    ),
    (r"openai/", _provider("OPENAI", "https://api.openai.com/v1", **_OPENAI_IMAGES)),
    (
        r"azure/",
        _provider(
            "AZURE_OPENAI",
            key_header="api-key",
            url_variable="AZURE_OPENAI_ENDPOINT",
            url_path="/openai/v1",
            **_OPENAI_IMAGES,
        ),
    ),
    (
        r"databricks/",
        _provider(
            "DATABRICKS",
            key_variable="DATABRICKS_TOKEN",
            url_variable="DATABRICKS_HOST",
            url_path="/serving-endpoints",
        ),
    ),
    (
        r"google/",
        _provider("GOOGLE", "https://generativelanguage.googleapis.com/v1beta/openai", **_GEMINI_IMAGES),
    ),
    (r"groq/", _provider("GROQ", "https://api.groq.com/openai/v1", image_bytes=2_900_000)),
    (r"mistral/", _provider("MISTRAL", "https://api.mistral.ai/v1")),
    (r"perplexity/", _provider("PERPLEXITY", "https://api.perplexity.ai", structured="schema")),
    (r"anyscale/", _provider("ANYSCALE", "https://api.endpoints.anyscale.com/v1")),
    (r"openrouter/.*gemini", replace(_OPENROUTER, **_GEMINI_IMAGES)),
    (r"openrouter/", _OPENROUTER),
    (r"deepseek/", _provider("DEEPSEEK", "https://api.deepseek.com")),
    (r"together/", _provider("TOGETHER", "https://api.together.xyz/v1")),
    (
        r"ollama/",
        Profile(
            "schema",
            url="http://localhost:11434/v1",
            image_bytes=15_000_000,
        ),
    ),
    (r"local/", Profile("schema", "local", image_bytes=50_000_000)),
    (r".*gemini", Profile("tools", **_GEMINI_IMAGES)),
    (r"", Profile("tools")),
)
"""The first row whose pattern matches the beginning of a model's name applies.

A row without a URL is for servers of the user's own: without a base URL its provider is refused, because its
SDK would open a connection that follows redirects and reads bodies of any length.
"""

PROVIDERS = ", ".join(
    re.match(r"\w+", pattern)[0]  # type: ignore[index]  # these patterns begin with a name
    for pattern, profile in _PROFILES
    if profile.url_variable and ".*" not in pattern
)
"""The providers that need no base URL, for messages."""


@lru_cache(maxsize=256)
def profile_of(model: str) -> Profile:
    """Return the first profile whose pattern matches the beginning of the model's name.

    >>> profile_of("google/gemini-3.1-flash-lite").boxes
    'yxyx'
    """
    profile = next(profile for pattern, profile in _PROFILES if re.match(pattern, model))
    return replace(profile, image_tokens=image_tokens_of(model))
