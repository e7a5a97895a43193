"""Alignments of HSGs by embedders, models and people, and the drift and consensus computed from them."""

from semiosis.align._aligner import Aligner, HSGPair, aligner_of
from semiosis.align._cache import VectorCache
from semiosis.align._consensus import consensus, merge_readings
from semiosis.align._diff import diff, diff_many
from semiosis.align._drift import Drift, TracedMeaning, drift, drift_of_alignments
from semiosis.align._embedder import DEFAULT_EMBEDDER, embedder
from semiosis.align._model_aligner import MODEL_METHOD, ModelAligner
from semiosis.align._overlap import (
    PreparedReading,
    SharedNodes,
    box_overlap,
    same_relation,
    same_whole,
    shared_nodes,
    span_overlap,
)
from semiosis.align._script import UnmeasuredLanguageWarning
from semiosis.align._stated import StatedFate, alignment_of_fates
from semiosis.align._weights import EMBEDDER_METHOD

__all__ = [
    "DEFAULT_EMBEDDER",
    "EMBEDDER_METHOD",
    "MODEL_METHOD",
    "Aligner",
    "Drift",
    "HSGPair",
    "ModelAligner",
    "PreparedReading",
    "SharedNodes",
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
    "drift_of_alignments",
    "embedder",
    "merge_readings",
    "same_relation",
    "same_whole",
    "shared_nodes",
    "span_overlap",
]
