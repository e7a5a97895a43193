"""Permutation of a binary label over values, pair by pair or in whole prompts."""

import numpy as np

from semiosis.stats._estimate import BoolArray, FloatArray, IntArray

BLOCK_KEYS = 500_000
"""Random keys held in memory at once; larger blocks fall out of the processor's cache and are slower."""

SLACK = 1e-12
"""Sums closer than this share of Σ|x| are equal: another order of adding moves the last digits."""


def pair_permutation_p(values: FloatArray, label: BoolArray, permutations: int, seed: int) -> float:
    """One-sided p of the mean of the labelled values minus the mean of the others, permuting single pairs.

    With the number of labels fixed the difference grows with the sum over labelled values, so only that sum
    is drawn: a random subset is the values with the smallest random keys.
    """
    ones = int(label.sum())
    rng = np.random.default_rng(seed)
    enough = values[label].sum() - SLACK * np.abs(values).sum()
    rows = max(1, BLOCK_KEYS // len(values))
    extreme, done = 0, 0
    while done < permutations:
        chosen = random_subsets(len(values), ones, min(rows, permutations - done), rng)
        extreme += int((chosen.astype(np.float64) @ values >= enough).sum())
        done += len(chosen)
    return (1 + extreme) / (1 + permutations)


def prompt_permutation_p(
    values: FloatArray, label: BoolArray, prompt: IntArray, permutations: int, seed: int
) -> float:
    """The same p, permuting whole prompts: each prompt receives the labels of another, in their order.

    A prompt with more pairs than it receives labels reads them round again, one with fewer reads the first
    ones, starting at a random label; prompts of equal size exchange their labels exactly.
    """
    order = np.argsort(prompt, kind="stable")
    values, label, prompt = values[order], label[order].astype(np.float64), prompt[order]
    _, owner, sizes = np.unique(prompt, return_inverse=True, return_counts=True)
    starts = np.cumsum(sizes) - sizes
    place = np.arange(len(values)) - starts[owner]
    rng = np.random.default_rng(seed)
    observed = _difference(label @ values, label.sum(), values)
    rows = max(1, BLOCK_KEYS // len(values))
    extreme, done = 0, 0
    while done < permutations:
        now = min(rows, permutations - done)
        giver = rng.permuted(np.tile(np.arange(len(sizes)), (now, 1)), axis=1)
        first = _first_labels(sizes, giver, rng)
        taken = starts[giver][:, owner] + (first[:, owner] + place) % sizes[giver][:, owner]
        moved = label[taken]
        drawn = _difference(moved @ values, moved.sum(axis=1), values)
        # NaN (no label left, or nothing but labels) counts as extreme, so that p is never too small
        extreme += int((~(drawn < observed - SLACK * (1 + np.abs(observed)))).sum())
        done += now
    return (1 + extreme) / (1 + permutations)


def _first_labels(sizes: IntArray, giver: IntArray, rng: np.random.Generator) -> IntArray:
    """Where reading begins in the giver's labels: at the first for equal sizes, at random otherwise."""
    if (sizes == sizes[0]).all():
        return np.zeros_like(giver)
    start = (rng.random(giver.shape) * sizes[giver]).astype(np.intp)
    return np.where(sizes[giver] == sizes[None, :], 0, start)


def _difference(total: FloatArray, ones: FloatArray, values: FloatArray) -> FloatArray:
    """Mean of the labelled values minus the mean of the others; NaN where one of them is empty."""
    others = len(values) - ones
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(total / ones - (values.sum() - total) / others)


def random_subsets(size: int, ones: int, rows: int, rng: np.random.Generator) -> BoolArray:
    """Random subsets of a given number of items, one per row."""
    chosen = _smallest(size, ones, rows, rng)
    tied = np.flatnonzero(chosen.sum(axis=1) != ones)
    while len(tied):  # equal keys at the boundary: draw those rows again
        chosen[tied] = _smallest(size, ones, len(tied), rng)
        tied = tied[chosen[tied].sum(axis=1) != ones]
    return chosen


def _smallest(size: int, ones: int, rows: int, rng: np.random.Generator) -> BoolArray:
    # two 32-bit keys from each 64-bit draw: drawing is the slowest part
    words = rng.integers(0, 2**64 - 1, (rows, (size + 1) // 2), dtype=np.uint64, endpoint=True)
    keys = words.view(np.uint32)[:, :size]
    boundary = np.partition(keys, ones - 1, axis=1)[:, ones - 1 : ones]
    return np.asarray(keys <= boundary)
