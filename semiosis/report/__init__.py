"""What people look at: pages that show a comparison with its evidence."""

from semiosis.report._comparison import comparison_page

__all__ = ["comparison_page"]
