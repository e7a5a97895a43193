"""Tables, diffs and pages that show results to people."""

from semiosis.report._agreement_table import agreement_tables
from semiosis.report._comparison import comparison_page
from semiosis.report._diff import diff_report, drift_json, drift_report, three_way_json, three_way_report
from semiosis.report._diff_report import DiffReport
from semiosis.report._fate_tables import audit_tables, fate_tables
from semiosis.report._formats import RENDERERS
from semiosis.report._judge_tables import ablation_table, bias_table, judge_table, pairs_table
from semiosis.report._latex import latex_text, to_latex
from semiosis.report._notebook import notebook_html, notebook_text
from semiosis.report._profile_table import profile_table, profile_tables
from semiosis.report._report import summary_tables, write_report
from semiosis.report._table import Table, to_csv, to_markdown, to_text
from semiosis.report._table_html import to_html

__all__ = [
    "RENDERERS",
    "DiffReport",
    "Table",
    "ablation_table",
    "agreement_tables",
    "audit_tables",
    "bias_table",
    "comparison_page",
    "diff_report",
    "drift_json",
    "drift_report",
    "fate_tables",
    "judge_table",
    "latex_text",
    "notebook_html",
    "notebook_text",
    "pairs_table",
    "profile_table",
    "profile_tables",
    "summary_tables",
    "three_way_json",
    "three_way_report",
    "to_csv",
    "to_html",
    "to_latex",
    "to_markdown",
    "to_text",
    "write_report",
]
