"""Studies: folders of signs, readings and observations; their cases, and the runs over them."""

from semiosis.study._anonymise import anonymise
from semiosis.study._cases import ReadingRule, SettledRule, comparison_case, pairs, settled_rule
from semiosis.study._check import Problem, check_study
from semiosis.study._compare import compare_study
from semiosis.study._csv_votes import BadRow, Columns, VotesFile, read_votes
from semiosis.study._generator_ratings import GeneratorRatings, generator_ratings
from semiosis.study._profile import GeneratorProfile, GeneratorRow, generator_profile, study_alignments
from semiosis.study._read_run import View, plan_readings, run_readings
from semiosis.study._registry import JUDGES, JudgeOptions, RegisteredJudge, find_judge
from semiosis.study._run import SETTLED, Plan, StudyJudge, judge_study, plan_run, run_judges
from semiosis.study._study import Study, new_study, read_study
from semiosis.study._summary import Count, summary
from semiosis.study._superseding import correction

__all__ = [
    "JUDGES",
    "SETTLED",
    "BadRow",
    "Columns",
    "Count",
    "GeneratorProfile",
    "GeneratorRatings",
    "GeneratorRow",
    "JudgeOptions",
    "Plan",
    "Problem",
    "ReadingRule",
    "RegisteredJudge",
    "SettledRule",
    "Study",
    "StudyJudge",
    "View",
    "VotesFile",
    "anonymise",
    "check_study",
    "compare_study",
    "comparison_case",
    "correction",
    "find_judge",
    "generator_profile",
    "generator_ratings",
    "judge_study",
    "new_study",
    "pairs",
    "plan_readings",
    "plan_run",
    "read_study",
    "read_votes",
    "run_judges",
    "run_readings",
    "settled_rule",
    "study_alignments",
    "summary",
]
