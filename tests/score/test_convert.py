"""Conversion of pickled releases: the converted encoder computes what the original computes."""

import hashlib
import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image

from semiosis.files import image
from semiosis.score import CHECKPOINTS, EncoderScorer, convert_release
from semiosis.score._convert import open_clip_state, save_clip
from semiosis.score._encoder import loaded_encoder
from semiosis.values import ArtifactCase, DataError, ImageSign, TextSign, UsageError
from tests.cli.conftest import (
    Run,  # the fixture
)
from tests.score import tiny

pytestmark = pytest.mark.slow

LILY = TextSign(text="a white lily in a vase")


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def picture(tmp_path: Path) -> ImageSign:
    pixels = np.random.default_rng(1).integers(0, 256, (48, 40, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(tmp_path / "picture.png")
    return image(tmp_path / "picture.png")


def original_clip(model: Any) -> dict[str, Any]:
    """Return the tensors of a CLIPModel under OpenCLIP's names, by the opposite of the conversion."""
    own = model.state_dict()
    names = {
        "logit_scale": own["logit_scale"],
        "visual.proj": own["visual_projection.weight"].T,
        "text_projection": own["text_projection.weight"].T,
        "positional_embedding": own["text_model.embeddings.position_embedding.weight"],
        "token_embedding.weight": own["text_model.embeddings.token_embedding.weight"],
        "visual.class_embedding": own["vision_model.embeddings.class_embedding"],
        "visual.positional_embedding": own["vision_model.embeddings.position_embedding.weight"],
        "visual.conv1.weight": own["vision_model.embeddings.patch_embedding.weight"],
        "attn_mask": torch.zeros(1),  # a buffer that OpenCLIP also saves
    }
    for theirs, ours in (
        ("ln_final", "text_model.final_layer_norm"),
        ("visual.ln_pre", "vision_model.pre_layrnorm"),
        ("visual.ln_post", "vision_model.post_layernorm"),
    ):
        names |= {f"{theirs}.{kind}": own[f"{ours}.{kind}"] for kind in ("weight", "bias")}
    for prefix, tower in (("transformer", "text_model"), ("visual.transformer", "vision_model")):
        for number in range(2):
            block, layer = f"{prefix}.resblocks.{number}", f"{tower}.encoder.layers.{number}"
            for kind in ("weight", "bias"):
                thirds = [own[f"{layer}.self_attn.{part}_proj.{kind}"] for part in "qkv"]
                names[f"{block}.attn.in_proj_{kind}"] = torch.cat(thirds)
                for theirs, ours in (
                    ("ln_1", "layer_norm1"),
                    ("ln_2", "layer_norm2"),
                    ("attn.out_proj", "self_attn.out_proj"),
                    ("mlp.c_fc", "mlp.fc1"),
                    ("mlp.c_proj", "mlp.fc2"),
                ):
                    names[f"{block}.{theirs}.{kind}"] = own[f"{layer}.{ours}.{kind}"]
    return {name: tensor.clone() for name, tensor in names.items()}


def test_a_converted_hpsv2_scores_as_before(tmp_path: Path, picture: ImageSign, run: Run) -> None:
    folder = tiny.clip(
        tmp_path / "clip",
        sight={"hidden_size": 64, "num_attention_heads": 1, "hidden_act": "gelu"},
        hidden_size=64,
        num_attention_heads=1,
        hidden_act="gelu",
    )
    model = tiny.transformers.CLIPModel.from_pretrained(folder)
    source = tmp_path / "HPS.pt"
    torch.save({"epoch": 1, "state_dict": original_clip(model)}, source)
    done = run("convert", "hpsv2", source, tmp_path / "hps", "--processor", folder)
    assert (done.code, done.out) == (0, f"converted {source} to {tmp_path / 'hps'}\n")
    case = [ArtifactCase(LILY, picture)]
    before, after = (
        EncoderScorer(CHECKPOINTS["hpsv2"], str(path)).score_many(case)[0].value
        for path in (folder, tmp_path / "hps")
    )
    assert after == pytest.approx(before, abs=1e-6)
    note = json.loads((tmp_path / "hps" / "semiosis.json").read_text())
    assert note["sha256"] == hashlib.sha256(source.read_bytes()).hexdigest()


@pytest.mark.parametrize("name", ["ViT-B-32", "ViT-H-14"])
def test_the_converter_agrees_with_open_clip(name: str, tmp_path: Path) -> None:
    """The real architectures, H/14 with two layers, with random weights."""
    open_clip = pytest.importorskip("open_clip")
    config = open_clip.get_model_config(name)
    config["vision_cfg"]["layers"] = config["text_cfg"]["layers"] = 2
    torch.manual_seed(0)
    theirs = open_clip.CLIP(**config).eval()
    save_clip(open_clip_state(theirs.state_dict()), tmp_path / "clip")
    ours = tiny.transformers.CLIPModel.from_pretrained(tmp_path / "clip").eval()
    pixels = torch.rand(2, 3, 224, 224, generator=torch.Generator().manual_seed(1))
    ids = open_clip.get_tokenizer(name)(["a white lily in a vase", "rain " * 100])
    with torch.inference_mode():
        pictures = ours.get_image_features(pixel_values=pixels).pooler_output
        texts = ours.get_text_features(input_ids=ids).pooler_output
        assert torch.allclose(pictures, theirs.encode_image(pixels), atol=1e-5)
        assert torch.allclose(texts, theirs.encode_text(ids), atol=1e-5)


def original_image_reward(blip: Any, layers: list[Any]) -> dict[str, Any]:
    """Return ImageReward's tensors under its own names, made from a BLIP and the layers behind it."""
    names: dict[str, Any] = {}
    for name, tensor in blip.state_dict().items():
        if name.startswith("text_encoder."):
            names[f"blip.{name}"] = tensor
        elif name.startswith("vision_model.encoder.layers."):
            block = name.removeprefix("vision_model.encoder.layers.")
            for ours, theirs in (
                ("self_attn.projection", "attn.proj"),
                ("self_attn.qkv", "attn.qkv"),
                ("layer_norm", "norm"),
            ):
                block = block.replace(ours, theirs)
            names[f"blip.visual_encoder.blocks.{block}"] = tensor
    own = blip.state_dict()
    names |= {
        "blip.visual_encoder.cls_token": own["vision_model.embeddings.class_embedding"],
        "blip.visual_encoder.pos_embed": own["vision_model.embeddings.position_embedding"],
        "blip.visual_encoder.patch_embed.proj.weight": own["vision_model.embeddings.patch_embedding.weight"],
        "blip.visual_encoder.patch_embed.proj.bias": own["vision_model.embeddings.patch_embedding.bias"],
        "blip.visual_encoder.norm.weight": own["vision_model.post_layernorm.weight"],
        "blip.visual_encoder.norm.bias": own["vision_model.post_layernorm.bias"],
    }
    for number, layer in zip((0, 2, 4, 6, 7), layers, strict=True):  # dropout stands between them
        names |= {f"mlp.layers.{number}.{kind}": getattr(layer, kind).data for kind in ("weight", "bias")}
    return {name: tensor.clone() for name, tensor in names.items()}


def test_a_converted_imagereward_scores_as_its_formula_says(tmp_path: Path, picture: ImageSign) -> None:
    folder = tiny.blip(tmp_path / "blip", hidden_size=64, num_attention_heads=1)
    blip = tiny.transformers.BlipForImageTextRetrieval.from_pretrained(folder).eval()
    torch.manual_seed(3)
    sizes = [64, 32, 16, 8, 4, 1]
    layers = [torch.nn.Linear(a, b) for a, b in itertools.pairwise(sizes)]
    torch.save(original_image_reward(blip, layers), tmp_path / "ImageReward.pt")
    convert_release("imagereward", tmp_path / "ImageReward.pt", tmp_path / "reward", str(folder))
    scorer = EncoderScorer(CHECKPOINTS["imagereward"], str(tmp_path / "reward"))
    long = TextSign(text="rain on a banana tree at night " * 8)
    first, second = scorer.score_many([ArtifactCase(LILY, picture), ArtifactCase(long, picture)])
    encoder = loaded_encoder(scorer.row, scorer.weights_source)
    assert (encoder.max_tokens, second.details["truncated"]) == (35, True)
    pixels = encoder.picture(Image.open(picture.path).convert("RGB")).inputs["pixel_values"]
    tokens = encoder._tokenizer(LILY.text, padding="max_length", max_length=35, return_tensors="pt")
    with torch.inference_mode():
        seen = blip.vision_model(pixel_values=pixels).last_hidden_state
        state = blip.text_encoder(
            input_ids=tokens["input_ids"],
            attention_mask=tokens["attention_mask"],
            encoder_hidden_states=seen,
            encoder_attention_mask=torch.ones(seen.shape[:2], dtype=torch.long),
        ).last_hidden_state[:, 0]
        for layer in layers:
            state = layer(state)
    expected = (state.item() - 0.16717362830052426) / 1.0333394966054072
    assert first.value == pytest.approx(expected, abs=2e-6)
    assert first.details["cropped"] == pytest.approx(1 / 6, abs=1e-3)  # 40 × 48


def test_the_five_layers_of_the_aesthetic_predictor_are_one(tmp_path: Path, picture: ImageSign) -> None:
    folder = tiny.clip(tmp_path / "clip")
    torch.manual_seed(4)
    sizes = [16, 12, 8, 6, 4, 1]
    layers = [torch.nn.Linear(a, b) for a, b in itertools.pairwise(sizes)]
    state = {
        f"layers.{number}.{kind}": getattr(layer, kind).data
        for number, layer in zip((0, 2, 4, 6, 7), layers, strict=True)
        for kind in ("weight", "bias")
    }
    torch.save(state, tmp_path / "aesthetic.pth")
    convert_release("aesthetic", tmp_path / "aesthetic.pth", tmp_path / "head", str(folder))
    scorer = EncoderScorer(CHECKPOINTS["aesthetic"], str(tmp_path / "head"))
    (score,) = scorer.score_many([ArtifactCase(LILY, picture)])
    encoder = loaded_encoder(scorer.row, scorer.weights_source)
    vector = torch.tensor(encoder.picture_vectors({"p": Image.open(picture.path).convert("RGB")}))
    for layer in layers:
        vector = layer(vector)
    assert score.value == pytest.approx(vector.item(), abs=2e-6)
    assert set(scorer.evaluator.parameters) == {"formula", "image", "weights", "encoder"}


def test_a_pickle_with_code_is_never_read(tmp_path: Path) -> None:
    torch.save({"state_dict": Path}, tmp_path / "hostile.pt")  # any class stands for code
    with pytest.raises(DataError, match="torch refuses the file"):
        convert_release("hpsv2", tmp_path / "hostile.pt", tmp_path / "out")
    with pytest.raises(UsageError, match="no such file"):
        convert_release("hpsv2", tmp_path / "absent.pt", tmp_path / "out")
    torch.save({"layers.0.weight": torch.ones(1, 2)}, tmp_path / "other.pt")
    (tmp_path / "out").mkdir(exist_ok=True)
    (tmp_path / "out" / "mine").touch()
    with pytest.raises(UsageError, match="not empty"):
        convert_release("aesthetic", tmp_path / "other.pt", tmp_path / "out")


def test_a_release_that_lacks_a_tensor_is_refused(tmp_path: Path) -> None:
    folder = tiny.clip(
        tmp_path / "clip",
        sight={"hidden_size": 64, "num_attention_heads": 1},
        hidden_size=64,
        num_attention_heads=1,
    )
    state = original_clip(tiny.transformers.CLIPModel.from_pretrained(folder))
    del state["visual.ln_pre.bias"]
    torch.save(state, tmp_path / "partial.pt")
    with pytest.raises(
        DataError, match=r"1 tensors are missing, such as \['vision_model.pre_layrnorm.bias'\]"
    ):
        convert_release("hpsv2", tmp_path / "partial.pt", tmp_path / "out", str(folder))
