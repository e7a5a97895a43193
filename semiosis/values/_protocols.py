"""The protocol of embedders, which turn text into vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Who turns text into vectors."""

    @property
    def name(self) -> str:
        """What alignments call it."""
        ...

    @property
    def multilingual(self) -> bool:
        """Whether texts in different scripts may be compared."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text, in order."""
        ...
