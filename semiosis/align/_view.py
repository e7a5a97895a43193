"""An HSG as the arrays an alignment works on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semiosis.align._script import script_of
from semiosis.values import HSG, RELATION_WORDS, Box, Semiosis, Side

Floats = NDArray[np.float64]
FIELDS = ("sign", "object", "interpretant")
"""The texts of a node that are compared, in the order the arrays hold them."""
_SHORTEST = 1e-9
_CODES = {word: float(code) for code, word in enumerate(RELATION_WORDS, start=1)}


@dataclass(frozen=True, slots=True)
class View:
    """The nodes of one HSG in an order that depends on their content, not on their names.

    Renaming or reordering nodes therefore cannot change an alignment, not even by breaking a tie.
    """

    nodes: tuple[str, ...]
    """Node ids; the root comes first."""
    vectors: NDArray[np.float32]
    """Unit vectors of the three fields of every node, one below the other."""
    length: Floats
    """Length of the sum of a node's three vectors."""
    strengths: Floats
    """Strength of each ground: node × 3."""
    grounds: Floats
    """The same as shares of their sum; zeros where a node has none."""
    parent: NDArray[np.intp]
    """Row of each node's whole; the root's is its own."""
    relation: Floats
    """A number for the relation to the whole, 0 for the root."""
    below: Floats
    """1 where the column is a part of the row: node × node."""
    most: Floats
    """Number of parts, at least 1."""
    leaf: NDArray[np.bool_]
    """Whether it has no parts."""
    under_root: Floats
    """1 for the root and for parts of the root."""

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
    fields = vectors.reshape(len(nodes), len(FIELDS), -1)[[given[node] for node in nodes]]
    strengths = np.array([hsg.semioses[node].grounds.strengths for node in nodes])
    return View(
        nodes=nodes,
        vectors=np.ascontiguousarray(fields.reshape(len(nodes) * len(FIELDS), -1)),
        length=np.maximum(np.linalg.norm(fields.sum(1), axis=1).astype(np.float64), _SHORTEST),
        strengths=strengths,
        grounds=_shares(strengths),
        parent=parent,
        relation=np.array([_CODES[wholes[node][1]] if node in wholes else 0.0 for node in nodes]),
        below=below,
        most=np.maximum(below.sum(1), 1.0),
        leaf=below.sum(1) == 0,
        under_root=(parent == 0).astype(np.float64),
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
    total = strengths.sum(1, keepdims=True)
    return np.asarray(strengths / np.where(total > 0, total, 1.0))


def _box(semiosis: Semiosis) -> Box | None:
    return next((place for place in semiosis.places if isinstance(place, Box)), None)
