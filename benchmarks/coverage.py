"""Measure how often 95% intervals contain the true value: `python -m benchmarks.coverage`.

Simulated studies have 5, 6, 10, 20 and 50 prompts of unequal size and difficulty, and a judge that ties some
pairs and is of middling quality or close to the ceiling. The first table is for half credit, KRCC and
agreement, with the default interval (Student's t over prompts) and the percentile bootstrap. The second is
for SRCC, whose interval is a percentile bootstrap. A run takes about five minutes on one core. The exit code
is 1 if a t interval of half credit or agreement covers less than 91%.
"""

import sys
from collections.abc import Callable

import numpy as np

from semiosis import stats

STUDIES = 2_000
"""Simulated studies for each number of prompts. The standard error of a coverage of .95 is then .005."""

SRCC_STUDIES = 400
PROMPTS = (5, 6, 10, 20, 50)
SRCC_PROMPTS = (20, 50, 100)
RESAMPLES = 500
LOWEST = 0.91
CHANCES = {"middling": (3.0, 1.5), "near the ceiling": (20.0, 1.5)}
"""Parameters of the beta distribution of a prompt's probability of a right answer."""

Study = tuple[np.ndarray, np.ndarray, np.ndarray]
"""The reference, the judge and the prompt of each pair."""

STATISTICS: dict[str, Callable[..., stats.Estimate]] = {
    "half credit": stats.half_credit,
    "KRCC": stats.krcc,
    "agreement": stats.agreement,
}


def simulated(prompts: int, judge: str, rng: np.random.Generator) -> Study:
    """Return a study with 3 to 10 pairs per prompt. People tie 15% of the pairs, and the judge ties more."""
    prompt = np.repeat(np.arange(prompts), rng.integers(3, 11, prompts))
    size = len(prompt)
    chance, tied = rng.beta(*CHANCES[judge], prompts)[prompt], rng.beta(1, 6, prompts)[prompt]
    reference = np.where(rng.random(size) < 0.15, 0.0, rng.choice([1.0, -1.0], size))
    judged = np.where(rng.random(size) < chance, reference, -reference)
    judged = np.where(reference == 0, rng.choice([1.0, -1.0, 0.0], size), judged)
    return reference, np.where(rng.random(size) < tied, 0.0, judged), prompt


def true_values(judge: str) -> dict[str, float]:
    """Return each statistic on 50,000 prompts."""
    study = simulated(50_000, judge, np.random.default_rng(0))
    return {name: float(statistic(*study, resamples=0)) for name, statistic in STATISTICS.items()}


def coverage(prompts: int, judge: str, method: str) -> dict[str, float]:
    """Return the share of intervals that contain the true value. Cases without an interval do not count."""
    rng, truth = np.random.default_rng(prompts), true_values(judge)
    inside: dict[str, list[bool]] = {name: [] for name in STATISTICS}
    for seed in range(STUDIES):
        study = simulated(prompts, judge, rng)
        for name, statistic in STATISTICS.items():
            found = statistic(*study, method=method, resamples=RESAMPLES, seed=seed).interval
            if isinstance(found, stats.Interval):
                inside[name].append(found.low <= truth[name] <= found.high)
    return {name: float(np.mean(hits)) for name, hits in inside.items()}


def main() -> int:
    """Print the coverage of each interval at each number of prompts."""
    lowest = 1.0
    for judge in CHANCES:
        print(f"coverage of 95% intervals, a judge {judge}, {STUDIES:,} simulated studies each")
        print(
            f"{'prompts':>8}"
            + "".join(f"{f'{name}, {m}':>25}" for m in ("t", "percentile") for name in STATISTICS)
        )
        for prompts in PROMPTS:
            t, percentile = (coverage(prompts, judge, method) for method in ("t", "percentile"))
            lowest = min(lowest, t["half credit"], t["agreement"])
            shown = "".join(f"{share:>25.3f}" for share in (*t.values(), *percentile.values()))
            print(f"{prompts:>8}{shown}", flush=True)
    return 0 if lowest >= LOWEST else 1


if __name__ == "__main__":
    sys.exit(main())
