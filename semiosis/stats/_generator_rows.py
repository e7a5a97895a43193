"""SRCC and CCC of one judge in a table, averaged over its repeats."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from semiosis.stats._arrays import coded
from semiosis.stats._concordance import Pairs
from semiosis.stats._estimate import BoolArray, Estimate, Interval, undefined
from semiosis.stats._judged_pairs import numbered_pairs
from semiosis.stats._repeats import counts_of
from semiosis.stats._resample import Resampling
from semiosis.stats._resampled_ratings import (
    GeneratorDraws,
    RatingRule,
    generator_draws,
    generator_interval,
)
from semiosis.stats._votes import Votes
from semiosis.values import Unscored


def generator_estimates(
    votes: Votes,
    used: tuple[BoolArray, Sequence[Pairs]],
    every: tuple[BoolArray, Sequence[Pairs]],
    rating: RatingRule,
    how: Resampling,
) -> tuple[Estimate, Estimate]:
    """SRCC and CCC, averaged over repeats; the resamples of all repeats draw the same prompts.

    `used` and `every` are the comparisons, as a mask over the votes', and the judge's pairs on them.
    """
    known = np.array([bool(a and b) for a, b in zip(votes.a, votes.b, strict=True)], dtype=np.bool_)
    index, names = coded([*votes.a, *votes.b])
    kept = known[used[0]]
    a, b = (side[used[0]][kept] for side in (index[: len(known)], index[len(known) :]))
    if rating.method == "elo":  # a resample in one order is not comparable with a mean over orders
        how = replace(how, resamples=0)
    pairs = [
        numbered_pairs((a, b, p.prompt[kept]), tuple(names), p.truth[kept], p.said[kept]) for p in used[1]
    ]
    found = [generator_draws(part, rating, how) for part in pairs]
    davidson: list[GeneratorDraws] = []
    if rating.method == "bradley-terry" and any((part.said * part.truth == 0).any() for part in pairs):
        modelled, once = replace(rating, method="davidson"), replace(how, resamples=0)
        davidson = [generator_draws(part, modelled, once) for part in pairs]
    counts = counts_of([_some(p, kept) for p in used[1]], [_some(p, known[every[0]]) for p in every[1]])
    return tuple(  # type: ignore[return-value]  # two names, two estimates
        Estimate(
            name=name,
            value=_value(found, place) if known.any() else undefined("the generators are unknown"),
            **counts,
            interval=_interval(found, place, how),
            unit="prompt",
            method=f"{name} of {rating.method} ratings",
            parameters={"rating": rating.method, "prior": rating.used_prior},
            seed=how.seed,
            beside=_beside(found, place) | ({"davidson": _value(davidson, place)} if davidson else {}),
        )
        for place, name in enumerate(("SRCC", "CCC"))
    )


def _value(found: Sequence[GeneratorDraws], place: int) -> float | Unscored:
    values = [repeat.values[place] for repeat in found]
    missing = next((value for value in values if isinstance(value, Unscored)), None)
    return (
        float(np.mean([float(v) for v in values if not isinstance(v, Unscored)]))
        if missing is None
        else missing
    )


def _interval(found: Sequence[GeneratorDraws], place: int, how: Resampling) -> Interval | Unscored | None:
    draws = [repeat.draws[place] for repeat in found if repeat.draws is not None]
    if len(draws) < len(found):
        return None
    return generator_interval(place, np.mean(draws, axis=0), how, found[0].units)


def _beside(found: Sequence[GeneratorDraws], place: int) -> dict[str, float | Unscored]:
    values = [value for repeat in found if not isinstance(value := repeat.values[place], Unscored)]
    beside: dict[str, float | Unscored] = {"repeats": len(found)}
    if len(values) > 1:
        beside["spread_over_repeats"] = float(np.std(values, ddof=1))
    each = [repeat.orders[place] for repeat in found if repeat.orders is not None]
    orders = np.concatenate(each) if each else np.empty(0)
    orders = orders[np.isfinite(orders)]
    if len(orders) > 1:
        beside |= {"mean_over_orders": float(orders.mean()), "spread_over_orders": float(orders.std(ddof=1))}
    return beside


def _some(pairs: Pairs, kept: BoolArray) -> Pairs:
    return Pairs(pairs.truth[kept], pairs.said[kept], pairs.prompt[kept], pairs.prompts)
