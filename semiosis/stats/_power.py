"""The number of prompts that a comparison of two judges needs, by the noncentral t distribution."""

import math
from collections.abc import Callable

import numpy as np
from scipy import integrate
from scipy import stats as scipy_stats

from semiosis.stats._arrays import Labels, Winners, same_length, winner_codes
from semiosis.stats._estimate import MIN_UNITS, Estimate, Interval, undefined
from semiosis.stats._judges import MIN_EQUIVALENCE
from semiosis.stats._score import single_ruler
from semiosis.values import UsageError

MAX_PROMPTS = 10_000_000
"""The largest number of prompts that is planned."""


def prompts_needed(effect: float, spread: float, *, alpha: float = 0.05, power: float = 0.8) -> Estimate:
    """Return the smallest number of prompts with which the paired t test finds a difference.

    `effect` is the true mean difference per prompt and `spread` the standard deviation of that difference
    over prompts; the test is two-sided at `alpha`. With the number returned, the test finds the difference
    with at least this `power`; with one prompt fewer, it does not. It is at least 5, below which no test is
    made.

    >>> float(prompts_needed(effect=0.1, spread=0.5))
    199.0
    """
    _check(effect, spread, alpha, power)
    needed: float | None = None
    if effect and spread:
        needed = _smallest(lambda n: power_of_difference(n, effect, spread, alpha), power, MIN_UNITS)
    elif effect:
        needed = MIN_UNITS
    return _plan(
        needed,
        "no number of prompts can distinguish judges without a difference",
        "paired t test, noncentral t",
        {"effect": effect, "spread": spread, "alpha": alpha, "power": power},
    )


def prompts_for_equivalence(
    margin: float, spread: float, *, effect: float = 0.0, alpha: float = 0.05, power: float = 0.8
) -> Estimate:
    """Return the smallest number of prompts with which two judges are shown to be equivalent.

    `margin` is the largest difference that is harmless, `effect` the true difference and `spread` its
    standard deviation over prompts. The result is at least 30, below which the test is refused.

    >>> [float(prompts_for_equivalence(margin, spread=0.5)) for margin in (0.05, 0.1, 0.2)]
    [858.0, 216.0, 55.0]
    """
    _check(effect, spread, alpha, power)
    if not 0 < margin < np.inf:
        raise UsageError(
            f"the margin {margin} is not above 0", fix="give the largest difference that is harmless"
        )
    needed: float | None = None
    if abs(effect) < margin:
        needed = MIN_EQUIVALENCE
        if spread:
            needed = _smallest(
                lambda n: power_of_equivalence(n, margin, spread, effect, alpha), power, MIN_EQUIVALENCE
            )
    return _plan(
        needed,
        "no number of prompts shows judges equivalent that differ by the margin or more",
        "two one-sided t tests",
        {"margin": margin, "spread": spread, "effect": effect, "alpha": alpha, "power": power},
    )


def power_of_difference(prompts: int, effect: float, spread: float, alpha: float = 0.05) -> float:
    """Return the probability that the paired t test of this many prompts finds the difference."""
    critical = scipy_stats.t.ppf(1 - alpha / 2, prompts - 1)
    shift = abs(effect) / spread * math.sqrt(prompts)
    upper = scipy_stats.nct.sf(critical, prompts - 1, shift)
    # far from 0, the noncentral t underflows to NaN where the power is 1
    return (
        1.0 if not math.isfinite(upper) else float(upper + scipy_stats.nct.cdf(-critical, prompts - 1, shift))
    )


def power_of_equivalence(
    prompts: int, margin: float, spread: float, effect: float = 0.0, alpha: float = 0.05
) -> float:
    """Return the probability that two one-sided t tests of this many prompts show equivalence.

    Both tests succeed if the mean lies within ±(margin − t·s/√n); this is integrated over the distribution
    of s, the standard deviation of the sample.
    """
    freedom, error = prompts - 1, spread / math.sqrt(prompts)
    critical = float(scipy_stats.t.ppf(1 - alpha, freedom))
    highest = margin / (critical * error)  # above this ratio of s to the spread no mean succeeds

    def given(ratio: float) -> float:
        reach = margin - critical * error * ratio
        density = 2 * freedom * ratio * scipy_stats.chi2.pdf(freedom * ratio**2, freedom)
        inside = scipy_stats.norm.cdf((reach - effect) / error) - scipy_stats.norm.cdf(
            (-reach - effect) / error
        )
        return float(max(inside, 0.0) * density)

    around = 8 / math.sqrt(2 * freedom)
    low, high = max(0.0, 1 - around), min(highest, 1 + around)
    return float(integrate.quad(given, low, high, limit=200)[0]) if high > low else 0.0


def prompts_to_separate(
    reference: Winners,
    first: Winners,
    second: Winners,
    prompts: Labels,
    *,
    effect: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Estimate:
    """Return the number of prompts needed to distinguish two judges by score, estimated from a pilot study.

    The pilot gives the standard deviation of the difference per prompt and, without `effect`, the difference.
    The interval (95 %) is that of the number for the spread alone: a small pilot knows it poorly. State
    `effect` if you can, because a pilot that happens to show a large difference plans too few prompts.
    """
    truth, one, two = same_length(
        reference=winner_codes(reference), first=winner_codes(first), second=winner_codes(second)
    )
    ruler = single_ruler(truth, prompts)
    difference = ruler.by_prompt(np.nan_to_num(one) * ruler.weight) - ruler.by_prompt(
        np.nan_to_num(two) * ruler.weight
    )
    units = len(difference)
    if units < 2:
        reason = undefined("the pilot has fewer than 2 prompts with a reference")
        return Estimate(name="prompts needed", value=reason, n=units, unit="prompt")
    pilot_difference, spread = float(difference.mean()), float(difference.std(ddof=1))
    wanted = pilot_difference if effect is None else effect
    plan = prompts_needed(wanted, spread, alpha=alpha, power=power)
    ends = None
    if plan.scored and spread:
        quantiles = scipy_stats.chi2.ppf([0.975, 0.025], units - 1)
        spreads = spread * np.sqrt((units - 1) / quantiles)
        low, high = (float(prompts_needed(wanted, float(s), alpha=alpha, power=power)) for s in spreads)
        ends = Interval(low, high, 0.95, "χ² of the spread", units=units)
    return Estimate(
        name=plan.name,
        value=plan.value,
        n=units,
        interval=ends,
        unit="prompt",
        method=f"{plan.method}, spread from a pilot",
        parameters=plan.parameters,
        related={"pilot_difference": pilot_difference, "pilot_spread": spread},
    )


def _smallest(power_at: Callable[[int], float], power: float, fewest: int) -> float | None:
    """Return the smallest number of prompts that reaches the power. The power rises with the number."""
    high = fewest
    while power_at(high) < power:
        high *= 2
        if high > MAX_PROMPTS:
            return None
    low = max(fewest, high // 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power_at(middle) >= power else (middle + 1, high)
    return float(high)


def _check(effect: float, spread: float, alpha: float, power: float) -> None:
    if not math.isfinite(effect) or not math.isfinite(spread):
        raise UsageError(
            f"effect {effect} or spread {spread} is not a finite number", fix="give finite numbers"
        )
    if not 0 < alpha < 1 or not 0 < power < 1 or spread < 0:
        raise UsageError(
            f"alpha {alpha}, power {power} or spread {spread} is out of range",
            fix="give alpha and power between 0 and 1 (0.05 and 0.8 are usual) and a spread of at least 0",
        )


def _plan(needed: float | None, reason: str, method: str, parameters: dict[str, float]) -> Estimate:
    return Estimate(
        name="prompts needed",
        value=undefined(reason) if needed is None else float(needed),
        n=0,
        unit="prompt",
        method=method,
        parameters=parameters,
    )
