"""How many input tokens a picture takes, by the rules that providers publish, for estimates and limits."""

import math
import re
from collections.abc import Callable

ImageTokens = Callable[[int, int], int]
"""The input tokens of an image of this width and height."""


def pixel_tokens(pixels_per_token: float) -> ImageTokens:
    """Return the rule of providers that charge by area (Anthropic: 750 pixels for a token).

    >>> pixel_tokens(750)(1092, 1092)
    1590
    """
    return lambda width, height: math.ceil(width * height / pixels_per_token)


def tile_tokens(base: int, per_tile: int) -> ImageTokens:
    """Return OpenAI's rule for tiles of 512 pixels, after scaling to 2048 and to a shortest side of 768.

    >>> tile_tokens(85, 170)(1024, 1024), tile_tokens(85, 170)(2048, 4096)
    (765, 1105)
    """

    def tokens(width: int, height: int) -> int:
        scale = min(1.0, 2048 / max(width, height))
        scale *= min(1.0, 768 / (min(width, height) * scale))
        return base + per_tile * math.ceil(width * scale / 512) * math.ceil(height * scale / 512)

    return tokens


def patch_tokens(factor: float, max_patches: int = 1536) -> ImageTokens:
    """Return OpenAI's rule for patches of 32 pixels: larger images are scaled to whole patches.

    >>> patch_tokens(1)(1024, 1024), patch_tokens(1)(1800, 2400)
    (1024, 1452)
    """

    def tokens(width: int, height: int) -> int:
        columns, rows = width / 32, height / 32
        if math.ceil(columns) * math.ceil(rows) > max_patches:
            scale = math.sqrt(max_patches / (columns * rows))
            scale *= min(max(1, int(side * scale)) / (side * scale) for side in (columns, rows))
            # The scaled sides are whole numbers of patches up to a rounding error.
            columns, rows = round(columns * scale, 6), round(rows * scale, 6)
        return math.ceil(math.ceil(columns) * math.ceil(rows) * factor)

    return tokens


def crop_tokens(width: int, height: int) -> int:
    """Return the tokens by Gemini's rule: 258 for each crop, whose side is two thirds of the shorter side.

    >>> crop_tokens(384, 384), crop_tokens(960, 540)
    (258, 1548)
    """
    if max(width, height) <= 384:
        return 258
    side = min(768, max(256, int(min(width, height) / 1.5)))
    return 258 * math.ceil(width / side) * math.ceil(height / side)


def patches_of(pixels: int, max_edge: int) -> ImageTokens:
    """Return the rule of encoders with square patches, which scale longer images down (Mistral).

    >>> patches_of(16, 1024)(1024, 1024)
    4160
    """

    def tokens(width: int, height: int) -> int:
        scale = min(1.0, max_edge / max(width, height))
        columns, rows = math.ceil(width * scale / pixels), math.ceil(height * scale / pixels)
        return columns * rows + rows  # each row ends with a token of its own

    return tokens


def _most_of_openai(width: int, height: int) -> int:
    """Return the most that a model of OpenAI whose rule is not known may take."""
    return max(patch_tokens(2.46)(width, height), tile_tokens(85, 170)(width, height))


_RULES: tuple[tuple[str, ImageTokens], ...] = (
    (r"gpt-4o-mini", tile_tokens(2833, 5667)),
    (r"gpt-(4\.1|5)-mini", patch_tokens(1.62)),
    (r"gpt-(4\.1|5)-nano", patch_tokens(2.46)),
    (r"\bo4-mini", patch_tokens(1.72)),
    (r"\bo[13]\b", tile_tokens(75, 150)),
    (r"gpt-5(-\d{4}|-chat|$)", tile_tokens(70, 140)),
    (r"gpt-4o|gpt-4\.1|gpt-4\.5|gpt-4-turbo", tile_tokens(85, 170)),
    (r"gemini-[3-9]", lambda _width, _height: 1120),
    (r"gemini", crop_tokens),
    (r"pixtral", patches_of(16, 1024)),
    (r"^mistral/", patches_of(28, 1540)),
    (r"qwen|^(ollama|local)/", pixel_tokens(28 * 28)),
    (r"^(openai|azure)/", _most_of_openai),
)
"""The first rule whose pattern occurs in a model's name applies.

Sources: OpenAI, "Images and vision", calculating costs; Google, "Understand and count tokens"; Anthropic,
"Vision", evaluate image size; Mistral, "Vision".
"""


def image_tokens_of(model: str) -> ImageTokens:
    """Return the rule for a model; Anthropic's if none is known.

    >>> image_tokens_of("openai/gpt-4o-mini")(1024, 1024)
    25501
    """
    return next((rule for pattern, rule in _RULES if re.search(pattern, model.lower())), pixel_tokens(750))
