"""Simulations of the table of judges: what strategies gain, who tops whom, and what intervals cover.

Run it with `python -m benchmarks.judge_scores`. It takes some minutes.
"""

import sys
from collections.abc import Callable

import numpy as np

from semiosis.stats import FloatArray, Interval, compare
from semiosis.stats.tools import bounded_interval
from tests.stats.simulated import STRATEGIES, strategy_votes

STUDIES = 60
COVERAGE_STUDIES = 2_000
PROMPTS = (6, 12, 20, 60)
PEOPLE = ["person 0", "person 1", "person 2"]
LOWEST = 0.92


def strategies(prompts: int) -> None:
    """Print the mean score of each strategy, how often it is first, and the verdicts of its tests."""
    scores: dict[str, list[float]] = {name: [] for name in STRATEGIES}
    first, verdicts = dict.fromkeys(STRATEGIES, 0), {name: list[str]() for name in STRATEGIES}
    flagged = 0
    for seed in range(STUDIES):
        table = compare(strategy_votes(prompts, seed=seed), reference=PEOPLE, baseline="honest")
        flagged += any(row.copies for row in table.rows if row.judge == "copy")
        first[table.ranked[0].judge] += 1
        for row in table.ranked:
            scores[row.judge].append(float(row.score or 0))
            verdicts[row.judge].append(row.verdict)
    print(f"{prompts} prompts, {STUDIES} studies; the copy of a person is flagged in {flagged}")
    for name in STRATEGIES:
        better, worse = (verdicts[name].count(word) / STUDIES for word in ("better", "worse"))
        shares = f"first {first[name] / STUDIES:.2f}  better {better:.2f}  worse {worse:.2f}"
        print(f"  {name:<8} score {np.mean(scores[name]):6.3f}  {shares}")


def one_more_person(people: int, prompts: int = 30) -> None:
    """Print how often a judge that is one more person scores above every person."""
    names = [f"person {number}" for number in range(people)]
    above, gaps = 0, []
    for seed in range(STUDIES):
        votes = strategy_votes(prompts, people=people + 1, seed=1_000 + seed)
        table = compare(votes, reference=names, judges=[f"person {people}"])
        scores = [float(person.score) for person in table.people]
        judge = float(table.rows[0].score or 0)
        above += judge > max(scores)
        gaps.append(judge - float(np.mean(scores)))
    chance = 1 / (people + 1)
    print(
        f"{people} people: above every person {above / STUDIES:.2f} (chance {chance:.2f}), "
        f"score − people {np.mean(gaps):+.3f} ± {np.std(gaps, ddof=1) / np.sqrt(STUDIES):.3f}"
    )


def single_answers(wrong: float) -> Callable[[np.random.Generator, int], FloatArray]:
    """Return a judge that is wrong in this share of comparisons, six for each prompt."""
    return lambda rng, prompts: np.where(rng.random((prompts, 6)) < wrong, -1.0, 1.0).mean(axis=1)


def collapses(rng: np.random.Generator, prompts: int) -> FloatArray:
    """Return a judge that is wrong throughout 4 % of the prompts."""
    return np.where(rng.random(prompts) < 0.04, -1.0, 1.0)


def guesses(rng: np.random.Generator, prompts: int) -> FloatArray:
    """Return a judge that tosses a coin."""
    return np.asarray(rng.integers(0, 2, (prompts, 6)).mean(axis=1) * 2 - 1)


WORLDS: dict[str, tuple[Callable[[np.random.Generator, int], FloatArray], float]] = {
    "5 % wrong": (single_answers(0.05), 0.9),
    "1 % wrong": (single_answers(0.01), 0.98),
    "fails on 4 % of prompts": (collapses, 0.92),
    "guesses": (guesses, 0.0),
}


def coverage() -> float:
    """Print the coverage of the interval of the score, and return the lowest from 12 prompts on."""
    lowest = 1.0
    print(f"coverage of 95% intervals, {COVERAGE_STUDIES:,} studies: prompts {PROMPTS}")
    for name, (world, truth) in WORLDS.items():
        shares = []
        for prompts in PROMPTS:
            rng = np.random.default_rng(prompts)
            ends = [bounded_interval(world(rng, prompts)) for _ in range(COVERAGE_STUDIES)]
            covered = [isinstance(e, Interval) and e.low - 1e-9 <= truth <= e.high + 1e-9 for e in ends]
            shares.append(float(np.mean(covered)))
        lowest = min(lowest, *shares[1:])
        print(f"  {name:<26}" + "".join(f"{share:8.3f}" for share in shares), flush=True)
    return lowest


def main() -> int:
    """Run all simulations; return 1 if an interval covers less than it must."""
    lowest = coverage()
    for prompts in (20, 60):
        strategies(prompts)
    for people in (2, 3, 5):
        one_more_person(people)
    return 0 if lowest >= LOWEST else 1


if __name__ == "__main__":
    sys.exit(main())
