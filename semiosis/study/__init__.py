"""Studies: folders of signs, readings and observations, and what is done to a whole one."""

from semiosis.study._check import Problem, check_study
from semiosis.study._compare import compare_study
from semiosis.study._csv_votes import BadRow, Columns, VotesFile, read_votes
from semiosis.study._model_run import run_judge, unjudged
from semiosis.study._readings import Choice, Trio, trio
from semiosis.study._run import judge_study, pairs
from semiosis.study._study import Study, new_study, read_study
from semiosis.study._summary import Count, summary

__all__ = [
    "BadRow",
    "Choice",
    "Columns",
    "Count",
    "Problem",
    "Study",
    "Trio",
    "VotesFile",
    "check_study",
    "compare_study",
    "judge_study",
    "new_study",
    "pairs",
    "read_study",
    "read_votes",
    "run_judge",
    "summary",
    "trio",
    "unjudged",
]
