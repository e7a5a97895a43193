"""Everything that prefers one artifact over another. All a judge says is verdicts."""

from semiosis.judge._alignment import AlignmentJudge, survival

__all__ = ["AlignmentJudge", "survival"]
