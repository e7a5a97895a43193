"""Images of a page: small copies of a study's images beside a report, or embedded in the page."""

import base64
import contextlib
import io
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from semiosis.files import HIDDEN_FOLDER, atomic_write, decode_sign, image_bytes
from semiosis.values import ImageSign, MachineError

MAX_SIDE = 1024
ATTEMPTS = ((MAX_SIDE, 84), (MAX_SIDE, 70), (768, 70), (640, 60), (512, 50), (384, 40))
"""Longest side in pixels and WebP quality, tried in order until an image fits its share of the page."""
IMAGE_BYTES = 960_000
"""The maximum total size of a page's images. In base64 this is 1.28 MB, so that a page has at most 1.5 MB."""
SIDES = {"large": (1024, 82), "small": (160, 70)}
"""Longest side in pixels and WebP quality of the image on a page and of that in the list."""


def thumbnail(study: Path, sign: ImageSign, size: str) -> bytes:
    """Return a small copy of an image, upright and without metadata, from the cache if possible.

    The cache is under `.semiosis/thumbs`.
    """
    file = study / HIDDEN_FOLDER / "thumbs" / f"{sign.sha256}-{size}.webp"
    if file.exists():
        return file.read_bytes()
    side, quality = SIDES[size]
    blob = _webp(decode_sign(sign, image_bytes(sign)).pixels, side, quality)
    with contextlib.suppress(OSError, MachineError):  # a read-only study caches nothing
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(file, blob)
    return blob


class ImageFolder:
    """The `images` folder of a report, to which images are added when a page needs them."""

    def __init__(self, study: Path, folder: Path) -> None:
        self.study, self.folder = study, folder
        self.folder.mkdir(parents=True, exist_ok=True)

    def address(self, sign: ImageSign, size: str = "large") -> str:
        """Return the name of an image in the folder, after writing it there."""
        name = f"{sign.id}-{size}.webp"
        if not (self.folder / name).exists():
            atomic_write(self.folder / name, thumbnail(self.study, sign, size))
        return name


def data_uri(sign: ImageSign, load: Callable[[ImageSign], bytes], limit: int) -> str:
    """Return the image, upright and re-encoded to at most `limit` bytes, as a data: URI.

    Only pixels are copied. Metadata and everything else in the file are left out.
    """
    upright = decode_sign(sign, load(sign)).pixels
    for side, quality in ATTEMPTS:
        blob = _webp(upright, side, quality)
        if len(blob) <= limit:
            break
    return f"data:image/webp;base64,{base64.b64encode(blob).decode('ascii')}"


def _webp(upright: Image.Image, side: int, quality: int) -> bytes:
    scaled = upright.copy()
    scaled.thumbnail((side, side), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    scaled.save(out, "WEBP", quality=quality, method=4)
    return out.getvalue()
