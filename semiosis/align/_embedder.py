"""The embedders and their names."""

import logging
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from semiosis.align._embedded import Vectors
from semiosis.align._hf import HuggingFace
from semiosis.align._minilm import MiniLM
from semiosis.align._use import USEMultilingual
from semiosis.values import Embedder, UsageError

DEFAULT_EMBEDDER = "wordllama"
"""The default embedder. It is small and needs no network."""


class WordLlama:
    """Static word vectors of the package `wordllama`, which is always installed."""

    name = "wordllama"
    multilingual = False

    def __init__(self) -> None:
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, in order."""
        if self._model is None:
            self._model = _load_wordllama()
        vectors: Vectors = np.nan_to_num(self._model.embed(list(texts), norm=True)).astype(np.float32)
        return vectors


def _load_wordllama() -> Any:
    # Importing wordllama calls logging.basicConfig(level=INFO), which would make other libraries log to the
    # terminal. The call has no effect while the root logger has a handler.
    root, handler = logging.getLogger(), logging.NullHandler()
    root.addHandler(handler)
    try:
        import wordllama  # heavy; loaded at first use
    finally:
        root.removeHandler(handler)
    # 0.4.0.post1 looks for `tokenizer/` but ships `tokenizers/`, and then downloads the file. With its own
    # folder as the cache, it finds the file.
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


_EMBEDDERS: dict[str, Callable[[], Embedder]] = {
    "wordllama": WordLlama,
    "minilm": MiniLM,
    "use-multilingual": USEMultilingual,
}
_HUB_PREFIX = "hf:"


@cache
def embedder(name: str) -> Embedder:
    """Return the embedder with this name. Its model is loaded when it first embeds."""
    if name in _EMBEDDERS:
        return _EMBEDDERS[name]()
    if name.startswith(_HUB_PREFIX) and len(name) > len(_HUB_PREFIX):
        return HuggingFace(name.removeprefix(_HUB_PREFIX))
    raise UsageError(
        f"there is no embedder {name!r}", fix=f"use one of {', '.join(_EMBEDDERS)}, or hf:<hub id or folder>"
    )
