"""Sentence encoders of the Hugging Face hub or of a local folder, loaded with transformers."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semiosis.values import MissingExtraError, ProviderError

_BATCH = 32
_MULTILINGUAL = ("multilingual", "labse", "xlm", "bge-m3", "e5-multi")
"""Parts of the names of multilingual models."""


class HuggingFace:
    """Mean-pooled, normalised last hidden states of a transformers encoder; safetensors only."""

    def __init__(self, model: str, *, multilingual: bool | None = None) -> None:
        self._id = model
        self.name = f"hf:{model}"
        known = any(word in model.lower() for word in _MULTILINGUAL)
        self.multilingual = known if multilingual is None else multilingual
        self._loaded: tuple[Any, Any] | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text, in order."""
        if self._loaded is None:
            self._loaded = _load(self._id)
        batches = [list(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        return np.concatenate([_encode(*self._loaded, batch) for batch in batches])


def _load(model: str) -> tuple[Any, Any]:
    try:
        from transformers import AutoModel, AutoTokenizer  # heavy; loaded at first use
    except ImportError as error:
        raise MissingExtraError(f"the embedder 'hf:{model}' needs transformers and torch", "local") from error
    try:
        tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
        network = AutoModel.from_pretrained(model, trust_remote_code=False, use_safetensors=True)
    except (OSError, ValueError) as error:
        raise ProviderError(
            f"the embedder 'hf:{model}' could not be loaded: {error}", fix="give a hub id or a local folder"
        ) from error
    return tokenizer, network.eval()


def _encode(tokenizer: Any, network: Any, texts: list[str]) -> NDArray[np.float32]:
    import torch

    inputs = tokenizer(texts, padding=True, truncation=True, return_tensors="pt")
    with torch.inference_mode():
        hidden = network(**inputs).last_hidden_state
    mask = inputs["attention_mask"].unsqueeze(-1)
    mean = (hidden * mask).sum(1) / mask.sum(1)
    return np.asarray(torch.nn.functional.normalize(mean, dim=1).numpy(), np.float32)
