"""Tables, diffs and pages that show results to people."""

from semiosis.report._alignment_report import (
    diff_report,
    drift_json,
    drift_report,
    three_way_json,
    three_way_report,
)
from semiosis.report._comparison import comparison_page
from semiosis.report._diff_report import DiffReport
from semiosis.report._notebook_view import notebook_html, notebook_text
from semiosis.report._report import write_report
from semiosis.report._report_figures import report_tables

__all__ = [
    "DiffReport",
    "comparison_page",
    "diff_report",
    "drift_json",
    "drift_report",
    "notebook_html",
    "notebook_text",
    "report_tables",
    "three_way_json",
    "three_way_report",
    "write_report",
]
