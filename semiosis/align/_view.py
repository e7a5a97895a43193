"""An HSG as the arrays an alignment works on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from semiosis.align._script import script_of
from semiosis.values import HSG, Box, Semiosis, Side

Floats = NDArray[np.float64]
FIELDS = ("sign", "object", "interpretant")
"""The texts of a node that are compared, in the order the arrays hold them."""
_SHORTEST = 1e-9
ZERO, UNIT = np.array(0.0), np.array(1.0)
"""NumPy takes a small array and a number of Python's in twice the time of two arrays."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The nodes of one HSG in an order that depends on their content, not on their names.

    Renaming or reordering nodes therefore cannot change an alignment, not even by breaking a tie.
    """

    nodes: tuple[str, ...]
    """Node ids; the root comes first."""
    listed: tuple[str, ...]
    """Node ids as the HSG lists them."""
    order: tuple[int, ...]
    """Where each of `nodes` stands in that list."""
    vectors: NDArray[np.float32]
    """Unit vectors: the signs of all nodes, then their objects, then their interpretants."""
    numbers: Floats
    """All else that is compared, in one row, so that many views are stacked at once; `Stack` parts it."""
    rows: dict[str, list[int]]
    """Nodes by what they say: their texts, small letters for capitals, and the shares of their grounds."""
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
    wholes = {r.part: r.whole for r in hsg.relations if r.hierarchy}
    nodes = _by_content(hsg, wholes)
    row = {node: index for index, node in enumerate(nodes)}
    given = {node: index for index, node in enumerate(hsg.semioses)}
    order = tuple(given[node] for node in nodes)
    parent = np.array([row[wholes.get(node, node)] for node in nodes], np.intp)
    near = _near(parent)
    fields = vectors.reshape(len(nodes), len(FIELDS), -1)[list(order)].swapaxes(0, 1)
    strengths = np.array([hsg.semioses[node].grounds.strengths for node in nodes])
    length = np.linalg.norm(fields.sum(0), axis=1).astype(np.float64)
    shares = _shares(strengths)
    grounds, counts = np.vstack((shares.T, strengths.T)), np.maximum(near.sum(2), 1.0)
    numbers = grounds, 1 / np.maximum(length, _SHORTEST), parent == 0, near, counts
    rows: dict[str, list[int]] = {}
    for node, at in row.items():
        rows.setdefault(_says(hsg.semioses[node], shares[at], root=at == 0), []).append(at)
    return View(
        nodes=nodes,
        listed=tuple(given),
        order=order,
        vectors=np.ascontiguousarray(fields.reshape(len(nodes) * len(FIELDS), -1)),
        numbers=np.concatenate([part.ravel() for part in numbers]),
        rows=rows,
        script=script_of(texts_of(hsg)),
        side=Side.of(hsg),
        boxes=tuple(_box(hsg.semioses[node]) for node in nodes),
    )


def _near(parent: NDArray[np.intp]) -> Floats:
    """Who is whose whole, whose part, and part of the same whole; the root is its own whole."""
    nodes = np.arange(len(parent))
    whole = (parent[:, None] == nodes).astype(np.float64)
    part = whole.T.copy()
    part[0, 0] = 0.0
    return np.array([whole, part, part.T @ part * (1 - np.eye(len(parent)))])


def _by_content(hsg: HSG, wholes: dict[str, str]) -> tuple[str, ...]:
    """Whole before part, then by what the nodes say."""
    paths: dict[str, tuple[tuple[str, ...], ...]] = {}
    for _, node in hsg.outline():
        semiosis = hsg.semioses[node]
        says = (*(getattr(semiosis, field) for field in FIELDS), repr(semiosis.grounds.strengths))
        paths[node] = (*paths.get(wholes.get(node, ""), ()), says)
    return tuple(sorted(paths, key=lambda node: (len(paths[node]), paths[node])))


def _says(semiosis: Semiosis, shares: Floats, *, root: bool) -> str:
    texts = [getattr(semiosis, field).casefold() for field in FIELDS]
    return "\n".join([*texts, *(f"{share:.9f}" for share in shares), "root" if root else "part"])


def _shares(strengths: Floats) -> Floats:
    """Strengths as shares of their sum: readers' strengths are independent and need not sum to 1."""
    total = strengths.sum(1, keepdims=True)
    return np.asarray(strengths / np.where(total > 0, total, 1.0))


def _box(semiosis: Semiosis) -> Box | None:
    return next((place for place in semiosis.places if isinstance(place, Box)), None)
