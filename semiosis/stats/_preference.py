"""Predicting which of two pictures people prefer: accuracy α, consistency κ, correlation ρ (AIGI-VC)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import optimize, special

from semiosis.stats._agreement import share
from semiosis.stats._arrays import Labels, Numbers, floats, same_length
from semiosis.stats._calibration import stationary
from semiosis.stats._correlation import pearson_rows
from semiosis.stats._estimate import Estimate, FloatArray, defined, undefined
from semiosis.stats._resample import Resampling
from semiosis.values import DataError, Unscored

NARROWEST = 1e-3
"""Least width of a fitted logistic, in standard deviations of the predicted scores."""


def preference_accuracy(
    human: Numbers,
    predicted: Numbers,
    prompts: Labels | None = None,
    *,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """α: share of pairs whose predicted choice is I[p > ½], p the human preference probability (AIGI-VC).

    `predicted` is 1 or 0 for a choice, or a probability: above ½ the first picture is chosen.

    >>> float(preference_accuracy([0.9, 0.2, 0.6], [1, 0, 0], resamples=0))
    0.6666666666666666
    """
    truth, said = same_length(human=floats(human), predicted=floats(predicted))
    right = np.where(
        np.isnan(truth) | np.isnan(said), np.nan, ((truth > 0.5) == (said > 0.5)).astype(np.float64)
    )
    how = Resampling(resamples=resamples, level=level, seed=seed)
    return share("α", right, ~np.isnan(truth), prompts, how)


def order_consistency(forward: Numbers, backward: Numbers) -> Estimate:
    """κ: share of pairs with f(x, y) + f(y, x) = 1; f is 1 when the picture named first wins (AIGI-VC).

    >>> float(order_consistency([1, 1, 0, 0], [0, 1, 1, 0]))
    0.5
    """
    there, back = same_length(forward=floats(forward), backward=floats(backward))
    kept = ~(np.isnan(there) | np.isnan(back))
    n = int(kept.sum())
    consistent = int((np.abs(there[kept] + back[kept] - 1) < 1e-9).sum())
    total = len(kept)
    return Estimate(
        name="order consistency",
        value=consistent / n if n else undefined("no pair was judged in both orders"),
        n=n,
        n_unscored=total - n,
        bounds=(consistent / total, (consistent + total - n) / total) if total else None,
        unit="pair",
        method="share of f(x,y) + f(y,x) = 1",
        beside={"over_all": consistent / total if total else undefined("no pair")},
    )


def decisive(probability: Numbers, low: float = 0.3, high: float = 0.7) -> list[bool]:
    """D_sub: pairs whose human preference probability lies outside [0.3, 0.7] (AIGI-VC).

    >>> decisive([0.2, 0.3, 0.5, 0.71])
    [True, False, False, True]
    """
    p = floats(probability)
    return [bool(entry) for entry in (p < low) | (p > high)]


@dataclass(frozen=True)
class Logistic:
    """A logistic with four parameters: floor + rise/(1 + e^(−(x − middle)/width)), rise and width ≥ 0."""

    floor: float
    rise: float
    middle: float
    width: float
    converged: bool

    def __call__(self, scores: Numbers | FloatArray) -> FloatArray:
        """The fitted value of each score."""
        x = (floats(scores) - self.middle) / self.width
        return np.asarray(self.floor + self.rise * special.expit(x))


def fit_logistic(predicted: Numbers, quality: Numbers) -> Logistic:
    """Fit predicted scores to human quality by least squares with a rising four-parameter logistic (ours).

    The curve can rise or stay flat, never fall: a scorer that prefers the worse pictures is not turned round.
    """
    x, y = same_length(predicted=floats(predicted), quality=floats(quality))
    kept = ~(np.isnan(x) | np.isnan(y))
    x, y = x[kept], y[kept]
    if len(x) < 2 or x.std() == 0:
        raise DataError("a logistic needs at least 2 different predicted scores")
    centre, scale = float(x.mean()), float(x.std())
    z = (x - centre) / scale

    def residuals(p: FloatArray) -> FloatArray:
        return np.asarray(p[0] + p[1] * special.expit((z - p[2]) / p[3]) - y)

    start = [float(y.min()), float(np.ptp(y)) or 1.0, 0.0, 0.5]
    limits = ([-np.inf, 0.0, -np.inf, NARROWEST], [np.inf, np.inf, np.inf, np.inf])
    found = optimize.least_squares(
        residuals, start, bounds=limits, xtol=1e-14, ftol=1e-14, gtol=1e-12, max_nfev=5000
    )

    def slope(p: FloatArray) -> FloatArray:
        place = (z - p[2]) / p[3]
        part = special.expit(place)
        pull = residuals(p)
        bent = pull * p[1] * part * (1 - part) / p[3]
        return np.array([pull.sum(), pull @ part, -bent.sum(), -(bent @ place)])

    free = found.x[1] > 0 and found.x[3] > NARROWEST
    floor, rise, middle, width = (float(value) for value in (stationary(slope, found.x) if free else found.x))
    return Logistic(floor, rise, centre + scale * middle, scale * width, bool(found.status > 0))


def preference_correlation(
    predicted: Numbers,
    quality: Numbers,
    first: Sequence[int],
    second: Sequence[int],
    probability: Numbers | None = None,
    *,
    fit: Literal["logistic", "none"] = "logistic",
) -> Estimate:
    """ρ: Pearson's r over pairs of predicted and human preference probabilities (AIGI-VC, equation 2).

    `predicted` and `quality` (Thurstone's q) have one entry per picture; `first` and `second` are the places
    of the pictures of each pair. The predicted scores are fitted to the quality with a rising logistic, then
    P̂ = Φ(s_i − s_j); the human probability is Φ(q_i − q_j) unless `probability` gives it for each pair.

    >>> round(float(preference_correlation([1, 2, 3], [-1, 0, 1], [0, 1, 2], [1, 2, 0], fit="none")), 6)
    1.0
    """
    scores, q = same_length(predicted=floats(predicted), quality=floats(quality))
    curve = fit_logistic(scores, q) if fit == "logistic" else None
    fitted = curve(scores) if curve else scores
    i, j = np.asarray(first, dtype=np.intp), np.asarray(second, dtype=np.intp)
    said = np.asarray(special.ndtr(fitted[i] - fitted[j]))
    truth = np.asarray(special.ndtr(q[i] - q[j])) if probability is None else floats(probability)
    kept = ~(np.isnan(said) | np.isnan(truth))
    value = float(pearson_rows(said[kept], truth[kept]))
    return Estimate(
        name="ρ",
        value=defined(value, "fewer than 2 pairs, or one side is constant"),
        n=int(kept.sum()),
        n_unscored=int((~kept).sum()),
        unit="pair",
        method="Pearson's r of preference probabilities",
        parameters={"fit": fit},
        converged=curve.converged if curve else None,
    )


def overall(*tasks: Estimate | float) -> float | Unscored:
    """Plain mean of the tasks, information clarity and emotional interaction (AIGI-VC, tables 4 and 6).

    >>> round(overall(0.8395, 0.6755), 4)
    0.7575
    """
    values = [task.value if isinstance(task, Estimate) else task for task in tasks]
    unscored = [value for value in values if isinstance(value, Unscored)]
    return (
        unscored[0]
        if unscored
        else float(np.mean([value for value in values if not isinstance(value, Unscored)]))
    )


def random_pairings(items: int, rounds: int, seed: int = 0) -> list[tuple[int, int]]:
    """A partial design: in each round every item meets another at random (AIGI-VC; 4 rounds are enough).

    With an odd number of items one of them meets a second partner in that round.

    >>> len(random_pairings(6, rounds=2))
    6
    """
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(rounds):
        order = rng.permutation(items).tolist()
        order += order[:1] if items % 2 else []
        pairs += [(order[place], order[place + 1]) for place in range(0, len(order), 2)]
    return pairs
