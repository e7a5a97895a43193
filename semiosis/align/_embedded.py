"""HSGs with the texts and vectors that an alignment compares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from semiosis.align._script import Writing, writing_of
from semiosis.values import HSG, AlignedHSG, Embedder, Semiosis, UsageError

Vectors = NDArray[np.float32]


def node_text(semiosis: Semiosis) -> str:
    """Return the text that represents a node: its label, sign, object, dynamic object and interpretant."""
    fields = (
        semiosis.label,
        semiosis.sign,
        semiosis.object,
        semiosis.dynamic_object,
        semiosis.interpretant,
    )
    return ". ".join(field.rstrip(".") for field in fields if field)


@dataclass(frozen=True, eq=False)
class EmbeddedHSG:
    """The nodes of one HSG: the root first, the others sorted by content.

    The order depends on content only, so that renaming or reordering nodes cannot change an alignment.
    """

    side: AlignedHSG
    """The record of this HSG in an alignment."""
    nodes: tuple[str, ...]
    """Node ids."""
    semioses: tuple[Semiosis, ...]
    """The nodes themselves."""
    texts: tuple[str, ...]
    """One text per node."""
    vectors: Vectors
    """The unit vector of each text."""
    centred: Vectors
    """The unit vector of each text after the mean vector is subtracted, for the cosines of nodes."""
    objects: Vectors
    """The unit vector of each object."""
    writing: Writing
    """Its language and script."""

    length: float
    """The mean length of its texts in UTF-8 bytes, which is comparable between scripts."""
    weights: NDArray[np.float64]
    """How much each node counts; see `AlignedHSG.weights`."""

    def with_mean(self, mean: Sequence[float]) -> "EmbeddedHSG":
        """Return it with vectors centred on this mean; an empty mean leaves them as they are."""
        return replace(self, centred=centred(self.vectors, mean))


def centred(vectors: Vectors, mean: Sequence[float]) -> Vectors:
    """Return unit vectors from which a mean was subtracted.

    Readings share much of their wording, so that any two texts have a positive cosine, the more so the
    longer they are. The mean vector is what they share. A zero vector, of a text without a known word,
    stays zero: otherwise all such texts would point away from the mean and seem alike.
    """
    if not len(mean):
        return vectors
    if len(mean) != vectors.shape[1]:
        raise UsageError(
            f"the embedder gives vectors of {vectors.shape[1]} numbers, but its weights were fitted on "
            f"vectors of {len(mean)}",
            fix="use the embedder that the weights name, or fit weights for this one",
        )
    shifted = np.where(vectors.any(axis=1, keepdims=True), vectors - np.asarray(mean, np.float32), 0)
    lengths = np.linalg.norm(shifted, axis=1, keepdims=True)
    return np.asarray(shifted / np.where(lengths == 0, 1, lengths), np.float32)


def embed_hsgs(
    hsgs: Mapping[str, HSG], embedder: Embedder, mean: Sequence[float] = ()
) -> dict[str, EmbeddedHSG]:
    """Return HSGs with their vectors, by id; all their texts go to the embedder in one call."""
    nodes = {id_: _sorted_nodes(hsg) for id_, hsg in hsgs.items()}
    texts = [_texts(hsg, nodes[id_]) for id_, hsg in hsgs.items()]
    vectors = embedder.embed(list(chain.from_iterable(texts)))
    parts = np.split(vectors, list(accumulate(map(len, texts)))[:-1])
    return {
        id_: _with_vectors(hsg, nodes[id_], part).with_mean(mean)
        for (id_, hsg), part in zip(hsgs.items(), parts, strict=True)
    }


def _texts(hsg: HSG, nodes: tuple[str, ...]) -> list[str]:
    """Return the texts that need vectors: one per node, then one per object."""
    semioses = [hsg.semioses[node] for node in nodes]
    return [node_text(semiosis) for semiosis in semioses] + [semiosis.object for semiosis in semioses]


def _with_vectors(hsg: HSG, nodes: tuple[str, ...], vectors: Vectors) -> EmbeddedHSG:
    texts = _texts(hsg, nodes)[: len(nodes)]
    side = AlignedHSG.of(hsg)
    weights = side.weights
    return EmbeddedHSG(
        side=side,
        nodes=nodes,
        semioses=tuple(hsg.semioses[node] for node in nodes),
        texts=tuple(texts),
        vectors=vectors[: len(nodes)],
        centred=vectors[: len(nodes)],
        objects=vectors[len(nodes) :],
        writing=writing_of(hsg, texts),
        length=sum(len(text.encode()) for text in texts) / len(texts),
        weights=np.array([weights[node] for node in nodes]),
    )


def _sorted_nodes(hsg: HSG) -> tuple[str, ...]:
    def content(node: str) -> tuple[bool, str, tuple[float, ...], str]:
        semiosis = hsg.semioses[node]
        return node != hsg.root, node_text(semiosis), tuple(semiosis.grounds.strengths), node

    return tuple(sorted(hsg.semioses, key=content))
