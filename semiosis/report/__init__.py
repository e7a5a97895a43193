"""Renders results for people: tables, diffs and pages."""

from semiosis.report._comparison import comparison_page
from semiosis.report._diff import diff_report, drift_json, drift_report, three_way_json, three_way_report
from semiosis.report._diff_report import DiffReport
from semiosis.report._statistics import ablation_table, bias_table, judge_table
from semiosis.report._table import RENDERERS, Table, to_csv, to_latex, to_markdown, to_text

__all__ = [
    "RENDERERS",
    "DiffReport",
    "Table",
    "ablation_table",
    "bias_table",
    "comparison_page",
    "diff_report",
    "drift_json",
    "drift_report",
    "judge_table",
    "three_way_json",
    "three_way_report",
    "to_csv",
    "to_latex",
    "to_markdown",
    "to_text",
]
