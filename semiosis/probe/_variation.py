"""Semantic variation: whether an image changes if, and only if, the meaning changes (SemVarBench).

S(T, I) is the alignment of text T with image I. Names give the text and then the image: `av` is the anchor
text with the image of the permuted text whose meaning changed (pv), and `ia` is the permuted text whose
meaning stayed the same (pi) with the anchor's image.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np

from semiosis.probe._gap import cosine_score
from semiosis.stats.tools import (
    Estimate,
    FloatArray,
    Matrix,
    Numbers,
    Record,
    Resampling,
    Result,
    floats,
    interval,
    mean_columns,
    ratio,
    undefined,
)
from semiosis.values import DataError, Unscored


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


Scores = Numbers | float
"""One score per sample, or a single one."""

KappaInterpretation = Literal["sensitive", "insensitive", "random"]

ASPECTS: dict[str, tuple[str, ...]] = {
    "relation": (
        "action",
        "interaction",
        "absolute location",
        "relative location",
        "spatio-temporal",
        "direction",
    ),
    "attribute comparison": ("size", "height", "weight", "vague amount"),
    "attribute value": (
        "color",
        "counting",
        "texture",
        "material",
        "shape",
        "age",
        "sentiment",
        "temperature",
        "manner",
        "appearance",
    ),
}
"""The 20 categories by aspect (SemVarBench, appendix C)."""

SCORE_TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Variation(Result):
    """The variation of each sample."""

    alignment: FloatArray
    """S̄: mean of S over the three matched pairs."""
    gamma_w: FloatArray
    """γ_w: how much the image changed when the meaning changed. It is not clipped and can exceed 1."""
    gamma_wo: FloatArray
    """γ_wo: how much the image changed when the meaning stayed the same."""
    kappa: FloatArray
    """κ = γ_w − γ_wo."""

    def records(self) -> list[Record]:
        """Return one row per sample."""
        columns = {part.name: np.atleast_1d(getattr(self, part.name)).tolist() for part in fields(self)}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


@dataclass(frozen=True)
class VariationSummary(Result):
    """Means over samples."""

    alignment: Estimate
    gamma_w: Estimate
    gamma_wo: Estimate
    kappa: Estimate

    def __str__(self) -> str:
        return f"{self.kappa}; {self.gamma_w}; {self.gamma_wo}; {self.alignment}"


@dataclass(frozen=True)
class VariationTable(Result):
    """κ and its parts by category and by aspect."""

    overall: VariationSummary
    categories: Mapping[str, VariationSummary]
    aspects: Mapping[str, Mapping[str, float | Unscored]]
    """Unweighted means over the categories of an aspect: alignment, gamma_w, gamma_wo, kappa."""
    unplaced: tuple[str, ...] = ()
    """Categories of the samples that belong to no aspect and count in no mean of an aspect."""
    absent: tuple[str, ...] = ()
    """Categories of the aspects that no sample has."""

    def records(self) -> list[Record]:
        """Return one row for all samples and one per category."""
        each = {"overall": self.overall, **self.categories}
        return [{"category": name, **summary.record()} for name, summary in each.items()]

    def __str__(self) -> str:
        shown = [str(self.overall.kappa)]
        if self.unplaced:
            shown.append(f"in no aspect: {', '.join(self.unplaced)}")
        if self.absent:
            shown.append(f"without samples: {', '.join(self.absent)}")
        return "; ".join(shown)


def semvar(
    *, aa: Scores, vv: Scores, ii: Scores, va: Scores, av: Scores, ia: Scores, ai: Scores
) -> Variation:
    """Return S̄, γ_w, γ_wo and κ of each sample (SemVarBench, section 2).

    γ(p) = |S(T_a,I_p) − S(T_a,I_a)| + |S(T_p,I_p) − S(T_p,I_a)|. A value with a missing score is NaN.

    >>> v = semvar(aa=[0.98], vv=[0.95], ii=[0.98], va=[0.45], av=[0.55], ia=[0.98], ai=[0.95])
    >>> [round(float(x[0]), 2) for x in (v.alignment, v.gamma_w, v.gamma_wo, v.kappa)]
    [0.97, 0.93, 0.03, 0.9]
    """
    a_a, v_v, i_i = floats(aa), floats(vv), floats(ii)
    gamma_w = np.asarray(np.abs(floats(av) - a_a) + np.abs(v_v - floats(va)))
    gamma_wo = np.asarray(np.abs(floats(ai) - a_a) + np.abs(i_i - floats(ia)))
    return Variation(np.asarray((a_a + v_v + i_i) / 3), gamma_w, gamma_wo, np.asarray(gamma_w - gamma_wo))


def textual_variation(*, aa: Scores, pp: Scores, ap: Scores, pa: Scores) -> FloatArray:
    """Return γ^T(p) = |S(T_p,I_a) − S(T_a,I_a)| + |S(T_p,I_p) − S(T_a,I_p)| (SemVarBench, B.1).

    The image stays the same.

    >>> round(float(textual_variation(aa=0.9, pp=0.8, ap=0.3, pa=0.4)), 9)
    1.0
    """
    a_a, p_p, a_p, p_a = (floats(value) for value in (aa, pp, ap, pa))
    return np.asarray(np.abs(p_a - a_a) + np.abs(p_p - a_p))


def text_encoder_probe(anchor: Matrix | Numbers, permuted: Matrix | Numbers) -> FloatArray:
    """Return 1 − cos(T_a, T_pv), how well a text encoder distinguishes the texts (SemVarBench, figure 14).

    >>> round(float(text_encoder_probe([3.0, 4.0], [4.0, 3.0])), 9)
    0.04
    """
    return np.asarray(1 - cosine_score(anchor, permuted))


def interpret_kappa(kappa: float) -> KappaInterpretation:
    """Return the interpretation of κ: above ½, above 0, or at most 0 (SemVarBench, section 2).

    The images of a sensitive model change with the meaning of the text, and much less with its wording.

    >>> interpret_kappa(0.9), interpret_kappa(0.2), interpret_kappa(-0.4)
    ('sensitive', 'insensitive', 'random')
    """
    if kappa > 0.5:
        return "sensitive"
    return "insensitive" if kappa > 0 else "random"


def summarise_variation(
    variation: Variation, *, resamples: int = 10_000, level: float = 0.95, seed: int = 0
) -> VariationSummary:
    """Return the means of S̄, γ_w, γ_wo and κ over samples, with bootstrap intervals over samples."""
    resampling = Resampling(resamples=resamples, level=level, seed=seed)
    named = (
        ("S̄", variation.alignment),
        ("γ_w", variation.gamma_w),
        ("γ_wo", variation.gamma_wo),
        ("κ", variation.kappa),
    )
    return VariationSummary(*(_mean(name, np.atleast_1d(values), resampling) for name, values in named))


def variation_table(
    variation: Variation,
    categories: Sequence[str | Sequence[str]],
    *,
    aspects: Mapping[str, Sequence[str]] = ASPECTS,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 0,
) -> VariationTable:
    """Return the means by category, and unweighted means over the categories of each aspect.

    `categories` has one entry per sample: a name or several. Case, spaces, hyphens and underscores do not
    matter: `Absolute_Location` is `absolute location`. Categories that belong to no aspect are in `unplaced`.
    """
    if len(categories) != len(variation.kappa):
        raise DataError(
            f"there are {len(categories)} categories for {len(variation.kappa)} samples",
            fix="give one per sample",
        )
    given = [(entry,) if isinstance(entry, str) else tuple(entry) for entry in categories]
    first: dict[str, str] = {}
    names = [tuple(first.setdefault(_spelling(name), name) for name in entry) for entry in given]
    members = {name: np.array([name in entry for entry in names]) for entry in names for name in entry}
    found = {
        name: summarise_variation(_part(variation, mask), resamples=resamples, level=level, seed=seed)
        for name, mask in members.items()
    }
    known = {_spelling(name): name for inside in aspects.values() for name in inside}
    return VariationTable(
        overall=summarise_variation(variation, resamples=resamples, level=level, seed=seed),
        categories=found,
        aspects={
            aspect: _aspect([found[first[key]] for key in map(_spelling, inside) if key in first])
            for aspect, inside in aspects.items()
        },
        unplaced=tuple(name for name in found if _spelling(name) not in known),
        absent=tuple(name for key, name in known.items() if key not in first),
    )


def training_pairs(
    *, aa: Scores, vv: Scores, va: Scores, av: Scores, c2: float = 0.8, c3: float = 0.1
) -> list[bool]:
    """Return which samples are good enough to train on (SemVarBench, D.3).

    Matched pairs score above `c2` and above both mismatched pairs, and the two pairs of differences agree
    within `c3`. The inequalities are strict, with a tolerance of 1e-9. A sample with a missing score is not
    selected.

    >>> training_pairs(aa=[0.93, 0.98], vv=[0.95, 0.95], va=[0.55, 0.45], av=[0.59, 0.55])
    [True, False]
    """
    a_a, v_v, v_a, a_v = (np.atleast_1d(floats(value)) for value in (aa, vv, va, av))
    worst_match, best_mismatch = np.minimum(a_a, v_v), np.maximum(v_a, a_v)
    images = np.abs((a_a - a_v) - (v_v - v_a))
    texts = np.abs((a_a - v_a) - (v_v - a_v))
    good = (worst_match > c2 + SCORE_TOLERANCE) & (worst_match > best_mismatch + SCORE_TOLERANCE)
    even = (images < c3 - SCORE_TOLERANCE) & (texts < c3 - SCORE_TOLERANCE)
    return [bool(entry) for entry in good & even]


def _spelling(category: str) -> str:
    return re.sub(r"[\s_-]+", " ", category.strip()).casefold()


def _part(variation: Variation, mask: FloatArray) -> Variation:
    return Variation(
        variation.alignment[mask], variation.gamma_w[mask], variation.gamma_wo[mask], variation.kappa[mask]
    )


def _mean(name: str, values: FloatArray, resampling: Resampling) -> Estimate:
    kept = values[~np.isnan(values)]
    return Estimate(
        name=name,
        value=float(kept.mean()) if len(kept) else undefined("no sample with all its scores"),
        n=len(kept),
        n_unscored=len(values) - len(kept),
        interval=interval(mean_columns(values), ratio, resampling) if resampling.resamples else None,
        unit="item",
        method="mean over samples",
        parameters={"resamples": resampling.resamples, "level": resampling.level},
        seed=resampling.seed if resampling.resamples else None,
    )


def _aspect(found: Sequence[VariationSummary]) -> dict[str, float | Unscored]:
    means: dict[str, float | Unscored] = {}
    for part in ("alignment", "gamma_w", "gamma_wo", "kappa"):
        values = [value for summary in found if isinstance(value := getattr(summary, part).value, float)]
        means[part] = (
            float(np.mean(values)) if values else undefined("no category of this aspect has a value")
        )
    return means
