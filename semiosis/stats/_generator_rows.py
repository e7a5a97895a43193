"""SRCC and CCC of one judge in a table, averaged over its repeats."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from semiosis.stats._arrays import encode_labels
from semiosis.stats._concordance import Pairs
from semiosis.stats._estimate import BoolArray, Estimate, Interval, undefined
from semiosis.stats._judged_pairs import numbered_pairs
from semiosis.stats._repeats import sample_sizes
from semiosis.stats._resample import Resampling
from semiosis.stats._resampled_ratings import (
    GeneratorCorrelations,
    RatingRule,
    correlate_generators,
    correlation_interval,
)
from semiosis.stats._votes import Votes
from semiosis.values import Unscored


def generator_estimates(
    votes: Votes,
    used: tuple[BoolArray, Sequence[Pairs]],
    every: tuple[BoolArray, Sequence[Pairs]],
    rating: RatingRule,
    resampling: Resampling,
) -> tuple[Estimate, Estimate]:
    """Return SRCC and CCC, averaged over repeats. The resamples of all repeats draw the same prompts.

    `used` and `every` each contain a mask of comparisons and the judge's pairs on them.
    """
    known = np.array([bool(a and b) for a, b in zip(votes.a, votes.b, strict=True)], dtype=np.bool_)
    index, names = encode_labels([*votes.a, *votes.b])
    kept = known[used[0]]
    a, b = (side[used[0]][kept] for side in (index[: len(known)], index[len(known) :]))
    if rating.method == "elo":  # a resample in one order is not comparable with a mean over orders
        resampling = replace(resampling, resamples=0)
    pairs = [
        numbered_pairs((a, b, p.prompt[kept]), tuple(names), p.truth[kept], p.outcome[kept]) for p in used[1]
    ]
    found = [correlate_generators(part, rating, resampling) for part in pairs]
    davidson: list[GeneratorCorrelations] = []
    if rating.method == "bradley-terry" and any((part.outcome * part.truth == 0).any() for part in pairs):
        modelled, once = replace(rating, method="davidson"), replace(resampling, resamples=0)
        davidson = [correlate_generators(part, modelled, once) for part in pairs]
    counts = sample_sizes(
        [_select(p, kept) for p in used[1]], [_select(p, known[every[0]]) for p in every[1]]
    )
    return tuple(  # type: ignore[return-value]  # two names, two estimates
        Estimate(
            name=name,
            value=_value(found, column) if known.any() else undefined("the generators are unknown"),
            **counts,
            interval=_interval(found, column, resampling),
            unit="prompt",
            method=f"{name} of {rating.method} ratings",
            parameters={"rating": rating.method, "prior": rating.used_prior},
            seed=resampling.seed,
            related=_related_numbers(found, column)
            | ({"davidson": _value(davidson, column)} if davidson else {}),
        )
        for column, name in enumerate(("SRCC", "CCC"))
    )


def _value(found: Sequence[GeneratorCorrelations], column: int) -> float | Unscored:
    values = [repeat.values[column] for repeat in found]
    missing = next((value for value in values if isinstance(value, Unscored)), None)
    return (
        float(np.mean([float(v) for v in values if not isinstance(v, Unscored)]))
        if missing is None
        else missing
    )


def _interval(
    found: Sequence[GeneratorCorrelations], column: int, resampling: Resampling
) -> Interval | Unscored | None:
    draws = [repeat.draws[column] for repeat in found if repeat.draws is not None]
    if len(draws) < len(found):
        return None
    return correlation_interval(column, np.mean(draws, axis=0), resampling, found[0].units)


def _related_numbers(found: Sequence[GeneratorCorrelations], column: int) -> dict[str, float | Unscored]:
    values = [value for repeat in found if not isinstance(value := repeat.values[column], Unscored)]
    related: dict[str, float | Unscored] = {"repeats": len(found)}
    if len(values) > 1:
        related["spread_over_repeats"] = float(np.std(values, ddof=1))
    each = [repeat.orders[column] for repeat in found if repeat.orders is not None]
    orders = np.concatenate(each) if each else np.empty(0)
    orders = orders[np.isfinite(orders)]
    if len(orders) > 1:
        related |= {"mean_over_orders": float(orders.mean()), "spread_over_orders": float(orders.std(ddof=1))}
    return related


def _select(pairs: Pairs, kept: BoolArray) -> Pairs:
    return Pairs(pairs.truth[kept], pairs.outcome[kept], pairs.prompt[kept], pairs.prompts)
