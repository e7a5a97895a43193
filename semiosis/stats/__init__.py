"""Statistics with their uncertainty, from arrays or observations.

Most statistics are functions of arrays, in which NaN, None or Unscored marks an unscored item. `compare`,
`iconicity_bias`, `ablation` and a few others take observations. An undefined result is `Unscored` with a
reason, never NaN and never 0.
"""

from semiosis.stats._agreement import accuracy, agreement, coverage, flip_rate, position_bias
from semiosis.stats._citations import CitationReport, citation_report
from semiosis.stats._compare import JudgePair, JudgeTable, PersonRow, compare
from semiosis.stats._concordance import Concordance, concordance, half_credit, krcc, tau_b
from semiosis.stats._correlation import ccc, kendall, mae, pearson, spearman, wilcoxon
from semiosis.stats._crowd import Majority, QualityControl, majority_vote, quality_control
from semiosis.stats._estimate import Estimate, FloatArray, Interval, as_dict, as_json, format_number
from semiosis.stats._games import win_counts
from semiosis.stats._generators import GeneratorAgreement, generator_agreement
from semiosis.stats._iconicity import (
    cohen_d,
    iconicity_gap,
    iconicity_mismatch,
    iconicity_share,
    instance_iconicity,
    net_iconicity,
)
from semiosis.stats._judges import compare_judges, equivalence, holm, mcnemar
from semiosis.stats._kappa import (
    cohen_kappa,
    fleiss_kappa,
    mean_pairwise_kappa,
    rating_counts,
    weighted_kappa,
)
from semiosis.stats._picture_correlation import PictureCorrelations, picture_correlations
from semiosis.stats._power import prompts_for_equivalence, prompts_needed, prompts_to_separate
from semiosis.stats._probabilities import ProbabilityCalibration, ReliabilityBin, probability_calibration
from semiosis.stats._published import ABLATION
from semiosis.stats._questions import question_accuracy
from semiosis.stats._rank_sets import RankSet, rank_sets
from semiosis.stats._rating_estimates import rating_estimates
from semiosis.stats._ratings import GeneratorRatings, bradley_terry, elo, preference, thurstone
from semiosis.stats._reliability import icc21, krippendorff_alpha
from semiosis.stats._replace import Advantage, Replacement
from semiosis.stats._resample import bootstrap
from semiosis.stats._rows import AnswerCounts, JudgeRow
from semiosis.stats._score import score
from semiosis.stats._tables import (
    Ablation,
    AblationResult,
    AblationSetting,
    BiasRow,
    BiasTable,
    ablation,
    iconicity_bias,
    sign_iconicity,
)
from semiosis.stats._tie_calibration import tie_calibrated_accuracy
from semiosis.stats._votes import OutcomeArrays, Votes, outcomes_of, votes_of, votes_of_verdicts

__all__ = [
    "ABLATION",
    "Ablation",
    "AblationResult",
    "AblationSetting",
    "Advantage",
    "AnswerCounts",
    "BiasRow",
    "BiasTable",
    "CitationReport",
    "Concordance",
    "Estimate",
    "FloatArray",
    "GeneratorAgreement",
    "GeneratorRatings",
    "Interval",
    "JudgePair",
    "JudgeRow",
    "JudgeTable",
    "Majority",
    "OutcomeArrays",
    "PersonRow",
    "PictureCorrelations",
    "ProbabilityCalibration",
    "QualityControl",
    "RankSet",
    "ReliabilityBin",
    "Replacement",
    "Votes",
    "ablation",
    "accuracy",
    "agreement",
    "as_dict",
    "as_json",
    "bootstrap",
    "bradley_terry",
    "ccc",
    "citation_report",
    "cohen_d",
    "cohen_kappa",
    "compare",
    "compare_judges",
    "concordance",
    "coverage",
    "elo",
    "equivalence",
    "fleiss_kappa",
    "flip_rate",
    "format_number",
    "generator_agreement",
    "half_credit",
    "holm",
    "icc21",
    "iconicity_bias",
    "iconicity_gap",
    "iconicity_mismatch",
    "iconicity_share",
    "instance_iconicity",
    "kendall",
    "krcc",
    "krippendorff_alpha",
    "mae",
    "majority_vote",
    "mcnemar",
    "mean_pairwise_kappa",
    "net_iconicity",
    "outcomes_of",
    "pearson",
    "picture_correlations",
    "position_bias",
    "preference",
    "probability_calibration",
    "prompts_for_equivalence",
    "prompts_needed",
    "prompts_to_separate",
    "quality_control",
    "question_accuracy",
    "rank_sets",
    "rating_counts",
    "rating_estimates",
    "score",
    "sign_iconicity",
    "spearman",
    "tau_b",
    "thurstone",
    "tie_calibrated_accuracy",
    "votes_of",
    "votes_of_verdicts",
    "weighted_kappa",
    "wilcoxon",
    "win_counts",
]
