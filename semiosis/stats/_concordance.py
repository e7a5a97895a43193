"""Agreement of two sets of winners by half credit and τ-b within prompts, averaged over prompts.

Source: SemJudge, section 6.1 (instance concordance). On the judged pairs of one prompt, with C concordant, D
discordant, H tied only by the reference and E tied only by the evaluator, τ_b = (C−D)/√((C+D+H)(C+D+E)).
Winners are never coded ±1 and passed to a general τ-b: the result would depend on which artifact is called a.

A flip (opposite answers in the two orders) counts as both of its answers: half a concordant and half a
discordant pair if the reference decides, and a pair tied only by the reference if it ties. A flip earns
nothing, and unlike a tie it does not raise τ-b, so a judge gains nothing by naming the first artifact when
unsure.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from semiosis.stats._arrays import (
    Labels,
    Winners,
    flip_mask,
    group_codes,
    safe_divide,
    same_length,
    winner_codes,
)
from semiosis.stats._estimate import (
    BoolArray,
    Estimate,
    FloatArray,
    IntArray,
    Interval,
    ResamplingUnit,
    defined,
    undefined,
)
from semiosis.stats._frames import Result
from semiosis.stats._resample import Resampling, bootstrap_interval, interval
from semiosis.values import Unscored, UsageError

PerPrompt = Callable[[FloatArray], FloatArray]
"""A function from tallies (prompts × kinds) to one value per prompt, NaN where it is undefined."""

METHODS = {"KRCC": "τ-b on judged pairs", "half credit": "(C−D)/n on judged pairs"}

RIGHT, WRONG, REFERENCE_TIE, EVALUATOR_TIE, BOTH_TIE, FLIP, FLIP_AT_TIE = range(7)
"""The kinds of judged comparisons, which number the columns of a table: concordant; discordant; tied only by
the reference, only by the evaluator, by both; a flip if the reference decides, a flip if it ties."""
PAIR_KINDS = 7

LIMITS = (-1.0, 1.0)
"""The range of half credit and of τ-b."""


@dataclass(frozen=True)
class Concordance(Result):
    """Counts of concordant, discordant and tied pairs."""

    concordant: int
    discordant: int
    reference_ties: int
    """Tied only by the reference (H)."""
    evaluator_ties: int
    """Tied only by the evaluator (E)."""
    both_tied: int
    flips: int
    """Opposite answers of the evaluator in the two orders. The counts above do not include them."""
    n: int
    """The number of judged pairs."""
    n_unscored: int
    """The number of pairs with a reference but no verdict."""


def concordance(reference: Winners, evaluator: Winners) -> Concordance:
    """Count concordant, discordant and tied pairs.

    >>> counts = concordance(["a", "a", "b", "tie"], ["a", "b", "tie", ""])
    >>> counts.concordant, counts.discordant, counts.evaluator_ties, counts.n, counts.n_unscored
    (1, 1, 1, 3, 1)
    """
    pairs = _pairs(reference, evaluator)
    c, d, h, e, both, decided, tied = (int(count) for count in pairs.table[0])
    return Concordance(c, d, h, e, both, decided + tied, n=pairs.n, n_unscored=pairs.n_unscored)


def tau_b(reference: Winners, evaluator: Winners) -> Estimate:
    """Return Kendall's τ-b over the judged pairs of one prompt (SemJudge, section 6.1).

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
    unit: ResamplingUnit = "prompt",
    resamples: int = 10_000,
    level: float = 0.95,
    method: str = "t",
    seed: int = 0,
) -> Estimate:
    """Return KRCC, the mean over prompts of τ-b over the judged pairs of each (SemJudge, section 6.1).

    A prompt whose denominator is 0, such as one on which the evaluator ties everything, has no τ-b and is
    counted in `related["prompts_unscored"]`. Quote KRCC with both numbers, and prefer `half_credit`, which
    keeps every prompt. `related` also has half credit, the mean weighted by judged pairs, and judged pairs
    per prompt.

    >>> r = krcc(["a", "b", "a", "a"], ["a", "b", "b", "a"], ["p", "p", "q", "q"], resamples=0)
    >>> float(r), r.related["prompts"]
    (0.5, 2)
    """
    resampling = Resampling(resamples=resamples, level=level, method=method, seed=seed)
    pairs = _pairs(reference, evaluator, prompts)
    half = mean_over_prompts(prompt_half_credit(pairs.table), "no judged pair")
    estimate = _prompt_mean("KRCC", pairs, prompt_tau, resampling, unit)
    return replace(estimate, related={"half_credit": half, **estimate.related})


def half_credit(
    reference: Winners,
    evaluator: Winners,
    prompts: Labels | None = None,
    *,
    unit: ResamplingUnit = "prompt",
    resamples: int = 10_000,
    level: float = 0.95,
    method: str = "t",
    seed: int = 0,
) -> Estimate:
    """Return half credit, the mean over prompts of (C−D)/n over the judged pairs of each prompt.

    A tie counts halfway between a right and a wrong answer, so a prompt with only ties counts 0.
    Without `prompts`, all pairs count as one prompt. `related["pair_weighted"]` is (C−D)/n over all pairs at
    once. Leaving hard comparisons unscored raises half credit; `score` counts them 0.

    >>> float(half_credit(["a", "a", "b", "b"], ["a", "a", "b", "tie"], resamples=0))
    0.75
    """
    resampling = Resampling(resamples=resamples, level=level, method=method, seed=seed)
    pairs = _pairs(reference, evaluator, prompts)
    return _prompt_mean("half credit", pairs, prompt_half_credit, resampling, unit)


@dataclass(frozen=True)
class JudgedComparisons:
    """The winners of the reference and of one evaluator for each pair, and the number of its prompt."""

    truth: FloatArray
    outcome: FloatArray
    prompt: IntArray
    prompts: int
    flip: BoolArray | None = None
    """Whether the evaluator gave opposite answers in the two orders."""

    @property
    def table(self) -> FloatArray:
        """JudgedComparisons of each kind in each prompt, (prompts × kinds)."""
        kind = self.kind
        cells = self.prompt[kind >= 0] * PAIR_KINDS + kind[kind >= 0]
        counts = np.bincount(cells, minlength=self.prompts * PAIR_KINDS)
        return counts.reshape(self.prompts, PAIR_KINDS).astype(np.float64)

    @property
    def kind(self) -> IntArray:
        """The kind of each pair, −1 for pairs that were not judged."""
        kind = pair_kinds(self.truth, self.outcome)
        if self.flip is None:
            return kind
        return np.where(self.flip & (kind >= 0), np.where(self.truth == 0, FLIP_AT_TIE, FLIP), kind)

    @property
    def n(self) -> int:
        """Judged pairs: those with both winners."""
        return int((~np.isnan(self.truth) & ~np.isnan(self.outcome)).sum())

    @property
    def n_unscored(self) -> int:
        """JudgedComparisons with a reference and no verdict."""
        return int(self.unscored_mask.sum())

    @property
    def unscored_mask(self) -> BoolArray:
        """The pairs with a reference and no verdict."""
        return ~np.isnan(self.truth) & np.isnan(self.outcome)

    def filled(self, right: bool) -> "JudgedComparisons":
        """Return the same pairs with every missing verdict replaced by a right, or by a wrong, one."""
        wrong = np.where(self.truth == 0, 1.0, -self.truth)  # against a tie, both winners are equally wrong
        return replace(
            self, outcome=np.where(self.unscored_mask, self.truth if right else wrong, self.outcome)
        )


def pair_kinds(truth: FloatArray, outcome: FloatArray) -> IntArray:
    """Return the kind of each pair without flips, −1 where it was not judged."""
    unjudged = np.isnan(truth) | np.isnan(outcome)
    product = truth * outcome
    conditions = [
        unjudged,
        product > 0,
        product < 0,
        (truth == 0) & (outcome != 0),
        (outcome == 0) & (truth != 0),
    ]
    return np.select(conditions, [-1, RIGHT, WRONG, REFERENCE_TIE, EVALUATOR_TIE], default=BOTH_TIE).astype(
        np.intp
    )


def prompt_tau(table: FloatArray) -> FloatArray:
    """Return τ-b of each prompt from its tallies (…, kinds); NaN where the denominator is 0."""
    c, d, h, e, _, flip, flip_at_tie = (table[..., kind] for kind in range(PAIR_KINDS))
    decided = c + d + flip  # a flip is half concordant and half discordant
    return safe_divide(c - d, np.sqrt((decided + h + flip_at_tie) * (decided + e)))


def prompt_half_credit(table: FloatArray) -> FloatArray:
    """Return (C−D)/n of each prompt from its tallies (…, kinds); NaN if no pair was judged."""
    return safe_divide(table[..., RIGHT] - table[..., WRONG], table.sum(axis=-1))


def mean_over_prompts(values: FloatArray, reason: str, weights: FloatArray | None = None) -> float | Unscored:
    """Return the mean of the defined values, or unscored with this reason if there is none."""
    kept = ~np.isnan(values)
    if not kept.any():
        return undefined(reason)
    return float(np.average(values[kept], weights=None if weights is None else weights[kept]))


def prompt_bounds(pairs: JudgedComparisons, per_prompt: PerPrompt) -> tuple[float, float] | None:
    """Return the mean over prompts if all unscored pairs were wrong, and if all were right."""
    ends = [mean_over_prompts(per_prompt(pairs.filled(right).table), "") for right in (False, True)]
    low, high = ends
    return None if isinstance(low, Unscored) or isinstance(high, Unscored) else (low, high)


def mean_columns(values: FloatArray) -> FloatArray:
    """Return two columns, each value and 1, whose sums give the mean; zeros for undefined values."""
    kept = ~np.isnan(values)
    return np.stack([np.where(kept, values, 0.0), kept.astype(np.float64)], axis=1)


def ratio(sums: FloatArray) -> FloatArray:
    """Return the first column over the second; NaN where the second is 0."""
    return safe_divide(sums[..., 0], sums[..., 1])


def _prompt_mean(
    name: str, pairs: JudgedComparisons, per_prompt: PerPrompt, resampling: Resampling, unit: ResamplingUnit
) -> Estimate:
    table = pairs.table
    values = per_prompt(table)
    reason = "no prompt has judged pairs that define it" if pairs.n else "no judged pair"
    sizes = table.sum(axis=1)
    return Estimate(
        name=name,
        value=mean_over_prompts(values, reason),
        n=pairs.n,
        n_unscored=pairs.n_unscored,
        interval=_interval(pairs, values, per_prompt, resampling, unit) if resampling.resamples else None,
        unit=unit,
        bounds=prompt_bounds(pairs, per_prompt),
        method=f"mean over prompts of {METHODS[name]}",
        parameters={"resamples": resampling.resamples, "level": resampling.level},
        seed=resampling.seed if resampling.resamples else None,
        related={
            "pair_weighted": mean_over_prompts(values, reason, sizes),
            "prompts": int((~np.isnan(values)).sum()),
            "prompts_unscored": int(np.isnan(values).sum()),
            "pairs_per_prompt_min": float(sizes.min()) if len(sizes) else 0,
            "pairs_per_prompt_median": float(np.median(sizes)) if len(sizes) else 0,
        },
    )


def _interval(
    pairs: JudgedComparisons,
    values: FloatArray,
    per_prompt: PerPrompt,
    resampling: Resampling,
    unit: ResamplingUnit,
) -> Interval | Unscored:
    if unit == "prompt":
        return interval(mean_columns(values), ratio, resampling, LIMITS)
    if resampling.method == "bca":
        raise UsageError(
            "BCa intervals resample whole prompts", fix="use unit='prompt' or method='percentile'"
        )
    return bootstrap_interval(_pair_draws(pairs, per_prompt, resampling), resampling, pairs.n)


def _pair_draws(pairs: JudgedComparisons, per_prompt: PerPrompt, resampling: Resampling) -> FloatArray:
    """Return the mean over prompts in resamples of single pairs, as if a prompt's pairs were independent."""
    kind = pairs.kind
    cells = pairs.prompt[kind >= 0] * PAIR_KINDS + kind[kind >= 0]
    width = pairs.prompts * PAIR_KINDS
    rng = np.random.default_rng(resampling.seed)
    drawn = np.empty(resampling.resamples)
    for row in range(resampling.resamples):
        sample = cells[rng.integers(0, len(cells), len(cells))] if len(cells) else cells
        values = per_prompt(np.bincount(sample, minlength=width).reshape(-1, PAIR_KINDS).astype(np.float64))
        kept = values[~np.isnan(values)]
        drawn[row] = kept.mean() if len(kept) else np.nan
    return drawn


def _pairs(reference: Winners, evaluator: Winners, prompts: Labels | None = None) -> JudgedComparisons:
    truth, outcome = same_length(reference=winner_codes(reference), evaluator=winner_codes(evaluator))
    if prompts is None:
        return JudgedComparisons(truth, outcome, np.zeros(len(truth), dtype=np.intp), 1, flip_mask(evaluator))
    return JudgedComparisons(truth, outcome, *group_codes(prompts, len(truth)), flip=flip_mask(evaluator))
