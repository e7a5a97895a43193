"""Studies: folders of signs, readings and observations; their cases, and the runs over them."""

from semiosis.study import _entries  # noqa: F401  # registers the evaluators
from semiosis.study._adding import ImportResult
from semiosis.study._agreement import reader_agreement
from semiosis.study._agreement_result import GroupAgreement, ReaderAgreement, SignAgreement, SignValue
from semiosis.study._align_run import HSGPairs, alignment_pairs, draw_pairs, plan_alignments
from semiosis.study._anonymise import anonymise
from semiosis.study._answer_run import answer_rule, plan_answers
from semiosis.study._audit import audit_statement, study_audits, study_fate_shares
from semiosis.study._cases import (
    ReadingRule,
    StudyRule,
    comparison_case,
    pairs,
    reading_command,
    require_signs,
    study_rule,
)
from semiosis.study._check import Problem, check_study
from semiosis.study._collect import ImportOptions
from semiosis.study._compare import compare_study
from semiosis.study._consensus_run import ConsensusRun, consensus_run
from semiosis.study._csv_votes import VotesFile, read_votes
from semiosis.study._curate import ids_of, merge_studies, subset_study
from semiosis.study._derived_votes import Combination, derive_votes
from semiosis.study._evaluators import Withdrawal, restore, select_evaluators, withdraw
from semiosis.study._experiment import ExperimentFile, read_experiment
from semiosis.study._experiment_run import (
    ExperimentJudge,
    ExperimentTables,
    experiment_judges,
    experiment_tables,
    run_experiment,
)
from semiosis.study._generator_ratings import GeneratorRanking, generator_ratings
from semiosis.study._import_labelstudio import import_labelstudio
from semiosis.study._import_observations import ImportKind, import_observations
from semiosis.study._import_pictures import add_pictures
from semiosis.study._judge_costs import judge_costs
from semiosis.study._judge_run import JudgingPlan, StudyJudge, plan_judging, require_inputs, run_judging
from semiosis.study._keys import require_no_keys
from semiosis.study._manifest import RunManifest, read_manifests
from semiosis.study._picture_grid import GridPicture, GridRow, PictureGrid, picture_grid
from semiosis.study._picture_values import rating_scales
from semiosis.study._profile import (
    GeneratorProfile,
    GeneratorRow,
    NodeShares,
    generator_profile,
    study_alignments,
)
from semiosis.study._rank import RankedGenerator, Ranking, picture_measures, rank_generators
from semiosis.study._rating_results import RatingResults, rating_results
from semiosis.study._read_run import ReadingView, plan_readings, prompts_of
from semiosis.study._registry import (
    EvaluatorOptions,
    Need,
    RegisteredEvaluator,
    evaluators,
    find_aligner,
    find_entry,
    find_examinee,
    find_judge,
    find_judging_entry,
    find_reader,
    find_scorer,
    judging_entries,
    register,
)
from semiosis.study._remaining import RemainingWork, remaining_work, total_cost
from semiosis.study._run_study import run
from semiosis.study._score_run import ScoringItem, plan_scores
from semiosis.study._settings import EvaluatorSettings, EvaluatorType, ModelSettings
from semiosis.study._status import WorkState, study_status
from semiosis.study._study import Study, new_study, read_study
from semiosis.study._study_drifts import aligned_hsg, study_drifts
from semiosis.study._study_iconicity import StudyIconicity, study_iconicity
from semiosis.study._summary import Count, summary
from semiosis.study._superseding import corrected_alignment, correction
from semiosis.study._work import Computation, WorkPlan, run_plan

__all__ = [
    "Combination",
    "Computation",
    "ConsensusRun",
    "Count",
    "EvaluatorOptions",
    "EvaluatorSettings",
    "EvaluatorType",
    "ExperimentFile",
    "ExperimentJudge",
    "ExperimentTables",
    "GeneratorProfile",
    "GeneratorRanking",
    "GeneratorRow",
    "GridPicture",
    "GridRow",
    "GroupAgreement",
    "HSGPairs",
    "ImportKind",
    "ImportOptions",
    "ImportResult",
    "JudgingPlan",
    "ModelSettings",
    "Need",
    "NodeShares",
    "PictureGrid",
    "Problem",
    "RankedGenerator",
    "Ranking",
    "RatingResults",
    "ReaderAgreement",
    "ReadingRule",
    "ReadingView",
    "RegisteredEvaluator",
    "RemainingWork",
    "RunManifest",
    "ScoringItem",
    "SignAgreement",
    "SignValue",
    "Study",
    "StudyIconicity",
    "StudyJudge",
    "StudyRule",
    "VotesFile",
    "Withdrawal",
    "WorkPlan",
    "WorkState",
    "add_pictures",
    "aligned_hsg",
    "alignment_pairs",
    "anonymise",
    "answer_rule",
    "audit_statement",
    "check_study",
    "compare_study",
    "comparison_case",
    "consensus_run",
    "corrected_alignment",
    "correction",
    "derive_votes",
    "draw_pairs",
    "evaluators",
    "experiment_judges",
    "experiment_tables",
    "find_aligner",
    "find_entry",
    "find_examinee",
    "find_judge",
    "find_judging_entry",
    "find_reader",
    "find_scorer",
    "generator_profile",
    "generator_ratings",
    "ids_of",
    "import_labelstudio",
    "import_observations",
    "judge_costs",
    "judging_entries",
    "merge_studies",
    "new_study",
    "pairs",
    "picture_grid",
    "picture_measures",
    "plan_alignments",
    "plan_answers",
    "plan_judging",
    "plan_readings",
    "plan_scores",
    "prompts_of",
    "rank_generators",
    "rating_results",
    "rating_scales",
    "read_experiment",
    "read_manifests",
    "read_study",
    "read_votes",
    "reader_agreement",
    "reading_command",
    "register",
    "remaining_work",
    "require_inputs",
    "require_no_keys",
    "require_signs",
    "restore",
    "run",
    "run_experiment",
    "run_judging",
    "run_plan",
    "select_evaluators",
    "study_alignments",
    "study_audits",
    "study_drifts",
    "study_fate_shares",
    "study_iconicity",
    "study_rule",
    "study_status",
    "subset_study",
    "summary",
    "total_cost",
    "withdraw",
]
