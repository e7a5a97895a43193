"""Measure how often 95% intervals contain the true value: `python -m benchmarks.coverage`.

Simulated studies have 5, 6, 10, 20 and 50 prompts of unequal size and difficulty, and a judge that ties some
pairs and is of middling quality or close to the ceiling. The first table is for half credit, KRCC and
agreement, with the default interval (Student's t over prompts) and the percentile bootstrap. The second is
for SRCC, whose interval is a percentile bootstrap. A run takes about five minutes on one core. The exit code
is 1 if a t interval of half credit or agreement covers less than 91%.
"""

import sys
from collections.abc import Callable
from itertools import combinations

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


def simulated_games(prompts: int, rng: np.random.Generator) -> tuple[list[int], list[int], Study]:
    """Return the generators of each pair and a study of 8 generators, 5 of which take part in each prompt."""
    a, b, pairs = [], [], []
    quality, taste = np.linspace(-1, 1, 8), np.array([0.4, -0.3, 0.2, 0, -0.5, 0.3, -0.1, 0])
    for prompt in range(prompts):
        chosen = rng.choice(8, 5, replace=False)
        worth = quality[chosen] + rng.normal(0, 0.6, 5)
        liked = worth + taste[chosen] + rng.normal(0, 0.5, 5)
        for i, j in combinations(range(5), 2):
            human, judge = worth[i] - worth[j] + rng.normal(0, 0.8), liked[i] - liked[j] + rng.normal(0, 1.2)
            a.append(int(chosen[i]))
            b.append(int(chosen[j]))
            pairs.append((np.sign(human), np.sign(judge), prompt))
    reference, judged, prompt_ = (np.array(column) for column in zip(*pairs, strict=True))
    return a, b, (reference, judged, prompt_)


def srcc_coverage(prompts: int) -> float:
    """Return the share of SRCC's intervals that contain the SRCC of 10,000 prompts."""
    a, b, study = simulated_games(10_000, np.random.default_rng(0))
    truth = float(stats.generator_agreement(a, b, *study, resamples=0).srcc)
    rng, inside = np.random.default_rng(prompts), []
    for seed in range(SRCC_STUDIES):
        a, b, study = simulated_games(prompts, rng)
        found = stats.generator_agreement(a, b, *study, resamples=RESAMPLES, seed=seed).srcc.interval
        if isinstance(found, stats.Interval):
            inside.append(found.low - 1e-9 <= truth <= found.high + 1e-9)
    return float(np.mean(inside))


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
    print(f"coverage of 95% percentile intervals of SRCC, {SRCC_STUDIES:,} simulated studies each")
    for prompts in SRCC_PROMPTS:
        print(f"{prompts:>8}{srcc_coverage(prompts):>25.3f}", flush=True)
    return 0 if lowest >= LOWEST else 1


if __name__ == "__main__":
    sys.exit(main())
