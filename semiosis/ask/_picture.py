"""Prepares pictures for sending: upright, and no larger than the provider accepts."""

import hashlib
import io
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from PIL import Image

from semiosis.ask._profile import Profile
from semiosis.files import decode_sign, image_bytes
from semiosis.values import DataError, ImageSign

_JPEG_QUALITY = 92


@dataclass(frozen=True)
class Picture:
    """The bytes of a picture as they are sent."""

    data: bytes
    """The bytes of the file."""
    media_type: str
    """The media type, such as `image/png`."""
    width: int
    """The width in pixels."""
    height: int
    """The height in pixels."""
    name: str = ""
    """The name of the file it was made from, for the log; not part of a request."""

    @cached_property
    def sha256(self) -> str:
        """The hash of the bytes sent."""
        return hashlib.sha256(self.data).hexdigest()


@lru_cache(maxsize=64)
def picture(sign: ImageSign, profile: Profile) -> Picture:
    """Return the picture of an image sign in a form that this provider accepts.

    A file that is upright and small enough is sent as it is. Boxes are fractions of the upright image, so
    scaling does not move them.
    """
    blob = image_bytes(sign)
    decoded = decode_sign(sign, blob)
    fits = max(decoded.pixels.size) <= profile.image_edge and len(blob) <= profile.image_bytes
    if decoded.ordinary and fits:
        return Picture(blob, decoded.media_type, *decoded.pixels.size, Path(sign.path).name)
    return _redrawn(decoded.pixels, profile, sign.path)


def _redrawn(frame: Image.Image, profile: Profile, where: str) -> Picture:
    frame.thumbnail((profile.image_edge, profile.image_edge), Image.Resampling.LANCZOS)
    for media_type, encoded in ((kind, _encoded(frame, kind)) for kind in ("image/png", "image/jpeg")):
        if len(encoded) <= profile.image_bytes:
            return Picture(encoded, media_type, *frame.size, Path(where).name)
    raise DataError("the image is too large for this provider", where=where, fix="scale it down")


def _encoded(frame: Image.Image, media_type: str) -> bytes:
    file = io.BytesIO()
    if media_type == "image/png":
        frame.save(file, "PNG")
    else:
        _on_white(frame).save(file, "JPEG", quality=_JPEG_QUALITY)
    return file.getvalue()


def _on_white(frame: Image.Image) -> Image.Image:
    """Return the frame on white, because JPEG has no transparency and `convert` would make it black."""
    if "A" not in frame.getbands():
        return frame.convert("RGB")
    white = Image.new("RGBA", frame.size, "white")
    return Image.alpha_composite(white, frame.convert("RGBA")).convert("RGB")
