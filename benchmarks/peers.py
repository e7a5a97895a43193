"""Other ways to align two graphs, with the same vectors as ours."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import networkx as nx
import numpy as np
import ot
from scipy.optimize import linear_sum_assignment
from semiosis.align._features import stacked

from semiosis.align import Aligner
from semiosis.align._view import View
from semiosis.values import HSG

Found = dict[tuple[str, str], float]
"""Matched nodes with the cosine of their texts, to which a cut-off is applied."""
GED_SECONDS = 0.2
"""Patience with networkx for one pair of graphs; exact edit distance hangs for hours at 11 nodes and more."""
GED_GAP = 0.5
"""Cost of inserting or deleting a node or an edge; substituting a node costs 1 minus the cosine."""
STRUCTURE = 0.5
"""Weight of structure against text in Gromov–Wasserstein."""
MASS = 0.85
"""Share of the nodes that partial Gromov–Wasserstein moves."""


@dataclass(frozen=True)
class Peer:
    """Another method."""

    name: str
    solve: Callable[[np.ndarray, View, View], np.ndarray]
    """From cosines and the two graphs to how strongly each pair of nodes is coupled."""

    def match(self, source: HSG, target: HSG, aligner: Aligner) -> Found:
        """Its one-to-one matching."""
        one, two = aligner.views((source, target))
        cosines = _whole(one) @ _whole(two).T
        coupling = self.solve(cosines.astype(float), one, two)
        rows, columns = linear_sum_assignment(coupling, maximize=True)
        return {
            (one.nodes[i], two.nodes[j]): max(float(cosines[i, j]), 0.0)
            for i, j in zip(rows, columns, strict=True)
            if coupling[i, j] > 0
        }


def summed_cosine(aligner: Aligner) -> Callable[[HSG, HSG], float]:
    """No alignment at all: the cosine of the sums of all vectors."""

    def kept(source: HSG, target: HSG) -> float:
        one, two = (view.vectors.sum(0) for view in aligner.views((source, target)))
        return float(one @ two / (np.linalg.norm(one) * np.linalg.norm(two)))

    return kept


def _whole(view: View) -> np.ndarray:
    whole = view.vectors.reshape(3, len(view), -1).sum(0)
    return whole / np.linalg.norm(whole, axis=1, keepdims=True)


def _hungarian(cosines: np.ndarray, _one: View, _two: View) -> np.ndarray:
    return np.maximum(cosines, 0.0)


def _fused(cosines: np.ndarray, one: View, two: View) -> np.ndarray:
    return np.asarray(
        ot.gromov.fused_gromov_wasserstein(1 - cosines, _hops(one), _hops(two), alpha=STRUCTURE)
    )


def _partial(cosines: np.ndarray, one: View, two: View) -> np.ndarray:
    return np.asarray(
        ot.gromov.partial_fused_gromov_wasserstein(
            1 - cosines, _hops(one), _hops(two), m=MASS, alpha=STRUCTURE
        )
    )


def _edit_distance(cosines: np.ndarray, one: View, two: View) -> np.ndarray:
    graphs = []
    for view in (one, two):
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from((index, {"at": index}) for index in range(len(view)))
        graph.add_edges_from((parent, index) for index, parent in enumerate(_parents(view)) if index)
        graphs.append(graph)
    coupling = np.zeros_like(cosines)
    best: list[tuple[int | None, int | None]] = []
    for nodes, _, _ in nx.optimize_edit_paths(
        *graphs,
        node_subst_cost=lambda a, b: 1 - cosines[a["at"], b["at"]],
        node_del_cost=lambda _: GED_GAP, node_ins_cost=lambda _: GED_GAP,
        edge_del_cost=lambda _: GED_GAP, edge_ins_cost=lambda _: GED_GAP,
        timeout=GED_SECONDS,
    ):  # fmt: skip
        best = nodes
    for i, j in best:
        if i is not None and j is not None:
            coupling[i, j] = 1.0
    return coupling


@lru_cache(maxsize=4096)
def _hops(view: View) -> np.ndarray:
    """Steps between the nodes of a tree, the longest way being 1."""
    graph = nx.Graph((parent, index) for index, parent in enumerate(_parents(view)) if index)
    graph.add_node(0)
    hops = np.asarray(nx.floyd_warshall_numpy(graph, nodelist=range(len(view))))
    return hops / max(hops.max(), 1.0)


def _parents(view: View) -> list[int]:
    parents: list[int] = stacked([view]).near[0, 0].argmax(1).tolist()
    return parents


PEERS = (
    Peer("Hungarian on text", _hungarian),
    Peer("fused Gromov–Wasserstein (POT)", _fused),
    Peer("partial fused Gromov–Wasserstein (POT)", _partial),
    Peer(f"networkx edit distance, {GED_SECONDS} s", _edit_distance),
)
