"""An HSG as the arrays an alignment works on."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from semiosis.align._script import script_of
from semiosis.values import HSG, Box, Embedder, Semiosis, Side

Floats = NDArray[np.float64]
FIELDS = ("sign", "object", "interpretant")
"""The texts of a node that are compared, in the order the arrays hold them."""
JOINED_TEXTS = ("{0.sign}. {0.object}", "{0.object}: {0.interpretant}")
"""Fields that are also read as one text, by embedders that hear more in words that stand together."""
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
    places: tuple[tuple[int, Box | None], ...]
    """Where each of `nodes` stands in that list, and its first box."""
    vectors: NDArray[np.float32]
    """Unit vectors: the signs of all nodes, then their objects, then their interpretants."""
    joined: NDArray[np.float32]
    """For each node the vectors of its `JOINED_TEXTS` in one row of length 1; empty if none is joined."""
    numbers: Floats
    """All else that is compared, in one row, so that many views are stacked at once; `Stack` parts it."""
    rows: dict[str, list[int]]
    """Nodes by what they say: their texts, small letters for capitals, and the shares of their grounds."""
    script: str
    """The script its texts are written in."""
    side: Side
    """What an alignment says of the HSG."""

    def __len__(self) -> int:
        return len(self.nodes)


def texts_of(hsg: HSG, *, joined: bool) -> list[str]:
    """The texts an alignment needs vectors of, node by node."""
    forms = [f"{{0.{field}}}" for field in FIELDS] + (list(JOINED_TEXTS) if joined else [])
    return [form.format(semiosis) for semiosis in hsg.semioses.values() for form in forms]


def views_of(hsgs: Mapping[str, HSG], embedder: Embedder, *, joined: bool) -> dict[str, View]:
    """The arrays of HSGs; all their texts take one call to the embedder."""
    texts = [texts_of(hsg, joined=joined) for hsg in hsgs.values()]
    vectors = embedder.embed(list(chain.from_iterable(texts)))
    parts = np.split(vectors, list(accumulate(map(len, texts)))[:-1])
    return {id_: _view(hsg, part) for (id_, hsg), part in zip(hsgs.items(), parts, strict=True)}


def _view(hsg: HSG, vectors: NDArray[np.float32]) -> View:
    """The arrays of an HSG whose `texts_of` have these vectors."""
    wholes = {r.part: r.whole for r in hsg.relations if r.hierarchy}
    nodes = _by_content(hsg, wholes)
    row = {node: index for index, node in enumerate(nodes)}
    given = {node: index for index, node in enumerate(hsg.semioses)}
    order = [given[node] for node in nodes]
    parent = np.array([row[wholes.get(node, node)] for node in nodes], np.intp)
    texts = vectors.reshape(len(nodes), -1, vectors.shape[1])[order].swapaxes(0, 1)
    fields, joined = texts[: len(FIELDS)], texts[len(FIELDS) :].swapaxes(0, 1).reshape(len(nodes), -1)
    strengths = np.array([hsg.semioses[node].grounds.strengths for node in nodes])
    length = np.linalg.norm(fields.sum(0), axis=1).astype(np.float64)
    shares = _shares(strengths)
    scales = 1 / np.maximum(length, _SHORTEST), parent == 0
    numbers = shares.T, strengths.T, *scales, _near(parent)
    rows: dict[str, list[int]] = {}
    for node, at in row.items():
        rows.setdefault(_says(hsg.semioses[node], shares[at], root=at == 0), []).append(at)
    return View(
        nodes=nodes,
        listed=tuple(given),
        places=tuple((given[node], _box(hsg.semioses[node])) for node in nodes),
        vectors=np.ascontiguousarray(fields.reshape(len(nodes) * len(FIELDS), -1)),
        joined=np.ascontiguousarray(joined / np.sqrt(len(JOINED_TEXTS), dtype=np.float32)),
        numbers=np.concatenate([part.ravel() for part in numbers]),
        rows=rows,
        script=script_of(texts_of(hsg, joined=False)),
        side=Side.of(hsg),
    )


def _near(parent: NDArray[np.intp]) -> Floats:
    """Who is whose whole, whose part, and part of the same whole; the root is its own whole.

    Each kind is divided by the square root of how many there are, so that what is near two nodes is compared
    as by a cosine.
    """
    nodes = np.arange(len(parent))
    whole = (parent[:, None] == nodes).astype(np.float64)
    part = whole.T.copy()
    part[0, 0] = 0.0
    near = np.array([whole, part, part.T @ part * (1 - np.eye(len(parent)))])
    return np.asarray(near / np.sqrt(np.maximum(near.sum(2, keepdims=True), 1.0)))


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
