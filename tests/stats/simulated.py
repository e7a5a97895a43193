"""Simulated votes: prompts with a few artifacts each, accurate people and less accurate judges."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from semiosis.stats import Votes, votes_of

NOISE = {"human": 0.3, "good": 0.5, "weak": 2.0, "coin": 1e6}


def simulated_votes(
    prompts: int = 30,
    *,
    artifacts: int = 4,
    generators: int = 6,
    judges: Sequence[str] = ("good", "weak", "coin"),
    repeats: int = 1,
    missing: float = 0.0,
    seed: int = 0,
) -> Votes:
    """Votes of one human in one order and of judges in both; `missing` is the share without a winner."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(0, 1, generators)
    rows: list[tuple[str, str, str, str, str, int, str]] = []
    for prompt in range(prompts):
        chosen = rng.choice(generators, artifacts, replace=False)
        worth = quality[chosen] + rng.normal(0, 0.5, artifacts)
        for i, j in combinations(range(artifacts), 2):
            pair = (f"p{prompt}", f"g{chosen[i]}", f"g{chosen[j]}")
            difference = worth[i] - worth[j]
            rows.append((*pair, "human", _winner(difference + rng.normal(0, NOISE["human"])), 0, "ab"))
            for judge in judges:
                for repeat in range(repeats):
                    for shown in ("ab", "ba"):
                        said = _winner(difference + rng.normal(0, NOISE[judge]))
                        kept = "" if rng.random() < missing else said
                        rows.append((*pair, judge, kept, repeat, shown))
    prompt_, a, b, evaluator, winner, repeat_, shown_ = zip(*rows, strict=True)
    return votes_of(prompt_, a, b, evaluator, winner, repeat=repeat_, shown=shown_)


def _winner(difference: float) -> str:
    return "a" if difference > 0 else "b"
