"""Ranks the generators of a study by the votes or ratings of people, by scores, or by a judge."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from semiosis.stats import Estimate, RankSet, rank_sets
from semiosis.stats.tools import Limits, Record, Resampling, Result, interval, mean_columns, ratio
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
class RankedGenerator(Result):
    """One generator of a ranking."""

    generator: str
    """The name of the generator."""
    value: Estimate
    """The mean over prompts of the measure, with its interval over prompts."""
    ranks: RankSet
    """The ranks that the data leave open."""
    pictures: int
    """The number of pictures with a value."""
    without: int
    """The number of pictures without a value."""
    missing: Mapping[str, int]
    """The number of pictures that the generator failed to make, by reason."""

    def record(self) -> Record:
        """Return the generator as one row of a DataFrame."""
        row = {"generator": self.generator, "rank": str(self.ranks), **self.value.record()}
        row.pop("name")
        return row | {"pictures": self.pictures, "missing": sum(self.missing.values())}


@dataclass(frozen=True)
class Ranking(Result):
    """The generators of a study in order, for all prompts or for one group of them."""

    measure: str
    """What ranks them: `votes`, `rating:SCALE`, `score:SCORER` or `judge:NAME`."""
    by: str
    """The division of the prompts; empty if there is none."""
    group: str
    """The group of prompts; empty for all."""
    rows: tuple[RankedGenerator, ...]
    """The generators, the best first."""
    prompts: int
    """The number of prompts."""
    evaluators: tuple[str, ...]
    """Who judged, rated or scored."""
    measures: tuple[str, ...]
    """Every measure by which the generators of this study can be ranked."""
    level: float
    """The level of the intervals, and of all rank sets together."""

    table_rows = ("rows",)


def rank_generators(study: Study, measure: str = "", *, by: str = "", level: float = 0.95) -> list[Ranking]:
    """Return the ranking of the generators, one for each group of prompts if `by` divides them.

    The measure is `votes` (the share of comparisons won, by people), `rating:SCALE` (by people),
    `score:SCORER` or `judge:NAME`; by default the first of these that the study has. `by` is `tradition`,
    `tag`, or `tag:NAME` for tags of the form `NAME:value`. A generator's value is the mean over prompts;
    several pictures or people for one prompt are averaged first.
    """
    measures = picture_measures(study)
    if not measures:
        raise UsageError(
            "nobody has voted on, rated or scored pictures of this study",
            where=str(study.folder),
            fix=f"run: semiosis import votes {study.folder} VOTES.csv",
        )
    measure = measure or next(iter(measures))
    if measure not in measures:
        raise UsageError(f"there is no measure {measure!r}", fix=f"use one of {', '.join(measures)}")
    groups = prompt_groups(study, by)
    rankings = [
        _ranking(study, measure, measures, by, group, prompts, level) for group, prompts in groups.items()
    ]
    rankings = [ranking for ranking in rankings if ranking.rows]
    if not rankings:
        raise UsageError(
            "no picture with a value names its generator",
            where=str(study.folder),
            fix="add the generators: semiosis study add STUDY TABLE with a column 'generator'",
        )
    return rankings


def picture_measures(study: Study) -> dict[str, dict[str, PictureValues]]:
    """Return every measure of pictures: their values by evaluator, by the name of the measure."""
    votes = win_shares(study, lambda verdict: verdict.evaluator.kind == "person")
    judges = win_shares(study, lambda verdict: verdict.evaluator.kind != "person")
    scores = score_values(study)
    measures = {"votes": votes} if votes else {}
    measures |= {f"rating:{scale}": rating_values(study, scale) for scale in rating_scales(study)}
    measures |= {f"score:{name}": {name: values} for name, values in scores.items()}
    return measures | {
        f"judge:{name}": {name: values} for name, values in judges.items() if name not in scores
    }


def _ranking(
    study: Study,
    measure: str,
    measures: Mapping[str, dict[str, PictureValues]],
    by: str,
    group: str,
    prompts: frozenset[str],
    level: float,
) -> Ranking:
    values = mean_values(measures[measure].values())
    by_prompt = _prompt_means(study, values, prompts)
    ranks = rank_sets(by_prompt, level=level)
    limits = _limits(study, measure)
    rows = [
        _row(study, name, values, by_prompt[name], prompts, ranks[name], level, limits) for name in by_prompt
    ]
    return Ranking(
        measure,
        by,
        group,
        tuple(sorted(rows, key=lambda row: -float(row.value))),
        len({prompt for means in by_prompt.values() for prompt in means}),
        tuple(measures[measure]),
        tuple(measures),
        level,
    )


def _limits(study: Study, measure: str) -> Limits | None:
    """Return the smallest and the largest possible value of a measure; None if a score has none."""
    kind, _, name = measure.partition(":")
    return rating_scales(study)[name] if kind == "rating" else None if kind == "score" else (0.0, 1.0)


def _prompt_means(
    study: Study, values: PictureValues, prompts: frozenset[str]
) -> dict[str, dict[str, float]]:
    """Return the mean value of each generator's pictures of each prompt."""
    pictures: dict[str, dict[str, list[float]]] = {}
    for sign_id, value in values.items():
        sign = study.signs[sign_id]
        if sign.generator and sign.prompt in prompts:
            pictures.setdefault(sign.generator, {}).setdefault(sign.prompt or "", []).append(value)
    return {
        generator: {prompt: fmean(said) for prompt, said in by_prompt.items()}
        for generator, by_prompt in pictures.items()
    }


def _row(
    study: Study,
    generator: str,
    values: PictureValues,
    by_prompt: Mapping[str, float],
    prompts: frozenset[str],
    ranks: RankSet,
    level: float,
    limits: Limits | None,
) -> RankedGenerator:
    made = [
        sign.id for sign in study.readable.values() if sign.generator == generator and sign.prompt in prompts
    ]
    means = np.array(list(by_prompt.values()))
    ends = interval(mean_columns(means), ratio, Resampling(level=level), limits)
    value = Estimate(
        name="mean over prompts",
        value=float(means.mean()),
        n=len(means),
        interval=ends,
        unit="prompt",
        method="mean over prompts of the mean of the prompt's pictures; Student's t over prompts",
        parameters={"level": level},
    )
    missing = Counter[str](
        sign.reason for sign in study.missing if sign.generator == generator and sign.prompt in prompts
    )
    rated = sum(sign in values for sign in made)
    return RankedGenerator(generator, value, ranks, rated, len(made) - rated, dict(missing))
