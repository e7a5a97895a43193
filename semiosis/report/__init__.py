"""Tables, diffs and pages for people to read."""

from semiosis.report._comparison import comparison_page
from semiosis.report._diff import diff_sheet, drift_json, drift_sheet, three_way_json, three_way_sheet
from semiosis.report._sheet import Sheet
from semiosis.report._statistics import ablation_table, bias_table, judge_table
from semiosis.report._table import RENDERERS, Table, to_csv, to_latex, to_markdown, to_text

__all__ = [
    "RENDERERS",
    "Sheet",
    "Table",
    "ablation_table",
    "bias_table",
    "comparison_page",
    "diff_sheet",
    "drift_json",
    "drift_sheet",
    "judge_table",
    "three_way_json",
    "three_way_sheet",
    "to_csv",
    "to_latex",
    "to_markdown",
    "to_text",
]
