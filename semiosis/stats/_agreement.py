"""Accuracy, coverage, and the effect of the order shown on verdicts."""

import numpy as np

from semiosis.stats._arrays import (
    Labels,
    Winners,
    as_list,
    encode_labels,
    flip_mask,
    group_codes,
    is_missing,
    same_length,
    winner_codes,
)
from semiosis.stats._concordance import mean_columns, ratio
from semiosis.stats._estimate import BoolArray, Estimate, FloatArray, ResamplingUnit, undefined
from semiosis.stats._resample import Resampling, interval
from semiosis.values import DataError, Unscored


def accuracy(
    correct: Labels,
    answers: Labels,
    prompts: Labels | None = None,
    *,
    resamples: int = 10_000,
    level: float = 0.95,
    method: str = "t",
    seed: int = 0,
) -> Estimate:
    """Return the share of judged items that are correct; `related["over_all"]` divides by all items.

    The papers divide by all, so compare only `over_all` with a published number (SemJudge, section 6.1,
    VQA; DIVA, Acc@1). An answer that is None, NaN, "" or Unscored is unscored. `prompts` may be any
    grouping of the items, such as the artifact asked about; the interval is then over whole groups.

    >>> r = accuracy([0, 1, 2, 3], [0, 1, 3, None], resamples=0)
    >>> round(float(r), 4), r.related["over_all"], r.bounds
    (0.6667, 0.5, (0.5, 0.75))
    """
    truth = [None if is_missing(item) else item for item in as_list(correct)]
    outcome = [None if is_missing(item) else item for item in as_list(answers)]
    encode_labels([item for item in (*truth, *outcome) if item is not None])  # refuses 1 with "1"
    if len(truth) != len(outcome):
        raise DataError(
            f"there are {len(truth)} correct answers for {len(outcome)} answers",
            fix="give one of each per item",
        )
    right = [
        np.nan if one is None or other is None else float(one == other)
        for one, other in zip(truth, outcome, strict=True)
    ]
    asked = np.array([one is not None for one in truth], dtype=np.bool_)
    resampling = Resampling(resamples=resamples, level=level, method=method, seed=seed)
    return share("accuracy", np.array(right, dtype=np.float64), asked, prompts, resampling)


def agreement(
    reference: Winners,
    evaluator: Winners,
    prompts: Labels | None = None,
    *,
    resamples: int = 10_000,
    level: float = 0.95,
    method: str = "t",
    seed: int = 0,
) -> Estimate:
    """Return the share of judged comparisons on which the evaluator has the reference's winner.

    A tie agrees with a tie, and a flip agrees with nothing.

    >>> r = agreement(["a", "b", "tie", "a"], ["a", "a", "tie", ""], resamples=0)
    >>> round(float(r), 4), r.related["over_all"]
    (0.6667, 0.5)
    """
    truth, outcome = same_length(reference=winner_codes(reference), evaluator=winner_codes(evaluator))
    hits = (truth == outcome) & ~flip_mask(evaluator)
    right = np.where(np.isnan(truth) | np.isnan(outcome), np.nan, hits.astype(np.float64))
    resampling = Resampling(resamples=resamples, level=level, method=method, seed=seed)
    return share("agreement", right, ~np.isnan(truth), prompts, resampling)


def coverage(winners: Winners, expected: int | None = None) -> Estimate:
    """Return the share of comparisons that have a verdict, of the `expected` number or of those given.

    >>> float(coverage(["a", "", "tie", "b"]))
    0.75
    """
    scored = ~np.isnan(winner_codes(winners))
    total = len(scored) if expected is None else expected
    value = float(scored.sum() / total) if total else undefined("no comparison")
    return Estimate(
        name="coverage", value=value, n=total, n_unscored=total - int(scored.sum()), method="scored / all"
    )


def flip_rate(shown_ab: Winners, shown_ba: Winners) -> Estimate:
    """Return the share of comparisons whose verdicts in the two orders are opposite.

    Only comparisons that were judged in both orders count. Both arguments name the winner as a or b,
    whichever was shown first. `related["inconsistent"]` also counts a tie in one order and a winner in the
    other.

    >>> r = flip_rate(["a", "a", "b", "tie"], ["a", "b", "b", "a"])
    >>> float(r), r.related["inconsistent"]
    (0.25, 0.5)
    """
    first, second = same_length(shown_ab=winner_codes(shown_ab), shown_ba=winner_codes(shown_ba))
    both = ~(np.isnan(first) | np.isnan(second))
    n = int(both.sum())
    flips = int((first[both] * second[both] < 0).sum())
    changed = int((first[both] != second[both]).sum())
    reason = undefined("no comparison was judged in both orders")
    return Estimate(
        name="flip rate",
        value=flips / n if n else reason,
        n=n,
        n_unscored=len(first) - n,
        method="opposite verdicts in the two orders / comparisons judged in both",
        related={"flips": flips, "inconsistent": changed / n if n else reason},
    )


def position_bias(
    shown: Labels,
    winners: Winners,
    prompts: Labels | None = None,
    *,
    unit: ResamplingUnit = "prompt",
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """Return the share of verdicts for the artifact shown first minus the share for the one shown second.

    Only verdicts with a winner count. `shown` is "ab" or "ba" for each verdict. 0 is no bias, and 1 means
    that the first artifact always wins; `related["first"]` is the share for the first artifact.

    >>> r = position_bias(["ab", "ab", "ba", "ba"], ["a", "a", "b", "a"], resamples=0)
    >>> float(r), r.related["first"]
    (0.5, 0.75)
    """
    outcome = winner_codes(winners)
    order = np.array([_order(item) for item in as_list(shown)], dtype=np.float64)
    order, outcome = same_length(shown=order, winners=outcome)
    direction = np.where(outcome == 0, np.nan, order * outcome)
    decided = ~np.isnan(direction)
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    value = float(direction[decided].mean()) if decided.any() else undefined("no verdict has a winner")
    columns = sum_by_group(mean_columns(direction), prompts if unit == "prompt" else None)
    return Estimate(
        name="position bias",
        value=value,
        n=int(decided.sum()),
        n_unscored=int(np.isnan(outcome).sum()),
        interval=interval(columns, ratio, resampling, (-1.0, 1.0)) if resamples else None,
        unit="prompt" if prompts is not None and unit == "prompt" else "pair",
        method="first − second, over verdicts with a winner",
        parameters={"resamples": resamples, "level": level},
        seed=seed if resamples else None,
        related={
            "first": value if isinstance(value, Unscored) else (1 + value) / 2,
            "ties": int((outcome == 0).sum()),
        },
    )


def sum_by_group(columns: FloatArray, labels: Labels | None) -> FloatArray:
    """Return the columns summed within groups. Without labels, each row is its own group."""
    if labels is None:
        return columns
    index, count = group_codes(labels, len(columns))
    sums = [np.bincount(index, weights=column, minlength=count) for column in columns.T]
    return np.stack(sums, axis=1)


def share(
    name: str, right: FloatArray, asked: BoolArray, labels: Labels | None, resampling: Resampling
) -> Estimate:
    """Return the share of judged items that are right, with the share among all items and the bounds."""
    judged = asked & ~np.isnan(right)
    n, total = int(judged.sum()), int(asked.sum())
    hits = float(right[judged].sum())
    unscored = total - n
    columns = mean_columns(np.where(judged, right, np.nan))[asked]
    kept = (
        None
        if labels is None
        else [label for label, keep in zip(as_list(labels), asked, strict=True) if keep]
    )
    return Estimate(
        name=name,
        value=hits / n if n else undefined("no judged item"),
        n=n,
        n_unscored=unscored,
        interval=interval(sum_by_group(columns, kept), ratio, resampling, (0.0, 1.0))
        if resampling.resamples
        else None,
        unit="item" if labels is None else "prompt",
        bounds=(hits / total, (hits + unscored) / total) if total else None,
        method="right / judged",
        parameters={"resamples": resampling.resamples, "level": resampling.level},
        seed=resampling.seed if resampling.resamples else None,
        related={"over_all": hits / total if total else undefined("no item")},
    )


def _order(shown: object) -> float:
    if shown not in ("ab", "ba"):
        raise DataError(f"order shown {shown!r} is neither 'ab' nor 'ba'", fix="use 'ab' or 'ba'")
    return 1.0 if shown == "ab" else -1.0
