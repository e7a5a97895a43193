"""Tiny random image-text models of three architectures, built by the tests: a third of a megabyte each."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

transformers: Any = import_module("transformers")  # only partly typed upstream

_CHAT = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% for c in m['content'] %}"
    "{% if c['type'] == 'image' %}IMG{% else %}{{ c['text'] }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
_TEXT = {
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 16384,
    "tie_word_embeddings": False,
}
_SIGHT = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}


def _tokenizer(special: list[str], **settings: Any) -> Any:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=760,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>", *special],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    words = ["Does the picture show a skull? Answer Yes or No."] * 4 + [" Yes", " No", "Yes", "No"] * 50
    tokenizer.train_from_iterator(words, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<|im_start|>",
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        unk_token="<|endoftext|>",
        **settings,
    )


def _language(tokenizer: Any) -> dict[str, Any]:
    ids = {f"{name}_token_id": getattr(tokenizer, f"{name}_token_id") for name in ("pad", "bos", "eos")}
    return {"vocab_size": len(tokenizer), **ids, **_TEXT}


def llava(folder: Path) -> None:
    """LLaVA: a CLIP vision model and a Llama."""
    tokenizer = _tokenizer(["<image>"], extra_special_tokens={"image_token": "<image>"})
    sight = transformers.CLIPVisionConfig(image_size=32, patch_size=8, projection_dim=16, **_SIGHT)
    config = transformers.LlavaConfig(
        vision_config=sight,
        text_config=transformers.LlamaConfig(**_language(tokenizer)),
        image_token_index=tokenizer.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-1,
        image_seq_length=16,
    )
    transformers.LlavaForConditionalGeneration(config).save_pretrained(folder)
    eyes = transformers.CLIPImageProcessorPil(
        size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}
    )
    transformers.LlavaProcessor(
        image_processor=eyes,
        tokenizer=tokenizer,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        image_token="<image>",
        chat_template=_CHAT.replace("IMG", "<image>"),
    ).save_pretrained(folder)


def smolvlm(folder: Path) -> None:
    """SmolVLM: Idefics 3."""
    rows = [f"<row_{row}_col_{column}>" for row in range(1, 7) for column in range(1, 7)]
    tokenizer = _tokenizer(
        ["<fake_token_around_image>", "<image>", "<end_of_utterance>", "<global-img>", *rows]
    )
    config = transformers.Idefics3Config(
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        pad_token_id=tokenizer.pad_token_id,
        scale_factor=2,
        vision_config={**_SIGHT, "image_size": 32, "patch_size": 8, "model_type": "idefics3_vision"},
        text_config=transformers.LlamaConfig(**_language(tokenizer)),
    )
    transformers.Idefics3ForConditionalGeneration(config).save_pretrained(folder)
    eyes = transformers.Idefics3ImageProcessorPil(
        size={"longest_edge": 32}, max_image_size={"longest_edge": 32}, do_image_splitting=False
    )
    transformers.Idefics3Processor(
        image_processor=eyes,
        tokenizer=tokenizer,
        image_seq_len=4,
        chat_template=_CHAT.replace("IMG", "<image>"),
    ).save_pretrained(folder)


def qwen(folder: Path) -> None:
    """Qwen 3 VL, of the paper's backbone family."""
    tokenizer = _tokenizer(["<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>"])
    rope = {
        "rope_type": "default",
        "mrope_section": [2, 1, 1],
        "rope_theta": 10000.0,
        "mrope_interleaved": True,
    }
    sight = {"hidden_size": 32, "intermediate_size": 64, "depth": 2, "num_heads": 4, "patch_size": 8}
    sight |= {
        "spatial_merge_size": 2,
        "temporal_patch_size": 2,
        "out_hidden_size": 32,
        "num_position_embeddings": 16,
    }
    ids = tokenizer.convert_tokens_to_ids
    config = transformers.Qwen3VLConfig(
        text_config={**_language(tokenizer), "head_dim": 8, "rope_parameters": rope},
        vision_config={**sight, "deepstack_visual_indexes": [0]},
        image_token_id=ids("<|image_pad|>"),
        video_token_id=ids("<|video_pad|>"),
        vision_start_token_id=ids("<|vision_start|>"),
        vision_end_token_id=ids("<|vision_end|>"),
    )
    transformers.Qwen3VLForConditionalGeneration(config).save_pretrained(folder)
    chat = _CHAT.replace("IMG", "<|vision_start|><|image_pad|><|vision_end|>")
    size = {"shortest_edge": 256, "longest_edge": 4096}
    eyes = transformers.Qwen2VLImageProcessorPil(patch_size=8, merge_size=2, temporal_patch_size=2, size=size)
    transformers.Qwen3VLProcessor(
        image_processor=eyes, tokenizer=tokenizer, video_processor=_watcher(), chat_template=chat
    ).save_pretrained(folder)


def _watcher() -> Any:
    return transformers.Qwen3VLVideoProcessor(patch_size=8, merge_size=2, temporal_patch_size=2)


BUILDERS: dict[str, Callable[[Path], None]] = {"llava": llava, "smolvlm": smolvlm, "qwen3-vl": qwen}


def build(name: str, folder: Path) -> Path:
    """A tiny random model of this architecture, saved in a folder. Always the same."""
    folder.mkdir(parents=True, exist_ok=True)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        BUILDERS[name](folder)
    return folder
