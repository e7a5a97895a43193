"""Signs: texts, images, composites of them, and pictures that a generator failed to make."""

from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from semiosis.values._value import (
    Id,
    Integer,
    Text,
    Value,
    content_id,
    is_unset,
)

MissingReason = Literal["refused", "filtered", "error"]
"""Why there is no picture: the generator refused, a content filter withheld it, or an error occurred."""


class _SignMetadata(Value):
    """The metadata of a sign. None of it is part of the sign's id."""

    title: Text = ""
    """A short human-readable name."""
    tradition: Text = ""
    """The tradition of meaning it draws on, such as `christian` or `buddhist`."""
    tags: tuple[Text, ...] = ()
    """Free keywords for grouping signs."""
    generator: Text = ""
    """Who made it: an image model or an artist; empty for a prompt."""
    prompt: Id | None = None
    """The id of the sign that prompted this one."""
    round: Integer = Field(default=0, ge=0)
    """The round of an iterative cascade in which it was made; a prompt is round 0."""
    seed: Text = Field(default="", exclude_if=is_unset)
    """The seed or number that distinguishes several artifacts by one generator for one prompt."""


@lru_cache(maxsize=16_384)
def _cached_id(kind: str, field: str, content: str) -> str:
    """Return the id of a text or an image. It is cached because projections and records need it often."""
    return content_id(kind, {field: content})


class TextSign(_SignMetadata):
    """A text, usually a prompt."""

    kind: Literal["text"] = "text"
    """The kind of sign in JSON."""
    text: Text = Field(min_length=1)
    """The text. CRLF line endings become LF; nothing else changes."""
    language: Text = ""
    """BCP 47 tag, such as `en` or `zh-Hant`, if known."""

    @field_validator("text")
    @classmethod
    def _normalize_line_endings(cls, text: str) -> str:
        return text.replace("\r\n", "\n")

    @property
    def id(self) -> str:
        """The hash of the text."""
        return _cached_id("text", "text", self.text)


class ImageSign(_SignMetadata):
    """An image: an artifact, or a reference image in a prompt."""

    kind: Literal["image"] = "image"
    """The kind of sign in JSON."""
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """SHA-256 of the file's bytes."""
    width: Integer = Field(gt=0)
    """Width in pixels, after EXIF rotation."""
    height: Integer = Field(gt=0)
    """Height in pixels, after EXIF rotation."""
    media_type: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    """The media type of the file."""
    path: Text = ""
    """The path of the file. In a study's record, it is relative to the study folder."""
    instance: Text = Field(default="", exclude_if=is_unset)
    """Distinguishes a further use of the same bytes, such as the placeholder of a content filter."""

    @property
    def id(self) -> str:
        """The hash of the file's bytes, and of the instance if it is set."""
        if self.instance:
            return content_id("image", {"sha256": self.sha256, "instance": self.instance})
        return _cached_id("image", "sha256", self.sha256)


class CompositeSign(_SignMetadata):
    """Several signs that are read as one, such as a prompt with reference images."""

    kind: Literal["composite"] = "composite"
    """The kind of sign in JSON."""
    parts: tuple[Annotated[TextSign | ImageSign, Field(discriminator="kind")], ...] = Field(min_length=1)
    """The parts, in order. A place names its part by position, counted from 0."""

    @property
    def id(self) -> str:
        """The hash of the parts' ids, in order."""
        return content_id("composite", {"parts": [part.id for part in self.parts]})

    @model_validator(mode="after")
    def _check_distinct_parts(self) -> "CompositeSign":
        if len({part.id for part in self.parts}) != len(self.parts):
            raise ValueError("the same sign is listed twice among the parts; keep one")
        return self


class MissingSign(_SignMetadata):
    """A picture that a generator failed to make. It is counted, and never read or judged."""

    kind: Literal["missing"] = "missing"
    """The kind of sign in JSON."""
    prompt: Id
    """The id of the prompt for which there is no picture."""
    generator: Text = Field(min_length=1)
    """The generator that made no picture."""
    reason: MissingReason
    """Why there is no picture. It can be corrected, so it is not part of the id."""

    @property
    def id(self) -> str:
        """The hash of prompt and generator, and of seed and round if they are set."""
        content: dict[str, object] = {"prompt": self.prompt, "generator": self.generator}
        content |= {"seed": self.seed} if self.seed else {}
        content |= {"round": self.round} if self.round > 1 else {}
        return content_id("missing", content)


AnySign = TextSign | ImageSign | CompositeSign | MissingSign
"""Any kind of sign, for annotations and `isinstance`."""

Sign = Annotated[AnySign, Field(discriminator="kind")]
"""Any kind of sign, as a field of a pydantic model."""


def parts_of(sign: AnySign) -> tuple[TextSign | ImageSign, ...]:
    """Return the parts of a composite sign; a missing sign has none, any other is its own only part."""
    if isinstance(sign, MissingSign):
        return ()
    return sign.parts if isinstance(sign, CompositeSign) else (sign,)


def text(content: str, *, language: str = "", title: str = "", tradition: str = "") -> TextSign:
    """Return the sign of a text.

    >>> text("A lily in a glass").id == text("A lily in a glass", title="Lily").id
    True
    """
    return TextSign(text=content, language=language, title=title, tradition=tradition)
