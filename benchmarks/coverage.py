"""How often 95 % intervals contain the true half credit: `python benchmarks/coverage.py`.

Simulated studies have 6, 10, 20 and 50 prompts of unequal size and difficulty, and a judge that ties some
pairs. The table compares the default interval (Student's t over prompts) with the percentile bootstrap. It
takes about a minute. The exit code is 1 if the t interval covers less than 92 % anywhere.
"""

import sys
from collections.abc import Sequence

import numpy as np

from semiosis import stats

STUDIES = 4_000
"""Simulated studies for each number of prompts; the standard error of a coverage of .95 is .003."""

PROMPTS = (6, 10, 20, 50)
RESAMPLES = 1_000
LOWEST = 0.92


def simulated(prompts: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the reference, the judge and the prompt of each pair.

    A prompt has 3 to 10 pairs. The judge is right with a probability that differs between prompts, and ties a
    tenth of the pairs.
    """
    sizes = rng.integers(3, 11, prompts)
    prompt = np.repeat(np.arange(prompts), sizes)
    chance = rng.beta(3, 1.5, prompts)[prompt]
    reference = rng.choice([1.0, -1.0], len(prompt))
    judge = np.where(rng.random(len(prompt)) < chance, reference, -reference)
    return reference, np.where(rng.random(len(prompt)) < 0.1, 0.0, judge), prompt


def true_half_credit() -> float:
    """Return the expected half credit of a prompt: .9 · (2 · E[chance] − 1)."""
    return 0.9 * (2 * 3 / 4.5 - 1)


def coverage(prompts: int, methods: Sequence[str]) -> dict[str, float]:
    """Return the share of intervals of each method that contain the true value.

    An interval that is withheld does not count.
    """
    rng = np.random.default_rng(prompts)
    truth = true_half_credit()
    inside: dict[str, list[bool]] = {method: [] for method in methods}
    for study in range(STUDIES):
        reference, judge, prompt = simulated(prompts, rng)
        for method in methods:
            found = stats.half_credit(
                reference, judge, prompt, method=method, resamples=RESAMPLES, seed=study
            ).interval
            if isinstance(found, stats.Interval):
                inside[method].append(found.low <= truth <= found.high)
    return {method: float(np.mean(hits)) for method, hits in inside.items()}


def main() -> int:
    """Print the coverage of each method at each number of prompts."""
    methods = ("t", "percentile")
    print(f"coverage of 95 % intervals of half credit, {STUDIES:,} simulated studies each")
    print(f"{'prompts':>8}" + "".join(f"{method:>12}" for method in methods))
    lowest = 1.0
    for prompts in PROMPTS:
        found = coverage(prompts, methods)
        lowest = min(lowest, found["t"])
        print(f"{prompts:>8}" + "".join(f"{found[method]:>12.3f}" for method in methods), flush=True)
    return 0 if lowest >= LOWEST else 1


if __name__ == "__main__":
    sys.exit(main())
