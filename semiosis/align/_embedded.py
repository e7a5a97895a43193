"""HSGs with the texts and vectors that an alignment compares."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from semiosis.align._script import Writing, writing_of
from semiosis.values import HSG, AlignedHSG, Embedder, Semiosis

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
    objects: Vectors
    """The unit vector of each object."""
    writing: Writing
    """Its language and script."""


def embed_hsgs(hsgs: Mapping[str, HSG], embedder: Embedder) -> dict[str, EmbeddedHSG]:
    """Return HSGs with their vectors, by id; all their texts go to the embedder in one call."""
    nodes = {id_: _sorted_nodes(hsg) for id_, hsg in hsgs.items()}
    texts = [_texts(hsg, nodes[id_]) for id_, hsg in hsgs.items()]
    vectors = embedder.embed(list(chain.from_iterable(texts)))
    parts = np.split(vectors, list(accumulate(map(len, texts)))[:-1])
    return {
        id_: _with_vectors(hsg, nodes[id_], part)
        for (id_, hsg), part in zip(hsgs.items(), parts, strict=True)
    }


def _texts(hsg: HSG, nodes: tuple[str, ...]) -> list[str]:
    """Return the texts that need vectors: one per node, then one per object."""
    semioses = [hsg.semioses[node] for node in nodes]
    return [node_text(semiosis) for semiosis in semioses] + [semiosis.object for semiosis in semioses]


def _with_vectors(hsg: HSG, nodes: tuple[str, ...], vectors: Vectors) -> EmbeddedHSG:
    texts = _texts(hsg, nodes)[: len(nodes)]
    return EmbeddedHSG(
        side=AlignedHSG.of(hsg),
        nodes=nodes,
        semioses=tuple(hsg.semioses[node] for node in nodes),
        texts=tuple(texts),
        vectors=vectors[: len(nodes)],
        objects=vectors[len(nodes) :],
        writing=writing_of(hsg, texts),
    )


def _sorted_nodes(hsg: HSG) -> tuple[str, ...]:
    def content(node: str) -> tuple[bool, str, tuple[float, ...], str]:
        semiosis = hsg.semioses[node]
        return node != hsg.root, node_text(semiosis), tuple(semiosis.grounds.strengths), node

    return tuple(sorted(hsg.semioses, key=content))
