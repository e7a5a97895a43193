"""Tier II scores of critiques of artworks (VULCA, section 3)."""

import math
from collections.abc import Mapping

from semiosis.stats._arrays import Numbers, floats
from semiosis.stats._estimate import Estimate, undefined
from semiosis.values import DataError, Unscored

HIGHEST = 5
TIER_TWO = ("coverage", "alignment", "depth", "accuracy", "quality")


def tier_two(scores: Mapping[str, float | Unscored | None] | Numbers) -> Estimate:
    """Return S_II, the mean of the five scores of `TIER_TWO`, each 1–5 (VULCA, equation 5).

    If a score is missing, the critique is unscored; nothing is filled in.

    >>> float(tier_two([4, 3, 5, 4, 4]))
    4.0
    """
    given = [scores.get(name) for name in TIER_TWO] if isinstance(scores, Mapping) else list(scores)
    values = floats(
        [None if value is None or isinstance(value, Unscored) else float(value) for value in given]
    )
    if len(values) != len(TIER_TWO):
        raise DataError(f"there are {len(values)} scores", fix=f"give five: {', '.join(TIER_TWO)}")
    outside = values[(values < 1) | (values > HIGHEST)]
    if len(outside):
        raise DataError(
            f"score {outside[0]:g} lies outside 1 to {HIGHEST}",
            fix="give None for a score that could not be read",
        )
    absent = [name for name, value in zip(TIER_TWO, values, strict=True) if math.isnan(value)]
    value = undefined(f"no score for {', '.join(absent)}") if absent else float(values.mean())
    scored = len(TIER_TWO) - len(absent)
    return Estimate(
        name="S_II", value=value, n=scored, n_unscored=len(absent), unit="item", method="mean of five"
    )
