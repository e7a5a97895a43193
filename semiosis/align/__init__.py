"""HSG × HSG → Alignment: what survived, what was lost, what emerged. Embedders turn texts into vectors."""

from semiosis.align._cache import VectorCache
from semiosis.align._diff import Aligner, diff, diff_many
from semiosis.align._embedder import DEFAULT, embedder
from semiosis.align._weights import Weights, read_weights, weights_of

__all__ = [
    "DEFAULT",
    "Aligner",
    "VectorCache",
    "Weights",
    "diff",
    "diff_many",
    "embedder",
    "read_weights",
    "weights_of",
]
