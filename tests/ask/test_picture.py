"""Pictures as they are sent."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from semiosis.ask import Passage, Profile, Reply, Request, picture, wait_for
from semiosis.ask._profile import profile_of
from semiosis.files import image
from semiosis.testing import StandIn, says
from semiosis.values import DataError
from tests.ask.conftest import MakeAsker
from tests.ask.flowers import LILY, MODELS, Flower

PROFILE = profile_of("anthropic/claude-sonnet-5")


def _painted(path: Path, size: tuple[int, int] = (40, 20), **settings: object) -> Path:
    pixels = np.random.default_rng(7).integers(0, 255, (size[1], size[0], 3), dtype=np.uint8)
    Image.fromarray(pixels).save(path, **settings)  # type: ignore[arg-type]  # Pillow's own parameters
    return path


@pytest.mark.parametrize("way", MODELS)
def test_a_small_upright_picture_is_sent_as_it_is(way: str, tmp_path: Path, make_asker: MakeAsker) -> None:
    sign = image(_painted(tmp_path / "a.png"))
    with StandIn([says(LILY)]) as provider:
        model = MODELS[way](provider)
        parts = (Passage("Look:"), picture(sign, model.profile))
        assert isinstance(wait_for(make_asker().ask(Request(model, "Name it.", parts, Flower))), Reply)
    assert provider.calls[0].images == (sign.sha256,)


def test_another_picture_is_another_question(tmp_path: Path) -> None:
    with StandIn([]) as provider:
        model = MODELS["anthropic-tools"](provider)
    signs = image(_painted(tmp_path / "a.png")), image(_painted(tmp_path / "b.png", (20, 40)))
    one, two = (Request(model, "Name it.", (picture(sign, PROFILE),), Flower) for sign in signs)
    assert one.key != two.key


def test_a_picture_that_lies_on_its_side_is_turned_upright(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by 90 degrees
    sign = image(_painted(tmp_path / "turned.jpg", (40, 20), exif=exif))
    sent = picture(sign, PROFILE)
    assert (sent.width, sent.height) == (sign.width, sign.height) == (20, 40)
    assert Image.open(io.BytesIO(sent.data)).size == (20, 40)


def test_a_large_picture_is_scaled_down(tmp_path: Path) -> None:
    sent = picture(image(_painted(tmp_path / "wide.png", (3000, 300))), PROFILE)
    assert (sent.width, sent.height) == (1568, 157)


def test_a_heavy_picture_becomes_a_jpeg(tmp_path: Path) -> None:
    sign = image(_painted(tmp_path / "noise.png", (400, 400)))  # 480 kB of noise
    assert picture(sign, replace(PROFILE, image_bytes=300_000)).media_type == "image/jpeg"
    with pytest.raises(DataError, match="too large"):
        picture(sign, replace(PROFILE, image_bytes=3_000))


def test_only_the_first_frame_of_an_animated_picture_is_sent(tmp_path: Path) -> None:
    frames = [Image.new("RGBA", (8, 8), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "moving.gif", save_all=True, append_images=frames[1:])
    sent = picture(image(tmp_path / "moving.gif"), PROFILE)
    assert sent.media_type == "image/png"
    assert Image.open(io.BytesIO(sent.data)).convert("RGB").getpixel((0, 0)) == (255, 0, 0)


def _sent_pixel(path: Path, profile: Profile) -> tuple[int, ...]:
    sent = picture(image(path), profile)
    pixel = Image.open(io.BytesIO(sent.data)).convert("RGBA").getpixel((0, 0))
    assert isinstance(pixel, tuple)
    return tuple(int(part) for part in pixel)


@pytest.mark.parametrize("edge", [1568, 16])
def test_sixteen_bits_keep_their_brightness(edge: int, tmp_path: Path) -> None:
    grey = np.full((32, 64), 0x8000, dtype=np.uint16)  # half of 0xFFFF
    Image.fromarray(grey).save(tmp_path / "deep.png")
    red, green, blue, alpha = _sent_pixel(tmp_path / "deep.png", replace(PROFILE, image_edge=edge))
    assert (red, green, blue, alpha) == (128, 128, 128, 255)


@pytest.mark.parametrize("edge", [1568, 16])
def test_a_transparent_palette_stays_transparent(edge: int, tmp_path: Path) -> None:
    drawn = Image.new("P", (64, 32), 0)
    drawn.putpalette([10, 20, 30] + [0] * 765)
    drawn.save(tmp_path / "palette.png", transparency=0)
    assert _sent_pixel(tmp_path / "palette.png", replace(PROFILE, image_edge=edge))[3] == 0


def test_what_is_transparent_becomes_white_in_a_jpeg(tmp_path: Path) -> None:
    noise = np.random.default_rng(7).integers(0, 255, (200, 200, 4), dtype=np.uint8)
    noise[:20, :20, 3] = 0
    Image.fromarray(noise).save(tmp_path / "noise.png")
    small = replace(PROFILE, image_bytes=100_000)
    assert picture(image(tmp_path / "noise.png"), small).media_type == "image/jpeg"
    assert min(_sent_pixel(tmp_path / "noise.png", small)) > 240


def test_the_jpeg_of_a_telephone_is_sent_as_a_jpeg(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (40, 20), colour) for colour in ("red", "blue")]
    frames[0].save(tmp_path / "phone.jpg", "MPO", save_all=True, append_images=frames[1:])
    sent = picture(image(tmp_path / "phone.jpg"), PROFILE)
    assert sent.media_type in ("image/jpeg", "image/png")
    red, _, blue, _ = _sent_pixel(tmp_path / "phone.jpg", PROFILE)
    assert red > 200
    assert blue < 50


PUBLISHED = [
    # OpenAI, "Images and vision": tiles, and patches of 32 pixels before the factor of the model.
    ("openai/gpt-4o", 1024, 1024, 765),
    ("openai/gpt-4o", 2048, 4096, 1105),
    ("openai/o1", 1024, 1024, 75 + 4 * 150),
    ("openai/gpt-4o-mini", 1024, 1024, 2833 + 4 * 5667),
    ("azure/gpt-4.1-mini", 1024, 1024, 1659),  # 1,024 patches · 1.62
    ("openai/gpt-4.1-nano", 1800, 2400, 3572),  # 1,452 patches · 2.46
    # Anthropic, "Vision": about 54, 1,334 and 1,590 tokens.
    ("anthropic/claude-sonnet-5", 200, 200, 54),
    ("anthropic/claude-sonnet-5", 1000, 1000, 1334),
    ("anthropic/claude-sonnet-5", 1092, 1092, 1590),
    # Google, "Understand and count tokens": 258 up to 384 pixels; six crops of 360 pixels.
    ("google/gemini-2.5-flash", 384, 384, 258),
    ("openrouter/google/gemini-2.5-flash", 960, 540, 6 * 258),
    ("google/gemini-3-pro", 3072, 2048, 1120),
]


@pytest.mark.parametrize(("model", "width", "height", "tokens"), PUBLISHED)
def test_image_tokens_are_those_of_the_providers_examples(
    model: str, width: int, height: int, tokens: int
) -> None:
    assert profile_of(model).image_tokens(width, height) == tokens


@given(
    model=st.sampled_from(["openai/gpt-4o", "openai/gpt-4.1-mini", "openai/o1", "openai/gpt-5-nano"]),
    width=st.integers(1, 4000),
    height=st.integers(1, 4000),
)
def test_a_model_whose_rule_is_not_known_reserves_at_least_as_much(
    model: str, width: int, height: int
) -> None:
    unknown = profile_of("openai/some-later-model").image_tokens(width, height)
    assert unknown >= profile_of(model).image_tokens(width, height) > 0
