"""Everything that prefers one artifact over another. All a judge says is verdicts."""

from semiosis.judge._alignment import AlignmentJudge
from semiosis.judge._citations import CitationReport, citation_report
from semiosis.judge._lift import CitationJudge, ScoreJudge, favoured
from semiosis.judge._many import compare_many
from semiosis.judge._semjudge import PRESETS, SemJudge, Settings
from semiosis.judge._vqa import Accuracy, Examinee, accuracy

__all__ = [
    "PRESETS",
    "Accuracy",
    "AlignmentJudge",
    "CitationJudge",
    "CitationReport",
    "Examinee",
    "ScoreJudge",
    "SemJudge",
    "Settings",
    "accuracy",
    "citation_report",
    "compare_many",
    "favoured",
]
