"""Judges: everything that prefers one artifact over another, in verdicts."""

from semiosis.judge._alignment import AlignmentJudge
from semiosis.judge._judge import HSGJudge, Judge, Presentation, compare_many, hsgs_in
from semiosis.judge._lift import CitationJudge, LocalScorer, ScoreJudge, Scorer, favoured
from semiosis.judge._semjudge import PRESETS, SemJudge, Settings
from semiosis.judge._vqa import Examinee

__all__ = [
    "PRESETS",
    "AlignmentJudge",
    "CitationJudge",
    "Examinee",
    "HSGJudge",
    "Judge",
    "LocalScorer",
    "Presentation",
    "ScoreJudge",
    "Scorer",
    "SemJudge",
    "Settings",
    "compare_many",
    "favoured",
    "hsgs_in",
]
