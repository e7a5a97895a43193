"""Scorers, which give an artifact a number, with or without its prompt."""

from semiosis.score._alignment import AlignmentScorer
from semiosis.score._picture import PICTURE_SCORERS, PictureScorer, colourfulness
from semiosis.score._recorded import RecordedScorer, ScoreKey
from semiosis.score._scorer import FAMILIES, Family, LocalScorer, Scorer

__all__ = [
    "FAMILIES",
    "PICTURE_SCORERS",
    "AlignmentScorer",
    "Family",
    "LocalScorer",
    "PictureScorer",
    "RecordedScorer",
    "ScoreKey",
    "Scorer",
    "colourfulness",
]
