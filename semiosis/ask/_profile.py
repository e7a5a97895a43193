"""What providers differ in, as a table: how they take a schema, how their boxes run, which images."""

import re
from dataclasses import dataclass
from typing import Literal

Structured = Literal["tools", "schema", "native", "instructor"]
"""How the answer's form reaches the model: a forced tool call, OpenAI's `response_format`, Anthropic's
`output_config`, or what instructor chooses for the provider."""

BoxForm = Literal["xyxy", "yxyx"]
"""Order of a box's four integers 0-1000: x0 y0 x1 y1, or the y0 x0 y1 x1 that Gemini models learned."""


@dataclass(frozen=True)
class Profile:
    """How to talk to one family of models."""

    structured: Structured
    """How the answer's form reaches the model."""
    boxes: BoxForm = "xyxy"
    """How it gives boxes."""
    image_edge: int = 1568
    """Longest side sent, in pixels; larger pictures are scaled down."""
    image_bytes: int = 3_700_000
    """Largest picture sent, before base64."""
    pixels_per_token: float = 750.0
    """For estimates: how many pixels make one input token."""
    caches: bool = False
    """Whether it takes marks that say which prefix to cache."""
    batches: bool = False
    """Whether it takes a batch of questions at half the price."""


_PROFILES: tuple[tuple[str, Profile], ...] = (
    (r"anthropic/", Profile("tools", caches=True, batches=True)),
    (r"openai/", Profile("tools", image_edge=2048, image_bytes=15_000_000)),
    (r"ollama/", Profile("schema", image_bytes=15_000_000)),
    (r"local/", Profile("schema", image_bytes=50_000_000)),
    (
        r"(google|vertexai|generative-ai)/|.*gemini",
        Profile("instructor", boxes="yxyx", image_edge=3072, pixels_per_token=1300),
    ),
    (r"", Profile("instructor")),
)


def profile_of(model: str) -> Profile:
    """The first profile whose pattern the model's name begins with.

    >>> profile_of("google/gemini-3.1-flash-lite").boxes
    'yxyx'
    """
    return next(profile for pattern, profile in _PROFILES if re.match(pattern, model))
