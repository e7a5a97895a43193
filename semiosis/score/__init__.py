"""Scorers, which give an artifact a number, with or without its prompt."""

from semiosis.score._alignment import AlignmentScorer
from semiosis.score._asked import RUBRICS, NodeScorer, RatedScorer, Rubric
from semiosis.score._checkpoints import CHECKPOINTS, REFUSED, Checkpoint, Formula
from semiosis.score._convert import Release, convert_release
from semiosis.score._encoder import EncoderScorer
from semiosis.score._likelihood import LIKELIHOODS, LikelihoodQuestion, LikelihoodScorer
from semiosis.score._picture import PICTURE_SCORERS, PictureScorer, colourfulness
from semiosis.score._recorded import RecordedScorer, ScoreKey
from semiosis.score._scorer import FAMILIES, Family, LocalScorer, Scorer

__all__ = [
    "CHECKPOINTS",
    "FAMILIES",
    "LIKELIHOODS",
    "PICTURE_SCORERS",
    "REFUSED",
    "RUBRICS",
    "AlignmentScorer",
    "Checkpoint",
    "EncoderScorer",
    "Family",
    "Formula",
    "LikelihoodQuestion",
    "LikelihoodScorer",
    "LocalScorer",
    "NodeScorer",
    "PictureScorer",
    "RatedScorer",
    "RecordedScorer",
    "Release",
    "Rubric",
    "ScoreKey",
    "Scorer",
    "colourfulness",
    "convert_release",
]
