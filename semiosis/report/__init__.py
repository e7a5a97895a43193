"""Renders results for people: tables, diffs and pages."""

from semiosis.report._cite import citation_bibtex
from semiosis.report._comparison import comparison_page
from semiosis.report._diff import diff_report, drift_json, drift_report, three_way_json, three_way_report
from semiosis.report._diff_report import DiffReport
from semiosis.report._export import EXPORT_FORMATS, Exported, ExportFormat, export_study
from semiosis.report._export_annotations import web_annotations
from semiosis.report._export_graphs import union_graph
from semiosis.report._export_tables import TABLES, FlatTable
from semiosis.report._profile_table import profile_table
from semiosis.report._report import write_report
from semiosis.report._statistics import ablation_table, bias_table, judge_table, pairs_table
from semiosis.report._table import RENDERERS, Table, to_csv, to_latex, to_markdown, to_text
from semiosis.report._table_html import to_html

__all__ = [
    "EXPORT_FORMATS",
    "RENDERERS",
    "TABLES",
    "DiffReport",
    "ExportFormat",
    "Exported",
    "FlatTable",
    "Table",
    "ablation_table",
    "bias_table",
    "citation_bibtex",
    "comparison_page",
    "diff_report",
    "drift_json",
    "drift_report",
    "export_study",
    "judge_table",
    "pairs_table",
    "profile_table",
    "three_way_json",
    "three_way_report",
    "to_csv",
    "to_html",
    "to_latex",
    "to_markdown",
    "to_text",
    "union_graph",
    "web_annotations",
    "write_report",
]
