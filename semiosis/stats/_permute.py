"""Permutation tests of a binary label on values, by single pairs or by whole prompts."""

import numpy as np

from semiosis.stats._estimate import BoolArray, FloatArray, IntArray

BLOCK_KEYS = 500_000
"""Random keys held in memory at once. Larger blocks do not fit the processor's cache and are slower."""

SLACK = 1e-12
"""Sums that differ by less than this share of Σ|x| count as equal: rounding depends on the order."""


def pair_permutation_p(values: FloatArray, label: BoolArray, permutations: int, seed: int) -> float:
    """Return the one-sided p of the difference of means of labelled and other values, permuting single pairs.

    With a fixed number of labels, the difference increases with the sum of the labelled values, so only that
    sum is computed. A random subset consists of the values with the smallest random keys.
    """
    ones = int(label.sum())
    rng = np.random.default_rng(seed)
    threshold = values[label].sum() - SLACK * np.abs(values).sum()
    rows = max(1, BLOCK_KEYS // len(values))
    extreme, done = 0, 0
    while done < permutations:
        chosen = random_subsets(len(values), ones, min(rows, permutations - done), rng)
        extreme += int((chosen.astype(np.float64) @ values >= threshold).sum())
        done += len(chosen)
    return (1 + extreme) / (1 + permutations)


def prompt_permutation_p(
    values: FloatArray, label: BoolArray, prompt: IntArray, permutations: int, seed: int
) -> float:
    """Return the same p, permuting whole prompts: each prompt receives the labels of another, in their order.

    Prompts of equal size exchange their labels exactly. Otherwise, labels are taken in order from a random
    start: a prompt with more pairs than labels repeats them, and a prompt with fewer pairs uses only some.
    """
    order = np.argsort(prompt, kind="stable")
    values, label, prompt = values[order], label[order].astype(np.float64), prompt[order]
    _, owner, sizes = np.unique(prompt, return_inverse=True, return_counts=True)
    starts = np.cumsum(sizes) - sizes
    position = np.arange(len(values)) - starts[owner]
    rng = np.random.default_rng(seed)
    observed = _difference(label @ values, label.sum(), values)
    rows = max(1, BLOCK_KEYS // len(values))
    extreme, done = 0, 0
    while done < permutations:
        count = min(rows, permutations - done)
        donor = rng.permuted(np.tile(np.arange(len(sizes)), (count, 1)), axis=1)
        first = _first_labels(sizes, donor, rng)
        source = starts[donor][:, owner] + (first[:, owner] + position) % sizes[donor][:, owner]
        permuted = label[source]
        drawn = _difference(permuted @ values, permuted.sum(axis=1), values)
        # NaN (every value is labelled, or none) counts as extreme, so that p is never too small
        extreme += int((~(drawn < observed - SLACK * (1 + np.abs(observed)))).sum())
        done += count
    return (1 + extreme) / (1 + permutations)


def _first_labels(sizes: IntArray, donor: IntArray, rng: np.random.Generator) -> IntArray:
    """Return the position of the first label taken from each donor: 0 for equal sizes, else a random one."""
    if (sizes == sizes[0]).all():
        return np.zeros_like(donor)
    start = (rng.random(donor.shape) * sizes[donor]).astype(np.intp)
    return np.where(sizes[donor] == sizes[None, :], 0, start)


def _difference(total: FloatArray, ones: FloatArray, values: FloatArray) -> FloatArray:
    """Return the mean of the labelled values minus the mean of the others; NaN if one group is empty."""
    others = len(values) - ones
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(total / ones - (values.sum() - total) / others)


def random_subsets(size: int, ones: int, rows: int, rng: np.random.Generator) -> BoolArray:
    """Return random subsets of a given number of items, one per row."""
    chosen = _smallest(size, ones, rows, rng)
    tied = np.flatnonzero(chosen.sum(axis=1) != ones)
    while len(tied):  # equal keys at the boundary: draw those rows again
        chosen[tied] = _smallest(size, ones, len(tied), rng)
        tied = tied[chosen[tied].sum(axis=1) != ones]
    return chosen


def _smallest(size: int, ones: int, rows: int, rng: np.random.Generator) -> BoolArray:
    # Each 64-bit draw gives two 32-bit keys, because drawing is the slowest step.
    words = rng.integers(0, 2**64 - 1, (rows, (size + 1) // 2), dtype=np.uint64, endpoint=True)
    keys = words.view(np.uint32)[:, :size]
    boundary = np.partition(keys, ones - 1, axis=1)[:, ones - 1 : ones]
    return np.asarray(keys <= boundary)
