"""The protocol of embedders, which turn text into vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """Its name in alignments."""
        ...

    @property
    def multilingual(self) -> bool:
        """Whether texts in different scripts may be compared."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector per text, in order."""
        ...
