"""What people look at: pages that show a comparison with its evidence, and diffs of HSGs."""

from semiosis.report._comparison import comparison_page
from semiosis.report._diff import diff_sheet, drift_sheet, summary, three_way_sheet
from semiosis.report._sheet import Row, Sheet

__all__ = ["Row", "Sheet", "comparison_page", "diff_sheet", "drift_sheet", "summary", "three_way_sheet"]
