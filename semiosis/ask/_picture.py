"""Pictures as they are sent: turned upright, scaled to what the provider takes, named by their hash."""

import hashlib
import io
from dataclasses import dataclass
from functools import cached_property, lru_cache

from PIL import Image, ImageOps

from semiosis.ask._profile import Profile
from semiosis.files import image_bytes
from semiosis.values import DataError, ImageSign

_EXIF_ORIENTATION = 0x0112
_UPRIGHT = (None, 0, 1)
_JPEG_QUALITY = 92


@dataclass(frozen=True)
class Picture:
    """The bytes of a picture as they are sent."""

    data: bytes
    """The file."""
    media_type: str
    """Such as `image/png`."""
    width: int
    """In pixels."""
    height: int
    """In pixels."""

    @cached_property
    def sha256(self) -> str:
        """The hash of the bytes sent."""
        return hashlib.sha256(self.data).hexdigest()


@lru_cache(maxsize=64)
def picture(sign: ImageSign, profile: Profile) -> Picture:
    """The picture of an image sign in a form this provider takes.

    A file that is upright and small enough goes out as it is. Boxes are shares of the upright image, so
    scaling does not move them.
    """
    blob = image_bytes(sign)
    with Image.open(io.BytesIO(blob)) as opened:
        upright = opened.getexif().get(_EXIF_ORIENTATION) in _UPRIGHT
        still = getattr(opened, "n_frames", 1) == 1
        fits = max(opened.size) <= profile.image_edge and len(blob) <= profile.image_bytes
        if upright and still and fits:
            return Picture(blob, sign.media_type, *opened.size)
        return _redrawn(opened, profile, sign.path)


def _redrawn(opened: Image.Image, profile: Profile, where: str) -> Picture:
    frame = ImageOps.exif_transpose(opened)
    frame.thumbnail((profile.image_edge, profile.image_edge), Image.Resampling.LANCZOS)
    for media_type, encoded in ((kind, _encoded(frame, kind)) for kind in ("image/png", "image/jpeg")):
        if len(encoded) <= profile.image_bytes:
            return Picture(encoded, media_type, *frame.size)
    raise DataError("the image stays too large for this provider", where=where, fix="scale it down")


def _encoded(frame: Image.Image, media_type: str) -> bytes:
    file = io.BytesIO()
    if media_type == "image/png":
        frame.convert("RGBA" if "A" in frame.getbands() else "RGB").save(file, "PNG")
    else:
        frame.convert("RGB").save(file, "JPEG", quality=_JPEG_QUALITY)
    return file.getvalue()
