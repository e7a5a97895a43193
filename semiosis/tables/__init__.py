"""Tables of results, their formats, and the registries of the tables and figures of a study."""

from semiosis.tables import _study_figures as _study_figures  # it registers the figures
from semiosis.tables import _study_tables as _study_tables  # it registers the tables
from semiosis.tables._agreement_table import agreement_tables
from semiosis.tables._display_registry import (
    FIGURES,
    TABLES,
    DisplayOptions,
    FigureEntry,
    Need,
    TableEntry,
    figure_kind,
    register_figure,
    register_table,
    study_figures,
    study_tables,
)
from semiosis.tables._fate_tables import audit_tables, fate_tables
from semiosis.tables._html_table import RENDERERS, to_html
from semiosis.tables._judge_columns import JUDGE_COLUMNS, JudgeColumn, explain_column
from semiosis.tables._judge_tables import (
    ablation_table,
    bias_table,
    judge_table,
    pairs_table,
    replacement_table,
    score_latex,
)
from semiosis.tables._latex_table import latex_text, to_latex
from semiosis.tables._look_out import in_plain_words, look_out
from semiosis.tables._profile_table import profile_table, profile_tables
from semiosis.tables._rating_table import ranking_table, rating_table
from semiosis.tables._score_table import score_table
from semiosis.tables._score_text import score_text
from semiosis.tables._table import Cell, Table, to_csv, to_markdown, to_text

__all__ = [
    "FIGURES",
    "JUDGE_COLUMNS",
    "RENDERERS",
    "TABLES",
    "Cell",
    "DisplayOptions",
    "FigureEntry",
    "JudgeColumn",
    "Need",
    "Table",
    "TableEntry",
    "ablation_table",
    "agreement_tables",
    "audit_tables",
    "bias_table",
    "explain_column",
    "fate_tables",
    "figure_kind",
    "in_plain_words",
    "judge_table",
    "latex_text",
    "look_out",
    "pairs_table",
    "profile_table",
    "profile_tables",
    "ranking_table",
    "rating_table",
    "register_figure",
    "register_table",
    "replacement_table",
    "score_latex",
    "score_table",
    "score_text",
    "study_figures",
    "study_tables",
    "to_csv",
    "to_html",
    "to_latex",
    "to_markdown",
    "to_text",
]
