"""What the web says of what a video says: agreement, addition, contradiction, change since, or no telling."""

from search_core.stance.compare import Nearness, asserted_sentences, judge_sources
from search_core.stance.weighing import TableRow, stance_summary, stance_table

__all__ = ["Nearness", "TableRow", "asserted_sentences", "judge_sources", "stance_summary", "stance_table"]
