"""Signs: texts, images and the ways in which an image file can be wrong, composites."""

import hashlib
import io
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pydantic import ValidationError

from semiosis.files import image, image_bytes
from semiosis.values import (
    HSG,
    CompositeSign,
    DataError,
    ImageSign,
    parts_of,
    text,
)
from tests.strategies import a_missing_picture, a_picture, a_reading, a_semiosis, a_text, an_image


def a_png(width: int, height: int, pixels: bytes = b"") -> bytes:
    """Return a PNG whose header states this size, whatever its pixels are."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(pixels))
        + chunk(b"IEND", b"")
    )


def saved(file: Path, blob: bytes) -> Path:
    file.write_bytes(blob)
    return file


# Texts


def test_a_text_keeps_everything_but_crlf() -> None:
    assert text("one\r\ntwo\rthree ").text == "one\ntwo\rthree "


def test_an_empty_text_is_refused() -> None:
    with pytest.raises(ValidationError, match="at least 1 character"):
        text("")


def test_values_are_frozen_and_refuse_unknown_fields() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        a_text().text = "other"  # type: ignore[misc]  # on purpose
    with pytest.raises(ValidationError, match="Extra inputs"):
        a_text(colour="red")


# Images


@pytest.mark.parametrize(
    ("name", "format_", "media_type"),
    [
        ("a.png", "PNG", "image/png"),
        ("a.jpg", "JPEG", "image/jpeg"),
        ("a.webp", "WEBP", "image/webp"),
        ("a.gif", "GIF", "image/gif"),
        ("called.png", "JPEG", "image/jpeg"),  # the bytes decide, not the name
    ],
)
def test_four_types_of_image(tmp_path: Path, name: str, format_: str, media_type: str) -> None:
    file = tmp_path / name
    Image.new("RGB", (40, 30), "white").save(file, format_)
    sign = image(file)
    assert (sign.width, sign.height, sign.media_type) == (40, 30, media_type)
    assert sign.sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    assert sign.path == str(file)
    assert sign.title == file.stem
    assert image_bytes(sign) == file.read_bytes()


@pytest.mark.parametrize("orientation", range(1, 9))
@pytest.mark.parametrize("format_", ["JPEG", "PNG", "WEBP"])
def test_exif_rotation_swaps_the_sides(tmp_path: Path, orientation: int, format_: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    file = tmp_path / "turned"
    Image.new("RGB", (40, 30)).save(file, format_, exif=exif)
    sign = image(file)
    assert (sign.width, sign.height) == ((30, 40) if orientation >= 5 else (40, 30))


def test_an_image_has_its_prompt_and_round(tmp_path: Path) -> None:
    prompt = a_text(round=2)
    sign = image(a_picture(tmp_path / "a.png"), generator="g", prompt=prompt, title="T")
    assert (sign.prompt, sign.round, sign.generator, sign.title) == (prompt.id, 3, "g", "T")


def test_a_truncated_png(tmp_path: Path) -> None:
    whole = io.BytesIO()
    Image.effect_noise((64, 64), 50).save(whole, "PNG")
    for length in (30, 60, len(whole.getvalue()) // 2):
        file = saved(tmp_path / "cut.png", whole.getvalue()[:length])
        with pytest.raises(DataError, match=r"damaged|not a PNG") as caught:
            image(file)
        assert caught.value.where == str(file)
        assert caught.value.fix


def test_a_truncated_jpeg(tmp_path: Path) -> None:
    whole = io.BytesIO()
    Image.effect_noise((64, 64), 50).save(whole, "JPEG")
    with pytest.raises(DataError, match="damaged"):
        image(saved(tmp_path / "cut.jpg", whole.getvalue()[:-400]))


@pytest.mark.parametrize(("width", "height"), [(60_000, 60_000), (9_000, 9_000), (2**31 - 1, 2**31 - 1)])
def test_a_decompression_bomb_is_refused_by_its_size(tmp_path: Path, width: int, height: int) -> None:
    file = saved(tmp_path / "bomb.png", a_png(width, height))
    assert file.stat().st_size < 100
    with pytest.raises(DataError, match=r"pixels; the limit is 64,000,000") as caught:
        image(file)
    assert "scale it down" in str(caught.value)


def test_an_image_without_pixels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="damaged"):
        image(saved(tmp_path / "hollow.png", a_png(10, 10)))


@pytest.mark.parametrize(
    "blob",
    [
        b"not an image",
        b"%PDF-1.7",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"BM" + bytes(60),  # a bitmap, which Pillow could open
    ],
)
def test_a_file_of_another_type_is_refused(tmp_path: Path, blob: bytes) -> None:
    with pytest.raises(DataError, match="not a PNG, JPEG, WebP or GIF image"):
        image(saved(tmp_path / "x.png", blob))


@pytest.mark.parametrize(("name", "why"), [("missing.png", "No such file"), (".", "Is a directory")])
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str, why: str) -> None:
    with pytest.raises(DataError, match=f"cannot read the image: {why}"):
        image(tmp_path / name)


def test_a_file_that_was_changed_after_the_sign_was_made(tmp_path: Path) -> None:
    sign = image(a_picture(tmp_path / "a.png"))
    a_picture(tmp_path / "a.png", colour="black")
    with pytest.raises(DataError, match="not the image this sign was made from"):
        image_bytes(sign)


@pytest.mark.parametrize(
    "field", [{"width": 0}, {"height": -1}, {"sha256": "x"}, {"media_type": "image/tiff"}]
)
def test_an_invalid_field_of_an_image_sign_is_refused(field: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ImageSign(**{**an_image().model_dump(), **field})


# Composites


def test_the_parts_of_any_sign() -> None:
    sign = CompositeSign(parts=(a_text(), an_image()))
    assert parts_of(sign) == (a_text(), an_image())
    assert parts_of(a_text()) == (a_text(),)


def test_a_composite_contains_each_sign_once_and_no_composite() -> None:
    with pytest.raises(ValidationError, match="listed twice"):
        CompositeSign(parts=(a_text(), a_text(title="again")))
    with pytest.raises(ValidationError, match="at least 1 item"):
        CompositeSign(parts=())
    with pytest.raises(ValidationError, match="kind"):
        CompositeSign.model_validate({"parts": [CompositeSign(parts=(a_text(),))]})


def test_a_missing_picture_has_no_parts_and_no_reading() -> None:
    missing = a_missing_picture(reason="filtered")
    assert parts_of(missing) == ()
    with pytest.raises(DataError, match=r"a missing picture \(filtered\) has no reading"):
        HSG(missing, {"root": a_semiosis()}, [], a_reading())
