"""Judges, which prefer one artifact over another in verdicts, and examinees, which answer questions."""

from semiosis.judge._alignment import AlignmentJudge
from semiosis.judge._baseline import BASELINES
from semiosis.judge._citation_judge import CitationJudge, citation_verdict
from semiosis.judge._judge import HSGJudge, Judge, Presentation
from semiosis.judge._model_alignment import ModelAlignmentJudge
from semiosis.judge._score_judge import ScoreJudge, higher_score
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
    "ModelAlignmentJudge",
    "Presentation",
    "ScoreJudge",
    "SemJudge",
    "Settings",
    "citation_verdict",
    "higher_score",
]
