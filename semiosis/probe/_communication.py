"""Measures of predicted human preferences: accuracy α, consistency κ and correlation ρ (AIGI-VC)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import optimize, special

from semiosis.probe._critique_scores import refine_minimum
from semiosis.stats.tools import (
    Estimate,
    FloatArray,
    Labels,
    Numbers,
    Resampling,
    defined,
    floats,
    pearson_rows,
    probabilities,
    same_length,
    share,
    undefined,
)
from semiosis.values import DataError, Unscored, UsageError


@dataclass(frozen=True)
class PreferenceRow:
    """One row of AIGI-VC's tables 2 and 3: accuracy on all pairs and on decisive ones, for both questions."""

    model: str
    clarity_all: float
    clarity_sub: float
    emotion_all: float
    emotion_sub: float
    consistency: tuple[float, float, float, float] | None = None
    """Order consistency in the same four settings, for models that see pairs."""
    source: str = "AIGI-VC, tables 2 and 3"


PREFERENCES = (
    PreferenceRow("HyperIQA", 0.5438, 0.5497, 0.5404, 0.5571),
    PreferenceRow("CLIPScore", 0.5654, 0.5880, 0.5988, 0.6273),
    PreferenceRow("Aesthetic", 0.6794, 0.7267, 0.6832, 0.7425),
    PreferenceRow("HPSv2", 0.7386, 0.8131, 0.7036, 0.7649),
    PreferenceRow("ImageReward", 0.7484, 0.8227, 0.6924, 0.7481),
    PreferenceRow("PickScore", 0.7518, 0.8306, 0.6912, 0.7513),
    PreferenceRow("GPT-4o", 0.7928, 0.8826, 0.7236, 0.7993, (0.8687, 0.9013, 0.6424, 0.6552)),
)
"""Accuracies of each model (AIGI-VC, tables 2 and 3)."""


STEEPNESS = (1e-3, 1e3)
"""The range of a logistic's steepness, from a line to a step, for scores in standard deviations."""

MAX_MIDDLE_DISTANCE = 15.0
"""The maximum distance of the logistic's middle from the scores, in widths. Beyond it, the logistic equals an
exponential to six digits."""


def preference_accuracy(
    human: Numbers,
    predicted: Numbers,
    prompts: Labels | None = None,
    *,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Return α, the share of pairs whose predicted choice is the image that most people prefer (AIGI-VC).

    `human` is the preference probability p of the first image, and the right choice is I[p > ½].
    `predicted` is 1 or 0 for a choice, or a probability: above ½, the first image is chosen. A probability of
    exactly ½ chooses neither image. If the human one is ½, the pair is left out (`related["human_ties"]`); if
    the predicted one is ½, the pair is unscored (`related["predicted_ties"]`).

    >>> float(preference_accuracy([0.9, 0.2, 0.6], [1, 0, 0], resamples=0))
    0.6666666666666666
    """
    truth, outcome = same_length(
        human=probabilities(human, "human"), predicted=probabilities(predicted, "predicted")
    )
    divided, undecided = truth == 0.5, outcome == 0.5
    truth, outcome = np.where(divided, np.nan, truth), np.where(undecided, np.nan, outcome)
    right = np.where(
        np.isnan(truth) | np.isnan(outcome), np.nan, ((truth > 0.5) == (outcome > 0.5)).astype(np.float64)
    )
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    found = share("α", right, ~np.isnan(truth), prompts, resampling)
    ties = {"human_ties": int(divided.sum()), "predicted_ties": int(undecided.sum())}
    return replace(found, related={**found.related, **ties})


def order_consistency(forward: Numbers, backward: Numbers) -> Estimate:
    """Return κ, the share of pairs with f(x, y) + f(y, x) = 1 (AIGI-VC). f is 1 if the first image wins.

    >>> float(order_consistency([1, 1, 0, 0], [0, 1, 1, 0]))
    0.5
    """
    first, second = same_length(
        forward=probabilities(forward, "forward"), backward=probabilities(backward, "backward")
    )
    kept = ~(np.isnan(first) | np.isnan(second))
    n = int(kept.sum())
    consistent = int((np.abs(first[kept] + second[kept] - 1) < 1e-9).sum())
    total = len(kept)
    return Estimate(
        name="order consistency",
        value=consistent / n if n else undefined("no pair was judged in both orders"),
        n=n,
        n_unscored=total - n,
        bounds=(consistent / total, (consistent + total - n) / total) if total else None,
        unit="pair",
        method="share of f(x,y) + f(y,x) = 1",
        related={"over_all": consistent / total if total else undefined("no pair")},
    )


def is_decisive(probability: Numbers, low: float = 0.3, high: float = 0.7) -> list[bool]:
    """Return which pairs are in D_sub, with a human preference probability outside [0.3, 0.7] (AIGI-VC).

    >>> is_decisive([0.2, 0.3, 0.5, 0.71])
    [True, False, False, True]
    """
    p = probabilities(probability, "probability")
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
        """Return the fitted value of each score."""
        x = (floats(scores) - self.middle) / self.width
        return np.asarray(self.floor + self.rise * special.expit(x))


def fit_logistic(predicted: Numbers, quality: Numbers) -> Logistic:
    """Fit predicted scores to human quality by least squares with a rising four-parameter logistic (ours).

    The curve never falls, so that a scorer that prefers the worse images is not reversed. If the best curve
    is an exponential, a line or a step, it has no finite parameters. The fit then stops close to it, and
    `converged` is false.
    """
    x, y = same_length(predicted=floats(predicted), quality=floats(quality))
    kept = ~(np.isnan(x) | np.isnan(y))
    x, y = x[kept], y[kept]
    if len(x) < 2 or x.std() == 0:
        raise DataError("there are fewer than 2 different predicted scores", fix="fit scores that differ")
    centre, scale = float(x.mean()), float(x.std())
    z = (x - centre) / scale
    shift, steepness = _best_shape(z, y)
    floor, rise, _ = _best_height(z, y, shift, steepness)
    outside = max(z.min() * steepness - shift, shift - z.max() * steepness)
    finite = outside < MAX_MIDDLE_DISTANCE / 2 and STEEPNESS[0] < steepness < STEEPNESS[1]
    return Logistic(floor, rise, centre + scale * shift / steepness, scale / steepness, finite)


def _best_height(
    z: FloatArray, y: FloatArray, shift: float, steepness: float
) -> tuple[float, float, FloatArray]:
    """Return the floor and the rise ≥ 0 that fit best for a given shape, and the residuals."""
    part = special.expit(z * steepness - shift)
    middle, average = float(part.mean()), float(y.mean())
    spread = float(((part - middle) ** 2).sum())
    rise = max(0.0, float((part - middle) @ y) / spread) if spread else 0.0
    return average - rise * middle, rise, average + rise * (part - middle) - y


def _best_shape(z: FloatArray, y: FloatArray) -> tuple[float, float]:
    """Return the shift h and the steepness s of σ(s·z − h) with the least squared error.

    The search starts from the best point of a grid.
    """

    def shape(p: FloatArray) -> tuple[float, float]:
        s = float(np.exp(p[1]))
        low, high = z.min() * s - MAX_MIDDLE_DISTANCE, z.max() * s + MAX_MIDDLE_DISTANCE
        return float(low + p[0] * (high - low)), s

    def residuals(p: FloatArray) -> FloatArray:
        return _best_height(z, y, *shape(p))[2]

    def gradient(p: FloatArray) -> FloatArray:
        s = float(np.exp(p[1]))
        _, rise, rest = _best_height(z, y, float(p[0]), s)
        part = special.expit(z * s - p[0])
        weights = rise * rest * part * (1 - part)
        return np.array([-weights.sum(), s * (weights @ z)])

    limits = np.log(STEEPNESS)
    grid = [
        np.array([shift, s]) for s in np.linspace(limits[0], limits[1], 29) for shift in np.linspace(0, 1, 31)
    ]
    start = min(grid, key=lambda p: float((residuals(p) ** 2).sum()))
    found = optimize.least_squares(
        residuals, start, bounds=([0, limits[0]], [1, limits[1]]), xtol=1e-12, ftol=1e-14
    )
    shift, s = shape(found.x)
    best = (
        refine_minimum(gradient, np.array([shift, np.log(s)]))
        if (0 < found.x[0] < 1)
        else np.array([shift, np.log(s)])
    )
    return float(best[0]), float(np.exp(np.clip(best[1], *limits)))


def preference_correlation(
    predicted: Numbers,
    quality: Numbers,
    first: Sequence[int],
    second: Sequence[int],
    probability: Numbers | None = None,
    *,
    fit: Literal["logistic", "none"] = "logistic",
) -> Estimate:
    """Return ρ, Pearson's r over pairs of predicted and human preference probabilities (AIGI-VC, equation 2).

    `predicted` and `quality` (Thurstone's q) have one entry per image; `first` and `second` are the indices
    of the images of each pair. The predicted scores are fitted to the quality with a rising logistic, then
    P̂ = Φ(s_i − s_j); the human probability is Φ(q_i − q_j) unless `probability` gives it for each pair.

    >>> round(float(preference_correlation([1, 2, 3], [-1, 0, 1], [0, 1, 2], [1, 2, 0], fit="none")), 6)
    1.0
    """
    scores, q = same_length(predicted=floats(predicted), quality=floats(quality))
    varied = len(np.unique(scores[~(np.isnan(scores) | np.isnan(q))])) > 1
    curve = fit_logistic(scores, q) if fit == "logistic" and varied else None
    fitted = curve(scores) if curve else scores
    i, j = np.asarray(first, dtype=np.intp), np.asarray(second, dtype=np.intp)
    outcome = np.asarray(special.ndtr(fitted[i] - fitted[j]))
    truth = (
        np.asarray(special.ndtr(q[i] - q[j]))
        if probability is None
        else probabilities(probability, "probability")
    )
    kept = ~(np.isnan(outcome) | np.isnan(truth))
    value = float(pearson_rows(outcome[kept], truth[kept]))
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


def mean_over_tasks(*tasks: Estimate | float) -> float | Unscored:
    """Return the mean over tasks: information clarity and emotional interaction (AIGI-VC, tables 4 and 6).

    >>> round(mean_over_tasks(0.8395, 0.6755), 4)
    0.7575
    """
    values = [task.value if isinstance(task, Estimate) else task for task in tasks]
    unscored = [value for value in values if isinstance(value, Unscored)]
    scored = [value for value in values if not isinstance(value, Unscored)]
    if unscored or not scored:
        return unscored[0] if unscored else undefined("no task")
    return float(np.mean(scored))


def random_pairings(items: int, rounds: int, seed: int = 0) -> list[tuple[int, int]]:
    """Return a partial design, in which every item meets a random other item in each round (AIGI-VC).

    Four rounds are enough. With an odd number of items, one of them meets two others in each round.

    >>> len(random_pairings(6, rounds=2))
    6
    """
    if items < 2:
        raise UsageError(f"{items} items cannot be paired", fix="give at least 2")
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(rounds):
        order = rng.permutation(items).tolist()
        order += order[:1] if items % 2 else []
        pairs += [(order[position], order[position + 1]) for position in range(0, len(order), 2)]
    return pairs
