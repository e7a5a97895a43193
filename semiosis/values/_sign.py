"""Signs: what is read. Text, an image, or several of them together."""

from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from semiosis.values._value import (
    Id,
    Text,
    Value,
    Whole,
    content_id,
)


class _About(Value):
    """What is known about a sign beside its content. None of it is part of the sign's id."""

    title: Text = ""
    """A short name for people."""
    tradition: Text = ""
    """The tradition of meaning it draws on, such as `christian` or `buddhist`."""
    tags: tuple[Text, ...] = ()
    """Free words to group signs by."""
    generator: Text = ""
    """Who made it: the name of an image model, an artist, or empty for a prompt."""
    prompt: Id | None = None
    """The id of the sign that prompted this one."""
    round: Whole = Field(default=0, ge=0)
    """The round of an iterative cascade in which it was made; a prompt is round 0."""


@lru_cache(maxsize=16_384)
def _id_of(kind: str, field: str, content: str) -> str:
    """The id of a simple sign. Projections and records ask for it over and over."""
    return content_id(kind, {field: content})


class TextSign(_About):
    """A text that is read: most often a prompt."""

    kind: Literal["text"] = "text"
    """Tells signs apart in JSON."""
    text: Text = Field(min_length=1)
    """The text. Line ends are LF; nothing else is touched."""
    language: Text = ""
    """BCP 47 tag, such as `en` or `zh-Hant`, where known."""

    @field_validator("text")
    @classmethod
    def _line_ends(cls, text: str) -> str:
        return text.replace("\r\n", "\n")

    @property
    def id(self) -> str:
        """The hash of the text."""
        return _id_of("text", "text", self.text)


class ImageSign(_About):
    """An image that is read: an artifact, or a reference image inside a prompt."""

    kind: Literal["image"] = "image"
    """Tells signs apart in JSON."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of the file's bytes."""
    width: Whole = Field(gt=0)
    """Width in pixels, after EXIF rotation."""
    height: Whole = Field(gt=0)
    """Height in pixels, after EXIF rotation."""
    media_type: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    """What kind of file it is."""
    path: Text = ""
    """Where the file is. In a study's record it is relative to the study folder."""

    @property
    def id(self) -> str:
        """The hash of the file's bytes."""
        return _id_of("image", "sha256", self.sha256)


class CompositeSign(_About):
    """Several signs read as one, such as a prompt with reference images."""

    kind: Literal["composite"] = "composite"
    """Tells signs apart in JSON."""
    parts: tuple[Annotated[TextSign | ImageSign, Field(discriminator="kind")], ...] = Field(min_length=1)
    """The parts, in order. A place names its part by position, counted from 0."""

    @property
    def id(self) -> str:
        """The hash of the parts' ids, in order."""
        return content_id("composite", {"parts": [part.id for part in self.parts]})

    @model_validator(mode="after")
    def _distinct(self) -> "CompositeSign":
        if len({part.id for part in self.parts}) != len(self.parts):
            raise ValueError("the same sign is listed twice among the parts; keep one")
        return self


Sign = Annotated[TextSign | ImageSign | CompositeSign, Field(discriminator="kind")]
"""Anything that is read."""


def parts_of(sign: TextSign | ImageSign | CompositeSign) -> tuple[TextSign | ImageSign, ...]:
    """The parts of a composite sign; a simple sign is its own only part."""
    return sign.parts if isinstance(sign, CompositeSign) else (sign,)


def text(content: str, *, language: str = "", title: str = "", tradition: str = "") -> TextSign:
    """A text to read.

    >>> text("A lily in a glass").id == text("A lily in a glass", title="Lily").id
    True
    """
    return TextSign(text=content, language=language, title=title, tradition=tradition)
