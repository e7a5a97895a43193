"""Reads, decodes and checks image files. All image decoding of the library happens here."""

import hashlib
import io
import struct
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from semiosis.files._read import read_bytes
from semiosis.values import CompositeSign, DataError, ImageSign, TextSign

MAX_PIXELS = 64_000_000
"""The largest image that is decoded. A larger one is refused as a decompression bomb."""
MAX_IMAGE_BYTES = 256_000_000
"""The largest image file that is read: 64 million pixels of four bytes, uncompressed."""

MediaType = Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
FORMATS: dict[str, MediaType] = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "MPO": "image/jpeg",  # a JPEG followed by further images, as phones write it
    "WEBP": "image/webp",
    "GIF": "image/gif",
}
_OPENED_FORMATS = ("PNG", "JPEG", "WEBP", "GIF")  # Pillow opens an MPO as a JPEG
_PLAIN_MODES = ("1", "L", "LA", "P", "RGB", "RGBA")
_EXIF_ORIENTATION = 0x0112
_UPRIGHT_ORIENTATIONS = (None, 0, 1)
_DECODING_ERRORS = (
    OSError,
    SyntaxError,
    ValueError,
    ArithmeticError,
    LookupError,
    TypeError,
    struct.error,
    zlib.error,
)
"""The errors that Pillow raises for damaged files. Which one depends on where the damage is."""


@dataclass(frozen=True)
class DecodedImage:
    """The pixels of an image file, and its properties."""

    pixels: Image.Image
    """The first frame, upright, in mode RGB or RGBA."""
    media_type: MediaType
    """The media type according to the bytes of the file."""
    ordinary: bool
    """Whether every program shows the file as `pixels`: upright, one frame, eight bits, no CMYK."""


def image(
    path: str | Path, *, title: str = "", generator: str = "", prompt: TextSign | CompositeSign | None = None
) -> ImageSign:
    """Return the sign of an image file. The file is decoded, so a damaged file is refused here."""
    blob = _image_file(path)
    decoded = decode_image(blob, str(path))
    return ImageSign(
        sha256=hashlib.sha256(blob).hexdigest(),
        width=decoded.pixels.width,
        height=decoded.pixels.height,
        media_type=decoded.media_type,
        path=str(path),
        title=title or Path(path).stem,
        generator=generator,
        prompt=prompt.id if prompt else None,
        round=prompt.round + 1 if prompt else 0,
    )


def image_bytes(sign: ImageSign) -> bytes:
    """Return the bytes of a sign's file, checked against the sign's hash."""
    blob = _image_file(sign.path)
    if hashlib.sha256(blob).hexdigest() != sign.sha256:
        raise DataError(
            "the file is not the image this sign was made from",
            where=sign.path,
            fix="restore the file, or create the sign again",
        )
    return blob


def decode_sign(sign: ImageSign, blob: bytes) -> DecodedImage:
    """Return the decoded file of a sign. Its type and size must agree with the sign."""
    decoded = decode_image(blob, sign.path)
    found, stated = (decoded.media_type, *decoded.pixels.size), (sign.media_type, sign.width, sign.height)
    if found != stated:
        raise DataError(
            "the image is {} of {} × {} pixels, but its sign says {} of {} × {}".format(*found, *stated),
            where=sign.path,
            fix="create the sign again; boxes drawn for the other size may be wrong",
        )
    return decoded


def decode_image(blob: bytes, where: str) -> DecodedImage:
    """Return a decoded image file. A damaged or too large file, or another format, raises `DataError`."""
    if not blob:
        raise DataError("the image file is empty", where=where, fix="download or export it again")
    try:
        with warnings.catch_warnings():
            # Pillow warns above its own limit, where ours raises, and about damaged metadata.
            for kind in (Image.DecompressionBombWarning, UserWarning):
                warnings.simplefilter("ignore", kind)
            with Image.open(io.BytesIO(blob), formats=_OPENED_FORMATS) as opened:
                _check_size(opened, where)
                opened.load()
                return DecodedImage(_upright(opened), FORMATS[opened.format or ""], _is_ordinary(opened))
    except Image.DecompressionBombError as error:
        raise _too_large("the image has too many pixels", where) from error
    except UnidentifiedImageError as error:
        raise DataError("not a PNG, JPEG, WebP or GIF image", where=where, fix="convert it to PNG") from error
    except _DECODING_ERRORS as error:
        raise DataError(
            f"the image is damaged: {error}", where=where, fix="download or export it again"
        ) from error


def _image_file(path: str | Path) -> bytes:
    return read_bytes(Path(path), MAX_IMAGE_BYTES, "the image")


def _check_size(opened: Image.Image, where: str) -> None:
    width, height = opened.size
    if width * height > MAX_PIXELS:
        raise _too_large(f"the image has {width} × {height} pixels", where)


def _too_large(what: str, where: str) -> DataError:
    return DataError(f"{what}; the limit is {MAX_PIXELS:,}", where=where, fix="scale it down")


def _is_ordinary(opened: Image.Image) -> bool:
    upright = opened.getexif().get(_EXIF_ORIENTATION) in _UPRIGHT_ORIENTATIONS
    return upright and opened.mode in _PLAIN_MODES and not getattr(opened, "is_animated", False)


def _upright(opened: Image.Image) -> Image.Image:
    frame = ImageOps.exif_transpose(opened)
    if frame.mode.startswith("I"):  # 16 bits per pixel: Pillow's own conversion clips in some versions
        frame = Image.fromarray((np.asarray(frame) >> 8).astype(np.uint8))
    transparent = "A" in frame.getbands() or "transparency" in frame.info
    return frame.convert("RGBA" if transparent else "RGB")
