"""An HSG as the arrays an alignment works on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semiosis.align._script import script_of
from semiosis.values import HSG, MODES, RELATION_WORDS, Box, Semiosis, Side

Floats = NDArray[np.float64]
FIELDS = ("sign", "object", "interpretant")
"""The texts of a node that are compared, in the order the arrays hold them."""
NUMBERS = (
    "length",
    *(f"{mode} share" for mode in MODES),
    *(f"{mode} strength" for mode in MODES),
    "relation",
    "inner",
    "under root",
)
"""Numbers of a node that are compared or told: the length of the sum of its three vectors, each ground's
share of all and its strength, a number for the relation to its whole, 1 for a node with parts, 1 for the root
and its parts."""
_SHORTEST = 1e-9
_CODES = {word: float(code) for code, word in enumerate(RELATION_WORDS, start=1)}


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The nodes of one HSG in an order that depends on their content, not on their names.

    Renaming or reordering nodes therefore cannot change an alignment, not even by breaking a tie.
    """

    nodes: tuple[str, ...]
    """Node ids; the root comes first."""
    vectors: NDArray[np.float32]
    """Unit vectors: the signs of all nodes, then their objects, then their interpretants."""
    numbers: Floats
    """What `NUMBERS` names, each for every node."""
    near: Floats
    """1 where the column is a part of the row; 1 where the two are parts of one whole: 2 × node × node."""
    counts: Floats
    """How many of each kind are near a node, at least 1: 2 × node."""
    parent: NDArray[np.intp]
    """Row of each node's whole; the root's is its own."""
    script: str
    """The script its texts are written in."""
    side: Side
    """What an alignment says of the HSG."""
    boxes: tuple[Box | None, ...]
    """Each node's first box."""

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
    near = np.array([below, below.T @ below * (1 - np.eye(len(nodes)))])
    fields = vectors.reshape(len(nodes), len(FIELDS), -1)[[given[node] for node in nodes]].swapaxes(0, 1)
    strengths = np.array([hsg.semioses[node].grounds.strengths for node in nodes]).T
    length = np.linalg.norm(fields.sum(0), axis=1).astype(np.float64)
    relation = [_CODES[wholes[node][1]] if node in wholes else 0.0 for node in nodes]
    numbers = [np.maximum(length, _SHORTEST), *_shares(strengths), *strengths, relation]
    return View(
        nodes=nodes,
        vectors=np.ascontiguousarray(fields.reshape(len(nodes) * len(FIELDS), -1)),
        numbers=np.array([*numbers, below.sum(1) > 0, parent == 0]),
        near=near,
        counts=np.maximum(near.sum(2), 1.0),
        parent=parent,
        script=script_of(texts_of(hsg)),
        side=Side.of(hsg),
        boxes=tuple(_box(hsg.semioses[node]) for node in nodes),
    )


def _by_content(hsg: HSG, wholes: dict[str, str]) -> tuple[str, ...]:
    """Whole before part, then by what the nodes say."""
    paths: dict[str, tuple[tuple[str, ...], ...]] = {}
    for _, node in hsg.outline():
        semiosis = hsg.semioses[node]
        says = (*(getattr(semiosis, field) for field in FIELDS), repr(semiosis.grounds.strengths))
        paths[node] = (*paths.get(wholes.get(node, ""), ()), says)
    return tuple(sorted(paths, key=lambda node: (len(paths[node]), paths[node])))


def _shares(strengths: Floats) -> Floats:
    """Strengths as shares of their sum: readers' strengths are independent and need not sum to 1."""
    total = strengths.sum(0)
    return np.asarray(strengths / np.where(total > 0, total, 1.0))


def _box(semiosis: Semiosis) -> Box | None:
    return next((place for place in semiosis.places if isinstance(place, Box)), None)
