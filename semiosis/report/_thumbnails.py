"""Small copies of a study's images, which are cached under `.semiosis/thumbs`."""

import contextlib
import io
from pathlib import Path

from PIL import Image

from semiosis.files import HIDDEN_FOLDER, atomic_write, decode_sign, image_bytes
from semiosis.values import ImageSign, MachineError

SIDES = {"large": (1024, 82), "small": (160, 70)}
"""Longest side in pixels and WebP quality of the image on a page and of that in the list."""


def thumbnail(study: Path, sign: ImageSign, size: str) -> bytes:
    """Return a small copy of an image, upright and without metadata, from the cache if possible."""
    file = study / HIDDEN_FOLDER / "thumbs" / f"{sign.sha256}-{size}.webp"
    if file.exists():
        return file.read_bytes()
    side, quality = SIDES[size]
    pixels = decode_sign(sign, image_bytes(sign)).pixels.copy()
    pixels.thumbnail((side, side), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    pixels.save(out, "WEBP", quality=quality, method=4)
    with contextlib.suppress(OSError, MachineError):  # a read-only study caches nothing
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(file, out.getvalue())
    return out.getvalue()


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
