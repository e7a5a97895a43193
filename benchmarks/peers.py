"""Other ways to align two graphs on the same vectors, each with a cut of its own."""

from collections.abc import Callable
from functools import lru_cache

import networkx as nx
import numpy as np
import ot
from scipy.optimize import linear_sum_assignment

from semiosis.align._fit import at_all_cuts
from semiosis.align._match import NEVER, Floats
from semiosis.align._measure import Scored
from semiosis.values import HSG

STRUCTURE = 0.5
"""Weight of structure against text in Gromov–Wasserstein."""
MASS = 0.85
"""Share of the nodes that partial Gromov–Wasserstein moves."""


def fused(scored: Scored) -> Floats:
    """Fused Gromov–Wasserstein (POT): its coupling chooses the pairs, and the cut applies to cosines."""
    cost, one, two = _costs(scored)
    return _assigned(scored, ot.gromov.fused_gromov_wasserstein(cost, one, two, alpha=STRUCTURE))


def partial(scored: Scored) -> Floats:
    """Partial fused Gromov–Wasserstein (POT), which leaves some nodes unmatched by itself."""
    cost, one, two = _costs(scored)
    return _assigned(
        scored, ot.gromov.partial_fused_gromov_wasserstein(cost, one, two, m=MASS, alpha=STRUCTURE)
    )


def words(scored: Scored) -> Floats:
    """The one-line baseline: the share of words that two nodes have in common, root only with root."""
    sets = [[set(text.lower().split()) for text in view.texts] for view in (scored.source, scored.target)]
    shared = np.array([[len(one & two) / len(one | two) for two in sets[1]] for one in sets[0]])
    return np.where(scored.cosines == NEVER, NEVER, shared)


PEERS: dict[str, Callable[[Scored], Floats]] = {
    "fused Gromov–Wasserstein (POT)": fused,
    "partial fused Gromov–Wasserstein (POT)": partial,
    "shared words (one-line baseline)": words,
}


def by_peer(scored: Scored, peer: Callable[[Scored], Floats]) -> Scored:
    """The pair with a peer's matrix instead of the cosines."""
    return at_all_cuts(scored._replace(cosines=peer(scored)))


def _costs(scored: Scored) -> tuple[Floats, Floats, Floats]:
    views = scored.source, scored.target
    hops = (
        _hops(hsg, view.nodes)
        for hsg, view in zip((scored.pair.prompt, scored.pair.artifact), views, strict=True)
    )
    return 1 - scored.cosines, *hops


def _assigned(scored: Scored, coupling: Floats) -> Floats:
    """The cosines of the one-to-one pairs with the strongest coupling; other pairs cannot match."""
    rows, columns = linear_sum_assignment(coupling, maximize=True)
    chosen = np.full_like(scored.cosines, NEVER)
    chosen[rows, columns] = np.where(coupling[rows, columns] > 0, scored.cosines[rows, columns], NEVER)
    return chosen


@lru_cache(maxsize=4096)
def _hops(hsg: HSG, nodes: tuple[str, ...]) -> Floats:
    """Steps between the nodes of a tree, the longest path being 1."""
    hops = np.asarray(nx.floyd_warshall_numpy(hsg.tree.to_undirected(), nodelist=nodes))
    return hops / max(hops.max(), 1.0)
