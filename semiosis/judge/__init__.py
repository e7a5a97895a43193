"""Judges: everything that prefers one artifact over another, in verdicts."""

from semiosis.judge._alignment import AlignmentJudge
from semiosis.judge._baseline import BASELINES, colourfulness
from semiosis.judge._citation_judge import CitationJudge, favoured
from semiosis.judge._judge import HSGJudge, Judge, Presentation, compare_many
from semiosis.judge._model_alignment import ModelAlignmentJudge
from semiosis.judge._score_judge import LocalScorer, ScoreJudge, Scorer, higher_score
from semiosis.judge._semjudge import PRESETS, SemJudge, Settings
from semiosis.judge._vqa import AnswerTask, Examinee

__all__ = [
    "BASELINES",
    "PRESETS",
    "AlignmentJudge",
    "AnswerTask",
    "CitationJudge",
    "Examinee",
    "HSGJudge",
    "Judge",
    "LocalScorer",
    "ModelAlignmentJudge",
    "Presentation",
    "ScoreJudge",
    "Scorer",
    "SemJudge",
    "Settings",
    "colourfulness",
    "compare_many",
    "favoured",
    "higher_score",
]
