"""How providers differ, as one table: API, schema mode, keys, endpoints, images, boxes, batches."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

Structured = Literal["tools", "schema", "native", "instructor"]
"""How the answer's schema reaches the model: a forced tool call, OpenAI's `response_format: json_schema`,
Anthropic's `output_config`, or the way that instructor chooses for the provider."""

STRUCTURED: tuple[Structured, ...] = ("tools", "schema", "native")
"""The ways that a user can choose."""

Api = Literal["anthropic", "openai", "local", "instructor"]
"""The API of a model: Anthropic's Messages, OpenAI's chat completions, transformers in this process, or the
SDK that instructor selects."""

SCHEMA_MODES: dict[Api, tuple[Structured, ...]] = {
    "anthropic": ("tools", "native"),
    "openai": ("tools", "schema", "instructor"),
    "local": ("schema",),
    "instructor": ("instructor",),
}
"""The ways in which each API accepts a schema."""

BoxForm = Literal["xyxy", "yxyx"]
"""Order of a box's four integers 0-1000: x0 y0 x1 y1, or y0 x0 y1 x1, which Gemini models return."""


ImageTokens = Callable[[int, int], int]
"""An estimate of the input tokens that an image of this width and height takes."""


def pixel_tokens(pixels_per_token: float) -> ImageTokens:
    """Return an estimate for providers that charge by area."""
    return lambda width, height: math.ceil(width * height / pixels_per_token)


def tile_tokens(base: int, per_tile: int, edge: int, shortest: int) -> ImageTokens:
    """Return an estimate for providers that scale the shortest side down and charge by tile."""

    def tokens(width: int, height: int) -> int:
        scale = min(1.0, shortest / min(width, height))
        tiles = math.ceil(width * scale / edge) * math.ceil(height * scale / edge)
        return base + per_tile * tiles

    return tokens


_ANTHROPIC_TOKENS = pixel_tokens(750)


@dataclass(frozen=True)
class Profile:
    """How one family of models is asked."""

    structured: Structured
    """How the answer's schema reaches the model."""
    api: Api = "instructor"
    """The API of the models. With a base URL of the user's own, `instructor` becomes `openai`."""
    key_variable: str = ""
    """The environment variable with the provider's key; empty if it needs none, or if its SDK reads it."""
    url_variable: str = ""
    """The environment variable that moves the provider's endpoint."""
    url: str = ""
    """The provider's own endpoint; empty if its SDK knows it."""
    max_tokens_as: str = "max_tokens"
    """What the provider calls `max_tokens` at its own endpoint."""
    boxes: BoxForm = "xyxy"
    """The order in which it returns the edges of a box."""
    image_edge: int = 1568
    """Longest side sent, in pixels; larger pictures are scaled down."""
    image_bytes: int = 3_700_000
    """Largest picture sent, before base64."""
    image_tokens: ImageTokens = _ANTHROPIC_TOKENS
    """For estimates: how many input tokens a picture takes."""
    caches: bool = False
    """Whether it accepts cache markers, which state the prefix to cache."""
    batches: bool = False
    """Whether it accepts batches of requests."""
    batch_price: float = 0.5
    """The share of the normal price that a request in a batch costs."""


_ANY = Profile("instructor")
_GEMINI = Profile(
    "instructor", boxes="yxyx", image_edge=3072, image_tokens=tile_tokens(258, 258, edge=768, shortest=3072)
)


def _openai_like(profile: Profile, variables: str, url: str) -> Profile:
    """Return the profile of a provider that is reached through OpenAI's SDK, as instructor does."""
    return replace(
        profile,
        api="openai",
        key_variable=f"{variables}_API_KEY",
        url_variable=f"{variables}_BASE_URL",
        url=url,
    )


_PROFILES: tuple[tuple[str, Profile], ...] = (
    (
        r"anthropic/",
        Profile(
            "tools",
            "anthropic",
            key_variable="ANTHROPIC_API_KEY",
            url_variable="ANTHROPIC_BASE_URL",
            url="https://api.anthropic.com",
            caches=True,
            batches=True,
        ),
    ),
    (
        r"openai/",
        Profile(
            "tools",
            "openai",
            key_variable="OPENAI_API_KEY",
            url_variable="OPENAI_BASE_URL",
            url="https://api.openai.com/v1",
            max_tokens_as="max_completion_tokens",  # newer models refuse the older name
            image_edge=2048,
            image_bytes=15_000_000,
            image_tokens=tile_tokens(85, 170, edge=512, shortest=768),
        ),
    ),
    (
        r"ollama/",
        Profile(
            "schema",
            "openai",
            url="http://localhost:11434/v1",
            image_bytes=15_000_000,
            image_tokens=pixel_tokens(28 * 28),
        ),
    ),
    (r"local/", Profile("schema", "local", image_bytes=50_000_000, image_tokens=pixel_tokens(28 * 28))),
    (r"openrouter/.*gemini", _openai_like(_GEMINI, "OPENROUTER", "https://openrouter.ai/api/v1")),
    (r"openrouter/", _openai_like(_ANY, "OPENROUTER", "https://openrouter.ai/api/v1")),
    (r"deepseek/", _openai_like(_ANY, "DEEPSEEK", "https://api.deepseek.com")),
    (r"together/", _openai_like(_ANY, "TOGETHER", "https://api.together.xyz/v1")),
    (r"(google|vertexai|generative-ai)/|.*gemini", _GEMINI),
    (r"", _ANY),
)


def profile_of(model: str) -> Profile:
    """Return the first profile whose pattern matches the beginning of the model's name.

    >>> profile_of("google/gemini-3.1-flash-lite").boxes
    'yxyx'
    """
    return next(profile for pattern, profile in _PROFILES if re.match(pattern, model))
