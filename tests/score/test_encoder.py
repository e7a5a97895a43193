"""Encoders: every architecture on a tiny checkpoint, and the traps that a naive use of them falls into."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from safetensors.torch import save_file

from semiosis.files import image
from semiosis.score import CHECKPOINTS, REFUSED, EncoderScorer
from semiosis.score._encoder import letterboxed, loaded_encoder
from semiosis.study import EvaluatorOptions, find_judge, find_scorer
from semiosis.values import ArtifactCase, ImageSign, Score, TextSign, Unscored, UsageError
from tests.score import tiny

pytestmark = pytest.mark.slow

LILY = TextSign(text="a white lily in a vase")
BUILDERS: dict[str, Callable[[Path], Path]] = {
    "clipscore": tiny.clip,
    "pickscore": tiny.clip,
    "hpsv2": tiny.clip,
    "clip-antonyms": tiny.clip,
    "metaclip2": tiny.metaclip2,
    "siglip": tiny.siglip,
    "siglip2-naflex": tiny.siglip2,
    "blip-itm": tiny.blip,
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def pictures(tmp_path: Path) -> list[ImageSign]:
    """Return a square, a wide and a tall picture."""
    signs = []
    for number, size in enumerate([(40, 40), (60, 40), (30, 90)]):
        rng = np.random.default_rng(number)
        pixels = rng.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
        Image.fromarray(pixels).save(tmp_path / f"{number}.png")
        signs.append(image(tmp_path / f"{number}.png"))
    return signs


def scorer(name: str, folder: Path) -> EncoderScorer:
    return EncoderScorer(CHECKPOINTS[name], str(BUILDERS[name](folder)))


def scores(scorer: EncoderScorer, prompt: TextSign, pictures: list[ImageSign]) -> list[Score]:
    return scorer.score_many([ArtifactCase(prompt, picture) for picture in pictures])


def value(score: Score) -> float:
    assert isinstance(score.value, float)
    return score.value


@pytest.mark.parametrize("name", sorted(BUILDERS.keys() - {"clipscore"}))  # CLIPScore is 0 below 0
def test_every_architecture_scores_many_pictures_as_it_scores_each(
    name: str, tmp_path: Path, pictures: list[ImageSign]
) -> None:
    encoder = scorer(name, tmp_path / name)
    together = [value(score) for score in scores(encoder, LILY, pictures)]
    assert len(set(together)) > 1
    loaded_encoder.cache_clear()
    for file in (tmp_path / "cache").rglob("*.sqlite"):
        file.unlink()  # otherwise the vectors of the pictures are read again
    alone = [value(scores(encoder, LILY, [picture])[0]) for picture in pictures]
    assert alone == pytest.approx(together, abs=2e-6)


def test_formulas_follow_from_the_cosine(tmp_path: Path, pictures: list[ImageSign]) -> None:
    folder = str(tiny.clip(tmp_path / "clip"))
    encoder = loaded_encoder(CHECKPOINTS["clipscore"], folder)
    model: Any = encoder._model
    pixels = encoder._images(Image.open(pictures[0].path).convert("RGB"), return_tensors="pt")["pixel_values"]
    tokens = encoder._tokenizer(LILY.text, return_tensors="pt")
    with torch.inference_mode():
        # CLIPModel computes scale · cosine; e^logit_scale is its scale.
        logits = model(pixel_values=pixels, **tokens).logits_per_image.item()
        cosine = logits / model.logit_scale.exp().item()
    found = {
        name: value(scores(EncoderScorer(CHECKPOINTS[name], folder), LILY, pictures[:1])[0])
        for name in ("clipscore", "pickscore")
    }
    assert found["clipscore"] == pytest.approx(2.5 * max(cosine, 0), abs=2e-6)
    assert found["pickscore"] == pytest.approx(logits, abs=2e-5)


def test_a_long_text_keeps_its_end_token_and_is_flagged(tmp_path: Path, pictures: list[ImageSign]) -> None:
    encoder = scorer("clipscore", tmp_path / "clip")
    loaded = loaded_encoder(encoder.row, encoder.weights_source)
    long = {
        word: TextSign(text=f"{word} " + "rain on a banana tree, at night; " * 30)
        for word in ("lily", "skull")
    }
    (first,) = scores(encoder, long["lily"], pictures[:1])
    assert first.details["truncated"] is True
    assert isinstance(first.details["tokens"], int)
    assert first.details["tokens"] > 77
    vectors = [loaded.text_vector(prompt.text) for prompt in long.values()]
    assert np.abs(vectors[0] - vectors[1]).max() > 1e-3
    # Cutting the ids drops the end token at which CLIP pools, and both texts get the vector of the start.
    naive = []
    for prompt in long.values():
        ids = loaded._tokenizer(prompt.text, return_tensors="pt")["input_ids"][:, :77]
        with torch.inference_mode():
            naive.append(loaded._model.get_text_features(input_ids=ids).pooler_output)
    assert torch.allclose(naive[0], naive[1], atol=1e-6)
    assert "truncated" not in scores(encoder, LILY, pictures[:1])[0].details


def test_a_tokenizer_whose_end_token_the_encoder_does_not_look_for_is_refused(
    tmp_path: Path, pictures: list[ImageSign]
) -> None:
    folder = tiny.clip(tmp_path / "clip", eos_token_id=5)
    with pytest.raises(UsageError, match="the encoder looks for 5"):
        scores(EncoderScorer(CHECKPOINTS["clipscore"], str(folder)), LILY, pictures)
    old = tiny.clip(tmp_path / "old", eos_token_id=2)  # such configs pool at the highest id, which is the end
    assert value(scores(EncoderScorer(CHECKPOINTS["clipscore"], str(old)), LILY, pictures)[0]) >= 0


def test_siglip_reads_lower_case_padded_to_its_length_and_without_a_mask(
    tmp_path: Path, pictures: list[ImageSign]
) -> None:
    encoder = scorer("siglip", tmp_path / "siglip")
    loaded = loaded_encoder(encoder.row, encoder.weights_source)
    lower, upper = (loaded.text_vector(text) for text in (LILY.text, LILY.text.upper()))
    assert np.array_equal(lower, upper)
    padded = loaded._tokenizer(LILY.text, padding="max_length", max_length=64, return_tensors="pt")
    short = loaded._tokenizer(LILY.text, return_tensors="pt")
    with torch.inference_mode():
        right, masked, unpadded = (
            loaded._model.get_text_features(**inputs).pooler_output[0].numpy()
            for inputs in (
                {"input_ids": padded["input_ids"]},
                {"input_ids": padded["input_ids"], "attention_mask": padded["attention_mask"]},
                {"input_ids": short["input_ids"]},
            )
        )
    assert lower == pytest.approx(right / np.linalg.norm(right), abs=1e-6)
    for naive in (masked, unpadded):
        assert np.abs(lower - naive / np.linalg.norm(naive)).max() > 1e-4
    shouted = scores(encoder, TextSign(text=LILY.text.upper()), pictures)
    assert [score.value for score in shouted] == [score.value for score in scores(encoder, LILY, pictures)]


def test_a_cropped_picture_is_flagged_and_a_letterboxed_one_is_whole(
    tmp_path: Path, pictures: list[ImageSign]
) -> None:
    cropped = [
        score.details.get("cropped") for score in scores(scorer("clipscore", tmp_path / "a"), LILY, pictures)
    ]
    assert cropped == [None, 0.333, 0.667]  # 60 × 40 keeps 40 × 40, 30 × 90 keeps 30 × 30
    whole = scores(scorer("hpsv2", tmp_path / "b"), LILY, pictures)
    assert not any("cropped" in score.details for score in whole)
    red = letterboxed(Image.new("RGB", (60, 20), (255, 0, 0)), 30)
    assert red.size == (30, 30)
    assert [red.getpixel((15, y)) for y in (2, 15, 27)] == [(0, 0, 0), (255, 0, 0), (0, 0, 0)]


def test_texts_in_scripts_that_an_english_encoder_does_not_know_are_flagged(
    tmp_path: Path, pictures: list[ImageSign]
) -> None:
    rain = TextSign(text="雨打芭蕉")
    assert scores(scorer("clipscore", tmp_path / "a"), rain, pictures)[0].details["script"] == "CJK"
    assert "script" not in scores(scorer("metaclip2", tmp_path / "b"), rain, pictures)[0].details
    blip = scores(scorer("blip-itm", tmp_path / "c"), rain, pictures)[0]
    assert blip.details["unknown_tokens"] == 1  # the tokenizer knows none of its words
    assert blip.details["script"] == "CJK"


def test_a_linear_head_needs_no_prompt(tmp_path: Path, pictures: list[ImageSign]) -> None:
    folder = tiny.clip(tmp_path / "clip")
    weight, bias = torch.arange(16, dtype=torch.float32), torch.tensor([2.0])
    save_file({"weight": weight, "bias": bias}, folder / "head.safetensors")
    aesthetic = EncoderScorer(CHECKPOINTS["aesthetic"], str(folder))
    vectors = loaded_encoder(aesthetic.row, aesthetic.weights_source).picture_vectors(
        {picture.id: Image.open(picture.path).convert("RGB") for picture in pictures}
    )
    expected = [float(vector @ weight.numpy()) + 2 for vector in vectors]
    found = scores(aesthetic, LILY, pictures)
    assert [value(score) for score in found] == pytest.approx(expected, abs=1e-5)
    assert {score.prompt for score in found} == {None}
    assert "tokens" not in found[0].details


def test_the_vector_of_a_picture_is_computed_once_per_checkpoint(
    tmp_path: Path, pictures: list[ImageSign], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = scorer("clipscore", tmp_path / "clip")
    first = scores(encoder, LILY, pictures)
    loaded = loaded_encoder(encoder.row, encoder.weights_source)
    monkeypatch.setattr(loaded, "_encoded", None)  # a call would fail
    assert [s.value for s in scores(encoder, LILY, pictures)] == [s.value for s in first]


def test_what_cannot_be_scored_has_a_reason(tmp_path: Path, pictures: list[ImageSign]) -> None:
    encoder = scorer("clipscore", tmp_path / "clip")
    Path(pictures[1].path).unlink()
    cases = [
        ArtifactCase(LILY, LILY),
        ArtifactCase(LILY, pictures[1]),
        ArtifactCase(pictures[0], pictures[2]),
        ArtifactCase(LILY, pictures[2]),
    ]
    results = [score.value for score in encoder.score_many(cases)]
    reasons = [result.reason if isinstance(result, Unscored) else "" for result in results]
    assert reasons == ["undefined", "missing", "undefined", ""]


def test_only_safetensors_of_known_architectures_are_loaded(
    tmp_path: Path, pictures: list[ImageSign]
) -> None:
    folder = tiny.clip(tmp_path / "clip")
    config = folder / "config.json"
    other = tmp_path / "other"
    folder.rename(other)
    config = other / "config.json"
    config.write_text(config.read_text().replace('"model_type": "clip"', '"model_type": "bert"'))
    with pytest.raises(UsageError, match="cannot be loaded"):
        scores(EncoderScorer(CHECKPOINTS["clipscore"], str(other)), LILY, pictures)
    (other / "model.safetensors").rename(other / "pytorch_model.bin")
    with pytest.raises(UsageError, match="no safetensors"):
        _ = EncoderScorer(CHECKPOINTS["clipscore"], str(other)).evaluator


def test_the_registry_has_every_checkpoint_and_refuses_others_by_name(tmp_path: Path) -> None:
    folder = tiny.clip(tmp_path / "my-clip")
    own = find_scorer(f"clip:{folder}", EvaluatorOptions())
    assert own.evaluator.name == "clip:my-clip"
    assert str(tmp_path) not in str(own.evaluator.parameters)
    assert find_judge(f"pickscore:{folder}", EvaluatorOptions()).judge.evaluator.name == "pickscore"
    for name in ("hpsv2", "imagereward", "aesthetic"):
        with pytest.raises(UsageError, match=f"write {name}:WEIGHTS"):
            find_scorer(name, EvaluatorOptions())
        with pytest.raises(UsageError, match="semiosis convert"):
            _ = EncoderScorer(CHECKPOINTS[name]).evaluator
    for name, reason in REFUSED.items():
        with pytest.raises(UsageError, match=name) as refused:
            find_judge(name, EvaluatorOptions())
        assert reason.partition(";")[0] in str(refused.value)
