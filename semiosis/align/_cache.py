"""The cache of vectors on disk, so that each distinct text is embedded once per model."""

import hashlib
import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from semiosis.files import cache_folder
from semiosis.values import Embedder

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)"
"""An ordinary table with rowids. WITHOUT ROWID would store each vector in a page of its own."""
_FILE = "embeddings.sqlite"
_TIMEOUT_SECONDS = 30
"""Seconds to wait for another process that writes."""
_KEYS_PER_QUERY = 500
"""Keys per query, below SQLite's limit on parameters."""


class VectorCache:
    """An embedder that caches its vectors by model and SHA-256 of the text.

    If the folder cannot be written, vectors are computed again each time.
    """

    def __init__(self, embedder: Embedder, folder: Path | None = None) -> None:
        self._embedder = embedder
        self._chosen_folder = folder

    @property
    def _folder(self) -> Path:
        return self._chosen_folder or cache_folder()

    @property
    def name(self) -> str:
        """The embedder's name."""
        return self._embedder.name

    @property
    def multilingual(self) -> bool:
        """Whether the embedder is multilingual."""
        return self._embedder.multilingual

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text, in order. Vectors of new texts are computed in one batch."""
        keys = {text: self._key(text) for text in dict.fromkeys(texts)}
        known = self._load(list(keys.values()))
        new = [text for text, key in keys.items() if key not in known]
        if new:
            computed = dict(zip((keys[text] for text in new), self._embedder.embed(new), strict=True))
            self._save(computed)
            known |= computed
        return np.stack([known[keys[text]] for text in texts])

    def _key(self, text: str) -> bytes:
        return hashlib.sha256(f"{self.name}\0{text}".encode()).digest()

    def _load(self, keys: list[bytes]) -> dict[bytes, NDArray[np.float32]]:
        found: dict[bytes, NDArray[np.float32]] = {}
        if not (self._folder / _FILE).exists():
            return found
        with closing(self._open()) as file:
            for start in range(0, len(keys), _KEYS_PER_QUERY):
                queried = keys[start : start + _KEYS_PER_QUERY]
                marks = ",".join("?" * len(queried))
                rows = file.execute(f"SELECT key, vector FROM vectors WHERE key IN ({marks})", queried)  # noqa: S608  # question marks only
                found |= {key: np.frombuffer(vector, np.float32) for key, vector in rows}
        return found

    def _save(self, vectors: dict[bytes, NDArray[np.float32]]) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with closing(self._open()) as file, file:
                file.executemany(
                    "INSERT OR IGNORE INTO vectors VALUES (?, ?)",
                    [(key, vector.tobytes()) for key, vector in vectors.items()],
                )
        except (OSError, sqlite3.OperationalError) as error:
            logging.getLogger(__name__).info("vectors are not kept in %s: %s", self._folder, error)

    def _open(self) -> sqlite3.Connection:
        file = sqlite3.connect(self._folder / _FILE, timeout=_TIMEOUT_SECONDS)
        file.execute("PRAGMA journal_mode=WAL")
        file.execute("PRAGMA synchronous=NORMAL")
        file.execute(_TABLE)
        return file
