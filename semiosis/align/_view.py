"""An HSG as the arrays an alignment works on."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semiosis.align._script import script_of
from semiosis.values import HSG, RELATION_WORDS, Side

Floats = NDArray[np.float64]
FIELDS = ("sign", "object", "interpretant")
"""The texts of a node that are compared, in the order the arrays hold them."""
_CODES = {word: float(code) for code, word in enumerate(RELATION_WORDS, start=1)}


@dataclass(frozen=True, slots=True)
class View:
    """The nodes of one HSG in an order that depends on their content, not on their names.

    Renaming or reordering nodes therefore cannot change an alignment, not even by breaking a tie.
    """

    nodes: tuple[str, ...]
    """Node ids; the root comes first."""
    vectors: NDArray[np.float32]
    """Unit vectors of the three fields and of their sum: node × 4 × dimension."""
    grounds: Floats
    """Share of each ground: node × 3; zeros where a node has none."""
    parent: NDArray[np.intp]
    """Row of each node's whole; the root's is its own."""
    relation: Floats
    """A number for the relation to the whole, 0 for the root."""
    below: Floats
    """1 where the column is a part of the row: node × node."""

    script: str
    """The script its texts are written in."""
    side: Side
    """What an alignment says of the HSG."""

    def __len__(self) -> int:
        return len(self.nodes)


def texts_of(hsg: HSG) -> list[str]:
    """The texts an alignment needs vectors of, node by node."""
    return [getattr(semiosis, field) for semiosis in hsg.semioses.values() for field in FIELDS]


def view_of(hsg: HSG, vectors: NDArray[np.float32]) -> View:
    """The arrays of an HSG whose `texts_of` have these vectors."""
    wholes = {r.part: (r.whole, r.relation) for r in hsg.relations if r.hierarchy}
    nodes = _by_content(hsg, {part: whole for part, (whole, _) in wholes.items()})
    row = {node: index for index, node in enumerate(nodes)}
    given = {node: index for index, node in enumerate(hsg.semioses)}
    parent = np.array([row[wholes[node][0]] if node in wholes else row[node] for node in nodes], np.intp)
    below = np.zeros((len(nodes), len(nodes)))
    below[parent[1:], np.arange(1, len(nodes))] = 1.0
    fields = vectors.reshape(len(nodes), len(FIELDS), -1)[[given[node] for node in nodes]]
    return View(
        nodes=nodes,
        vectors=np.concatenate([fields, _unit(fields.sum(1, keepdims=True))], axis=1),
        grounds=_shares([hsg.semioses[node].grounds.strengths for node in nodes]),
        parent=parent,
        relation=np.array([_CODES[wholes[node][1]] if node in wholes else 0.0 for node in nodes]),
        below=below,
        script=script_of(texts_of(hsg)),
        side=Side.of(hsg),
    )


def _by_content(hsg: HSG, wholes: dict[str, str]) -> tuple[str, ...]:
    """Whole before part, then by what the nodes say."""
    paths: dict[str, tuple[tuple[str, ...], ...]] = {}
    for _, node in hsg.outline():
        semiosis = hsg.semioses[node]
        says = (*(getattr(semiosis, field) for field in FIELDS), repr(semiosis.grounds.strengths))
        paths[node] = (*paths.get(wholes.get(node, ""), ()), says)
    return tuple(sorted(paths, key=lambda node: (len(paths[node]), paths[node])))


def _shares(strengths: Sequence[tuple[float, float, float]]) -> Floats:
    """Strengths as shares of their sum: readers' strengths are independent and need not sum to 1."""
    grounds = np.array(strengths)
    total = grounds.sum(1, keepdims=True)
    return np.asarray(grounds / np.where(total > 0, total, 1.0))


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    norm = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(norm > 0, norm, np.float32(1)))
