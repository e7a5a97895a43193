"""Arrays and observations to numbers with their uncertainty.

Every statistic is a plain function on arrays; NaN, None or Unscored in an array means unscored. `compare` and
its siblings take observations. Undefined is unscored with a reason, never NaN and never 0.
"""

from semiosis.stats._agreement import accuracy, agreement, coverage, flip_rate, position_bias
from semiosis.stats._compare import JudgeTable, compare, judge_table
from semiosis.stats._concordance import Concordance, concordance, half_credit, krcc, tau_b
from semiosis.stats._correlation import ccc, kendall, mae, pearson, spearman, wilcoxon
from semiosis.stats._estimate import Estimate, Interval, as_dict, as_json
from semiosis.stats._generators import GeneratorAgreement, generator_agreement
from semiosis.stats._judges import compare_judges, holm, mcnemar, prompts_needed, prompts_to_separate
from semiosis.stats._ratings import Ratings, bradley_terry, elo, preference, thurstone, win_counts
from semiosis.stats._rows import JudgeRow
from semiosis.stats._table import RENDERERS, Table, to_csv, to_latex, to_markdown, to_text
from semiosis.stats._votes import Outcomes, Votes, outcomes_of, votes_from, votes_of

__all__ = [
    "RENDERERS",
    "Concordance",
    "Estimate",
    "GeneratorAgreement",
    "Interval",
    "JudgeRow",
    "JudgeTable",
    "Outcomes",
    "Ratings",
    "Table",
    "Votes",
    "accuracy",
    "agreement",
    "as_dict",
    "as_json",
    "bradley_terry",
    "ccc",
    "compare",
    "compare_judges",
    "concordance",
    "coverage",
    "elo",
    "flip_rate",
    "generator_agreement",
    "half_credit",
    "holm",
    "judge_table",
    "kendall",
    "krcc",
    "mae",
    "mcnemar",
    "outcomes_of",
    "pearson",
    "position_bias",
    "preference",
    "prompts_needed",
    "prompts_to_separate",
    "spearman",
    "tau_b",
    "thurstone",
    "to_csv",
    "to_latex",
    "to_markdown",
    "to_text",
    "votes_from",
    "votes_of",
    "wilcoxon",
    "win_counts",
]
