"""Agreement of two sets of winners: τ-b on judged pairs, the half-credit form, and their means over prompts.

Source: SemJudge, section 6.1 (instance concordance). On the judged pairs of one prompt, with C concordant, D
discordant, H tied only by the reference and E tied only by the evaluator, τ_b = (C−D)/√((C+D+H)(C+D+E)).
Winners are never coded ±1 and fed to a general τ-b: the result would depend on which artifact is called a.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from semiosis.stats._arrays import Labels, Winners, divided, groups, same_length, winner_codes
from semiosis.stats._estimate import (
    BoolArray,
    Estimate,
    FloatArray,
    IntArray,
    Interval,
    Unit,
    defined,
    undefined,
)
from semiosis.stats._resample import Resampling, from_draws, interval
from semiosis.values import Unscored, UsageError

PerPrompt = Callable[[FloatArray], FloatArray]
"""From tallies (prompts × kinds) to one value per prompt; NaN where it is undefined."""

METHODS = {"KRCC": "τ-b on judged pairs", "half credit": "(C−D)/n on judged pairs"}

KINDS = 5
"""Concordant, discordant, tied only by the reference, tied only by the evaluator, tied by both."""


@dataclass(frozen=True)
class Concordance:
    """How the judged pairs of one prompt, or of all, agree."""

    concordant: int
    discordant: int
    reference_ties: int
    """Tied only by the reference (H)."""
    evaluator_ties: int
    """Tied only by the evaluator (E)."""
    both_tied: int
    n: int
    """Judged pairs."""
    n_unscored: int
    """Pairs with a reference and no verdict."""


def concordance(reference: Winners, evaluator: Winners) -> Concordance:
    """Count concordant, discordant and tied pairs.

    >>> counts = concordance(["a", "a", "b", "tie"], ["a", "b", "tie", ""])
    >>> counts.concordant, counts.discordant, counts.evaluator_ties, counts.n, counts.n_unscored
    (1, 1, 1, 3, 1)
    """
    pairs = _pairs(reference, evaluator)
    c, d, h, e, both = (int(count) for count in pairs.table[0])
    return Concordance(c, d, h, e, both, n=pairs.n, n_unscored=pairs.n_unscored)


def tau_b(reference: Winners, evaluator: Winners) -> Estimate:
    """Kendall's τ-b over the judged pairs of one prompt (SemJudge, section 6.1).

    >>> round(float(tau_b(["a", "a", "b"], ["a", "b", "b"])), 6)
    0.333333
    """
    pairs = _pairs(reference, evaluator)
    reason = "no pair that both sides decide: the denominator is 0"
    return Estimate(
        name="τ-b",
        value=defined(float(prompt_tau(pairs.table)[0]), reason),
        n=pairs.n,
        n_unscored=pairs.n_unscored,
        bounds=prompt_bounds(pairs, prompt_tau),
        method="τ-b on judged pairs",
    )


def krcc(
    reference: Winners,
    evaluator: Winners,
    prompts: Labels,
    *,
    unit: Unit = "prompt",
    resamples: int = 10_000,
    level: float = 0.95,
    method: str = "percentile",
    seed: int = 0,
) -> Estimate:
    """KRCC: τ-b within each prompt over its judged pairs, then the mean over prompts (SemJudge, section 6.1).

    A prompt whose denominator is 0 is unscored and counted in `beside["prompts_unscored"]`. Beside the value:
    the half-credit form, the mean weighted by judged pairs, and judged pairs per prompt.

    >>> r = krcc(["a", "b", "a", "a"], ["a", "b", "b", "a"], ["p", "p", "q", "q"], resamples=0)
    >>> float(r), r.beside["prompts"]
    (0.5, 2)
    """
    how = Resampling(resamples=resamples, level=level, method=method, seed=seed)
    pairs = _pairs(reference, evaluator, prompts)
    half = mean_over_prompts(prompt_half_credit(pairs.table), "no judged pair")
    estimate = _prompt_mean("KRCC", pairs, prompt_tau, how, unit)
    return replace(estimate, beside={"half_credit": half, **estimate.beside})


def half_credit(
    reference: Winners,
    evaluator: Winners,
    prompts: Labels | None = None,
    *,
    unit: Unit = "prompt",
    resamples: int = 10_000,
    level: float = 0.95,
    method: str = "percentile",
    seed: int = 0,
) -> Estimate:
    """(C−D)/n over the judged pairs of each prompt, then the mean over prompts: a tie earns half.

    Without `prompts` all pairs are one prompt. `beside["pair_weighted"]` is (C−D)/n over all pairs at once.

    >>> float(half_credit(["a", "a", "b", "b"], ["a", "a", "b", "tie"], resamples=0))
    0.75
    """
    how = Resampling(resamples=resamples, level=level, method=method, seed=seed)
    return _prompt_mean("half credit", _pairs(reference, evaluator, prompts), prompt_half_credit, how, unit)


@dataclass(frozen=True)
class Pairs:
    """Winners of the reference and of one evaluator, pair by pair, and the number of each pair's prompt."""

    truth: FloatArray
    said: FloatArray
    prompt: IntArray
    prompts: int

    @property
    def table(self) -> FloatArray:
        """Pairs of each kind in each prompt, (prompts × kinds)."""
        kind = kinds(self.truth, self.said)
        cells = self.prompt[kind >= 0] * KINDS + kind[kind >= 0]
        counts = np.bincount(cells, minlength=self.prompts * KINDS)
        return counts.reshape(self.prompts, KINDS).astype(np.float64)

    @property
    def n(self) -> int:
        """Judged pairs: those with both winners."""
        return int((~np.isnan(self.truth) & ~np.isnan(self.said)).sum())

    @property
    def n_unscored(self) -> int:
        """Pairs with a reference and no verdict."""
        return int(self.holes.sum())

    @property
    def holes(self) -> BoolArray:
        """Where there is a reference and no verdict."""
        return ~np.isnan(self.truth) & np.isnan(self.said)

    def filled(self, right: bool) -> "Pairs":
        """The same pairs with every missing verdict right, or wrong."""
        wrong = np.where(self.truth == 0, 1.0, -self.truth)  # against a tie either winner is wrong, alike
        return replace(self, said=np.where(self.holes, self.truth if right else wrong, self.said))


def kinds(truth: FloatArray, said: FloatArray) -> IntArray:
    """Which kind each pair is, −1 when it was not judged."""
    unjudged = np.isnan(truth) | np.isnan(said)
    product = truth * said
    conditions = [unjudged, product > 0, product < 0, (truth == 0) & (said != 0), (said == 0) & (truth != 0)]
    return np.select(conditions, [-1, 0, 1, 2, 3], default=4).astype(np.intp)


def prompt_tau(table: FloatArray) -> FloatArray:
    """τ-b of each prompt from its tallies (…, kinds); NaN where the denominator is 0."""
    c, d, h, e = (table[..., kind] for kind in range(4))
    return divided(c - d, np.sqrt((c + d + h) * (c + d + e)))


def prompt_half_credit(table: FloatArray) -> FloatArray:
    """(C−D)/n of each prompt from its tallies (…, kinds); NaN where nothing was judged."""
    return divided(table[..., 0] - table[..., 1], table.sum(axis=-1))


def mean_over_prompts(values: FloatArray, reason: str, weights: FloatArray | None = None) -> float | Unscored:
    """Mean of the defined values, or unscored with this reason when there is none."""
    kept = ~np.isnan(values)
    if not kept.any():
        return undefined(reason)
    return float(np.average(values[kept], weights=None if weights is None else weights[kept]))


def prompt_bounds(pairs: Pairs, per_prompt: PerPrompt) -> tuple[float, float] | None:
    """The mean over prompts if every unscored pair were wrong, and if every one were right."""
    ends = [mean_over_prompts(per_prompt(pairs.filled(right).table), "") for right in (False, True)]
    low, high = ends
    return None if isinstance(low, Unscored) or isinstance(high, Unscored) else (low, high)


def mean_columns(values: FloatArray) -> FloatArray:
    """Columns whose sums give the mean of the defined values: the value, and 1 where it is defined."""
    kept = ~np.isnan(values)
    return np.stack([np.where(kept, values, 0.0), kept.astype(np.float64)], axis=1)


def ratio(sums: FloatArray) -> FloatArray:
    """First column over second; NaN where the second is 0."""
    return divided(sums[..., 0], sums[..., 1])


def _prompt_mean(name: str, pairs: Pairs, per_prompt: PerPrompt, how: Resampling, unit: Unit) -> Estimate:
    table = pairs.table
    values = per_prompt(table)
    reason = "no prompt has judged pairs that define it" if pairs.n else "no judged pair"
    sizes = table.sum(axis=1)
    return Estimate(
        name=name,
        value=mean_over_prompts(values, reason),
        n=pairs.n,
        n_unscored=pairs.n_unscored,
        interval=_interval(pairs, values, per_prompt, how, unit) if how.resamples else None,
        unit=unit,
        bounds=prompt_bounds(pairs, per_prompt),
        method=f"mean over prompts of {METHODS[name]}",
        parameters={"resamples": how.resamples, "level": how.level},
        seed=how.seed if how.resamples else None,
        beside={
            "pair_weighted": mean_over_prompts(values, reason, sizes),
            "prompts": int((~np.isnan(values)).sum()),
            "prompts_unscored": int(np.isnan(values).sum()),
            "pairs_per_prompt_min": float(sizes.min()) if len(sizes) else 0,
            "pairs_per_prompt_median": float(np.median(sizes)) if len(sizes) else 0,
        },
    )


def _interval(
    pairs: Pairs, values: FloatArray, per_prompt: PerPrompt, how: Resampling, unit: Unit
) -> Interval | Unscored:
    if unit == "prompt":
        return interval(mean_columns(values), ratio, how)
    if how.method == "bca":
        raise UsageError("BCa intervals move whole prompts", fix="use unit='prompt' or method='percentile'")
    return from_draws(_pair_draws(pairs, per_prompt, how), how)


def _pair_draws(pairs: Pairs, per_prompt: PerPrompt, how: Resampling) -> FloatArray:
    """The mean over prompts in resamples of single pairs, as if a prompt's pairs were independent."""
    kind = kinds(pairs.truth, pairs.said)
    cells = pairs.prompt[kind >= 0] * KINDS + kind[kind >= 0]
    width = pairs.prompts * KINDS
    rng = np.random.default_rng(how.seed)
    drawn = np.empty(how.resamples)
    for row in range(how.resamples):
        sample = cells[rng.integers(0, len(cells), len(cells))] if len(cells) else cells
        values = per_prompt(np.bincount(sample, minlength=width).reshape(-1, KINDS).astype(np.float64))
        kept = values[~np.isnan(values)]
        drawn[row] = kept.mean() if len(kept) else np.nan
    return drawn


def _pairs(reference: Winners, evaluator: Winners, prompts: Labels | None = None) -> Pairs:
    truth, said = same_length(reference=winner_codes(reference), evaluator=winner_codes(evaluator))
    if prompts is None:
        return Pairs(truth, said, np.zeros(len(truth), dtype=np.intp), 1)
    return Pairs(truth, said, *groups(prompts, len(truth)))
