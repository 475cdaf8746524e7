"""What the web says of what a video says: agreement, addition, contradiction, change since, or no telling."""

from search_core.answering.comparison.across_languages import Nearness
from search_core.answering.comparison.compare import compare
from search_core.answering.comparison.table import TableRow, stance_summary, stance_table

__all__ = ["Nearness", "TableRow", "compare", "stance_summary", "stance_table"]
