"""Derives votes from ratings of pictures, by a rule that each vote names."""

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Literal, get_args

from semiosis.study._adding import ImportResult, add_values
from semiosis.study._picture_values import rating_scales
from semiosis.study._study import Study, read_study
from semiosis.values import Evaluator, Rating, Unscored, UsageError, Verdict, Winner

Combination = Literal["mean", "geometric", "min"]
"""How ratings on several scales become one number, after each scale is brought to the range from 0 to 1."""

_COMBINE: dict[Combination, Callable[[Sequence[float]], float]] = {
    "mean": fmean,
    "geometric": lambda shares: math.prod(shares) ** (1 / len(shares)),
    "min": min,
}


def derive_votes(
    folder: str | Path,
    scales: Sequence[str] = (),
    *,
    combine: Combination = "mean",
    tie_within: float = 0.0,
    dry_run: bool = False,
) -> ImportResult:
    """Add a vote of each person for each comparison both of whose pictures the person rated.

    The picture with the higher rating wins; a difference of at most `tie_within` (of the range from 0 to 1)
    is a tie. Ratings on several scales are combined: ImagenHub uses the geometric mean. The rule is part of
    the evaluator, so these votes are not mixed up with votes that the same person gave.
    """
    study = read_study(folder)
    known = rating_scales(study)
    scales = list(scales) or list(known)[:1]
    if not known or (unknown := [scale for scale in scales if scale not in known]):
        what = f"nobody used the scale {unknown[0]!r}" if known else "nobody has rated pictures of this study"
        fix = f"use one of {', '.join(known)}" if known else f"run: semiosis import ratings {folder} FILE.csv"
        raise UsageError(what, where=str(study.folder), fix=fix)
    if combine not in get_args(Combination):
        raise UsageError(f"ratings cannot be combined by {combine!r}", fix="use mean, geometric or min")
    rule = {"rule": "higher rating", "scales": ", ".join(scales), "tie_within": tie_within}
    rule |= {"combine": combine} if len(scales) > 1 else {}
    votes = [
        Verdict(
            evaluator=Evaluator(kind="person", name=person, parameters=rule),
            comparison=comparison.id,
            winner=_winner(values[comparison.a], values[comparison.b], tie_within),
            rationale=f"derived from ratings of {', '.join(scales)}",
            order_unknown=True,
        )
        for person, values in _combined(study, scales, combine).items()
        for comparison in study.comparisons.values()
        if comparison.a in values and comparison.b in values
    ]
    return add_values(study, votes, "derived-votes", dry_run=dry_run)


def _winner(a: float, b: float, tie_within: float) -> Winner:
    # Shares such as 0.1 + 0.2 differ from 0.3 by a rounding error, which is no preference.
    if abs(a - b) <= tie_within + 1e-9:
        return "tie"
    return "a" if a > b else "b"


def _combined(study: Study, scales: Sequence[str], combine: Combination) -> dict[str, dict[str, float]]:
    """Return one number from 0 to 1 for each picture that a person rated on all scales, by person."""
    ratings: dict[str, dict[str, dict[str, list[float]]]] = {}
    for value in study.observations.values():
        if not isinstance(value, Rating) or value.evaluator.kind != "person" or value.scale not in scales:
            continue
        if isinstance(value.value, Unscored):
            continue
        share = (value.value - value.low) / (value.high - value.low)
        pictures = ratings.setdefault(value.evaluator.name, {})
        pictures.setdefault(value.about, {}).setdefault(value.scale, []).append(share)
    return {
        person: {
            sign: _COMBINE[combine](_means(by_scale, scales))
            for sign, by_scale in pictures.items()
            if len(by_scale) == len(scales)
        }
        for person, pictures in ratings.items()
    }


def _means(by_scale: Mapping[str, Sequence[float]], scales: Sequence[str]) -> list[float]:
    return [fmean(by_scale[scale]) for scale in scales]
