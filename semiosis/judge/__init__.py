"""Everything that prefers one artifact over another. All a judge says is verdicts."""

from semiosis.judge._alignment import AlignmentJudge
from semiosis.judge._lift import CitationJudge, ScoreJudge, favoured
from semiosis.judge._many import compare_many
from semiosis.judge._semjudge import PRESETS, SemJudge, Settings
from semiosis.judge._vqa import Examinee

__all__ = [
    "PRESETS",
    "AlignmentJudge",
    "CitationJudge",
    "Examinee",
    "ScoreJudge",
    "SemJudge",
    "Settings",
    "compare_many",
    "favoured",
]
