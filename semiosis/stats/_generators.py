"""SRCC and CCC, the correlations of generator ratings from the reference's and the evaluator's winners.

Source: SemJudge, section 6.1. Both sides are rated by the same method from the pairs that both have judged.
"""

from dataclasses import dataclass, replace

import numpy as np

from semiosis.stats._arrays import Labels, Winners, same_length, winner_codes
from semiosis.stats._estimate import Estimate, ResamplingUnit
from semiosis.stats._frames import Result
from semiosis.stats._judged_pairs import judged_pairs
from semiosis.stats._ratings import GeneratorRatings, RatingMethod
from semiosis.stats._resample import Resampling
from semiosis.stats._resampled_ratings import (
    GeneratorCorrelations,
    RatingRule,
    correlate_generators,
    correlation_interval,
)

ONE_ORDER = "; the interval includes the spread over orders of the games"


@dataclass(frozen=True)
class GeneratorAgreement(Result):
    """The agreement of two sets of ratings of the same generators."""

    srcc: Estimate
    """Spearman's ρ of the ratings."""
    ccc: Estimate
    """Lin's concordance of the ratings."""
    reference: GeneratorRatings
    """Ratings from the reference's winners."""
    evaluator: GeneratorRatings
    """Ratings from the evaluator's winners."""

    def __str__(self) -> str:
        return f"{self.srcc}; {self.ccc}"


def generator_agreement(
    a: Labels,
    b: Labels,
    reference: Winners,
    evaluator: Winners,
    prompts: Labels | None = None,
    *,
    rating: RatingMethod = "bradley-terry",
    prior: float = 0.0,
    shuffles: int = 100,
    unit: ResamplingUnit = "prompt",
    resamples: int = 1_000,
    level: float = 0.95,
    seed: int = 0,
) -> GeneratorAgreement:
    """Return SRCC and CCC of two sets of winners over the generators `a` and `b` (SemJudge, section 6.1).

    `rating` is `bradley-terry` (the default), `elo` (as in the paper) or `thurstone`. The interval of SRCC is
    a percentile bootstrap for at least 20 prompts. CCC has no interval, because no known one covers it
    reliably. With `elo`, each resample plays its games in one random order, but the value averages over
    orders, so the interval includes the spread over orders. Its coverage has not been measured. Resamples in
    which a rating has no finite maximum are left out and counted in `dropped`.

    >>> games = [("x", "y"), ("y", "z"), ("z", "x"), ("x", "y"), ("y", "x"), ("y", "z")]
    >>> a, b = zip(*games)
    >>> both = generator_agreement(a, b, list("aaaaaa"), list("aaaaaa"), resamples=0)
    >>> round(float(both.srcc), 9), round(float(both.ccc), 9)
    (1.0, 1.0)
    """
    truth, outcome = same_length(reference=winner_codes(reference), evaluator=winner_codes(evaluator))
    rule = RatingRule(rating, prior, shuffles, seed)
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    pairs = judged_pairs(a, b, truth, outcome, prompts if unit == "prompt" else None)
    found = correlate_generators(pairs, rule, resampling)
    unscored = int((~np.isnan(truth) & np.isnan(outcome)).sum())
    over: ResamplingUnit = "prompt" if prompts is not None and unit == "prompt" else "pair"
    srcc, lin = (
        replace(_correlation(column, found, rule, resampling), n_unscored=unscored, unit=over)
        for column in (0, 1)
    )
    return GeneratorAgreement(srcc, lin, found.reference, found.evaluator)


def _correlation(
    column: int, found: GeneratorCorrelations, rule: RatingRule, resampling: Resampling
) -> Estimate:
    """Return SRCC (column 0) or CCC (column 1) of the two sets of ratings."""
    name, long = (("SRCC", "Spearman's ρ"), ("CCC", "Lin's ρc"))[column]
    drawn = found.draws
    solved = [side.converged for side in (found.reference, found.evaluator) if side.converged is not None]
    return Estimate(
        name=name,
        value=found.values[column],
        n=found.reference.n,
        interval=None
        if drawn is None
        else correlation_interval(column, drawn[column], resampling, found.units),
        method=f"{long} of {found.reference.method} ratings" + (ONE_ORDER if rule.method == "elo" else ""),
        parameters={
            "rating": rule.method,
            "prior": rule.used_prior,
            "resamples": resampling.resamples,
            "level": resampling.level,
        },
        seed=rule.seed,
        converged=all(solved) if solved else None,
        related={"generators": len(found.reference.names)},
    )
