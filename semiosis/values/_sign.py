"""Signs: what is read. Text, an image, or several of them together."""

import hashlib
import io
import warnings
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from PIL import Image, UnidentifiedImageError
from pydantic import Field, field_validator, model_validator

from semiosis.values._errors import DataError
from semiosis.values._value import Id, Value, content_id

MAX_PIXELS = 64_000_000
"""The largest image that is opened. More is refused as a decompression bomb."""

MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}
EXIF_ORIENTATION = 0x0112
EXIF_SWAPS_SIDES = (5, 6, 7, 8)


class _About(Value):
    """What is known about a sign beside its content. None of it is part of the sign's id."""

    title: str = ""
    """A short name for people."""
    tradition: str = ""
    """The tradition of meaning it draws on, such as `christian` or `buddhist`."""
    tags: tuple[str, ...] = ()
    """Free words to group signs by."""
    generator: str = ""
    """Who made it: the name of an image model, an artist, or empty for a prompt."""
    prompt: Id | None = None
    """The id of the sign that prompted this one."""
    round: int = Field(default=0, ge=0)
    """The round of an iterative cascade in which it was made; a prompt is round 0."""


@lru_cache(maxsize=16_384)
def _id_of(kind: str, field: str, content: str) -> str:
    """The id of a simple sign. Projections and records ask for it over and over."""
    return content_id(kind, {field: content})


class TextSign(_About):
    """A text that is read: most often a prompt."""

    kind: Literal["text"] = "text"
    """Tells signs apart in JSON."""
    text: str = Field(min_length=1)
    """The text. Line ends are LF; nothing else is touched."""
    language: str = ""
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
    width: int = Field(gt=0)
    """Width in pixels, after EXIF rotation."""
    height: int = Field(gt=0)
    """Height in pixels, after EXIF rotation."""
    media_type: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    """What kind of file it is."""
    path: str = ""
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
            raise ValueError("the same sign stands twice among the parts; keep it once")
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


def image(
    path: str | Path, *, title: str = "", generator: str = "", prompt: TextSign | CompositeSign | None = None
) -> ImageSign:
    """The image in a file, opened and checked."""
    file = Path(path)
    blob = _image_bytes(file)
    media_type, width, height = _measure(blob, str(path))
    return ImageSign(
        sha256=hashlib.sha256(blob).hexdigest(),
        width=width,
        height=height,
        media_type=media_type,
        path=str(path),
        title=title or file.stem,
        generator=generator,
        prompt=prompt.id if prompt else None,
        round=prompt.round + 1 if prompt else 0,
    )


def image_bytes(sign: ImageSign) -> bytes:
    """The bytes of an image's file, checked against the sign's hash."""
    blob = _image_bytes(Path(sign.path))
    if hashlib.sha256(blob).hexdigest() != sign.sha256:
        raise DataError(
            "the file is not the image this sign was made from",
            where=sign.path,
            fix="restore the file, or make the sign anew",
        )
    return blob


def _image_bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise DataError(
            f"cannot read the image: {error.strerror or error}", where=str(file), fix="check the path"
        ) from error


def _measure(
    blob: bytes, where: str
) -> tuple[Literal["image/png", "image/jpeg", "image/webp", "image/gif"], int, int]:
    """Type and size after EXIF rotation, having decoded every pixel once so that a truncated file shows."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # the limit below is ours
            with Image.open(io.BytesIO(blob), formats=list(MEDIA_TYPES)) as opened:
                width, height = opened.size
                if width * height > MAX_PIXELS:
                    raise DataError(
                        f"the image claims {width} × {height} pixels; {MAX_PIXELS:,} at most are opened",
                        where=where,
                        fix="scale it down",
                    )
                opened.load()
                turned = opened.getexif().get(EXIF_ORIENTATION) in EXIF_SWAPS_SIDES
                media_type = MEDIA_TYPES[opened.format or ""]
    except Image.DecompressionBombError as error:
        raise DataError(
            "the image unpacks to far more than it weighs", where=where, fix="scale it down"
        ) from error
    except UnidentifiedImageError as error:
        raise DataError("not a PNG, JPEG, WebP or GIF image", where=where, fix="convert it to PNG") from error
    except (OSError, SyntaxError, ValueError) as error:
        raise DataError(
            f"the image is damaged: {error}", where=where, fix="fetch or export it again"
        ) from error
    size = (height, width) if turned else (width, height)
    return media_type, *size  # type: ignore[return-value]  # the table above holds only these four
