"""The parts that statistics are made of, for statistics in other packages and in your own code.

Arrays in which NaN means unscored, sums over prompts, and intervals and resamples over prompts.
"""

from semiosis.stats._agreement import share, sum_by_group
from semiosis.stats._arrays import (
    Labels,
    Matrix,
    Numbers,
    complete_pairs,
    floats,
    group_codes,
    probabilities,
    safe_divide,
    same_length,
)
from semiosis.stats._concordance import mean_columns, ratio
from semiosis.stats._correlation import pearson_rows
from semiosis.stats._estimate import (
    FEW_UNITS,
    MIN_UNITS,
    Estimate,
    FloatArray,
    Interval,
    ResamplingUnit,
    defined,
    undefined,
)
from semiosis.stats._frames import Record, Result
from semiosis.stats._iconicity import cohen_d, cohen_d_from_sums, mean_difference
from semiosis.stats._permute import random_subsets
from semiosis.stats._resample import (
    NO_WIDTH,
    Limits,
    Resampling,
    bootstrap_interval,
    interval,
    resampled_sums,
    t_interval,
)
from semiosis.stats._score import SCORE_METHOD, bounded_interval
from semiosis.stats._vote_table import (
    DESCRIPTIONS,
    PAST,
    SIDES,
    VOTE_COLUMNS,
    WHO,
    BadRow,
    CellCounts,
    VoteSource,
    describes,
    may_be_judge,
    read_order,
    read_probability,
    read_repeat,
    read_winner,
)
from semiosis.stats._votes import votes_of_source

__all__ = [
    "DESCRIPTIONS",
    "FEW_UNITS",
    "MIN_UNITS",
    "NO_WIDTH",
    "PAST",
    "SCORE_METHOD",
    "SIDES",
    "VOTE_COLUMNS",
    "WHO",
    "BadRow",
    "CellCounts",
    "Estimate",
    "FloatArray",
    "Interval",
    "Labels",
    "Limits",
    "Matrix",
    "Numbers",
    "Record",
    "Resampling",
    "ResamplingUnit",
    "Result",
    "VoteSource",
    "bootstrap_interval",
    "bounded_interval",
    "cohen_d",
    "cohen_d_from_sums",
    "complete_pairs",
    "defined",
    "describes",
    "floats",
    "group_codes",
    "interval",
    "may_be_judge",
    "mean_columns",
    "mean_difference",
    "pearson_rows",
    "probabilities",
    "random_subsets",
    "ratio",
    "read_order",
    "read_probability",
    "read_repeat",
    "read_winner",
    "resampled_sums",
    "safe_divide",
    "same_length",
    "share",
    "sum_by_group",
    "t_interval",
    "undefined",
    "votes_of_source",
]
