"""Scores of critiques by judges: tier two, calibration to human scores, and the culture gap (VULCA)."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from semiosis.stats.tools import (
    MIN_UNITS,
    NO_WIDTH,
    Estimate,
    FloatArray,
    Interval,
    Labels,
    Numbers,
    Resampling,
    bootstrap_interval,
    cohen_d,
    cohen_d_from_sums,
    complete_pairs,
    defined,
    floats,
    mean_difference,
    random_subsets,
    resampled_sums,
    safe_divide,
    sum_by_group,
    t_interval,
    undefined,
)
from semiosis.values import DataError, Unscored, UsageError

CRITIQUES = {
    "Gemini-2.5-Pro": 4.27,
    "Qwen3-235B": 4.21,
    "Sonnet-4.5": 4.11,
    "Opus-4.5": 4.09,
    "GPT-5": 4.00,
    "GPT-5.2": 3.97,
    "Gemini-3": 3.95,
    "Llama4": 3.67,
    "GPT-5-mini": 3.64,
    "Haiku": 3.61,
    "Qwen3-Flash": 3.58,
    "GPT-4o": 3.57,
    "4o-mini": 3.24,
    "GLM": 3.15,
    "DeepSeek": 3.01,
}
"""S* of each model (VULCA, table 6)."""

CALIBRATION_MAE = {"raw": 0.4539, "sigmoid": 0.4462, "isotonic": 0.4493}
"""Held-out mean absolute error (VULCA, appendix A.3)."""


HIGHEST = 5
TIER_TWO = ("coverage", "alignment", "depth", "accuracy", "quality")


def tier_two(scores: Mapping[str, float | Unscored | None] | Numbers) -> Estimate:
    """Return S_II, the mean of the five scores of `TIER_TWO`, each 1–5 (VULCA, equation 5).

    If a score is missing, the critique is unscored; nothing is filled in.

    >>> float(tier_two([4, 3, 5, 4, 4]))
    4.0
    """
    given = [scores.get(name) for name in TIER_TWO] if isinstance(scores, Mapping) else list(scores)
    values = floats(
        [None if value is None or isinstance(value, Unscored) else float(value) for value in given]
    )
    if len(values) != len(TIER_TWO):
        raise DataError(f"there are {len(values)} scores", fix=f"give five: {', '.join(TIER_TWO)}")
    outside = values[(values < 1) | (values > HIGHEST)]
    if len(outside):
        raise DataError(
            f"score {outside[0]:g} lies outside 1 to {HIGHEST}",
            fix="give None for a score that could not be read",
        )
    absent = [name for name, value in zip(TIER_TWO, values, strict=True) if math.isnan(value)]
    value = undefined(f"no score for {', '.join(absent)}") if absent else float(values.mean())
    scored = len(TIER_TWO) - len(absent)
    return Estimate(
        name="S_II", value=value, n=scored, n_unscored=len(absent), unit="item", method="mean of five"
    )


FLAT = 1e-6
"""The curve is flat where σ(1 − σ) is below this. Fitting needs two different scores where it is not flat."""


@dataclass(frozen=True)
class SigmoidCalibration:
    """S* = 1 + 4·σ(a·S + b)."""

    a: float | Unscored
    """The slope, or the reason why there is none."""
    b: float | Unscored
    """The intercept, or the reason why there is none."""
    n: int = 0
    n_unscored: int = 0
    mse: float = float("nan")
    """The mean squared error on the data used for the fit."""
    converged: bool = True

    def __call__(self, scores: Numbers | float) -> FloatArray:
        """Return the calibrated scores."""
        if isinstance(self.a, Unscored) or isinstance(self.b, Unscored):
            raise DataError(
                f"there is no calibration: {self.reason}", fix="use fit_isotonic, which needs no slope"
            )
        return np.asarray(1 + 4 * special.expit(self.a * floats(scores) + self.b))

    @property
    def reason(self) -> str:
        """The reason why there is no curve; empty if there is one."""
        return self.a.detail if isinstance(self.a, Unscored) else ""


@dataclass(frozen=True)
class IsotonicCalibration:
    """A rising curve through points, linear between them and constant beyond them."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    n: int = 0
    n_unscored: int = 0
    mse: float = float("nan")

    def __call__(self, scores: Numbers | float) -> FloatArray:
        """Return the calibrated scores."""
        return np.asarray(np.interp(floats(scores), self.x, self.y))


def fit_sigmoid(scores: Numbers, human: Numbers) -> SigmoidCalibration:
    """Fit S* = 1 + 4·σ(a·S + b) to human scores by least squares (VULCA, equation 6).

    Fit on a training split and report `mae` on held-out items. A few noisy items can have several minima; the
    fit starts from the line through the logits. If the scores separate the lowest human scores from the
    highest perfectly, no finite a and b fit best, and the calibration is unscored.

    >>> fit = fit_sigmoid([1, 2, 3, 4, 5], SigmoidCalibration(1.2, -3.5)([1, 2, 3, 4, 5]))
    >>> round(fit.a, 6), round(fit.b, 6)
    (1.2, -3.5)
    """
    x, y, left_out = complete_pairs(scores, human)
    if len(x) < 2 or np.ptp(x) == 0:
        none = undefined("a sigmoid needs at least 2 items with different scores")
        return SigmoidCalibration(none, none, len(x), left_out, converged=False)

    def residuals(p: FloatArray) -> FloatArray:
        return np.asarray(1 + 4 * special.expit(p[0] * x + p[1]) - y)

    logit = special.logit(np.clip((y - 1) / 4, 0.01, 0.99))
    slope, intercept = np.polyfit(x, logit, 1)
    found = optimize.least_squares(
        residuals, [slope, intercept], method="lm", xtol=1e-15, ftol=1e-15, gtol=1e-15
    )

    def gradient(p: FloatArray) -> FloatArray:
        curve = special.expit(p[0] * x + p[1])
        weighted = residuals(p) * curve * (1 - curve)
        return np.array([weighted @ x, weighted.sum()])

    best = refine_minimum(gradient, found.x)
    curve = special.expit(best[0] * x + best[1])
    if len(np.unique(x[curve * (1 - curve) > FLAT])) < 2:
        step = undefined("no finite fit: the scores separate low and high human scores perfectly, in a step")
        return SigmoidCalibration(step, step, len(x), left_out, converged=False)
    a, b = (float(value) for value in best)
    mse = float((residuals(best) ** 2).mean())
    return SigmoidCalibration(a, b, len(x), left_out, mse, bool(found.status > 0))


def refine_minimum(gradient: Callable[[FloatArray], FloatArray], start: FloatArray) -> FloatArray:
    """Return the point near a fit where the gradient is 0. Least squares alone gives half as many digits."""
    found = np.asarray(optimize.root(gradient, start, options={"xtol": 1e-14}).x, dtype=np.float64)
    close = np.abs(found - start).max() <= 1e-4 * (1 + np.abs(start).max())
    better = np.abs(gradient(found)).max() <= np.abs(gradient(start)).max()
    return found if close and better else start


def fit_isotonic(scores: Numbers, human: Numbers) -> IsotonicCalibration:
    """Fit a rising curve by least squares, the alternative to the sigmoid (VULCA, appendix A.3).

    Items with equal scores share their mean. Between points the curve interpolates, as scikit-learn's does.

    >>> fit_isotonic([1, 2, 3], [1.0, 3.0, 2.0]).y
    (1.0, 2.5, 2.5)
    """
    x, y, left_out = complete_pairs(scores, human)
    if not len(x):
        raise DataError("there is nothing to fit", fix="give items with a score and a human score")
    points, position, counts = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(position, weights=y) / counts
    fitted = optimize.isotonic_regression(means, weights=counts.astype(np.float64)).x
    mse = float(((fitted[position] - y) ** 2).mean())
    return IsotonicCalibration(tuple(points.tolist()), tuple(fitted.tolist()), len(x), left_out, mse)


def calibrated_mean(
    calibration: SigmoidCalibration | IsotonicCalibration, scores: Numbers, *, of: str = "mean"
) -> float | Unscored:
    """Return a model's S*, its calibrated mean score (VULCA, table 6) or the mean of its calibrated items.

    >>> round(calibrated_mean(SigmoidCalibration(1.273, -3.911), [4.248]), 2)
    4.27
    """
    kept = floats(scores)
    kept = kept[~np.isnan(kept)]
    if of not in ("mean", "items"):
        raise DataError(f"of={of!r} is neither 'mean' nor 'items'", fix="use 'mean' or 'items'")
    if not len(kept):
        return undefined("no scored item")
    if isinstance(calibration, SigmoidCalibration) and isinstance(calibration.a, Unscored):
        return calibration.a
    return float(calibration(float(kept.mean()))) if of == "mean" else float(calibration(kept).mean())


BLOCK = 500_000
"""Random keys held in memory at once."""


def culture_gap(
    x: Numbers,
    y: Numbers,
    *,
    x_items: Labels | None = None,
    y_items: Labels | None = None,
    resamples: int = 1_000,
    permutations: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Return the difference of the mean scores of two cultures, with Cohen's d (VULCA, section 6).

    `x_items` and `y_items` name the artwork of each score and are required: scores of one artwork depend on
    one another, and a test that ignores this finds gaps that do not exist. The interval is Welch's t over
    artworks. p is two-sided, from permuting artworks between the groups; each difference is divided by its
    standard error, so that the test holds its level when the groups differ in spread (Janssen 1997). A group
    of fewer than 5 artworks has neither: in one of ten cases, the test would find a gap that does not exist.

    >>> r = culture_gap([1, 2, 3], [2, 3, 4], x_items="uvw", y_items="rst", resamples=0, permutations=0)
    >>> float(r), r.related["cohen_d"]
    (-1.0, -1.0)
    """
    if x_items is None or y_items is None:
        raise UsageError(
            "the artwork of each score is needed",
            fix="pass x_items=… and y_items=…; for one score per artwork, range(len(x)) and range(len(y))",
        )
    first, second = floats(x), floats(y)
    both = np.concatenate([first, second])
    centre = 0.0 if np.isnan(both).all() else float(np.nanmean(both))
    sides = [_sums(first - centre, x_items), _sums(second - centre, y_items)]
    total = np.concatenate([side.sum(axis=0) for side in sides])
    value = defined(float(mean_difference(total)), "a group is empty")
    scored = not isinstance(value, Unscored)
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    ends = _group_intervals(sides, resampling) if resamples and scored else (None, None)
    effect = cohen_d(x, y)
    return Estimate(
        name="culture gap",
        value=value,
        n=effect.n,
        n_unscored=effect.n_unscored,
        interval=ends[0],
        p=_group_p(sides, permutations, seed) if permutations and scored else None,
        unit="item",
        method="difference of means; two-sided studentised permutation of artworks",
        parameters={"resamples": resamples, "permutations": permutations, "level": level},
        seed=seed,
        related={
            "cohen_d": effect.value,
            "cohen_d_interval": ends[1],
            "items_first": len(sides[0]),
            "items_second": len(sides[1]),
        },
    )


def _sums(values: FloatArray, items: Labels) -> FloatArray:
    """Return n, Σx, Σx² of each artwork."""
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    sums = sum_by_group(np.stack([present.astype(np.float64), filled, filled**2], axis=1), items)
    return sums[sums[:, 0] > 0]


def _group_intervals(
    sides: list[FloatArray], resampling: Resampling
) -> tuple[Interval | Unscored | None, Interval | Unscored | None]:
    fewest = min(len(side) for side in sides)
    if fewest < MIN_UNITS:
        return (undefined(f"a group has {fewest} artworks; an interval needs at least {MIN_UNITS}"),) * 2
    drawn = [
        resampled_sums(side, resampling.resamples, resampling.seed + number)
        for number, side in enumerate(sides)
    ]
    return _welch_interval(sides, resampling), bootstrap_interval(
        cohen_d_from_sums(np.concatenate(drawn, axis=1)), resampling, fewest
    )


def _welch_interval(sides: list[FloatArray], resampling: Resampling) -> Interval | Unscored:
    """Return Welch's interval of the difference of means, over artworks (Welch 1947)."""
    means = [float(side[:, 1].sum() / side[:, 0].sum()) for side in sides]
    residuals = [side[:, 1] - mean * side[:, 0] for side, mean in zip(sides, means, strict=True)]
    freedom = [len(side) - 1 for side in sides]
    variances = [
        float((rest**2).sum() * len(side) / df / side[:, 0].sum() ** 2)
        for rest, side, df in zip(residuals, sides, freedom, strict=True)
    ]
    total = math.fsum(variances)
    if total <= 0:
        return undefined(NO_WIDTH)
    degrees = total**2 / math.fsum(part**2 / df for part, df in zip(variances, freedom, strict=True))
    fewest = min(len(side) for side in sides)
    return t_interval(means[0] - means[1], total**0.5, fewest, resampling, freedom=degrees)


def _group_p(sides: list[FloatArray], permutations: int, seed: int) -> float | None:
    """Return the two-sided p of the studentised difference, from permuting artworks between the groups."""
    if min(len(side) for side in sides) < MIN_UNITS:
        return None
    pool, first = np.concatenate(sides), len(sides[0])
    n, s = pool[:, 0], pool[:, 1]
    moments = np.stack([n, s, n**2, n * s, s**2], axis=1)
    total = moments.sum(axis=0)
    observed = _studentised(moments[:first].sum(axis=0), total, first, len(pool))
    rng = np.random.default_rng(seed)
    rows = max(1, BLOCK // len(pool))
    extreme, done = 0, 0
    while done < permutations:
        count = min(rows, permutations - done)
        chosen = random_subsets(len(pool), first, count, rng).astype(np.float64) @ moments
        drawn = _studentised(chosen, total, first, len(pool))
        extreme += int((~(drawn < observed - 1e-9 * (1 + np.abs(observed)))).sum())
        done += count
    return (1 + extreme) / (1 + permutations)


def _studentised(chosen: FloatArray, total: FloatArray, first: int, items: int) -> FloatArray:
    """Return |difference of means| over its standard error, from sums of n, s, n², ns, s² over artworks.

    The mean of a group is Σs/Σn. Its error comes from the residuals s − mean·n of whole artworks, as for a
    ratio of sums; with one score per artwork this is Welch's t.
    """
    difference, variance = np.zeros(chosen.shape[:-1]), np.zeros(chosen.shape[:-1])
    for sign, sums, count in ((1, chosen, first), (-1, total - chosen, items - first)):
        n, s, nn, ns, ss = (sums[..., position] for position in range(5))
        mean = safe_divide(s, n)
        squares = np.maximum(ss - 2 * mean * ns + mean**2 * nn, 0.0)
        variance += safe_divide(squares * count / (count - 1), n**2)
        difference += sign * mean
    noise = 1e-24 * (1 + difference**2)  # rounding leaves constant groups a tiny variance
    return np.asarray(np.abs(difference) / np.sqrt(variance + noise))
