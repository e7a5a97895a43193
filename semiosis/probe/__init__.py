"""Indicators of critiques of artworks, computed from their texts (VULCA)."""

from semiosis.probe._critique import (
    TierOne,
    cds,
    count_sentences,
    covered_dimensions,
    csa,
    dcr,
    level_of,
    lqs,
    rescale,
    tier_one,
    tokens,
)

__all__ = [
    "TierOne",
    "cds",
    "count_sentences",
    "covered_dimensions",
    "csa",
    "dcr",
    "level_of",
    "lqs",
    "rescale",
    "tier_one",
    "tokens",
]
