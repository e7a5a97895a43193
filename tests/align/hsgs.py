"""HSGs for the tests of alignment, and embedders that need no model."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from semiosis.align._weights import weights_of
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
    """An embedder that gives every text its own direction; texts with common words have similar ones."""

    multilingual = False

    def __init__(self, name: str = "wordllama") -> None:
        self.name = name
        self.seen: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text."""
        self.seen += texts
        vectors = np.array([sum(map(_direction, text.split()), np.zeros(_DIMENSIONS)) for text in texts])
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def weights_without_mean(folder: Path, embedder: str) -> Path:
    """The packaged weights of an embedder for `HashEmbedder`, whose vectors have nothing in common."""
    file = folder / f"{embedder}.json"
    file.write_text(weights_of(embedder).model_copy(update={"mean": ()}).model_dump_json(), encoding="utf-8")
    return file


class AngleEmbedder:
    """An embedder that takes the last number in a text as the direction of its vector, in degrees."""

    name = "angles"

    def __init__(self, *, multilingual: bool = False) -> None:
        self.multilingual = multilingual

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector per text."""
        angles = np.radians([float(text.split()[-1]) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)


def at(angle: float, *, object_at: float | None = None) -> Triad:
    """A node whose text has this direction, and whose object has another one if given."""
    return f"sign {angle}", f"object {angle if object_at is None else object_at}", f"thought {angle}"


def weights_file(folder: Path, *, cut: object = 0.5, **changes: object) -> Path:
    """Weights for `AngleEmbedder`: matches need a cosine above .5, which has the probability ½."""
    measured = {
        "prompts": 2,
        "pairs": 3,
        "unrelated_pairs": 2,
        "f1": 0.8,
        "f1_interval": [0.6, 0.9],
        "precision": 0.8,
        "recall": 0.8,
        "lost_f1": 0.7,
        "unrelated_nodes": 0.01,
        "unrelated_roots": 0.0,
        "stated": 0.8,
        "right": 0.8,
    }
    content = {
        "embedder": "angles",
        "languages": ["en"],
        "lengths": [{"name": "short", "up_to": 1000.0, "cut": cut, "measured": measured}],
        "slope": 10.0,
        "intercept": 0.0,
        "objects": 0.5,
        "fitted_on": [{"name": "made up", "sha256": {}, "prompts": 2, "pairs": 3}],
    }
    file = folder / "weights.json"
    file.write_text(json.dumps(content | changes), encoding="utf-8")
    return file


_DIMENSIONS = 256
"""Those of wordllama, enough for words that differ to be almost orthogonal."""


@cache
def _direction(word: str) -> NDArray[np.float64]:
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8])
    return np.random.default_rng(seed).standard_normal(_DIMENSIONS)
