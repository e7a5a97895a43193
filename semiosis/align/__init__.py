"""HSG × HSG → Alignment: what survived, what was lost, what emerged. Embedders turn texts into vectors."""

from semiosis.align._aligner import Aligner, aligner_of
from semiosis.align._cache import VectorCache
from semiosis.align._consensus import consensus, merge_readings
from semiosis.align._diff import diff, diff_many
from semiosis.align._drift import Drift, TracedMeaning, drift, follow
from semiosis.align._embedder import DEFAULT, embedder
from semiosis.align._model_aligner import METHOD as MODEL_METHOD
from semiosis.align._model_aligner import ModelAligner
from semiosis.align._overlap import (
    ReadingView,
    Shared,
    box_overlap,
    same_relation,
    same_whole,
    shared_nodes,
    span_overlap,
)
from semiosis.align._script import UnmeasuredLanguageWarning
from semiosis.align._stated import StatedFate, alignment_of_fates
from semiosis.align._weights import METHOD

__all__ = [
    "DEFAULT",
    "METHOD",
    "MODEL_METHOD",
    "Aligner",
    "Drift",
    "ModelAligner",
    "ReadingView",
    "Shared",
    "StatedFate",
    "TracedMeaning",
    "UnmeasuredLanguageWarning",
    "VectorCache",
    "aligner_of",
    "alignment_of_fates",
    "box_overlap",
    "consensus",
    "diff",
    "diff_many",
    "drift",
    "embedder",
    "follow",
    "merge_readings",
    "same_relation",
    "same_whole",
    "shared_nodes",
    "span_overlap",
]
