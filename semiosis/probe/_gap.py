"""Literal bias and the semantic alignment gap of idioms (DIVA, sections 4.2 to 4.5)."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from semiosis.stats.tools import (
    Estimate,
    FloatArray,
    Interval,
    Labels,
    Matrix,
    Numbers,
    Resampling,
    Result,
    floats,
    interval,
    mean_columns,
    ratio,
    safe_divide,
    sum_by_group,
    undefined,
)
from semiosis.values import DataError, Unscored


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


ScorerFamily = Literal["cosine", "likelihood", "confidence", "choice", "human", ""]
"""How S was measured. Gaps can be compared within one family only (DIVA, section 7.1)."""


@dataclass(frozen=True)
class Gap(Result):
    """The gap of one model under one condition."""

    mean: Estimate
    """Mean of Δ(t) = |b(t)|."""
    sd: float | Unscored
    """Standard deviation of Δ over items (n − 1)."""
    median_bias: float | Unscored
    """Median of b(t)."""
    mean_bias: float | Unscored
    """Mean of b(t)."""
    literal_share: float | Unscored
    """Share of items with b(t) > 0."""
    family: ScorerFamily
    """The family of the scorer. Δ must not be compared across families."""
    n: int
    n_unscored: int

    def __str__(self) -> str:
        return f"{self.mean}, family: {self.family or 'unnamed'}"


def literal_bias(literal: Numbers | float, idiomatic: Numbers | float) -> FloatArray:
    """Return b(t) = S(v_lit, t) − S(v_id, t), above 0 if the literal image fits better (DIVA, equation 1).

    >>> round(float(literal_bias(0.92, 0.55)), 9)
    0.37
    """
    return np.asarray(floats(literal) - floats(idiomatic))


def alignment_gap(literal: Numbers | float, idiomatic: Numbers | float) -> FloatArray:
    """Return Δ(t) = |b(t)| (DIVA, equation 2).

    >>> round(float(alignment_gap(0.61, 0.68)), 9)
    0.07
    """
    return np.asarray(np.abs(literal_bias(literal, idiomatic)))


def gap(
    literal: Numbers,
    idiomatic: Numbers,
    *,
    family: ScorerFamily = "",
    prompts: Labels | None = None,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> Gap:
    """Return the mean and SD of Δ, the median of b and the share of b > 0 over items (DIVA, table 1).

    >>> g = gap([0.92, 0.68, 0.3], [0.55, 0.61, 0.5], family="likelihood", resamples=0)
    >>> round(float(g.mean), 6), round(g.median_bias, 6), round(g.literal_share, 6)
    (0.213333, 0.07, 0.666667)
    """
    bias = literal_bias(literal, idiomatic)
    kept = ~np.isnan(bias)
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    found: Interval | Unscored | None = None
    if resamples:
        found = interval(sum_by_group(mean_columns(np.abs(bias)), prompts), ratio, resampling)
    b, n, left_out = bias[kept], int(kept.sum()), int((~kept).sum())
    none = undefined("no item with both scores")
    mean = Estimate(
        name="Δ",
        value=float(np.abs(b).mean()) if n else none,
        n=n,
        n_unscored=left_out,
        interval=found,
        unit="item" if prompts is None else "prompt",
        method="mean of |S(literal) − S(idiomatic)|",
        parameters={"family": family, "resamples": resamples, "level": level},
        seed=seed if resamples else None,
    )
    return Gap(
        mean=mean,
        sd=float(np.abs(b).std(ddof=1)) if n > 1 else undefined("fewer than 2 items"),
        median_bias=float(np.median(b)) if n else none,
        mean_bias=float(b.mean()) if n else none,
        literal_share=float((b > 0).mean()) if n else none,
        family=family,
        n=n,
        n_unscored=left_out,
    )


def human_gap(literal: Matrix, idiomatic: Matrix) -> FloatArray:
    """Return the human Δ of each item, the distance of its images' mean ratings (DIVA, appendix D).

    Rows are items, columns are raters, and ratings are from 1 to 5.

    >>> human_gap([[5, 4]], [[2, 3]]).tolist()
    [2.0]
    """
    return np.asarray(np.abs(_row_means(literal) - _row_means(idiomatic)))


def cosine_score(image: Matrix | Numbers, text: Matrix | Numbers) -> FloatArray:
    """Return S_disc, the cosine of embeddings along the last axis (DIVA, equation 3).

    >>> float(cosine_score([3.0, 4.0], [4.0, 3.0]))
    0.96
    """
    v, t = floats(image), floats(text)
    lengths = np.sqrt((v**2).sum(axis=-1) * (t**2).sum(axis=-1))
    return safe_divide((v * t).sum(axis=-1), lengths)


def open_score(yes: Numbers | float, no: Numbers | float) -> FloatArray:
    """Return S_open = e^ℓYes/(e^ℓYes + e^ℓNo), where ℓ is an answer's log-likelihood (DIVA, equation 4).

    >>> float(open_score(-1.0, -1.0))
    0.5
    """
    with np.errstate(invalid="ignore"):  # −∞ for both answers gives NaN, which is unscored
        return np.asarray(special.expit(floats(yes, infinite=True) - floats(no, infinite=True)))


def confidence_score(confidence: Numbers | float) -> FloatArray:
    """Return S_conf = γ/100 of a self-reported confidence from 0 to 100 (DIVA, equation 5).

    >>> float(confidence_score(85))
    0.85
    """
    value = floats(confidence)
    if ((value < 0) | (value > 100)).any():
        raise DataError(
            "a confidence lies outside 0 to 100", fix="leave an unreadable confidence unscored (NaN)"
        )
    return np.asarray(value / 100)


def choice_score(chosen: Numbers | Matrix) -> FloatArray:
    """Return S_closed, the share of forced choices of the image, along the last axis (DIVA, equation 6).

    >>> float(choice_score([1, 1, 0, 1]))
    0.75
    """
    return _row_means(np.atleast_1d(floats(chosen)))


def _row_means(table: Matrix | Numbers) -> FloatArray:
    values = floats(table)
    present = ~np.isnan(values)
    return safe_divide(np.where(present, values, 0.0).sum(axis=-1), present.sum(axis=-1))
