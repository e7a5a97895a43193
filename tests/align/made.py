"""HSGs made up for the tests of alignment, and an embedder that needs no model."""

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from semiosis.values import (
    HSG,
    Ground,
    Grounds,
    ImageSign,
    Interpreter,
    Place,
    Reading,
    Relation,
    Semiosis,
    TextSign,
)

READING = Reading(interpreter=Interpreter(kind="person", name="Ada Example"))
Triad = tuple[str, str, str]
ROOT = ("the whole picture", "the annunciation", "a message arrives")
LILY = ("a white lily", "purity of the virgin", "we think of innocence")
DOVE = ("a dove descending", "the holy spirit", "grace comes down")
SKULL = ("a skull on the table", "the certainty of death", "we count our days")
LUTE = ("a lute with a broken string", "discord in the house", "the music has stopped")


def hsg(
    *parts: Triad,
    root: Triad = ROOT,
    under: Mapping[int, int] | None = None,
    names: Sequence[str] = (),
    sign: TextSign | ImageSign | None = None,
    places: Mapping[int, Place] | None = None,
    grounds: tuple[float, float, float] = (0.2, 0.1, 0.7),
) -> HSG:
    """A root with parts, counted from 1. `under` puts a part below another; `names` renames all nodes."""
    named = list(names) or ["root", *(f"n{index}" for index in range(1, len(parts) + 1))]
    iconic, indexical, symbolic = (Ground(strength=strength) for strength in grounds)
    semioses = {
        named[index]: Semiosis(
            label=f"{triad[0].split()[-1]}",
            sign=triad[0],
            object=triad[1],
            interpretant=triad[2],
            grounds=Grounds(iconic=iconic, indexical=indexical, symbolic=symbolic),
            places=(places[index],) if places and index in places else (),
        )
        for index, triad in enumerate((root, *parts))
    }
    relations = [
        Relation(whole=named[(under or {}).get(index, 0)], part=named[index], relation="supports")
        for index in range(1, len(named))
    ]
    return HSG(sign or TextSign(text="a sign"), semioses, relations, READING)


class HashEmbedder:
    """Every text has a direction of its own; texts that share words share some of it."""

    multilingual = False

    def __init__(self, name: str = "wordllama") -> None:
        self.name = name
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text."""
        self.seen += texts
        vectors = np.array([sum(map(_direction, text.split()), np.zeros(64)) for text in texts])
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def _direction(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
    return np.random.default_rng(seed).standard_normal(64)
