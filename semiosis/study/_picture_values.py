"""What people, scorers and judges say about single pictures, as one number for each picture."""

from collections.abc import Callable, Iterable, Mapping
from statistics import fmean

from semiosis.study._study import Study
from semiosis.values import (
    Evaluator,
    ImageSign,
    Rating,
    Score,
    Unscored,
    UsageError,
    Verdict,
    evaluator_labels,
    outcomes,
)

PictureValues = dict[str, float]
"""One number for each picture, by the id of its sign."""


def rating_values(study: Study, scale: str, *, people: bool = True) -> dict[str, PictureValues]:
    """Return the ratings of pictures on a scale, by the label of the person (or of the model or program).

    The ratings of several repeats are averaged.
    """
    ratings = [
        value
        for value in study.observations.values()
        if isinstance(value, Rating)
        and (value.scale, value.about_kind) == (scale, "sign")
        and (value.evaluator.kind == "person") == people
        and isinstance(study.signs.get(value.about), ImageSign)
    ]
    return _by_evaluator((rating.evaluator, rating.about, rating.value) for rating in ratings)


def score_values(study: Study) -> dict[str, PictureValues]:
    """Return the scores of pictures by the label of the scorer."""
    scores = [value for value in study.observations.values() if isinstance(value, Score)]
    return _by_evaluator((score.evaluator, score.artifact, score.value) for score in scores)


def win_shares(study: Study, use: Callable[[Verdict], bool]) -> dict[str, PictureValues]:
    """Return the share of a picture's comparisons that it won, a tie counting a half, by judge.

    Comparisons without an outcome are left out.
    """
    credit_lists: dict[str, dict[str, list[float]]] = {}
    for outcome in outcomes(verdict for verdict in study.verdicts if use(verdict)):
        winner = outcome.winner_or_tie
        comparison = study.comparisons.get(outcome.comparison)
        if comparison is None or isinstance(winner, Unscored):
            continue
        won = {"a": 1.0, "b": 0.0}.get(winner, 0.5)
        shares = credit_lists.setdefault(study.judge_labels[outcome.evaluator.id], {})
        shares.setdefault(comparison.a, []).append(won)
        shares.setdefault(comparison.b, []).append(1 - won)
    return _means(credit_lists)


def mean_values(values: Iterable[Mapping[str, float]]) -> PictureValues:
    """Return the mean of what several people say about each picture that at least one of them saw."""
    by_picture: dict[str, list[float]] = {}
    for one_person in values:
        for sign, value in one_person.items():
            by_picture.setdefault(sign, []).append(value)
    return {sign: fmean(said) for sign, said in by_picture.items()}


def rating_scales(study: Study) -> dict[str, tuple[float, float]]:
    """Return the ends of each scale on which people rated pictures, by its name."""
    return {
        value.scale: (value.low, value.high)
        for value in study.observations.values()
        if isinstance(value, Rating)
        and value.evaluator.kind == "person"
        and value.about_kind == "sign"
        and isinstance(study.signs.get(value.about), ImageSign)
    }


def prompt_groups(study: Study, by: str) -> dict[str, frozenset[str]]:
    """Return the prompts of each group, by its name. Without `by`, all prompts are one group without a name.

    `by` is `tradition`, `tag` (each tag is a group), or `tag:NAME` for tags of the form `NAME:value`.
    """
    prompts = {sign.prompt for sign in study.signs.values() if sign.prompt}
    if not by:
        return {"": frozenset(prompts)}
    groups: dict[str, set[str]] = {}
    for prompt in prompts & study.signs.keys():
        for name in _groups_of(study, prompt, by):
            groups.setdefault(name, set()).add(prompt)
    if not groups:
        raise UsageError(
            f"no prompt of this study has a {by!r}", where=str(study.folder), fix=_known_groups(study)
        )
    return {name: frozenset(members) for name, members in sorted(groups.items())}


def _groups_of(study: Study, prompt: str, by: str) -> Iterable[str]:
    sign = study.signs[prompt]
    if by == "tradition":
        return filter(None, [sign.tradition])
    if by == "tag":
        return sign.tags
    prefix = f"{by.removeprefix('tag:')}:"
    return [tag.removeprefix(prefix) for tag in sign.tags if tag.startswith(prefix)]


def _known_groups(study: Study) -> str:
    tags = {tag for sign in study.signs.values() for tag in sign.tags}
    named = sorted({f"--by tag:{tag.partition(':')[0]}" for tag in tags if ":" in tag})
    options = [*named, *["--by tag"] * bool(tags)]
    options += ["--by tradition"] * any(sign.tradition for sign in study.signs.values())
    return f"use {' or '.join(options)}" if options else "add tags: semiosis study add STUDY prompts.csv"


def _by_evaluator(said: Iterable[tuple[Evaluator, str, float | Unscored]]) -> dict[str, PictureValues]:
    said = list(said)
    labels = evaluator_labels(evaluator for evaluator, _, _ in said)
    values: dict[str, dict[str, list[float]]] = {}
    for evaluator, sign, value in said:
        pictures = values.setdefault(labels[evaluator.id], {})
        if not isinstance(value, Unscored):
            pictures.setdefault(sign, []).append(value)
    return _means(values)


def _means(values: Mapping[str, Mapping[str, list[float]]]) -> dict[str, PictureValues]:
    return {who: {sign: fmean(said) for sign, said in pictures.items()} for who, pictures in values.items()}
