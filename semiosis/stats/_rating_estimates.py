"""Bradley–Terry ratings of generators with intervals over prompts."""

from collections.abc import Hashable, Sequence

import numpy as np

from semiosis.stats._arrays import Labels, group_codes
from semiosis.stats._estimate import MIN_UNITS, Estimate, FloatArray
from semiosis.stats._games import GameRows, win_counts
from semiosis.stats._ratings import bradley_terry
from semiosis.stats._resample import Resampling, jackknife_error, t_interval, too_few_units
from semiosis.values import Unscored


def rating_estimates(
    games: GameRows, prompts: Labels, *, prior: float = 0.0, level: float = 0.95
) -> dict[Hashable, Estimate]:
    """Return the Bradley–Terry rating of each generator, with its interval over prompts.

    Intervals are Student's t with the jackknife standard error over prompts. To leave a prompt out, its wins
    are subtracted from the total, so the time is linear in the number of prompts.

    >>> rated = rating_estimates([("x", "y", "a"), ("x", "y", "b")], ["p1", "p2"])
    >>> float(rated["x"]), rated["x"].n
    (1000.0, 2)
    """
    rows = list(games)
    whole = bradley_terry(rows, prior=prior)
    names = whole.names
    index, units = group_codes(prompts, len(rows))
    by_prompt: list[list[Sequence[object]]] = [[] for _ in range(units)]
    for row, unit in zip(rows, index, strict=True):
        by_prompt[unit].append(row)
    left_out = _left_out(names, [win_counts(part) for part in by_prompt], prior)
    resampling = Resampling(level=level)
    rated = {}
    for place, name in enumerate(names):
        value = whole.scores if isinstance(whole.scores, Unscored) else whole.scores[place]
        observed = np.nan if isinstance(value, Unscored) else value
        rated[name] = Estimate(
            name=str(name),
            value=value,
            n=sum(name in tuple(row)[:2] for row in rows),
            interval=too_few_units(units)
            if units < MIN_UNITS
            else t_interval(observed, jackknife_error(left_out[:, place]), units, resampling),
            unit="prompt",
            method=whole.method,
            parameters={"prior": prior, "level": level},
        )
    return rated


def _left_out(
    names: Sequence[Hashable], parts: Sequence[tuple[tuple[Hashable, ...], FloatArray]], prior: float
) -> FloatArray:
    """Return the ratings without each part of the games (parts × generators), NaN where there are none."""
    places = {name: place for place, name in enumerate(names)}
    chosen = [np.ix_(*[[places[name] for name in part]] * 2) for part, _ in parts]
    total = np.zeros((len(names), len(names)))
    for cells, (_, wins) in zip(chosen, parts, strict=True):
        total[cells] += wins
    left_out = np.full((len(parts), len(names)), np.nan)
    for row, cells, (_, wins) in zip(left_out, chosen, parts, strict=True):
        rest = total.copy()
        rest[cells] -= wins
        present = np.flatnonzero(rest.sum(axis=0) + rest.sum(axis=1))
        found = bradley_terry(rest[np.ix_(present, present)], prior=prior)
        if not isinstance(found.scores, Unscored):
            row[present] = found.scores
    return left_out
