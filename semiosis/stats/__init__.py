"""Statistics with their uncertainty, from arrays or observations.

Most statistics are functions of arrays, in which NaN, None or Unscored marks an unscored item. `compare`,
`iconicity_bias`, `ablation` and a few others take observations. An undefined result is `Unscored` with a
reason, never NaN and never 0.
"""

from semiosis.stats._above_chance import (
    AboveChance,
    AgreementSample,
    ccc_above_chance,
    ccc_of_sums,
    corrected_for_chance,
    in_both_orders,
    mean_above_chance,
    rating_sums,
)
from semiosis.stats._agreement import accuracy, agreement, coverage, flip_rate, position_bias
from semiosis.stats._audit import Audit, MatchBin, audit_alignments, ratio_estimate
from semiosis.stats._calibration import (
    IsotonicCalibration,
    SigmoidCalibration,
    calibrated_mean,
    fit_isotonic,
    fit_sigmoid,
)
from semiosis.stats._citations import CitationReport, citation_report
from semiosis.stats._compare import JudgeTable, compare
from semiosis.stats._concordance import Concordance, concordance, half_credit, krcc, tau_b
from semiosis.stats._correlation import ccc, kendall, mae, pearson, spearman, wilcoxon
from semiosis.stats._critique import tier_two
from semiosis.stats._crowd import Majority, QualityControl, majority_vote, quality_control
from semiosis.stats._culture import culture_gap
from semiosis.stats._davidson import davidson
from semiosis.stats._differences import JudgePair
from semiosis.stats._equivalence import equivalence
from semiosis.stats._estimate import Estimate, FloatArray, Interval, as_dict, as_json, format_number
from semiosis.stats._fate_shares import FateShares, GroupedBy, fate_shares, leading_ground
from semiosis.stats._games import win_counts
from semiosis.stats._gap import (
    Gap,
    alignment_gap,
    choice_score,
    confidence_score,
    cosine_score,
    gap,
    human_gap,
    literal_bias,
    open_score,
)
from semiosis.stats._generators import GeneratorAgreement, generator_agreement
from semiosis.stats._iconicity import (
    cohen_d,
    iconicity_gap,
    iconicity_mismatch,
    iconicity_share,
    instance_iconicity,
    net_iconicity,
)
from semiosis.stats._judges import compare_judges, holm, mcnemar
from semiosis.stats._kappa import (
    cohen_kappa,
    fleiss_kappa,
    mean_pairwise_kappa,
    rating_counts,
    weighted_kappa,
)
from semiosis.stats._power import prompts_needed, prompts_to_separate
from semiosis.stats._preference import (
    Logistic,
    decisive,
    fit_logistic,
    order_consistency,
    overall,
    preference_accuracy,
    preference_correlation,
    random_pairings,
)
from semiosis.stats._probabilities import ProbabilityCalibration, ReliabilityBin, probability_calibration
from semiosis.stats._published import ABLATION, CALIBRATION_MAE, CRITIQUES, GAPS, PREFERENCES, VARIATIONS
from semiosis.stats._questions import question_accuracy
from semiosis.stats._rating_estimates import rating_estimates
from semiosis.stats._ratings import GeneratorRatings, bradley_terry, elo, preference, thurstone
from semiosis.stats._reliability import icc21, krippendorff_alpha
from semiosis.stats._resample import bootstrap
from semiosis.stats._rows import JudgeRow
from semiosis.stats._tables import (
    Ablation,
    AblationResult,
    AblationSetting,
    BiasRow,
    BiasTable,
    ablation,
    iconicity_bias,
)
from semiosis.stats._tie_calibration import tie_calibrated_accuracy
from semiosis.stats._variation import (
    ASPECTS,
    Variation,
    VariationSummary,
    VariationTable,
    interpret_kappa,
    semvar,
    summarise_variation,
    text_encoder_probe,
    textual_variation,
    training_pairs,
    variation_table,
)
from semiosis.stats._votes import Outcomes, Votes, outcomes_of, votes_of, votes_of_verdicts

__all__ = [
    "ABLATION",
    "ASPECTS",
    "CALIBRATION_MAE",
    "CRITIQUES",
    "GAPS",
    "PREFERENCES",
    "VARIATIONS",
    "Ablation",
    "AblationResult",
    "AblationSetting",
    "AboveChance",
    "AgreementSample",
    "Audit",
    "BiasRow",
    "BiasTable",
    "CitationReport",
    "Concordance",
    "Estimate",
    "FateShares",
    "FloatArray",
    "Gap",
    "GeneratorAgreement",
    "GeneratorRatings",
    "GroupedBy",
    "Interval",
    "IsotonicCalibration",
    "JudgePair",
    "JudgeRow",
    "JudgeTable",
    "Logistic",
    "Majority",
    "MatchBin",
    "Outcomes",
    "ProbabilityCalibration",
    "QualityControl",
    "ReliabilityBin",
    "SigmoidCalibration",
    "Variation",
    "VariationSummary",
    "VariationTable",
    "Votes",
    "ablation",
    "accuracy",
    "agreement",
    "alignment_gap",
    "as_dict",
    "as_json",
    "audit_alignments",
    "bootstrap",
    "bradley_terry",
    "calibrated_mean",
    "ccc",
    "ccc_above_chance",
    "ccc_of_sums",
    "choice_score",
    "citation_report",
    "cohen_d",
    "cohen_kappa",
    "compare",
    "compare_judges",
    "concordance",
    "confidence_score",
    "corrected_for_chance",
    "cosine_score",
    "coverage",
    "culture_gap",
    "davidson",
    "decisive",
    "elo",
    "equivalence",
    "fate_shares",
    "fit_isotonic",
    "fit_logistic",
    "fit_sigmoid",
    "fleiss_kappa",
    "flip_rate",
    "format_number",
    "gap",
    "generator_agreement",
    "half_credit",
    "holm",
    "human_gap",
    "icc21",
    "iconicity_bias",
    "iconicity_gap",
    "iconicity_mismatch",
    "iconicity_share",
    "in_both_orders",
    "instance_iconicity",
    "interpret_kappa",
    "kendall",
    "krcc",
    "krippendorff_alpha",
    "leading_ground",
    "literal_bias",
    "mae",
    "majority_vote",
    "mcnemar",
    "mean_above_chance",
    "mean_pairwise_kappa",
    "net_iconicity",
    "open_score",
    "order_consistency",
    "outcomes_of",
    "overall",
    "pearson",
    "position_bias",
    "preference",
    "preference_accuracy",
    "preference_correlation",
    "probability_calibration",
    "prompts_needed",
    "prompts_to_separate",
    "quality_control",
    "question_accuracy",
    "random_pairings",
    "rating_counts",
    "rating_estimates",
    "rating_sums",
    "ratio_estimate",
    "semvar",
    "spearman",
    "summarise_variation",
    "tau_b",
    "text_encoder_probe",
    "textual_variation",
    "thurstone",
    "tie_calibrated_accuracy",
    "tier_two",
    "training_pairs",
    "variation_table",
    "votes_of",
    "votes_of_verdicts",
    "weighted_kappa",
    "wilcoxon",
    "win_counts",
]
