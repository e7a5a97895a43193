"""The gap between the scores of two cultures (VULCA, section 6)."""

import numpy as np

from semiosis.stats._agreement import sum_by_group
from semiosis.stats._arrays import Labels, Numbers, floats, safe_divide
from semiosis.stats._estimate import MIN_UNITS, Estimate, FloatArray, Interval, defined, undefined
from semiosis.stats._iconicity import cohen_d, cohen_d_from_sums, mean_difference
from semiosis.stats._permute import random_subsets
from semiosis.stats._resample import NO_WIDTH, Resampling, bootstrap_interval, resampled_sums, t_interval
from semiosis.values import Unscored, UsageError

BLOCK = 500_000
"""Random keys held in memory at once."""


def culture_gap(
    x: Numbers,
    y: Numbers,
    *,
    x_items: Labels | None = None,
    y_items: Labels | None = None,
    resamples: int = 1_000,
    permutations: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Return the difference of the mean scores of two cultures, with Cohen's d (VULCA, section 6).

    `x_items` and `y_items` name the artwork of each score and are required: scores of one artwork depend on
    one another, and a test that ignores this finds gaps that do not exist. The interval is Welch's t over
    artworks. p is two-sided, from permuting artworks between the groups; each difference is divided by its
    standard error, so that the test holds its level when the groups differ in spread (Janssen 1997). A group
    of fewer than 5 artworks has neither: in one of ten cases, the test would find a gap that does not exist.

    >>> r = culture_gap([1, 2, 3], [2, 3, 4], x_items="uvw", y_items="rst", resamples=0, permutations=0)
    >>> float(r), r.related["cohen_d"]
    (-1.0, -1.0)
    """
    if x_items is None or y_items is None:
        raise UsageError(
            "the artwork of each score is needed",
            fix="pass x_items=… and y_items=…; for one score per artwork, range(len(x)) and range(len(y))",
        )
    first, second = floats(x), floats(y)
    both = np.concatenate([first, second])
    centre = 0.0 if np.isnan(both).all() else float(np.nanmean(both))
    sides = [_sums(first - centre, x_items), _sums(second - centre, y_items)]
    total = np.concatenate([side.sum(axis=0) for side in sides])
    value = defined(float(mean_difference(total)), "a group is empty")
    scored = not isinstance(value, Unscored)
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    ends = _group_intervals(sides, resampling) if resamples and scored else (None, None)
    effect = cohen_d(x, y)
    return Estimate(
        name="culture gap",
        value=value,
        n=effect.n,
        n_unscored=effect.n_unscored,
        interval=ends[0],
        p=_group_p(sides, permutations, seed) if permutations and scored else None,
        unit="item",
        method="difference of means; two-sided studentised permutation of artworks",
        parameters={"resamples": resamples, "permutations": permutations, "level": level},
        seed=seed,
        related={
            "cohen_d": effect.value,
            "cohen_d_interval": ends[1],
            "items_first": len(sides[0]),
            "items_second": len(sides[1]),
        },
    )


def _sums(values: FloatArray, items: Labels) -> FloatArray:
    """Return n, Σx, Σx² of each artwork."""
    present = ~np.isnan(values)
    filled = np.where(present, values, 0.0)
    sums = sum_by_group(np.stack([present.astype(np.float64), filled, filled**2], axis=1), items)
    return sums[sums[:, 0] > 0]


def _group_intervals(
    sides: list[FloatArray], resampling: Resampling
) -> tuple[Interval | Unscored | None, Interval | Unscored | None]:
    fewest = min(len(side) for side in sides)
    if fewest < MIN_UNITS:
        return (undefined(f"a group has {fewest} artworks; an interval needs at least {MIN_UNITS}"),) * 2
    drawn = [
        resampled_sums(side, resampling.resamples, resampling.seed + number)
        for number, side in enumerate(sides)
    ]
    return _welch_interval(sides, resampling), bootstrap_interval(
        cohen_d_from_sums(np.concatenate(drawn, axis=1)), resampling, fewest
    )


def _welch_interval(sides: list[FloatArray], resampling: Resampling) -> Interval | Unscored:
    """Return Welch's interval of the difference of means, over artworks (Welch 1947)."""
    means = [float(side[:, 1].sum() / side[:, 0].sum()) for side in sides]
    residuals = [side[:, 1] - mean * side[:, 0] for side, mean in zip(sides, means, strict=True)]
    freedom = [len(side) - 1 for side in sides]
    variances = [
        float((rest**2).sum() * len(side) / df / side[:, 0].sum() ** 2)
        for rest, side, df in zip(residuals, sides, freedom, strict=True)
    ]
    total = sum(variances)
    if total <= 0:
        return undefined(NO_WIDTH)
    degrees = total**2 / sum(part**2 / df for part, df in zip(variances, freedom, strict=True))
    fewest = min(len(side) for side in sides)
    return t_interval(means[0] - means[1], total**0.5, fewest, resampling, freedom=degrees)


def _group_p(sides: list[FloatArray], permutations: int, seed: int) -> float | None:
    """Return the two-sided p of the studentised difference, from permuting artworks between the groups."""
    if min(len(side) for side in sides) < MIN_UNITS:
        return None
    pool, first = np.concatenate(sides), len(sides[0])
    n, s = pool[:, 0], pool[:, 1]
    moments = np.stack([n, s, n**2, n * s, s**2], axis=1)
    total = moments.sum(axis=0)
    observed = _studentised(moments[:first].sum(axis=0), total, first, len(pool))
    rng = np.random.default_rng(seed)
    rows = max(1, BLOCK // len(pool))
    extreme, done = 0, 0
    while done < permutations:
        count = min(rows, permutations - done)
        chosen = random_subsets(len(pool), first, count, rng).astype(np.float64) @ moments
        drawn = _studentised(chosen, total, first, len(pool))
        extreme += int((~(drawn < observed - 1e-9 * (1 + np.abs(observed)))).sum())
        done += count
    return (1 + extreme) / (1 + permutations)


def _studentised(chosen: FloatArray, total: FloatArray, first: int, items: int) -> FloatArray:
    """Return |difference of means| over its standard error, from sums of n, s, n², ns, s² over artworks.

    The mean of a group is Σs/Σn. Its error comes from the residuals s − mean·n of whole artworks, as for a
    ratio of sums; with one score per artwork this is Welch's t.
    """
    difference, variance = np.zeros(chosen.shape[:-1]), np.zeros(chosen.shape[:-1])
    for sign, sums, count in ((1, chosen, first), (-1, total - chosen, items - first)):
        n, s, nn, ns, ss = (sums[..., position] for position in range(5))
        mean = safe_divide(s, n)
        squares = np.maximum(ss - 2 * mean * ns + mean**2 * nn, 0.0)
        variance += safe_divide(squares * count / (count - 1), n**2)
        difference += sign * mean
    noise = 1e-24 * (1 + difference**2)  # rounding leaves constant groups a tiny variance
    return np.asarray(np.abs(difference) / np.sqrt(variance + noise))
