"""Alignments of HSGs by embedders, models and people, and the drift and consensus computed from them."""

from semiosis.align._above_chance import (
    AboveChance,
    AgreementSample,
    ccc_above_chance,
    ccc_of_sums,
    corrected_for_chance,
    mean_above_chance,
    rating_sums,
    symmetrized_sums,
)
from semiosis.align._aligner import Aligner, HSGPair, UnmeasuredLengthWarning, aligner_of
from semiosis.align._alignment_audit import (
    Audit,
    MatchBin,
    audit_alignments,
    count_length_classes,
    ratio_estimate,
)
from semiosis.align._by_hand import HAND_METHOD, fates_form, is_fates_file, parse_fates, read_fates
from semiosis.align._cache import VectorCache
from semiosis.align._consensus import consensus, merge_readings
from semiosis.align._diff import diff, diff_many
from semiosis.align._drift import Drift, TracedMeaning, drift, drift_of_alignments
from semiosis.align._embedder import DEFAULT_EMBEDDER, embedder
from semiosis.align._fate_shares import FateShares, GroupedBy, fate_shares, leading_ground
from semiosis.align._model_aligner import MODEL_METHOD, ModelAligner
from semiosis.align._overlap import (
    NodePair,
    PreparedReading,
    SharedNodes,
    box_overlap,
    same_relation,
    same_whole,
    shared_nodes,
    span_overlap,
)
from semiosis.align._same_place import SAME_PLACE, same_place_pairs
from semiosis.align._script import UnmeasuredLanguageWarning, script_of
from semiosis.align._stated import StatedFate, alignment_of_fates
from semiosis.align._weights import EMBEDDER_METHOD

__all__ = [
    "DEFAULT_EMBEDDER",
    "EMBEDDER_METHOD",
    "HAND_METHOD",
    "MODEL_METHOD",
    "SAME_PLACE",
    "AboveChance",
    "AgreementSample",
    "Aligner",
    "Audit",
    "Drift",
    "FateShares",
    "GroupedBy",
    "HSGPair",
    "MatchBin",
    "ModelAligner",
    "NodePair",
    "PreparedReading",
    "SharedNodes",
    "StatedFate",
    "TracedMeaning",
    "UnmeasuredLanguageWarning",
    "UnmeasuredLengthWarning",
    "VectorCache",
    "aligner_of",
    "alignment_of_fates",
    "audit_alignments",
    "box_overlap",
    "ccc_above_chance",
    "ccc_of_sums",
    "consensus",
    "corrected_for_chance",
    "count_length_classes",
    "diff",
    "diff_many",
    "drift",
    "drift_of_alignments",
    "embedder",
    "fate_shares",
    "fates_form",
    "is_fates_file",
    "leading_ground",
    "mean_above_chance",
    "merge_readings",
    "parse_fates",
    "rating_sums",
    "ratio_estimate",
    "read_fates",
    "same_place_pairs",
    "same_relation",
    "same_whole",
    "script_of",
    "shared_nodes",
    "span_overlap",
    "symmetrized_sums",
]
