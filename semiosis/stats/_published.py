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


@dataclass(frozen=True)
class GapRow:
    """One row of DIVA's table 1: mean ± SD of the gap and median literal bias, photo and icon."""

    model: str
    family: str
    """The family of the scorer. Gaps can be compared within one family only."""
    photo: float
    photo_sd: float
    photo_bias: float
    icon: float
    icon_sd: float
    icon_bias: float
    source: str = "DIVA, table 1"


GAPS = (
    GapRow("SigLIP2", "cosine", 0.245, 0.032, 0.241, 0.178, 0.028, 0.162),
    GapRow("EVA-CLIP", "cosine", 0.262, 0.038, 0.258, 0.191, 0.031, 0.179),
    GapRow("MetaCLIP2", "cosine", 0.251, 0.035, 0.247, 0.184, 0.029, 0.170),
    GapRow("InternVL3", "likelihood", 0.138, 0.021, 0.131, 0.089, 0.015, 0.072),
    GapRow("Qwen2.5-VL", "likelihood", 0.145, 0.024, 0.138, 0.095, 0.018, 0.081),
    GapRow("LLaVA-OV", "likelihood", 0.176, 0.029, 0.169, 0.122, 0.022, 0.108),
    GapRow("GPT-5", "confidence", 0.065, 0.011, 0.058, 0.021, 0.006, 0.014),
    GapRow("Claude", "confidence", 0.072, 0.013, 0.064, 0.028, 0.008, 0.019),
)
"""Gaps and biases of each model (DIVA, table 1)."""


@dataclass(frozen=True)
class PreferenceRow:
    """One row of AIGI-VC's tables 2 and 3: accuracy on all pairs and on decisive ones, for both questions."""

    model: str
    clarity_all: float
    clarity_sub: float
    emotion_all: float
    emotion_sub: float
    consistency: tuple[float, float, float, float] | None = None
    """Order consistency in the same four settings, for models that see pairs."""
    source: str = "AIGI-VC, tables 2 and 3"


PREFERENCES = (
    PreferenceRow("HyperIQA", 0.5438, 0.5497, 0.5404, 0.5571),
    PreferenceRow("CLIPScore", 0.5654, 0.5880, 0.5988, 0.6273),
    PreferenceRow("Aesthetic", 0.6794, 0.7267, 0.6832, 0.7425),
    PreferenceRow("HPSv2", 0.7386, 0.8131, 0.7036, 0.7649),
    PreferenceRow("ImageReward", 0.7484, 0.8227, 0.6924, 0.7481),
    PreferenceRow("PickScore", 0.7518, 0.8306, 0.6912, 0.7513),
    PreferenceRow("GPT-4o", 0.7928, 0.8826, 0.7236, 0.7993, (0.8687, 0.9013, 0.6424, 0.6552)),
)
"""Accuracies of each model (AIGI-VC, tables 2 and 3)."""

CRITIQUES = {
    "Gemini-2.5-Pro": 4.27,
    "Qwen3-235B": 4.21,
    "Sonnet-4.5": 4.11,
    "Opus-4.5": 4.09,
    "GPT-5": 4.00,
    "GPT-5.2": 3.97,
    "Gemini-3": 3.95,
    "Llama4": 3.67,
    "GPT-5-mini": 3.64,
    "Haiku": 3.61,
    "Qwen3-Flash": 3.58,
    "GPT-4o": 3.57,
    "4o-mini": 3.24,
    "GLM": 3.15,
    "DeepSeek": 3.01,
}
"""S* of each model (VULCA, table 6)."""

CALIBRATION_MAE = {"raw": 0.4539, "sigmoid": 0.4462, "isotonic": 0.4493}
"""Held-out mean absolute error (VULCA, appendix A.3)."""


@dataclass(frozen=True)
class VariationRow:
    """One row of SemVarBench's table 2, with GPT-4o as scorer."""

    model: str
    alignment: float
    gamma_w: float
    gamma_wo: float
    kappa: float
    source: str = "SemVarBench, table 2, GPT-4o as scorer"


VARIATIONS = (
    VariationRow("SD1.5", 0.63, 0.34, 0.33, 0.01),
    VariationRow("SD2.1", 0.65, 0.33, 0.31, 0.02),
    VariationRow("SDXL", 0.71, 0.31, 0.28, 0.03),
    VariationRow("Cascade", 0.67, 0.31, 0.31, 0.00),
    VariationRow("DeepFloyd", 0.69, 0.33, 0.30, 0.03),
    VariationRow("PixArt", 0.70, 0.29, 0.26, 0.03),
    VariationRow("Kolors", 0.69, 0.31, 0.30, 0.01),
    VariationRow("SD3", 0.75, 0.36, 0.29, 0.07),
    VariationRow("FLUX", 0.72, 0.42, 0.33, 0.10),
    VariationRow("MidJourney", 0.72, 0.40, 0.33, 0.07),
    VariationRow("DALL-E 3", 0.82, 0.36, 0.22, 0.13),
    VariationRow("CogView3+", 0.81, 0.49, 0.28, 0.20),
    VariationRow("Ideogram 2", 0.81, 0.46, 0.27, 0.20),
)
"""Variation of each model (SemVarBench, table 2)."""
