"""The protocols of those who read, compare, score, and turn text into vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from semiosis.values._hsg import HSG
from semiosis.values._observation import Evaluator, Score
from semiosis.values._outcome import Outcome
from semiosis.values._reading import Detail
from semiosis.values._sign import CompositeSign, ImageSign, TextSign


class Reader(Protocol):
    """Who reads: a sign becomes an HSG."""

    def read(
        self,
        sign: TextSign | ImageSign | CompositeSign,
        *,
        given: HSG | None = None,
        detail: Detail = "standard",
    ) -> HSG:
        """The sign's HSG, read blind or given another HSG."""
        ...


class Judge(Protocol):
    """Who prefers one artifact over another: all it says is verdicts."""

    @property
    def evaluator(self) -> Evaluator:
        """Who signs the verdicts."""
        ...

    def compare(self, prompt: HSG, a: HSG, b: HSG) -> Outcome:
        """Which artifact keeps more of the prompt's meaning."""
        ...


class Scorer(Protocol):
    """Who puts a number on an artifact, with or without its prompt."""

    @property
    def evaluator(self) -> Evaluator:
        """Who signs the scores."""
        ...

    def score(self, prompt: HSG, artifact: HSG) -> Score:
        """How good the artifact is; higher is better."""
        ...


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
