"""The web's stance to the statements of a video: agreement, addition, contradiction, later change, or none."""

from search_core.stance.compare import Nearness, asserted_sentences, judge_sources
from search_core.stance.weighing import TableRow, stance_summary, stance_table

__all__ = ["Nearness", "TableRow", "asserted_sentences", "judge_sources", "stance_summary", "stance_table"]
