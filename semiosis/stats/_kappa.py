"""Agreement of raters above chance by Cohen's, weighted and Fleiss' κ. Rows are items, columns are raters.

Sources: Cohen 1960 and 1968, Fleiss 1971; used in SemJudge (appendix A), DIVA (appendix D) and VULCA
(section 4).
"""

from collections.abc import Hashable, Sequence
from itertools import combinations
from typing import Literal

import numpy as np

from semiosis.stats._arrays import (
    Labels,
    Matrix,
    as_list,
    encode_labels,
    encode_with_missing,
    floats,
    is_missing,
)
from semiosis.stats._estimate import Estimate, FloatArray, defined, undefined
from semiosis.values import DataError, UsageError

LabelTable = Sequence[Labels] | np.ndarray
"""Items × raters; None, NaN or "" if a rater gave no label."""

ONE_LABEL = "all raters use the same label, so chance agreement is 1"


def cohen_kappa(x: Labels, y: Labels) -> Estimate:
    """Return Cohen's κ = (p_o − p_e)/(1 − p_e) of two raters over nominal labels (Cohen 1960).

    >>> round(float(cohen_kappa(list("aabb"), list("abbb"))), 6)
    0.5
    """
    table, left_out = _confusion(x, y)
    n = table.sum()
    if not n:
        return Estimate(name="Cohen κ", value=undefined("no item that both rated"), n=0, n_unscored=left_out)
    observed = np.trace(table) / n
    chance = float((table.sum(axis=0) * table.sum(axis=1)).sum() / n**2)
    value = (observed - chance) / (1 - chance) if chance < 1 else np.nan
    return Estimate(
        name="Cohen κ",
        value=defined(value, ONE_LABEL),
        n=int(n),
        n_unscored=left_out,
        unit="item",
        method="Cohen's κ",
        related={"observed": float(observed), "chance": chance},
    )


def weighted_kappa(
    x: Labels,
    y: Labels,
    *,
    weights: Literal["quadratic", "linear"] = "quadratic",
    categories: Sequence[Hashable] | None = None,
) -> Estimate:
    """Return κ = 1 − Σ w·O / Σ w·E of two raters on an ordered scale (Cohen 1968; VULCA, section 4).

    Numbers are weighted by their distance on the scale, so unused labels change nothing. Labels that are not
    numbers need their `categories` in order and are weighted by the distance of their positions.

    >>> round(float(weighted_kappa([1, 2, 3, 4], [1, 2, 4, 4])), 6)
    0.916667
    """
    if weights not in ("quadratic", "linear"):
        raise UsageError(f"unknown weights {weights!r}", fix="use 'quadratic' or 'linear'")
    encode_with_missing([*as_list(x), *as_list(y)])  # refuses 1 with "1", and infinite labels
    first, second = _on_scale(x, categories), _on_scale(y, categories)
    if len(first) != len(second):
        raise DataError(
            f"one rater has {len(first)} ratings, the other {len(second)}", fix="give one of each per item"
        )
    kept = ~(np.isnan(first) | np.isnan(second))
    a, b = first[kept], second[kept]
    power = 2 if weights == "quadratic" else 1
    observed = (np.abs(a - b) ** power).mean() if len(a) else np.nan
    expected = _expected_distance(a, b, power)
    value = 1 - observed / expected if expected else np.nan
    return Estimate(
        name=f"{weights} κ",
        value=defined(float(value), ONE_LABEL if len(a) else "no item that both rated"),
        n=len(a),
        n_unscored=int((~kept).sum()),
        unit="item",
        method=f"weighted κ, {weights}",
    )


def mean_pairwise_kappa(ratings: LabelTable) -> Estimate:
    """Return the mean of Cohen's κ over all pairs of raters with a defined κ.

    SemJudge (appendix A) reports κ of pairs of raters; the mean is ours. Rows are items, columns are raters.
    `related["pairs_unscored"]` counts pairs of raters without a κ.

    >>> round(float(mean_pairwise_kappa([list("aaa"), list("bba"), list("aaa"), list("bbb")])), 6)
    0.666667
    """
    rows = _rows(ratings)
    raters = list(zip(*rows, strict=True)) if rows else []
    found = [cohen_kappa(one, other).value for one, other in combinations(raters, 2)]
    scored = [value for value in found if isinstance(value, float)]
    fleiss = fleiss_kappa(rating_counts(rows)) if rows else None
    alone = sum(sum(not is_missing(label) for label in row) < 2 for row in rows)
    return Estimate(
        name="mean pairwise Cohen κ",
        value=float(np.mean(scored)) if scored else undefined("no pair of raters has a defined κ"),
        n=len(rows) - alone,
        n_unscored=alone,
        unit="item",
        method="mean over pairs of raters",
        related={
            "pairs": len(scored),
            "pairs_unscored": len(found) - len(scored),
            "fleiss_kappa": fleiss.value if fleiss else None,
        },
    )


def rating_counts(ratings: LabelTable) -> FloatArray:
    """Return how many raters gave each label to each item, from a table items × raters.

    >>> rating_counts([["x", "x", "y"], ["y", "y", None]]).tolist()
    [[2.0, 1.0], [0.0, 2.0]]
    """
    rows = _rows(ratings)
    flat = [label for row in rows for label in row if not is_missing(label)]
    _, names = encode_labels(flat)
    position = {name: number for number, name in enumerate(names)}
    counts = np.zeros((len(rows), len(names)))
    for item, row in enumerate(rows):
        for label in row:
            if not is_missing(label):
                counts[item, position[label]] += 1
    return counts


def fleiss_kappa(counts: Matrix) -> Estimate:
    """Return Fleiss' κ from the number of raters who gave each label to each item (Fleiss 1971).

    Rows are items, columns are labels. Items may have different numbers of raters: the agreement of an item
    is that of its own pairs of raters. Items with fewer than two ratings are unscored. Use `rating_counts` to
    count labels.

    >>> round(float(fleiss_kappa([[3, 0], [0, 3], [2, 1], [1, 2]])), 6)
    0.333333
    """
    table = np.atleast_2d(floats(counts))[: len(counts)]
    if np.isnan(table).any() or (table < 0).any() or (table % 1 != 0).any():
        raise DataError(
            "a count is missing, below 0 or not a whole number",
            fix="count the labels with rating_counts",
        )
    raters = table.sum(axis=1)
    kept = raters >= 2
    table, raters = table[kept], raters[kept]
    if not len(table):
        return Estimate(
            name="Fleiss κ", value=undefined("no item has two ratings"), n=0, n_unscored=int((~kept).sum())
        )
    agreement = (table * (table - 1)).sum(axis=1) / (raters * (raters - 1))
    shares = table.sum(axis=0) / table.sum()
    observed, chance = float(agreement.mean()), float((shares**2).sum())
    value = (observed - chance) / (1 - chance) if chance < 1 else np.nan
    return Estimate(
        name="Fleiss κ",
        value=defined(value, ONE_LABEL),
        n=len(table),
        n_unscored=int((~kept).sum()),
        unit="item",
        method="Fleiss' κ",
        related={"observed": observed, "chance": chance},
    )


def _expected_distance(a: FloatArray, b: FloatArray, power: int) -> float:
    """Return the mean distance when every rating of one rater meets every rating of the other."""
    if not len(a):
        return np.nan
    (x, count_x), (y, count_y) = np.unique(a, return_counts=True), np.unique(b, return_counts=True)
    return float(count_x @ np.abs(x[:, None] - y[None, :]) ** power @ count_y / len(a) ** 2)


def _confusion(x: Labels, y: Labels) -> tuple[FloatArray, int]:
    if len(x) != len(y):
        raise DataError(f"one rater has {len(x)} labels, the other {len(y)}", fix="give one of each per item")
    both, names = encode_with_missing([*as_list(x), *as_list(y)])
    first, second = both[: len(x)], both[len(x) :]
    kept = ~(np.isnan(first) | np.isnan(second))
    size = len(names)
    cells = first[kept].astype(np.intp) * size + second[kept].astype(np.intp)
    table = np.bincount(cells, minlength=size * size).reshape(size, size).astype(np.float64)
    return table, int((~kept).sum())


def _on_scale(labels: Labels, categories: Sequence[Hashable] | None) -> FloatArray:
    if categories is None:
        try:
            return np.array(
                [np.nan if is_missing(item) else item for item in as_list(labels)], dtype=np.float64
            )
        except ValueError:
            raise UsageError("these labels are not numbers", fix="give categories=[…] in order") from None
    position = {name: float(number) for number, name in enumerate(categories)}
    unknown = next((item for item in as_list(labels) if not is_missing(item) and item not in position), None)
    if unknown is not None:
        raise DataError(f"label {unknown!r} is not among the categories", fix="add it to categories=[…]")
    return np.array(
        [np.nan if is_missing(item) else position[item] for item in as_list(labels)], dtype=np.float64
    )


def _rows(ratings: LabelTable) -> list[list[Hashable]]:
    rows = [as_list(row) for row in ratings]
    if len({len(row) for row in rows}) > 1:
        raise DataError("every item needs one entry per rater", fix="use None if a rater gave no label")
    return rows
