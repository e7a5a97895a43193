"""Tiny random checkpoints of every architecture that a scorer loads, built by the tests."""

from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers

transformers: Any = import_module("transformers")  # only partly typed upstream

SIDE = 32
TEXTS = ["a white lily in a vase", "a skull beside a candle", "rain on a banana tree, at night"]
_TOWER = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
_SIGHT = {**_TOWER, "image_size": SIDE, "patch_size": 8}


def tokenizer(*, begin: str, end: str, pad: str = "", limit: int = 77, unknown: str = "") -> Any:
    """Return a byte-level tokenizer that puts a text between two tokens."""
    special = list(dict.fromkeys(filter(None, (pad, unknown))))
    built = Tokenizer(models.BPE())
    built.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=500,
        special_tokens=special,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    built.train_from_iterator(TEXTS * 5, trainer)
    built.add_special_tokens([begin, end])  # CLIP's own two have the highest ids
    built.post_processor = processors.TemplateProcessing(
        single=f"{begin} $A {end}",
        special_tokens=[(name, built.token_to_id(name)) for name in (begin, end)],
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=built,
        bos_token=begin,
        eos_token=end,
        pad_token=pad or end,
        unk_token=unknown or end,
        model_max_length=limit,
    )


def word_tokenizer(limit: int) -> Any:
    """Return a tokenizer that knows the words of `TEXTS` only, like BERT's."""
    words = sorted({word for text in TEXTS for word in text.replace(",", " ,").split()})
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words]
    built = Tokenizer(models.WordLevel({name: i for i, name in enumerate(names)}, unk_token="[UNK]"))
    built.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    built.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=built,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        model_max_length=limit,
    )


def _ids(tokens: Any) -> dict[str, int]:
    return {f"{name}_token_id": getattr(tokens, f"{name}_token_id") for name in ("bos", "eos", "pad")}


def _cropping() -> Any:
    return transformers.CLIPImageProcessor(
        size={"shortest_edge": SIDE}, crop_size={"height": SIDE, "width": SIDE}
    )


def clip(folder: Path, *, sight: dict[str, Any] | None = None, **text: Any) -> Path:
    """CLIP, whose pictures are cropped."""
    torch.manual_seed(0)
    tokens = tokenizer(begin="<|startoftext|>", end="<|endoftext|>")
    settings = {"vocab_size": len(tokens), "max_position_embeddings": 77, **_TOWER, **_ids(tokens), **text}
    config = transformers.CLIPConfig(
        text_config=settings, vision_config={**_SIGHT, **(sight or {})}, projection_dim=16
    )
    return _save(folder, transformers.CLIPModel(config), tokens, _cropping())


def metaclip2(folder: Path) -> Path:
    """MetaCLIP 2: CLIP with a tokenizer of many languages."""
    torch.manual_seed(0)
    tokens = tokenizer(begin="<s>", end="</s>", pad="<pad>", unknown="<unk>")
    settings = {"vocab_size": len(tokens), "max_position_embeddings": 77, **_TOWER, **_ids(tokens)}
    config = transformers.MetaClip2Config(text_config=settings, vision_config=_SIGHT, projection_dim=16)
    return _save(folder, transformers.MetaClip2Model(config), tokens, _cropping())


def siglip(folder: Path) -> Path:
    """SigLIP and SigLIP 2 at a fixed size, whose pictures are squashed."""
    torch.manual_seed(0)
    tokens = tokenizer(begin="<bos>", end="<eos>", pad="<pad>", unknown="<unk>", limit=64)
    settings = {"vocab_size": len(tokens), "max_position_embeddings": 64, **_TOWER, **_ids(tokens)}
    config = transformers.SiglipConfig(text_config=settings, vision_config=_SIGHT)
    images = transformers.SiglipImageProcessor(size={"height": SIDE, "width": SIDE})
    return _save(folder, transformers.SiglipModel(config), tokens, images)


def siglip2(folder: Path) -> Path:
    """SigLIP 2 in native proportions (NaFlex)."""
    torch.manual_seed(0)
    tokens = tokenizer(begin="<bos>", end="<eos>", pad="<pad>", unknown="<unk>", limit=64)
    settings = {"vocab_size": len(tokens), "max_position_embeddings": 64, **_TOWER, **_ids(tokens)}
    sight = {**_TOWER, "patch_size": 8, "num_patches": 16}
    config = transformers.Siglip2Config(text_config=settings, vision_config=sight)
    images = transformers.Siglip2ImageProcessor(patch_size=8, max_num_patches=16)
    return _save(folder, transformers.Siglip2Model(config), tokens, images)


def blip(folder: Path, **sizes: int) -> Path:
    """BLIP with its head for matching."""
    torch.manual_seed(0)
    tokens = word_tokenizer(512)
    text = {"vocab_size": len(tokens), "max_position_embeddings": 512, **_TOWER, **sizes}
    text["encoder_hidden_size"] = text["hidden_size"]
    config = transformers.BlipConfig(
        text_config={**text, "is_decoder": True, "initializer_range": 0.3},
        vision_config={**_SIGHT, **sizes, "initializer_range": 0.3},
        image_text_hidden_size=16,
    )
    images = transformers.BlipImageProcessor(size={"height": SIDE, "width": SIDE})
    return _save(folder, transformers.BlipForImageTextRetrieval(config), tokens, images)


def _save(folder: Path, model: Any, tokens: Any, images: Any) -> Path:
    model.eval().save_pretrained(folder)
    tokens.save_pretrained(folder)
    images.save_pretrained(folder)
    return folder
