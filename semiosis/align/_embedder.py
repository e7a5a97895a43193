"""Embedders by name."""

import logging
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semiosis.align._hf import HuggingFace
from semiosis.align._minilm import MiniLM
from semiosis.align._use import USEMultilingual
from semiosis.values import Embedder, UsageError

Vectors = NDArray[np.float32]

DEFAULT = "wordllama"
"""The embedder that comes with the package: offline and light."""


class WordLlama:
    """Static word vectors that come with the package `wordllama`: the embedded default."""

    name = "wordllama"
    multilingual = False

    def __init__(self) -> None:
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in order."""
        if self._model is None:
            self._model = _load_wordllama()
        vectors: Vectors = np.nan_to_num(self._model.embed(list(texts), norm=True)).astype(np.float32)
        return vectors


def _load_wordllama() -> Any:
    # Importing wordllama calls logging.basicConfig(level=INFO), which does nothing if the root has a handler.
    root, guard = logging.getLogger(), logging.NullHandler()
    root.addHandler(guard)
    try:
        import wordllama  # heavy; loaded at first use
    finally:
        root.removeHandler(guard)

    # 0.4.0.post1 looks for `tokenizer/` and ships `tokenizers/`: its own folder as cache keeps it offline.
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


_NAMED: dict[str, Callable[[], Embedder]] = {
    "wordllama": WordLlama,
    "minilm": MiniLM,
    "use-multilingual": USEMultilingual,
}
_HUB = "hf:"


@cache
def embedder(name: str) -> Embedder:
    """The embedder of this name. Nothing is loaded before it embeds."""
    if name in _NAMED:
        return _NAMED[name]()
    if name.startswith(_HUB) and len(name) > len(_HUB):
        return HuggingFace(name.removeprefix(_HUB))
    raise UsageError(
        f"there is no embedder {name!r}", fix=f"use one of {', '.join(_NAMED)}, or hf:<hub id or folder>"
    )
