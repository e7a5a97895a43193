"""The majority vote of annotators and the two filters of quality control (SemJudge, appendix A)."""

from dataclasses import dataclass

import numpy as np

from semiosis.stats._arrays import Labels, Winners, group_codes, winner_codes
from semiosis.stats._estimate import BoolArray, FloatArray
from semiosis.stats._frames import Record, Result
from semiosis.stats._votes import majority_of
from semiosis.values import DataError

VoteTable = list[list[str]] | tuple[Winners, ...] | list[Winners] | np.ndarray
"""Comparisons × annotators, winners as in `krcc`."""

WINNER_NAMES = {1.0: "a", -1.0: "b", 0.0: "tie"}


@dataclass(frozen=True)
class Majority(Result):
    """The majority's answer on each comparison."""

    winners: tuple[str, ...]
    """"a", "b", "tie" (also if two answers are equally frequent), or "" if there is no vote."""
    shares: tuple[float, ...]
    """Share of the votes for the most frequent answer; NaN if there is no vote."""
    votes: tuple[int, ...]
    """The number of votes on each comparison."""

    def records(self) -> list[Record]:
        """Return one row per comparison."""
        columns = zip(self.winners, self.shares, self.votes, strict=True)
        return [{"winner": winner, "share": share, "votes": votes} for winner, share, votes in columns]


@dataclass(frozen=True)
class QualityControl(Result):
    """The comparisons that are reliable enough to keep."""

    kept: tuple[bool, ...]
    """Whether each comparison is kept."""
    n_unreliable: int
    """Comparisons dropped because the crowd agreed too little."""
    n_sparse: int
    """Further comparisons dropped because their prompt had too few reliable ones."""
    prompts_dropped: int
    """The number of prompts that were dropped."""
    n_thin: int
    """Comparisons with fewer votes than recommended; they are counted, not dropped."""
    n_unvoted: int
    """Comparisons without any vote; they are not kept."""
    parameters: dict[str, float]

    def __str__(self) -> str:
        return (
            f"{sum(self.kept):,} of {len(self.kept):,} comparisons kept: {self.n_unreliable:,} unreliable, "
            f"{self.n_sparse:,} in {self.prompts_dropped:,} sparse prompts, {self.n_unvoted:,} unvoted; "
            f"{self.n_thin:,} have fewer than {self.parameters['minimum_votes']:.0f} votes"
        )


def majority_vote(votes: VoteTable) -> Majority:
    """Return the most frequent winner of each comparison; rows are comparisons, columns annotators.

    >>> m = majority_vote([["a", "a", "b"], ["a", "b", ""], ["", "", ""]])
    >>> m.winners, m.votes
    (('a', 'tie', ''), (3, 2, 0))
    """
    winner, share, count = majority_of(_table(votes).T)
    words = tuple("" if np.isnan(code) else WINNER_NAMES[float(code)] for code in winner)
    return Majority(words, tuple(share.tolist()), tuple(count.tolist()))


def quality_control(
    votes: VoteTable,
    prompts: Labels,
    *,
    minimum_agreement: float = 0.60,
    minimum_tasks: int = 4,
    minimum_votes: int = 13,
) -> QualityControl:
    """Drop comparisons with too little agreement, then prompts with too few left (SemJudge, appendix A).

    Agreement is the share of the most frequent answer. Comparisons with fewer than 13 votes are counted.

    >>> qc = quality_control([["a", "a", "b"], ["a", "b", "tie"]], ["p", "p"], minimum_tasks=1)
    >>> qc.kept, qc.n_unreliable
    ((True, False), 1)
    """
    _, share, count = majority_of(_table(votes).T)
    kept, reliable = reliable_tasks(share, prompts, minimum_agreement, minimum_tasks)
    index, size = group_codes(prompts, len(share))
    left = np.bincount(index[kept], minlength=size)
    return QualityControl(
        kept=tuple(kept.tolist()),
        n_unreliable=int((~reliable & (count > 0)).sum()),
        n_sparse=int((reliable & ~kept).sum()),
        prompts_dropped=int((left == 0).sum()),
        n_thin=int((count < minimum_votes).sum()),
        n_unvoted=int((count == 0).sum()),
        parameters={
            "minimum_agreement": minimum_agreement,
            "minimum_tasks": minimum_tasks,
            "minimum_votes": minimum_votes,
        },
    )


def reliable_tasks(
    share: FloatArray, prompts: Labels, minimum_agreement: float, minimum_tasks: int
) -> tuple[BoolArray, BoolArray]:
    """Return the comparisons that pass both filters, and those that pass the first one."""
    reliable = np.asarray(np.nan_to_num(share, nan=-1.0) >= minimum_agreement - 1e-12)
    index, size = group_codes(prompts, len(share))
    dense = np.bincount(index[reliable], minlength=size) >= minimum_tasks
    return np.asarray(reliable & dense[index]), reliable


def _table(votes: VoteTable) -> FloatArray:
    rows = [winner_codes(row) for row in votes]
    if len({len(row) for row in rows}) > 1:
        raise DataError(
            "every comparison needs one entry per annotator", fix="use '' if an annotator did not vote"
        )
    return np.stack(rows) if rows else np.empty((0, 0))
