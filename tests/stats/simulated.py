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


STRATEGIES = ("honest", "silent", "ties", "first", "half", "league")
"""Judges of equal skill with independent evidence. When unsure, `silent` leaves the comparison unscored and
`ties` ties. `first` always names the picture shown first, `half` always states a probability of ½, and
`league` never looks at a picture but prefers the better generator."""


def strategy_votes(prompts: int, *, people: int = 3, seed: int = 0) -> Votes:
    """Votes of people and of judges that follow a strategy, and of a copy of the first person.

    Each prompt has 4 pictures of 6 generators. A person or a judge sees the difference of two pictures with
    noise; a judge is unsure below a threshold that leaves out about a third.
    """
    rng = np.random.default_rng(seed)
    quality = np.sort(rng.normal(0, 0.5, 6))
    names = [f"person {number}" for number in range(people)]
    rows: list[tuple[object, ...]] = []
    for prompt in range(prompts):
        makers = rng.choice(6, 4, replace=False)
        worth = quality[makers] + rng.normal(0, 1, 4)
        for i, j in combinations(range(4), 2):
            pair = (f"p{prompt}", f"g{makers[i]}", f"g{makers[j]}")
            difference = worth[i] - worth[j]
            said = {name: _winner(difference + rng.normal(0, 1)) for name in names}
            said["copy"] = said[names[0]]
            said["league"] = "a" if makers[i] > makers[j] else "b"
            stated: dict[str, float] = {}
            for judge in ("honest", "silent", "ties", "half"):
                evidence = difference + rng.normal(0, 1)
                unsure = abs(evidence) < 0.6
                said[judge] = _winner(evidence)
                if unsure and judge != "honest":
                    said[judge] = {"silent": "", "ties": "tie"}.get(judge, said[judge])
                stated[judge] = 0.5 if judge == "half" else 1 / (1 + float(np.exp(-evidence)))
            rows += [(*pair, who, vote, "ab", stated.get(who)) for who, vote in said.items()]
            rows += [(*pair, "first", shown[0], shown, None) for shown in ("ab", "ba")]
    prompt_, a, b, who, winner, shown_, p_a = zip(*rows, strict=True)
    return votes_of(prompt_, a, b, who, winner, shown=shown_, p_a=p_a)
