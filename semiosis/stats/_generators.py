"""SRCC and CCC: rate the generators from the reference's winners and from the evaluator's, and correlate.

Source: SemJudge, section 6.1. Both sides are rated by the same method from the pairs both have judged.
"""

from dataclasses import dataclass, replace

import numpy as np

from semiosis.stats._arrays import Labels, Winners, same_length, winner_codes
from semiosis.stats._estimate import Estimate, Unit
from semiosis.stats._frames import Result
from semiosis.stats._judged_pairs import judged_pairs
from semiosis.stats._ratings import RatingMethod, Ratings
from semiosis.stats._resample import Resampling
from semiosis.stats._resampled_ratings import GeneratorDraws, RatingRule, generator_draws, generator_interval

ONE_ORDER = "; the interval includes the spread over orders of the games"


@dataclass(frozen=True)
class GeneratorAgreement(Result):
    """How two rankings of the same generators agree."""

    srcc: Estimate
    """Spearman's ρ of the ratings."""
    ccc: Estimate
    """Lin's concordance of the ratings."""
    reference: Ratings
    """Ratings from the reference's winners."""
    evaluator: Ratings
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
    unit: Unit = "prompt",
    resamples: int = 1_000,
    level: float = 0.95,
    seed: int = 0,
) -> GeneratorAgreement:
    """SRCC and CCC of two sets of winners over the generators `a` and `b` (SemJudge, section 6.1).

    `rating` is `bradley-terry` (the default), `elo` (the paper's) or `thurstone`. The interval of SRCC is a
    percentile bootstrap, from 20 prompts on; CCC has none, because no interval that we know covers it.
    With `elo`, each resample plays its games in one random order, while the value averages over orders; the
    interval therefore includes the spread over orders. Its coverage has not been measured.
    Resamples in which a rating has no finite maximum are left out and counted in `dropped`.

    >>> games = [("x", "y"), ("y", "z"), ("z", "x"), ("x", "y"), ("y", "x"), ("y", "z")]
    >>> a, b = zip(*games)
    >>> both = generator_agreement(a, b, list("aaaaaa"), list("aaaaaa"), resamples=0)
    >>> round(float(both.srcc), 9), round(float(both.ccc), 9)
    (1.0, 1.0)
    """
    truth, said = same_length(reference=winner_codes(reference), evaluator=winner_codes(evaluator))
    how = RatingRule(rating, prior, shuffles, seed)
    sample = Resampling(resamples=resamples, level=level, seed=seed)
    pairs = judged_pairs(a, b, truth, said, prompts if unit == "prompt" else None)
    found = generator_draws(pairs, how, sample)
    unscored = int((~np.isnan(truth) & np.isnan(said)).sum())
    over: Unit = "prompt" if prompts is not None and unit == "prompt" else "pair"
    srcc, lin = (
        replace(_correlation(place, found, how, sample), n_unscored=unscored, unit=over) for place in (0, 1)
    )
    return GeneratorAgreement(srcc, lin, found.reference, found.evaluator)


def _correlation(place: int, found: GeneratorDraws, how: RatingRule, sample: Resampling) -> Estimate:
    """SRCC (place 0) or CCC (place 1) of the two sets of ratings."""
    name, long = (("SRCC", "Spearman's ρ"), ("CCC", "Lin's ρc"))[place]
    drawn = found.draws
    solved = [side.converged for side in (found.reference, found.evaluator) if side.converged is not None]
    return Estimate(
        name=name,
        value=found.values[place],
        n=found.reference.n,
        interval=None if drawn is None else generator_interval(place, drawn[place], sample, found.units),
        method=f"{long} of {found.reference.method} ratings" + (ONE_ORDER if how.method == "elo" else ""),
        parameters={
            "rating": how.method,
            "prior": how.used_prior,
            "resamples": sample.resamples,
            "level": sample.level,
        },
        seed=how.seed,
        converged=all(solved) if solved else None,
        beside={"generators": len(found.reference.names)},
    )
