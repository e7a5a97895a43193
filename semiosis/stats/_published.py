"""Published numbers with their sources and settings. Tables show them only next to comparable results."""

from dataclasses import dataclass

PUBLISHED_PRESET = "semjudge:published"
"""The prefix of the names of judges that were run as in the paper. Published rows need such a judge."""

PUBLISHED_COMPARISONS = 1_870
PUBLISHED_QUESTIONS = 600

SEMJUDGE_TABLE_3 = "SemJudge, table 3"


@dataclass(frozen=True)
class AblationRow:
    """One row of SemJudge's ablation."""

    part: str
    """A: one judge with different HSGs; B: strong HSGs and weak judges; C: stronger judges."""
    hsg: str
    """none, standard or complex."""
    builder: str
    judge: str
    krcc: float
    vqa: float
    """The VQA accuracy in per cent."""
    source: str = SEMJUDGE_TABLE_3

    @property
    def label(self) -> str:
        """The name of the row in tables."""
        return f"{self.hsg} HSG, {self.builder} → {self.judge}" if self.builder else f"no HSG → {self.judge}"


ABLATION = (
    AblationRow("A", "none", "", "Qwen-9B", 0.48, 82.0),
    AblationRow("A", "standard", "Qwen-9B", "Qwen-9B", 0.55, 86.1),
    AblationRow("A", "complex", "Qwen-9B", "Qwen-9B", 0.51, 84.3),
    AblationRow("B", "none", "", "Qwen-2B", -0.04, 24.1),
    AblationRow("B", "none", "", "Qwen-4B", 0.28, 56.8),
    AblationRow("B", "complex", "Gemini-Flash", "Qwen-2B", 0.27, 42.2),
    AblationRow("B", "complex", "Gemini-Flash", "Qwen-4B", 0.52, 86.8),
    AblationRow("C", "complex", "Gemini-Flash", "Qwen-9B", 0.57, 91.6),
    AblationRow("C", "complex", "Gemini-Flash", "Gemini-Flash", 0.73, 92.4),
)
"""Judges with different HSGs (SemJudge, table 3)."""
