"""Intervals over two crossed units: prompts and generators, or prompts and annotators (Owen 2007).

Conclusions about new prompts *and* new generators, or about other annotators, need both to vary. In the
pigeonhole bootstrap each kind of unit is drawn separately, and the weight of a comparison is the product of
the numbers of times its units were drawn. The interval is the value ± Student's t times the standard
deviation of the resamples, with one degree of freedom fewer than the smaller number of units.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from semiosis.stats._arrays import encode_labels, safe_divide
from semiosis.stats._concordance import PAIR_KINDS, Pairs, prompt_half_credit, prompt_tau
from semiosis.stats._estimate import (
    MIN_UNITS,
    BoolArray,
    FloatArray,
    IntArray,
    Interval,
    ResamplingUnit,
    undefined,
)
from semiosis.stats._judges import RANGES, AgreementName
from semiosis.stats._resample import Resampling, t_interval
from semiosis.stats._votes import Votes, outcomes_of
from semiosis.values import Unscored, UsageError

MAX_RESAMPLES = 1_000
"""The maximum number of resamples. A standard deviation needs fewer than a percentile interval."""


@dataclass(frozen=True, eq=False)
class CrossedUnits:
    """The second unit of each comparison: its two generators, or the annotators' votes on it."""

    name: ResamplingUnit
    generators: tuple[IntArray, IntArray] | None
    """The numbers of a's and b's generator, for `prompt and generator`."""
    votes: FloatArray | None
    """Winners (annotators and their repeats × comparisons), for `prompt and annotator`."""
    annotator: IntArray | None
    """The number of the annotator in each row of `votes`."""
    count: int
    """The number of generators or annotators."""


def crossed_units(unit: ResamplingUnit, votes: Votes, annotators: Sequence[str]) -> CrossedUnits | None:
    """Return the second unit that `unit` names, or None for `prompt`."""
    if unit == "prompt":
        return None
    if unit == "prompt and generator":
        index, names = encode_labels([*votes.a, *votes.b])
        if "" in names:
            raise UsageError("a generator is unknown", fix="give signs that name their generator")
        return CrossedUnits(unit, (index[: len(votes.a)], index[len(votes.a) :]), None, None, len(names))
    if unit == "prompt and annotator":
        each = [outcomes_of(votes, name).winner for name in annotators]
        owner = np.repeat(np.arange(len(each)), [len(rows) for rows in each])
        return CrossedUnits(unit, None, np.concatenate(each), owner, len(each))
    raise UsageError(
        f"unknown unit {unit!r}", fix="use 'prompt', 'prompt and generator' or 'prompt and annotator'"
    )


def crossed_interval(
    name: AgreementName,
    value: float,
    pairs: Sequence[Pairs],
    used: BoolArray,
    units: CrossedUnits,
    resampling: Resampling,
) -> Interval | Unscored:
    """Return the interval of one statistic of a judge, averaged over its repeats."""
    prompts = np.unique(pairs[0].prompt[~np.isnan(pairs[0].truth)])
    fewest = min(len(prompts), units.count)
    if fewest < MIN_UNITS:
        noun = units.name.split()[-1]
        return undefined(f"{len(prompts)} prompts and {units.count} {noun}s; both need at least {MIN_UNITS}")
    drawn = _draws(name, pairs, used, units, resampling)
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < 2:
        return undefined("undefined in nearly every resample")
    return t_interval(value, float(drawn.std(ddof=1)), fewest, resampling, RANGES[name])


def _draws(
    name: AgreementName, pairs: Sequence[Pairs], used: BoolArray, units: CrossedUnits, resampling: Resampling
) -> FloatArray:
    rng = np.random.default_rng(resampling.seed)
    count = pairs[0].prompts
    present = np.bincount(pairs[0].prompt, minlength=count) > 0
    share = present / present.sum()
    drawn = np.empty(min(resampling.resamples, MAX_RESAMPLES))
    for position in range(len(drawn)):
        prompts = rng.multinomial(int(present.sum()), share).astype(np.float64)
        others = rng.multinomial(units.count, np.full(units.count, 1 / units.count)).astype(np.float64)
        each = [_statistic(name, part, used, units, prompts, others) for part in pairs]
        drawn[position] = float(np.mean(each))
    return drawn


def _statistic(
    name: AgreementName,
    pairs: Pairs,
    used: BoolArray,
    units: CrossedUnits,
    prompts: FloatArray,
    others: FloatArray,
) -> float:
    """Return the statistic if prompts, and generators or annotators, count this many times."""
    weight = np.ones(len(pairs.prompt))
    if units.generators is not None:
        weight = others[units.generators[0][used]] * others[units.generators[1][used]]
    if units.votes is not None:
        majority = _majority(units.votes[:, used], others[units.annotator])
        truth = np.where(np.isnan(pairs.truth), np.nan, majority)
        pairs = Pairs(truth, pairs.outcome, pairs.prompt, pairs.prompts, pairs.flip)
    kind = pairs.kind
    cells = pairs.prompt[kind >= 0] * PAIR_KINDS + kind[kind >= 0]
    sums = np.bincount(cells, weights=weight[kind >= 0], minlength=pairs.prompts * PAIR_KINDS)
    table: FloatArray = sums.reshape(-1, PAIR_KINDS).astype(np.float64)
    if name == "agreement":
        right = table[:, 0] + table[:, 4]
        return float(safe_divide(np.asarray(prompts @ right), np.asarray(prompts @ table.sum(axis=1))))
    values = prompt_half_credit(table) if name == "half credit" else prompt_tau(table)
    kept = ~np.isnan(values)
    return float(safe_divide(np.asarray(prompts[kept] @ values[kept]), np.asarray(prompts[kept].sum())))


def _majority(votes: FloatArray, times: FloatArray) -> FloatArray:
    """Return the winner with the most votes if annotators count this many times; a tie if two are equal."""
    counts = np.stack([times @ (votes == code) for code in (1, -1, 0)])
    most = counts.max(axis=0)
    winner = np.array([1.0, -1.0, 0.0])[counts.argmax(axis=0)]
    winner = np.where((counts == most).sum(axis=0) > 1, 0.0, winner)
    return np.where(most > 0, winner, np.nan)
