"""The number of prompts that a comparison of two judges needs."""

import math
from typing import Literal

import numpy as np
from scipy import special

from semiosis.stats._arrays import Labels, Winners, flip_mask, group_codes, same_length, winner_codes
from semiosis.stats._concordance import Pairs, prompt_half_credit, prompt_tau
from semiosis.stats._estimate import Estimate, undefined
from semiosis.values import UsageError


def prompts_needed(effect: float, spread: float, *, alpha: float = 0.05, power: float = 0.8) -> Estimate:
    """Return the number of prompts that distinguish two judges: ⌈((z₁₋α/₂ + z_power) · spread / effect)²⌉.

    `effect` is the true mean difference per prompt and `spread` the standard deviation of that difference
    over prompts; the test is two-sided at `alpha`. The exchange test of n prompts has no p below 2/2ⁿ, so the
    result is never below the n that reaches `alpha`: 6 prompts for 0.05.

    >>> float(prompts_needed(effect=0.1, spread=0.5))
    197.0
    """
    if not math.isfinite(effect) or not math.isfinite(spread):
        raise UsageError(
            f"effect {effect} or spread {spread} is not a finite number", fix="give finite numbers"
        )
    if not 0 < alpha < 1 or not 0 < power < 1 or spread < 0:
        raise UsageError(
            f"alpha {alpha}, power {power} or spread {spread} is out of range",
            fix="give alpha and power between 0 and 1 (0.05 and 0.8 are usual) and a spread of at least 0",
        )
    fewest = math.ceil(1 - math.log2(alpha))
    reach = special.ndtri(1 - alpha / 2) + special.ndtri(power)
    needed = undefined("no number of prompts can distinguish judges without a difference")
    return Estimate(
        name="prompts needed",
        value=float(max(fewest, math.ceil((reach * spread / effect) ** 2))) if effect else needed,
        n=0,
        unit="prompt",
        method="normal approximation of the paired test",
        parameters={"effect": effect, "spread": spread, "alpha": alpha, "power": power},
    )


def prompts_to_separate(
    reference: Winners,
    first: Winners,
    second: Winners,
    prompts: Labels,
    *,
    statistic: Literal["krcc", "half credit"] = "half credit",
    effect: float | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Estimate:
    """Return the number of prompts needed to distinguish two judges, estimated from a pilot study.

    The pilot gives the standard deviation of the difference per prompt and, without `effect`, the difference.
    """
    truth, one, two = same_length(
        reference=winner_codes(reference), first=winner_codes(first), second=winner_codes(second)
    )
    index, count = group_codes(prompts, len(truth))
    common = ~(np.isnan(one) | np.isnan(two) | np.isnan(truth))
    per_prompt = prompt_tau if statistic == "krcc" else prompt_half_credit
    sides = [
        Pairs(truth[common], outcome[common], index[common], count, flip_mask(winners)[common])
        for outcome, winners in ((one, first), (two, second))
    ]
    difference = per_prompt(sides[0].table) - per_prompt(sides[1].table)
    difference = difference[~np.isnan(difference)]
    if len(difference) < 2:
        reason = undefined("the pilot has fewer than 2 prompts that both judged")
        return Estimate(name="prompts needed", value=reason, n=len(difference), unit="prompt")
    pilot_difference, spread = float(difference.mean()), float(difference.std(ddof=1))
    found = prompts_needed(pilot_difference if effect is None else effect, spread, alpha=alpha, power=power)
    return Estimate(
        name=found.name,
        value=found.value,
        n=len(difference),
        n_unscored=count - len(difference),
        unit="prompt",
        method=f"{found.method}, spread from a pilot",
        parameters={**found.parameters, "statistic": statistic},
        related={"pilot_difference": pilot_difference, "pilot_spread": spread},
    )
