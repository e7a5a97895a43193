"""How fast pictures are encoded: batches against single pictures, and against OpenCLIP's own loop.

    python -m benchmarks.score [PICTURES]

The model is a ViT-B/32 with random weights, so no download is needed. Times are processor seconds of this
process, the best of three, because other programs may run at the same time.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from semiosis.score import CHECKPOINTS
from semiosis.score._encoder import Encoder

ROUNDS = 3


def made_up_checkpoint(folder: Path) -> Path:
    """Save a randomly initialized ViT-B/32 with a tokenizer and an image processor."""
    transformers: Any = import_module("transformers")
    torch: Any = import_module("torch")
    tiny: Any = import_module("tests.score.tiny")
    torch.manual_seed(0)
    tokens = tiny.tokenizer(begin="<|startoftext|>", end="<|endoftext|>")
    ids = {"eos_token_id": tokens.eos_token_id, "bos_token_id": tokens.bos_token_id}
    config = transformers.CLIPConfig(text_config={"vocab_size": len(tokens), **ids})
    transformers.CLIPModel(config).save_pretrained(folder)
    tokens.save_pretrained(folder)
    transformers.CLIPImageProcessor().save_pretrained(folder)
    return folder


def pictures(n: int) -> list[Image.Image]:
    """Return n random pictures of 512 by 512 pixels."""
    rng = np.random.default_rng(0)
    return [Image.fromarray(rng.integers(0, 256, (512, 512, 3), dtype=np.uint8)) for _ in range(n)]


def seconds(work: Callable[[], object]) -> float:
    """Return the processor seconds of the best of three rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def open_clip_loop(images: list[Image.Image]) -> Callable[[], object]:
    """Return OpenCLIP's own loop: preprocess each picture and encode one batch."""
    torch: Any = import_module("torch")
    open_clip: Any = import_module("open_clip")
    model, _, preprocess = open_clip.create_model_and_transforms("ViT-B-32", pretrained=None)
    model.eval()

    def encode() -> object:
        with torch.inference_mode():
            return [
                model.encode_image(torch.stack([preprocess(image) for image in images[start : start + 16]]))
                for start in range(0, len(images), 16)
            ]

    return encode


def main(n: int) -> None:
    """Print the seconds per picture of each way."""
    images = pictures(n)
    with tempfile.TemporaryDirectory() as folder:
        encoder = Encoder(CHECKPOINTS["clipscore"], str(made_up_checkpoint(Path(folder) / "clip")))
        ways: dict[str, Callable[[], object]] = {
            "in batches of 16": lambda: encoder._encoded(images),
            "one by one": lambda: [encoder._encoded([image]) for image in images],
        }
        try:
            ways["open_clip, batches of 16"] = open_clip_loop(images)
        except ImportError:
            print("open_clip is not installed, so its loop is left out")
        times = {name: seconds(work) for name, work in ways.items()}
    fastest = times["in batches of 16"]
    for name, taken in times.items():
        print(f"{name:<26}{taken / n * 1000:8.1f} ms per picture{taken / fastest:8.2f} ×")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 64)
