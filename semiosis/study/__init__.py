"""Studies: folders of signs, readings and observations; their cases, and the runs over them."""

from semiosis.study._adding import ImportResult
from semiosis.study._agreement import reader_agreement
from semiosis.study._agreement_result import GroupAgreement, ReaderAgreement, SignAgreement, SignValue
from semiosis.study._align_run import (
    AlignmentPlan,
    HSGPairs,
    alignment_pairs,
    draw_pairs,
    plan_alignments,
    run_alignments,
)
from semiosis.study._anonymise import anonymise
from semiosis.study._answer_run import AnswerPlan, answer_rule, plan_answers, run_answers
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
from semiosis.study._csv_votes import BadRow, Columns, VotesFile, read_votes
from semiosis.study._curate import ids_of, merge_studies, subset_study
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
from semiosis.study._profile import (
    GeneratorProfile,
    GeneratorRow,
    NodeShares,
    generator_profile,
    study_alignments,
)
from semiosis.study._read_run import ReadingView, plan_readings, prompts_of, run_readings
from semiosis.study._recorded_settings import RemainingWork
from semiosis.study._registry import JUDGES, JudgeOptions, RegisteredJudge, find_judge
from semiosis.study._remaining_work import remaining_work, total_cost
from semiosis.study._run import Plan, StudyJudge, judge_study, plan_run, run_judges
from semiosis.study._run_study import run
from semiosis.study._status import WorkState, study_status
from semiosis.study._study import Study, new_study, read_study
from semiosis.study._study_drifts import aligned_hsg, study_drifts
from semiosis.study._study_iconicity import StudyIconicity, study_iconicity
from semiosis.study._summary import Count, summary
from semiosis.study._superseding import correction

__all__ = [
    "JUDGES",
    "AlignmentPlan",
    "AnswerPlan",
    "BadRow",
    "Columns",
    "ConsensusRun",
    "Count",
    "ExperimentFile",
    "ExperimentJudge",
    "ExperimentTables",
    "GeneratorProfile",
    "GeneratorRanking",
    "GeneratorRow",
    "GroupAgreement",
    "HSGPairs",
    "ImportKind",
    "ImportOptions",
    "ImportResult",
    "JudgeOptions",
    "NodeShares",
    "Plan",
    "Problem",
    "ReaderAgreement",
    "ReadingRule",
    "ReadingView",
    "RegisteredJudge",
    "RemainingWork",
    "SignAgreement",
    "SignValue",
    "Study",
    "StudyIconicity",
    "StudyJudge",
    "StudyRule",
    "VotesFile",
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
    "correction",
    "draw_pairs",
    "experiment_judges",
    "experiment_tables",
    "find_judge",
    "generator_profile",
    "generator_ratings",
    "ids_of",
    "import_labelstudio",
    "import_observations",
    "judge_costs",
    "judge_study",
    "merge_studies",
    "new_study",
    "pairs",
    "plan_alignments",
    "plan_answers",
    "plan_readings",
    "plan_run",
    "prompts_of",
    "read_experiment",
    "read_study",
    "read_votes",
    "reader_agreement",
    "reading_command",
    "remaining_work",
    "require_signs",
    "run",
    "run_alignments",
    "run_answers",
    "run_experiment",
    "run_judges",
    "run_readings",
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
]
