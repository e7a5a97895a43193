"""The annotators of a reference: their majority, the crowd's quality control, and a row for each of them.

The agreement of each annotator with the majority of the others is the lower estimate of the noise ceiling
(Nili et al. 2014), which is the agreement that a judge can be expected to reach.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from semiosis.stats._crowd import reliable_tasks
from semiosis.stats._estimate import Estimate, FloatArray
from semiosis.stats._rows import JudgeRow, ReferenceSet, judge_row
from semiosis.stats._votes import Outcomes, Votes, majority_of, outcomes_of, pooled_majority


def reference_of(
    votes: Votes, reference: str | Sequence[str]
) -> tuple[tuple[str, ...], FloatArray, list[str]]:
    """Return the annotators of the reference, their majority, and a note for each one listed twice."""
    listed = (reference,) if isinstance(reference, str) else tuple(reference)
    notes = [
        f"{name} is listed {count} times in the reference and counts once."
        for name, count in Counter(listed).items()
        if count > 1
    ]
    names = tuple(dict.fromkeys(listed))
    return names, pooled_majority(votes, names)[0], notes


def people_rows(
    votes: Votes, names: Sequence[str], reference: ReferenceSet, answers: Mapping[str, Estimate]
) -> tuple[JudgeRow, ...]:
    """Return each annotator against the majority of the others, on comparisons that have a reference.

    `answers` maps the names of evaluators to their VQA.
    """
    if len(names) < 2:
        return ()
    by_name = {name: outcomes_of(votes, name) for name in names}
    rows = []
    for name, outcomes in by_name.items():
        rest = np.concatenate([by_name[other].winner for other in names if other != name])
        truth = np.where(np.isnan(reference.truth), np.nan, majority_of(rest)[0])
        used = reference.used & ~np.isnan(truth)
        others = replace(reference, truth=truth, used=used, rating=None, crossed=None)
        rows.append(judge_row(name, outcomes, others, answers.get(name)))
    return tuple(rows)


def crowd_majority(
    votes: Votes, crowd: Sequence[str], truth: FloatArray, annotators: Sequence[str]
) -> tuple[FloatArray, Outcomes, list[str]]:
    """Return the reference without unreliable comparisons, the crowd's majority as a judge, and notes."""
    winner, share, _ = pooled_majority(votes, tuple(dict.fromkeys(crowd)))
    kept, reliable = reliable_tasks(share, votes.prompt, 0.60, 4)
    wanted = ~np.isnan(truth)
    lost, unreliable = int((wanted & ~kept).sum()), int((wanted & ~reliable).sum())
    note = (
        f"The crowd's quality control leaves out {lost:,} of {int(wanted.sum()):,} comparisons: "
        f"{unreliable:,} on which fewer than 60% agree, and {lost - unreliable:,} in prompts with fewer "
        "than 4 left."
    )
    none = np.zeros((1, len(winner)), dtype=np.bool_)
    outcomes = Outcomes(winner[None], none, none, ~np.isnan(winner)[None])
    notes = [
        f"{name} is in the crowd and in the reference: the crowd's majority is partly compared with itself."
        for name in dict.fromkeys(crowd)
        if name in annotators
    ]
    return np.where(kept, truth, np.nan), outcomes, [note, *notes]
