"""Other methods that align two graphs on the same vectors, each with its own cut."""

from collections.abc import Callable
from functools import lru_cache

import networkx as nx
import numpy as np
import ot
from scipy.optimize import linear_sum_assignment

from semiosis.align._fit import with_counts
from semiosis.align._match import NO_MATCH, Floats
from semiosis.align._measure import ScoredPair
from semiosis.values import HSG

STRUCTURE = 0.5
"""The weight of structure against text in Gromov–Wasserstein."""
MASS = 0.85
"""The share of the nodes that partial Gromov–Wasserstein matches."""


def fused(scored: ScoredPair) -> Floats:
    """Return the cosines of the pairs that fused Gromov–Wasserstein (POT) couples; others cannot match."""
    cost, one, two = _costs(scored)
    return _assigned(scored, ot.gromov.fused_gromov_wasserstein(cost, one, two, alpha=STRUCTURE))


def partial(scored: ScoredPair) -> Floats:
    """Return the cosines of the pairs that partial fused Gromov–Wasserstein (POT) couples."""
    cost, one, two = _costs(scored)
    return _assigned(
        scored, ot.gromov.partial_fused_gromov_wasserstein(cost, one, two, m=MASS, alpha=STRUCTURE)
    )


def words(scored: ScoredPair) -> Floats:
    """Return the share of words that two nodes have in common: a one-line baseline. A root matches a root."""
    sets = [[set(text.lower().split()) for text in view.texts] for view in (scored.source, scored.target)]
    shared = np.array([[len(one & two) / len(one | two) for two in sets[1]] for one in sets[0]])
    return np.where(scored.cosines == NO_MATCH, NO_MATCH, shared)


PEERS: dict[str, Callable[[ScoredPair], Floats]] = {
    "fused Gromov–Wasserstein (POT)": fused,
    "partial fused Gromov–Wasserstein (POT)": partial,
    "shared words (one-line baseline)": words,
}


def by_peer(scored: ScoredPair, peer: Callable[[ScoredPair], Floats]) -> ScoredPair:
    """Return the pair with the matrix of another method instead of the cosines."""
    return with_counts(scored._replace(cosines=peer(scored), at_cuts=np.empty(0)))


def _costs(scored: ScoredPair) -> tuple[Floats, Floats, Floats]:
    views = scored.source, scored.target
    source, target = (
        _hops(hsg, view.nodes)
        for hsg, view in zip((scored.pair.prompt, scored.pair.artifact), views, strict=True)
    )
    return 1 - scored.cosines, source, target


def _assigned(scored: ScoredPair, coupling: Floats) -> Floats:
    """Return the cosines of the one-to-one pairs with the strongest coupling; other pairs cannot match."""
    rows, columns = linear_sum_assignment(coupling, maximize=True)
    chosen = np.full_like(scored.cosines, NO_MATCH)
    chosen[rows, columns] = np.where(coupling[rows, columns] > 0, scored.cosines[rows, columns], NO_MATCH)
    return chosen


@lru_cache(maxsize=4096)
def _hops(hsg: HSG, nodes: tuple[str, ...]) -> Floats:
    """Return the lengths of the paths between the nodes of a tree, as shares of the longest path."""
    hops = np.asarray(nx.floyd_warshall_numpy(hsg.tree.to_undirected(), nodelist=nodes))
    shares: Floats = hops / max(hops.max(), 1.0)
    return shares
