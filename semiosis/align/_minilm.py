"""The embedder all-MiniLM-L6-v2, a small BERT, implemented in NumPy so that it needs no torch."""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from semiosis.align._embedded import Vectors
from semiosis.align._model_files import find_minilm

_MAX_TOKENS = 128
"""The maximum length of a text in tokens. The model was trained on texts of this length."""
_BATCH = 64


class MiniLM:
    """Sentence vectors of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0), English only."""

    name = "minilm"
    multilingual = False

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._encoder: _Encoder | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, in order."""
        if self._encoder is None:
            self._encoder = _Encoder(find_minilm(self._folder))
        return self._encoder.embed(texts)


class _Encoder:
    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file  # loaded at first use
        from tokenizers import Tokenizer

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self._heads: int = config["num_attention_heads"]
        self._epsilon: float = config["layer_norm_eps"]
        self._layers: int = config["num_hidden_layers"]
        tensors = load_file(folder / "model.safetensors")
        self._w: dict[str, Vectors] = {
            name.removeprefix("bert."): np.asarray(tensor, np.float32)
            for name, tensor in tensors.items()
            if tensor.dtype.kind == "f"
        }
        self._tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MAX_TOKENS)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text. Texts of equal length form a batch, which needs no padding."""
        tokens = [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]
        by_length: dict[int, list[int]] = defaultdict(list)
        for index, ids in enumerate(tokens):
            by_length[len(ids)].append(index)
        vectors = np.zeros((len(tokens), self._w["embeddings.LayerNorm.bias"].size), np.float32)
        for same in by_length.values():
            for start in range(0, len(same), _BATCH):
                some = same[start : start + _BATCH]
                vectors[some] = self._forward(np.array([tokens[index] for index in some]))
        return vectors

    def _forward(self, ids: NDArray[np.int64]) -> Vectors:
        length = ids.shape[1]
        x = (
            self._w["embeddings.word_embeddings.weight"][ids]
            + self._w["embeddings.position_embeddings.weight"][:length]
            + self._w["embeddings.token_type_embeddings.weight"][0]
        )
        x = self._norm(x, "embeddings.LayerNorm")
        for layer in range(self._layers):
            prefix = f"encoder.layer.{layer}"
            x = self._norm(
                x + self._attention(x, f"{prefix}.attention"), f"{prefix}.attention.output.LayerNorm"
            )
            inner = self._linear(x, f"{prefix}.intermediate.dense")
            inner *= (0.5 * (1 + erf(inner * np.float32(0.5**0.5)))).astype(np.float32)
            x = self._norm(x + self._linear(inner, f"{prefix}.output.dense"), f"{prefix}.output.LayerNorm")
        mean = x.mean(1)
        return np.asarray(mean / np.linalg.norm(mean, axis=1, keepdims=True))

    def _attention(self, x: Vectors, prefix: str) -> Vectors:
        query, key, value = (self._per_head(x, f"{prefix}.self.{part}") for part in ("query", "key", "value"))
        score = query @ key.swapaxes(2, 3) * np.float32(query.shape[3] ** -0.5)
        score = np.exp(score - score.max(3, keepdims=True))
        score /= score.sum(3, keepdims=True)
        return self._linear((score @ value).swapaxes(1, 2).reshape(x.shape), f"{prefix}.output.dense")

    def _per_head(self, x: Vectors, prefix: str) -> Vectors:
        texts, length, _ = x.shape
        return self._linear(x, prefix).reshape(texts, length, self._heads, -1).swapaxes(1, 2)

    def _linear(self, x: Vectors, prefix: str) -> Vectors:
        return np.asarray(x @ self._w[f"{prefix}.weight"].T + self._w[f"{prefix}.bias"])

    def _norm(self, x: Vectors, prefix: str) -> Vectors:
        centred = x - x.mean(2, keepdims=True)
        scaled = centred / np.sqrt(np.mean(centred**2, axis=2, keepdims=True) + np.float32(self._epsilon))
        return np.asarray(scaled * self._w[f"{prefix}.weight"] + self._w[f"{prefix}.bias"])
