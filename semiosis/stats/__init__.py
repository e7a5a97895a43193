"""Arrays and observations to numbers with their uncertainty."""

from semiosis.stats._agreement import accuracy, agreement, coverage, flip_rate, position_bias
from semiosis.stats._concordance import Concordance, concordance, half_credit, krcc, tau_b
from semiosis.stats._estimate import Estimate, Interval, as_dict, as_json

__all__ = [
    "Concordance",
    "Estimate",
    "Interval",
    "accuracy",
    "agreement",
    "as_dict",
    "as_json",
    "concordance",
    "coverage",
    "flip_rate",
    "half_credit",
    "krcc",
    "position_bias",
    "tau_b",
]
