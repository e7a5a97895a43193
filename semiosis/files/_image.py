"""Image files: opened, checked and measured."""

import hashlib
import io
import warnings
from pathlib import Path
from typing import Literal

from PIL import Image, UnidentifiedImageError

from semiosis.values import CompositeSign, DataError, ImageSign, TextSign

MAX_PIXELS = 64_000_000
"""The largest image that is opened. More is refused as a decompression bomb."""

MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp", "GIF": "image/gif"}
EXIF_ORIENTATION = 0x0112
EXIF_SWAPS_SIDES = (5, 6, 7, 8)


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
