"""Unusual image files, which every package decodes in the same way."""

import contextlib
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from semiosis.ask import picture
from semiosis.ask._profile import profile_of
from semiosis.files import decode_image, decode_sign, image, image_bytes
from semiosis.values import DataError, ImageSign

PROFILE = profile_of("anthropic/claude-sonnet-5")


def file_of(frame: Image.Image, format_: str, **settings: object) -> bytes:
    blob = io.BytesIO()
    frame.save(blob, format_, **settings)
    return blob.getvalue()


def test_an_mpo_file_is_a_jpeg(tmp_path: Path) -> None:
    """An MPO file, as phones write it, is a JPEG followed by a second image."""
    frames = [Image.new("RGB", (8, 6), colour) for colour in ("red", "blue")]
    (tmp_path / "phone.jpg").write_bytes(file_of(frames[0], "MPO", save_all=True, append_images=frames[1:]))
    sign = image(tmp_path / "phone.jpg")
    assert (sign.media_type, sign.width, sign.height) == ("image/jpeg", 8, 6)
    assert picture(sign, PROFILE).data != image_bytes(sign)  # sent without the second image


def test_sixteen_bits_are_scaled_and_not_clipped() -> None:
    grey = np.full((4, 4), 0x8000, np.uint16)
    decoded = decode_image(file_of(Image.fromarray(grey), "PNG"), "grey.png")
    assert decoded.pixels.getpixel((0, 0)) == (128, 128, 128)
    assert not decoded.ordinary


def test_a_transparent_palette_stays_transparent() -> None:
    frame = Image.new("P", (4, 4), 0)
    frame.putpalette([255, 0, 0, 0, 255, 0])
    decoded = decode_image(file_of(frame, "PNG", transparency=0), "palette.png")
    assert decoded.pixels.getpixel((0, 0)) == (255, 0, 0, 0)


def test_cmyk_becomes_rgb() -> None:
    decoded = decode_image(file_of(Image.new("CMYK", (4, 4), (0, 0, 0, 0)), "JPEG"), "print.jpg")
    assert decoded.pixels.getpixel((0, 0)) == (255, 255, 255)
    assert not decoded.ordinary


@pytest.mark.parametrize(
    "wrong", [{"width": 9}, {"height": 9}, {"media_type": "image/jpeg"}], ids=["width", "height", "type"]
)
def test_a_sign_that_misstates_its_file(wrong: dict[str, object], tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(file_of(Image.new("RGB", (8, 6)), "PNG"))
    sign = ImageSign(**{**image(tmp_path / "a.png").model_dump(), **wrong})
    with pytest.raises(DataError, match=r"image/png of 8 × 6 pixels, but its sign says"):
        decode_sign(sign, image_bytes(sign))
    with pytest.raises(DataError, match=r"image/png of 8 × 6 pixels, but its sign says"):
        picture(sign, PROFILE)


def test_any_byte_of_a_file_may_be_wrong() -> None:
    """Damage is a DataError or goes unnoticed; it is never another exception."""
    whole = [
        file_of(Image.effect_noise((16, 16), 50), "PNG"),
        file_of(Image.effect_noise((16, 16), 50), "JPEG"),
        file_of(Image.effect_noise((16, 16), 50), "GIF"),
        file_of(Image.effect_noise((16, 16), 50).convert("RGB"), "WEBP"),
    ]
    for blob in whole:
        for place in range(0, len(blob), 3):
            damaged = blob[:place] + bytes([blob[place] ^ 0xFF]) + blob[place + 1 :]
            with contextlib.suppress(DataError):
                decode_image(damaged, "damaged")
