"""Converts releases that are published as pickles into safetensors, so that scorers load no pickle."""

import hashlib
import json
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from semiosis.files import new_folder
from semiosis.score._encoder import CONVERTED_FILE, HEAD_FILE
from semiosis.values import DataError, MissingExtraError, UsageError

Release = Literal["hpsv2", "imagereward", "aesthetic"]
"""The releases that can be converted."""

PROCESSORS: dict[Release, str] = {
    "hpsv2": "laion/CLIP-ViT-H-14-laion2B-s32B-b79K",
    "imagereward": "Salesforce/blip-itm-base-coco",
    "aesthetic": "openai/clip-vit-large-patch14",
}
"""The hub ids with the tokenizer and the image processor of each release, or with its encoder."""

_WIDE_HEADS = {1280: 80, 1664: 104, 1408: 88}
"""The width of an attention head by the width of OpenCLIP's vision transformers H, bigG and g."""
_HEAD_WIDTH = 64
_CLIP_MEAN = [0.48145466, 0.4578275, 0.40821073]
_CLIP_STD = [0.26862954, 0.26130258, 0.27577711]

Tensors = dict[str, Any]


def convert_release(release: Release, source: Path, folder: Path, processor: str = "") -> Path:
    """Convert a pickled release into a folder with safetensors, and return the folder.

    `processor` is a folder or a hub id with tokenizer and image processor; for `aesthetic`, with the encoder.
    The pickle is read with torch's restricted loader, which runs no code. The folder states its SHA-256.
    """
    home = new_folder(folder)
    if home.exists() and any(home.iterdir()):
        raise UsageError("the folder is not empty", where=str(home), fix="choose another folder")
    state = _read_pickle(source)
    origin = processor or PROCESSORS[release]
    home.mkdir(parents=True, exist_ok=True)
    if release == "hpsv2":
        save_clip(open_clip_state(state), home)
        _save_processor(origin, home)
    elif release == "imagereward":
        _save_image_reward(state, home)
        _save_processor(origin, home, image_size=_image_size(state))
    else:
        _save_head(linear_head(state), home)
    note = {"release": release, "sha256": _digest(source), "file": source.name}
    if release == "aesthetic":
        note["encoder"] = origin
    (home / CONVERTED_FILE).write_text(json.dumps(note, indent=1) + "\n", encoding="utf-8")
    return home


def open_clip_state(state: Mapping[str, Any]) -> Tensors:
    """Return OpenCLIP's tensors under the names of transformers' CLIPModel."""
    renamed: Tensors = {}
    for name, tensor in state.items():
        if name == "logit_scale":
            renamed[name] = tensor
        elif name == "visual.proj":
            renamed["visual_projection.weight"] = tensor.T.contiguous()
        elif name == "text_projection":
            renamed["text_projection.weight"] = tensor.T.contiguous()
        elif name in _CLIP_NAMES:
            renamed[_CLIP_NAMES[name]] = tensor
        elif ".resblocks." in name:
            renamed |= _block_tensors(name, tensor)
    return renamed


def save_clip(state: Tensors, folder: Path, activation: str = "gelu") -> None:
    """Save a CLIPModel with these tensors. Its sizes follow from theirs.

    OpenCLIP's large models use the exact GELU; OpenAI's checkpoints use a faster approximation. With the
    wrong one, cosines differ by as much as two pictures do.
    """
    transformers = _require("transformers")
    text_width = state["text_model.final_layer_norm.weight"].shape[0]
    patch = state["vision_model.embeddings.patch_embedding.weight"]
    width, side = patch.shape[0], patch.shape[-1]
    places = state["vision_model.embeddings.position_embedding.weight"].shape[0] - 1
    tokens, vocabulary = (
        state["text_model.embeddings.position_embedding.weight"].shape[0],
        state["text_model.embeddings.token_embedding.weight"].shape[0],
    )
    config = transformers.CLIPConfig(
        text_config={
            "hidden_size": text_width,
            "intermediate_size": state["text_model.encoder.layers.0.mlp.fc1.weight"].shape[0],
            "num_hidden_layers": _layers(state, "text_model"),
            "num_attention_heads": text_width // _HEAD_WIDTH,
            "max_position_embeddings": tokens,
            "vocab_size": vocabulary,
            "bos_token_id": vocabulary - 2,
            "eos_token_id": vocabulary - 1,
            "hidden_act": activation,
        },
        vision_config={
            "hidden_size": width,
            "intermediate_size": state["vision_model.encoder.layers.0.mlp.fc1.weight"].shape[0],
            "num_hidden_layers": _layers(state, "vision_model"),
            "num_attention_heads": width // _WIDE_HEADS.get(width, _HEAD_WIDTH),
            "image_size": round(places**0.5) * side,
            "patch_size": side,
            "hidden_act": activation,
        },
        projection_dim=state["text_projection.weight"].shape[0],
    )
    _save_model(transformers.CLIPModel(config), state, folder)


def linear_head(state: Mapping[str, Any]) -> Tensors:
    """Return LAION's five layers as one vector and one number: no activation stands between them."""
    weights = [state[name] for name in sorted(state) if name.endswith("weight")]
    biases = [state[name] for name in sorted(state) if name.endswith("bias")]
    weight, bias = weights[0].double(), biases[0].double()
    for next_weight, next_bias in zip(weights[1:], biases[1:], strict=True):
        weight, bias = next_weight.double() @ weight, next_weight.double() @ bias + next_bias.double()
    return {"weight": weight[0].float().contiguous(), "bias": bias.float().contiguous()}


def _save_image_reward(state: Mapping[str, Any], folder: Path) -> None:
    transformers = _require("transformers")
    blip = blip_state(state)
    patch = blip["vision_model.embeddings.patch_embedding.weight"]
    width, text_width = patch.shape[0], blip["text_encoder.embeddings.word_embeddings.weight"].shape[1]
    config = transformers.BlipConfig(
        text_config={
            "hidden_size": text_width,
            "encoder_hidden_size": width,
            "intermediate_size": blip["text_encoder.encoder.layer.0.intermediate.dense.weight"].shape[0],
            "num_hidden_layers": _layers(blip, "text_encoder", "layer"),
            "num_attention_heads": max(1, text_width // _HEAD_WIDTH),
            "max_position_embeddings": blip["text_encoder.embeddings.position_embeddings.weight"].shape[0],
            "vocab_size": blip["text_encoder.embeddings.word_embeddings.weight"].shape[0],
            "is_decoder": True,  # otherwise the text encoder has no cross-attention
        },
        vision_config={
            "hidden_size": width,
            "intermediate_size": blip["vision_model.encoder.layers.0.mlp.fc1.weight"].shape[0],
            "num_hidden_layers": _layers(blip, "vision_model"),
            "num_attention_heads": max(1, width // _HEAD_WIDTH),
            "image_size": _image_size(state),
            "patch_size": patch.shape[-1],
        },
    )
    model = transformers.BlipForImageTextRetrieval(config)
    unused = ("vision_proj.", "text_proj.", "itm_head.")  # ImageReward has its own layers behind the encoder
    own = {name: tensor for name, tensor in model.state_dict().items() if name.startswith(unused)}
    _save_model(model, {**own, **blip}, folder)
    layers = sorted({int(name.split(".")[2]) for name in state if name.startswith("mlp.layers.")})
    _save_head(
        {
            f"{position}.{part}": state[f"mlp.layers.{layer}.{part}"].float().contiguous()
            for position, layer in enumerate(layers)
            for part in ("weight", "bias")
        },
        folder,
    )


def blip_state(state: Mapping[str, Any]) -> Tensors:
    """Return ImageReward's encoder under the names of transformers' BLIP."""
    renamed: Tensors = {}
    for full_name, tensor in state.items():
        name = full_name.removeprefix("blip.")
        if name.startswith("text_encoder.") and not name.endswith("position_ids"):
            renamed[name] = tensor
        elif name in _BLIP_NAMES:
            renamed[_BLIP_NAMES[name]] = tensor
        elif name.startswith("visual_encoder.blocks."):
            block = name.removeprefix("visual_encoder.blocks.")
            block = block.replace("attn.proj.", "self_attn.projection.").replace(
                "attn.qkv.", "self_attn.qkv."
            )
            block = block.replace("norm1.", "layer_norm1.").replace("norm2.", "layer_norm2.")
            renamed[f"vision_model.encoder.layers.{block}"] = tensor
    return renamed


_CLIP_NAMES = {
    "positional_embedding": "text_model.embeddings.position_embedding.weight",
    "token_embedding.weight": "text_model.embeddings.token_embedding.weight",
    "ln_final.weight": "text_model.final_layer_norm.weight",
    "ln_final.bias": "text_model.final_layer_norm.bias",
    "visual.class_embedding": "vision_model.embeddings.class_embedding",
    "visual.positional_embedding": "vision_model.embeddings.position_embedding.weight",
    "visual.conv1.weight": "vision_model.embeddings.patch_embedding.weight",
    "visual.ln_pre.weight": "vision_model.pre_layrnorm.weight",
    "visual.ln_pre.bias": "vision_model.pre_layrnorm.bias",
    "visual.ln_post.weight": "vision_model.post_layernorm.weight",
    "visual.ln_post.bias": "vision_model.post_layernorm.bias",
}
_BLOCK_NAMES = {
    "ln_1": "layer_norm1",
    "ln_2": "layer_norm2",
    "attn.out_proj": "self_attn.out_proj",
    "mlp.c_fc": "mlp.fc1",
    "mlp.c_proj": "mlp.fc2",
}
_BLIP_NAMES = {
    "visual_encoder.cls_token": "vision_model.embeddings.class_embedding",
    "visual_encoder.pos_embed": "vision_model.embeddings.position_embedding",
    "visual_encoder.patch_embed.proj.weight": "vision_model.embeddings.patch_embedding.weight",
    "visual_encoder.patch_embed.proj.bias": "vision_model.embeddings.patch_embedding.bias",
    "visual_encoder.norm.weight": "vision_model.post_layernorm.weight",
    "visual_encoder.norm.bias": "vision_model.post_layernorm.bias",
}


def _block_tensors(name: str, tensor: Any) -> Tensors:
    """Return the tensor of a block under transformers' names, where queries, keys and values are apart."""
    tower = "vision_model" if name.startswith("visual.") else "text_model"
    number, _, part = name.partition(".resblocks.")[2].partition(".")
    layer = f"{tower}.encoder.layers.{number}"
    if part.startswith("attn.in_proj_"):
        kind = part.removeprefix("attn.in_proj_")
        thirds = tensor.chunk(3)
        return {
            f"{layer}.self_attn.{name}.{kind}": third.contiguous()
            for name, third in zip(("q_proj", "k_proj", "v_proj"), thirds, strict=True)
        }
    module, _, kind = part.rpartition(".")
    return {f"{layer}.{_BLOCK_NAMES[module]}.{kind}": tensor}


def _layers(state: Tensors, tower: str, word: str = "layers") -> int:
    prefix = f"{tower}.encoder.{word}."
    return 1 + max(int(name.removeprefix(prefix).split(".")[0]) for name in state if name.startswith(prefix))


def _image_size(state: Mapping[str, Any]) -> int:
    places = state["blip.visual_encoder.pos_embed"].shape[1] - 1
    return int(round(places**0.5) * state["blip.visual_encoder.patch_embed.proj.weight"].shape[-1])


def _save_model(model: Any, state: Tensors, folder: Path) -> None:
    """Save a model with these tensors, each of which has to fit, and none of which may be missing."""
    own = model.state_dict()
    missing = sorted(name for name in own if name not in state and not name.endswith("position_ids"))
    unknown = sorted(state.keys() - own.keys())
    if missing or unknown:
        raise DataError(
            f"the release does not fit: {len(missing)} tensors are missing, such as {missing[:1]}, and "
            f"{len(unknown)} are unknown, such as {unknown[:1]}",
            fix="give the file that its authors published",
        )
    model.load_state_dict({name: tensor.float() for name, tensor in state.items()}, strict=False)
    model.save_pretrained(folder)


def _save_head(tensors: Tensors, folder: Path) -> None:
    _require("safetensors.torch").save_file(tensors, folder / HEAD_FILE)


def _save_processor(origin: str, folder: Path, image_size: int = 0) -> None:
    """Save tokenizer and image processor of another checkpoint; with a size, ImageReward's own pictures."""
    transformers = _require("transformers")
    local = Path(origin).expanduser().is_dir()
    name = str(Path(origin).expanduser()) if local else origin
    options = {"trust_remote_code": False, "local_files_only": local}
    try:
        transformers.AutoTokenizer.from_pretrained(name, **options).save_pretrained(folder)
        images = transformers.AutoImageProcessor.from_pretrained(name, **options)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"tokenizer and image processor cannot be loaded: {error}",
            where=origin,
            fix="name a folder or a hub id with --processor",
        ) from error
    if image_size:
        images = transformers.CLIPImageProcessor(
            size={"shortest_edge": image_size},
            crop_size={"height": image_size, "width": image_size},
            image_mean=_CLIP_MEAN,
            image_std=_CLIP_STD,
        )
    images.save_pretrained(folder)


def _read_pickle(source: Path) -> Tensors:
    torch = _require("torch")
    try:
        content = torch.load(source, map_location="cpu", weights_only=True)
    except FileNotFoundError as error:
        raise UsageError("there is no such file", where=str(source), fix="download the release") from error
    except Exception as error:  # torch raises errors of many kinds for a file that it refuses
        if isinstance(error, MemoryError):
            raise
        raise DataError(
            f"torch refuses the file: {str(error).splitlines()[0]}",
            where=str(source),
            fix="give the weights that the authors published; a pickle with code is never read",
        ) from error
    state = content.get("state_dict", content) if isinstance(content, dict) else content
    if not isinstance(state, dict):
        raise DataError("the file has no tensors by name", where=str(source), fix="give a state dict")
    return {str(name).removeprefix("module."): tensor for name, tensor in state.items()}


def _digest(source: Path) -> str:
    with source.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _require(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise MissingExtraError(
            f"converting needs a package that is not installed: {error.name}", "local"
        ) from error
