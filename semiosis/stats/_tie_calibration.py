"""Pairwise accuracy with calibrated ties, for judges that score (Deutsch, Foster and Freitag 2023)."""

import numpy as np

from semiosis.stats._arrays import Labels, Numbers, Winners, floats, group_codes, same_length, winner_codes
from semiosis.stats._estimate import Estimate, FloatArray, IntArray, undefined

FOLDS = 10


def tie_calibrated_accuracy(
    reference: Winners, difference: Numbers, prompts: Labels, *, seed: int = 0
) -> Estimate:
    """Return the share of comparisons on which a scorer agrees with the reference if close scores are ties.

    `difference` is the score of a minus the score of b (for a stated probability, p_a − ½). Scores that
    differ by at most ε are a tie, and a tie agrees with a tie. The paper chooses the best ε on the data it
    reports (`related["in_sample"]`, with `related["epsilon"]`). Here, ε is chosen on nine tenths of the
    prompts and the accuracy is measured on the rest, for each tenth in turn, so that the accuracy holds for
    new prompts.

    >>> found = tie_calibrated_accuracy(["a", "tie", "b"] * 4, [2.0, 0.1, -1.0] * 4, list(range(4)) * 3)
    >>> float(found), found.related["epsilon"]
    (1.0, 0.1)
    """
    truth, gap = same_length(reference=winner_codes(reference), difference=floats(difference))
    index, count = group_codes(prompts, len(truth))
    kept = ~(np.isnan(truth) | np.isnan(gap))
    truth, gap, index = truth[kept], gap[kept], index[kept]
    unscored = int((~kept).sum())
    if not len(truth):
        value = undefined("no comparison has a reference and a score")
        return Estimate(name="tie-calibrated accuracy", value=value, n=0, n_unscored=unscored)
    epsilon = best_epsilon(truth, gap)
    return Estimate(
        name="tie-calibrated accuracy",
        value=_held_out(truth, gap, index, count, seed),
        n=len(truth),
        n_unscored=unscored,
        method=f"ε from the other prompts, {FOLDS} folds",
        seed=seed,
        related={
            "epsilon": epsilon,
            "in_sample": _accuracy(truth, gap, epsilon),
            "without_ties": _accuracy(truth, gap, 0.0),
        },
    )


def best_epsilon(truth: FloatArray, gap: FloatArray) -> float:
    """Return the smallest ε with the highest accuracy, among 0 and the distances that occur."""
    order = np.argsort(np.abs(gap), kind="stable")
    size, tied, right = np.abs(gap)[order], truth[order] == 0, np.sign(gap[order]) == truth[order]
    # entry k: the hits if the k smallest distances are ties and the others are decided by their sign
    hits = np.cumsum(np.append(0, tied)) + np.append(np.cumsum((right & (size > 0))[::-1])[::-1], 0)
    last = np.append(size[1:] > size[:-1], True)  # equal distances become ties together
    candidates = np.append(True, last) & ~((np.arange(len(size) + 1) == 0) & (size[:1] == 0).any())
    best = int(np.argmax(np.where(candidates, hits, -1)))
    return 0.0 if best == 0 else float(size[best - 1])


def _accuracy(truth: FloatArray, gap: FloatArray, epsilon: float) -> float:
    outcome = np.where(np.abs(gap) <= epsilon, 0.0, np.sign(gap))
    return float((outcome == truth).mean())


def _held_out(truth: FloatArray, gap: FloatArray, index: IntArray, count: int, seed: int) -> float:
    """Return the share right over all comparisons. The ε of each comes from the folds it is not in."""
    fold = np.random.default_rng(seed).permutation(count) % FOLDS
    right = 0.0
    for number in range(FOLDS):
        inside = fold[index] == number
        if inside.any():
            epsilon = best_epsilon(truth[~inside], gap[~inside]) if (~inside).any() else 0.0
            right += _accuracy(truth[inside], gap[inside], epsilon) * inside.sum()
    return float(right / len(truth))
