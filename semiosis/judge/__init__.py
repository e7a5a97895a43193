"""Comparisons become verdicts: SemJudge, direct judgment, citations, lifted scorers; and questions."""

from semiosis.judge._citations import CitationReport, citation_report
from semiosis.judge._lift import CitationJudge, ScoreJudge, favoured
from semiosis.judge._semjudge import PRESETS, SemJudge, Settings
from semiosis.judge._vqa import Accuracy, Examinee, accuracy

__all__ = [
    "PRESETS",
    "Accuracy",
    "CitationJudge",
    "CitationReport",
    "Examinee",
    "ScoreJudge",
    "SemJudge",
    "Settings",
    "accuracy",
    "citation_report",
    "favoured",
]
