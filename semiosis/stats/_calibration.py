"""Tier III: calibration of critique scores to human scores (VULCA, section 3)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import optimize, special

from semiosis.stats._arrays import Numbers, complete_pairs, floats
from semiosis.stats._estimate import FloatArray, undefined
from semiosis.values import DataError, Unscored

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
