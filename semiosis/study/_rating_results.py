"""How far scorers, judges and people agree with the ratings of pictures, scale by scale."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from semiosis.stats import (
    Estimate,
    PictureCorrelations,
    icc21,
    krippendorff_alpha,
    picture_correlations,
)
from semiosis.stats.tools import Result
from semiosis.study._picture_values import (
    PictureValues,
    mean_values,
    prompt_groups,
    rating_scales,
    rating_values,
    score_values,
    win_shares,
)
from semiosis.study._study import Study
from semiosis.values import UsageError


@dataclass(frozen=True)
class RatingResults(Result):
    """The ratings of pictures on one scale, and how far everyone agrees with them."""

    scale: str
    """The scale."""
    low: float
    """Its lowest value."""
    high: float
    """Its highest value."""
    group: str
    """The group of prompts; empty for all."""
    raters: tuple[str, ...]
    """The people who rated."""
    n: int
    """The number of pictures that at least one person rated."""
    prompts: int
    """The number of prompts of these pictures."""
    alpha: Estimate
    """Krippendorff's α of the people, for interval data."""
    icc: Estimate
    """ICC(2,1) of the people, on the pictures that all of them rated."""
    scorers: tuple[PictureCorrelations, ...]
    """Scorers, judges, and models that rate, against the mean rating of the people; the highest ρ first."""
    people: tuple[PictureCorrelations, ...]
    """Each person against the mean rating of the others."""
    compared: tuple[str, ...]
    """The names of judges of pairs. Their value of a picture is the share of comparisons that it won."""

    table_rows = ("scorers", "people")


def rating_results(
    study: Study,
    scales: Sequence[str] = (),
    *,
    by: str = "",
    level: float = 0.95,
    intervals: bool = True,
) -> list[RatingResults]:
    """Return the results of each scale on which people rated pictures, for each group of prompts.

    `by` divides the prompts, as in `rank_generators`.
    """
    ends = rating_scales(study)
    if not ends:
        raise UsageError(
            "nobody has rated pictures of this study",
            where=str(study.folder),
            fix=f"run: semiosis import ratings {study.folder} RATINGS.csv",
        )
    if unknown := [scale for scale in scales if scale not in ends]:
        raise UsageError(f"nobody used the scale {unknown[0]!r}", fix=f"use one of {', '.join(ends)}")
    groups = prompt_groups(study, by)
    compared = win_shares(study, lambda verdict: verdict.evaluator.kind != "person")
    results = []
    for scale in scales or ends:
        own = {**rating_values(study, scale, people=False), **score_values(study)}
        values = {**compared, **own}
        for group, prompts in groups.items():
            people = {
                name: _of_prompts(study, numbers, prompts)
                for name, numbers in rating_values(study, scale).items()
            }
            options = _Options(study, level, intervals)
            names = tuple(name for name in values if name in compared and name not in own)
            results.append(_scale_results(options, scale, ends[scale], group, people, values, names))
    return [result for result in results if result.n]


@dataclass(frozen=True)
class _Options:
    study: Study
    level: float
    intervals: bool

    def correlations(
        self, name: str, values: Mapping[str, float], ratings: Mapping[str, float]
    ) -> PictureCorrelations:
        """Return the correlations of values with ratings, over the pictures that are rated."""
        return picture_correlations(
            [values.get(sign, math.nan) for sign in ratings],
            list(ratings.values()),
            [self.study.signs[sign].prompt or sign for sign in ratings],
            name=name,
            level=self.level,
            intervals=self.intervals,
        )


def _of_prompts(study: Study, values: PictureValues, prompts: frozenset[str]) -> PictureValues:
    return {sign: value for sign, value in values.items() if study.signs[sign].prompt in prompts}


def _scale_results(
    options: _Options,
    scale: str,
    ends: tuple[float, float],
    group: str,
    people: Mapping[str, PictureValues],
    values: Mapping[str, PictureValues],
    compared: tuple[str, ...],
) -> RatingResults:
    means = mean_values(people.values())
    table = [[numbers.get(sign) for numbers in people.values()] for sign in means]
    scorers = [options.correlations(name, numbers, means) for name, numbers in values.items()]
    return RatingResults(
        scale,
        *ends,
        group,
        tuple(people),
        len(means),
        len({options.study.signs[sign].prompt for sign in means}),
        krippendorff_alpha(table, "interval"),
        icc21([[math.nan if cell is None else cell for cell in row] for row in table]),
        tuple(sorted(scorers, key=lambda row: -float(row.spearman) if row.spearman.scored else math.inf)),
        tuple(_person(options, name, people) for name in people) if len(people) > 1 else (),
        compared,
    )


def _person(options: _Options, name: str, people: Mapping[str, PictureValues]) -> PictureCorrelations:
    """Return the correlations of one person with the mean of the others, on the pictures of that person."""
    others = mean_values(values for other, values in people.items() if other != name)
    ratings = {sign: others[sign] for sign in people[name] if sign in others}
    return options.correlations(name, people[name], ratings)
