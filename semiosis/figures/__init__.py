"""Figures for print of readings, alignments, statistics and profiles, drawn with Matplotlib."""

from semiosis.figures._agreement_chart import reader_agreement_chart
from semiosis.figures._card import card
from semiosis.figures._charts import judge_scores, rated_generators
from semiosis.figures._cost import cost_agreement
from semiosis.figures._drift_chart import cascade_drift
from semiosis.figures._grid import generator_grid
from semiosis.figures._grounds import ground_shifts, iconicity_distribution
from semiosis.figures._pair import aligned_pair
from semiosis.figures._profile_chart import profile
from semiosis.figures._rank_chart import ranked_generators
from semiosis.figures._reliability_chart import reliability
from semiosis.figures._style import Width, figure_bytes, save_figure

__all__ = [
    "Width",
    "aligned_pair",
    "card",
    "cascade_drift",
    "cost_agreement",
    "figure_bytes",
    "generator_grid",
    "ground_shifts",
    "iconicity_distribution",
    "judge_scores",
    "profile",
    "ranked_generators",
    "rated_generators",
    "reader_agreement_chart",
    "reliability",
    "save_figure",
]
