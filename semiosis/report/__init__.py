"""What people look at: pages that show a comparison with its evidence, and diffs that read."""

from semiosis.report._comparison import comparison_page
from semiosis.report._diff import diff_sheet, drift_json, drift_sheet, three_way_json, three_way_sheet
from semiosis.report._sheet import Sheet

__all__ = [
    "Sheet",
    "comparison_page",
    "diff_sheet",
    "drift_json",
    "drift_sheet",
    "three_way_json",
    "three_way_sheet",
]
